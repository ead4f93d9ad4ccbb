package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Work that is interrupted at any piece goes on with the same command and ends with the same bytes; once more it prints
// the same JSON, and other work is refused.
func TestJobsGoOnWhereTheyStopped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args  []string
		other string
	}{
		"study": {[]string{"study", "--epsilons", "0.5,2", "--runs", "500", "--noise", "independent"}, "--seed=5"},
		"range": {[]string{"study", "--epsilons", "0.2..4,1", "--runs", "800"}, "--seed=5"},
		"leak": {[]string{"leak", "--flights", "6", "--observers", "geometry,mechanism", "--epsilons", "1", "--candidates",
			"16:11,3:4", "--policies", "2"}, "--seed=5"},
		"audit": {[]string{"audit", "--samples", "1000", "--tables", "0"}, "--samples=1001"},
		"tune": {[]string{"tune", "--runs", "40", "--epsilons", "1,2", "--radii", "0.7", "--between", "0.5,4",
			"--hidden-until", "65", "--max-runs", "300"}, "--max-runs=301"},
		"tune without a demand": {[]string{"tune", "--runs", "40", "--epsilons", "1,2"}, "--seed=5"},
		"tune a problem": {[]string{"tune", "example1", "--max-cost", "20%", "--max-runs", "300", "--between", "0.5,4",
			"--resolution", "0.5"}, "--max-cost=3%"},
		"reproduce": {[]string{"reproduce", "example1", "example2", "--set", "study.runs=30", "--set", "example1.agents=2",
			"--set", "example2.goal_rewards=5", "--set", "study.epsilons=1,5"}, "--seed=5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const goOn, refusal = "go on with the same command", " holds other work: "
			whole := folderOf(t, append(c.args, "--workers", "1")...)
			want := results(t, whole)
			out := filepath.Join(t.TempDir(), "out")
			args := append(append([]string{}, c.args...), "--workers", "2", "--out", out)
			kept, tries := 0, 0
			for session := 1; ; session++ {
				ctx, cancel := context.WithCancel(t.Context())
				go func() { // interrupts when so many pieces are kept
					for ctx.Err() == nil && len(piecesIn(out)) < kept+session {
						time.Sleep(300 * time.Microsecond)
					}
					cancel()
				}()
				r := call(ctx, nil, args)
				cancel()
				if r.code == exitDone && kept == 0 && tries < 20 { // done before it was interrupted
					session, tries = 0, tries+1
					if err := os.RemoveAll(out); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if r.code == exitDone {
					break
				}
				if kept = len(piecesIn(out)); r.code != exitInterrupted || kept > 0 && !strings.Contains(r.stderr, goOn) ||
					session > 100 {
					t.Fatalf("session %d: exit %d, %d kept, %s", session, r.code, kept, r.stderr)
				}
			}
			if kept == 0 {
				t.Error("it was never interrupted")
			}
			sameResults(t, want, out)
			first := veilpath(t, append(c.args, "--format", "json", "--out", t.TempDir())...).stdout
			if r := veilpath(t, append(args, "--format", "json")...); r.code != exitDone ||
				!strings.Contains(r.stderr, "is complete") || r.stdout != first || first == "" {
				t.Errorf("finished: exit %d, %s, %q, want %q", r.code, r.stderr, r.stdout, first)
			}
			if r := veilpath(t, append(args, c.other)...); r.code != exitUsage ||
				!strings.Contains(r.stderr, out+refusal) {
				t.Errorf("other work: exit %d, %s", r.code, r.stderr)
			}
		})
	}
}
