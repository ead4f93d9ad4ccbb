package job_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"veilpath/internal/job"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
)

// sums is work with two rounds: numbers that all parts need, and their sums with a number for each piece.
type sums struct {
	second int // pieces of the second round
	stop   int // the session is interrupted after this number of pieces; 0 for never
	found  []int
}

func (s *sums) do(ctx context.Context, keeper pool.Keeper) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	made := 0
	work := func() pool.Work[int, int] {
		return func(_ context.Context, n, _ int) (int, error) {
			if made++; made == s.stop {
				cancel()
			}
			return n + 1, nil
		}
	}
	total := 0
	for r, err := range pool.Resumed(ctx, 1, pool.Numbers(0, 3), work, pool.Common(keeper)) {
		if err != nil {
			return err
		}
		total += r.Value
	}
	for r, err := range pool.Resumed(ctx, 1, pool.Numbers(0, s.second), work, keeper) {
		if err != nil {
			return err
		}
		s.found = append(s.found, total+r.Value)
	}
	return nil
}

// alone does the pieces of the second round that are not kept yet, without pool.Resumed.
func (s *sums) alone(_ context.Context, keeper pool.Keeper) error {
	for n := range s.second {
		var found int
		kept, err := keeper.Kept(&found)
		if err == nil && !kept {
			found = n + 7
			err = keeper.Keep(found)
		}
		if err != nil {
			return err
		}
		s.found = append(s.found, found)
	}
	return nil
}

// jobOf returns the job of sums, or a part of it.
func jobOf(s *sums, seed uint64, index, of int) job.Job {
	m := record.Manifest{Program: "veilpath", Version: "test", Verb: "leak", Seed: seed, Complete: true,
		Config: []byte("{}")}
	if of > 0 {
		m.Shard = record.NewShard(index, of, of)
	}
	return job.Job{Manifest: m, Do: s.do, Write: func(f *record.Folder) error {
		write := func(w io.Writer) error { _, err := fmt.Fprintln(w, s.found); return err }
		if err := f.Write("sums.csv", write); err != nil {
			return err
		}
		return f.Finish(m)
	}}
}

// run does a job in a folder.
func run(disk *recordtest.Disk, path string, j job.Job) error {
	folder, err := record.ReopenFolder(disk, path, "leak")
	if err != nil {
		return err
	}
	defer folder.Close()
	return diskOf(disk).Run(context.Background(), folder, j)
}

func diskOf(disk *recordtest.Disk) job.Disk {
	return job.Disk{Files: disk, Now: func() time.Time { return time.Time{} }, Remark: func(string) {}}
}

// join joins parts in the folder whole and does the rest of the work there.
func join(disk *recordtest.Disk, s *sums, parts ...string) error {
	found, err := diskOf(disk).Parts(context.Background(), parts)
	if err != nil {
		return err
	}
	folder, err := record.ReopenFolder(disk, "whole", "merge")
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := diskOf(disk).Join(context.Background(), folder, found); err != nil {
		return err
	}
	return diskOf(disk).Run(context.Background(), folder, jobOf(s, 1, 0, 0))
}

// Parts joined in any order, resumed or not, give the same files as undivided work, and no piece is done twice.
func TestPartsJoinToTheWhole(t *testing.T) {
	for _, second := range []int{1, 2, 7, 12} {
		disk := &recordtest.Disk{}
		if err := run(disk, "once", jobOf(&sums{second: second}, 1, 0, 0)); err != nil {
			t.Fatal(err)
		}
		var parts []string
		for i := 1; i <= 3; i++ {
			path := fmt.Sprint("part", i)
			parts = append(parts, path)
			var stopped *job.StoppedError
			if err := run(disk, path, jobOf(&sums{second: second, stop: 2}, 1, i, 3)); !errors.As(err, &stopped) {
				t.Fatalf("part %d is not interrupted: %v", i, err)
			}
			if err := run(disk, path, jobOf(&sums{second: second}, 1, i, 3)); err != nil {
				t.Fatal(err)
			}
			if state, err := diskOf(disk).State(path, jobOf(&sums{second: second}, 1, i, 3)); state != job.Finished ||
				err != nil {
				t.Errorf("part %d: state %d, %v", i, state, err)
			}
		}
		slices.Reverse(parts)
		again := &sums{second: second, stop: 1}
		if err := join(disk, again, parts...); err != nil {
			t.Fatalf("%d pieces: %v", second, err)
		}
		if got, want := disk.Files("whole"), disk.Files("once"); got["sums.csv"] != want["sums.csv"] ||
			got[record.ManifestName] != want[record.ManifestName] || len(got) != len(want) {
			t.Errorf("%d pieces: joined to %q, at once %q", second, got, want)
		}
	}
}

// The error for a folder that is not a part of the same work names it.
func TestPartsOfOtherWorkAreRefused(t *testing.T) {
	disk := &recordtest.Disk{}
	for path, j := range map[string]job.Job{
		"1": jobOf(&sums{second: 5}, 1, 1, 2), "2": jobOf(&sums{second: 5}, 1, 2, 2),
		"half": jobOf(&sums{second: 5}, 1, 1, 3),
		"seed": jobOf(&sums{second: 5}, 2, 2, 2), "all": jobOf(&sums{second: 5}, 1, 0, 0),
		"damaged": jobOf(&sums{second: 5}, 1, 2, 2),
	} {
		if err := run(disk, path, j); err != nil {
			t.Fatal(path, err)
		}
	}
	disk.Put("damaged/"+record.PartName, disk.Files("1")[record.PartName])
	for _, c := range []struct {
		parts, want string
	}{
		{"1", "part 2/2 is missing"},
		{"1 2 1", "are both part 1/2"},
		{"1 half", "different work"},
		{"1 seed", "different work"},
		{"1 all", "all is not a part"},
		{"1 none", "none: holds no"},
		{"1 damaged", "damaged: its files differ"},
	} {
		err := join(disk, &sums{second: 5}, strings.Fields(c.parts)...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.parts, err, c.want)
		}
	}
	if len(disk.Files("whole")) > 0 {
		t.Errorf("refused parts left %q", disk.Files("whole"))
	}
}
