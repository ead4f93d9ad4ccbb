package campaign

import (
	"context"
	"math/rand/v2"
	"testing"

	"veilpath/configs"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
)

// A study of a range that is killed a hundred times, anywhere, ends with the bytes of one that never
// was.
func TestStudyKilledManyTimesEndsWithTheSameBytes(t *testing.T) {
	const kills = 100
	request := Request{Settings: configs.Request{Sets: []string{"study.epsilons=0.2..4,1,0.3", "study.runs=200",
		"study.workers=1"}}}
	session := func(disk record.FileSystem) (*Session, *pieces.Folder, error) {
		p := &Program{Version: "1", Disk: disk}
		plan, err := p.Resume("out", request)
		if err != nil {
			return nil, nil, err
		}
		s, err := p.NewSession(context.Background(), plan)
		if err != nil {
			return nil, nil, err
		}
		s.sweep.RunsAtOnce = 1
		folder, err := record.ReopenFolder(disk, "out", "study --resume")
		return s, folder, err
	}
	whole := &recordtest.Disk{}
	s, folder, err := session(whole)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Fly(context.Background(), folder); err != nil {
		t.Fatal(err)
	}
	folder.Close()

	random := rand.New(rand.NewPCG(11, 0))
	disk, killed, flown := &recordtest.Disk{}, 0, 0
	for ; ; killed++ {
		most := 48 // operations: some to take the folder and the journal, and one a run
		if killed >= kills {
			most = 1 << 20
		}
		stopped := disk.StopAt(1 + random.IntN(most))
		s, folder, err := session(disk)
		if err == nil {
			_, err = s.Fly(context.Background(), folder)
		}
		if !stopped() {
			if err != nil {
				t.Fatal(err)
			}
			folder.Close()
			break
		}
		disk = disk.Killed()
		flown = max(flown, len(disk.Files("out")[record.JournalName]))
	}
	t.Logf("%d bytes were flown until then", flown)
	if killed < kills {
		t.Errorf("killed %d times, want %d", killed, kills)
	}
	got, want := disk.Files("out"), whole.Files("out")
	for name, text := range want {
		if name != record.ManifestName && got[name] != text {
			t.Errorf("%s has %d other bytes after %d kills, of %d", name, len(got[name]), killed, len(text))
		}
	}
}
