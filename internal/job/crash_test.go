package job_test

import (
	"context"
	"errors"
	"maps"
	"syscall"
	"testing"

	"veilpath/internal/job"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
)

// deed computes the answer of sums in the folder whole.
type deed struct {
	before *recordtest.Disk
	do     func(*recordtest.Disk) error
}

// deeds returns the ways to compute it: at once, from parts, and as a part that is an answer of its own.
func deeds(t *testing.T) map[string]deed {
	t.Helper()
	parts := &recordtest.Disk{}
	for i, path := range []string{"part1", "part2"} {
		if err := diskOf(parts).Do(context.Background(), path, jobOf(&sums{second: 4}, 1, i+1, 2)); err != nil {
			t.Fatal(err)
		}
	}
	at := func(disk *recordtest.Disk) error {
		return diskOf(disk).Do(context.Background(), "whole", jobOf(&sums{second: 4}, 1, 0, 0))
	}
	return map[string]deed{
		"at once": {&recordtest.Disk{}, at},
		"alone": {&recordtest.Disk{}, func(disk *recordtest.Disk) error {
			s := &sums{second: 9}
			j := jobOf(s, 1, 1, 2)
			j.Do, j.Alone = s.alone, true
			return diskOf(disk).Do(context.Background(), "whole", j)
		}},
		"from parts": {parts, func(disk *recordtest.Disk) error { return joined(disk, "part2", "part1") }},
	}
}

// joined is join for a folder that may hold leftovers of an earlier attempt.
func joined(disk *recordtest.Disk, parts ...string) error {
	whole := jobOf(&sums{second: 4}, 1, 0, 0)
	if state, err := diskOf(disk).State("whole", whole); err != nil || state == job.Finished {
		return err
	}
	found, err := diskOf(disk).Parts(context.Background(), parts)
	if err != nil {
		return err
	}
	folder, err := record.ReopenFolder(disk, "whole", "merge")
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := folder.Restart(); err != nil {
		return err
	}
	if err := diskOf(disk).Join(context.Background(), folder, found); err != nil {
		return err
	}
	return diskOf(disk).Run(context.Background(), folder, whole)
}

// If a job is killed, the power fails or the disk is full at any operation, the files of a manifest are complete,
// and running the job again gives the same files.
func TestJobsStoppedAtAnyOperation(t *testing.T) {
	for name, d := range deeds(t) {
		once := d.before.Killed()
		if err := d.do(once); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := once.Files("whole")
		if len(want) != 2 {
			t.Fatalf("%s: %q", name, want)
		}
		operations := 0
		for n := 1; ; n++ {
			disk := d.before.Killed()
			stopped := disk.StopAt(n)
			d.do(disk)
			if !stopped() {
				break
			}
			operations++
			for how, left := range map[string]*recordtest.Disk{"killed": disk.Killed(),
				"power failure": disk.PowerFailure(-1)} {
				m, err := record.ReadManifest(left, "whole")
				if err == nil {
					err = record.CheckFiles(context.Background(), left, "whole", m)
				}
				if err != nil && !errors.Is(err, record.ErrNoManifest) {
					t.Fatalf("%s, %s at operation %d: %v", name, how, n, err)
				}
				if err := d.do(left); err != nil || !maps.Equal(left.Files("whole"), want) {
					t.Fatalf("%s, %s at operation %d and done again: %v, %q", name, how, n, err, left.Files("whole"))
				}
			}
			full := d.before.Killed()
			failed := full.FailAt(n, syscall.ENOSPC)
			err := d.do(full)
			full.Before = nil
			if failed() && err == nil && !maps.Equal(full.Files("whole"), want) {
				t.Fatalf("%s: with a full disk at operation %d it reports no error", name, n)
			}
			if err := d.do(full); err != nil || !maps.Equal(full.Files("whole"), want) {
				t.Fatalf("%s, a disk that was full at operation %d: %v, %q", name, n, err, full.Files("whole"))
			}
		}
		if operations < 30 {
			t.Errorf("%s: only %d operations are tested", name, operations)
		}
	}
}

// Two processes never work in the same folder, and a folder with another answer stays unchanged.
func TestJobsKeepOthersOut(t *testing.T) {
	disk := &recordtest.Disk{}
	folder, err := record.ReopenFolder(disk, "whole", "leak")
	if err != nil {
		t.Fatal(err)
	}
	whole := jobOf(&sums{second: 4}, 1, 0, 0)
	if err := diskOf(disk).Do(context.Background(), "whole", whole); !errors.Is(err, record.ErrBusy) {
		t.Errorf("beside another process: %v", err)
	}
	if err := folder.Close(); err != nil {
		t.Fatal(err)
	}
	if err := diskOf(disk).Do(context.Background(), "whole", whole); err != nil {
		t.Fatal(err)
	}
	was := disk.Files("whole")
	err = diskOf(disk).Do(context.Background(), "whole", jobOf(&sums{second: 4}, 2, 0, 0))
	if !errors.Is(err, job.ErrOther) || !maps.Equal(disk.Files("whole"), was) {
		t.Errorf("another answer: %v", err)
	}
}
