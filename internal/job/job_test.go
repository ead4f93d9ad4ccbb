package job

import (
	"testing"

	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
)

// Leftovers of a killed process are removed, or an error says why not. The files of a working process stay.
func TestTidyReportsItsErrors(t *testing.T) {
	opening := 0 // operations of opening a folder, each of which may fail
	for n := 1; ; n++ {
		killed, other := &recordtest.Disk{}, &recordtest.Disk{}
		killed.Put("out/x", "")
		other.Put("out/x", "")
		stopped := killed.StopAt(n)
		other.StopAt(n)
		err := (Disk{Files: killed}).tidy("out", "study")
		if !stopped() {
			if err != nil {
				t.Errorf("undisturbed: %v", err)
			}
			break
		}
		if _, cause := record.ReopenFolder(other, "out", "study"); cause != nil {
			opening++
			if err == nil {
				t.Errorf("operation %d fails with %v, which is not reported", n, cause)
			}
		}
	}
	if opening == 0 {
		t.Error("no operation of opening a folder fails")
	}
	disk := &recordtest.Disk{}
	disk.Put("out/x", "")
	busy, err := record.ReopenFolder(disk, "out", "study")
	if err != nil {
		t.Fatal(err)
	}
	if err := (Disk{Files: disk}).tidy("out", "study"); err != nil {
		t.Errorf("beside a working process: %v", err)
	}
	if err := busy.Close(); err != nil {
		t.Fatal(err)
	}
}
