package audit

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"veilpath/planner/reward"
)

// Commands that print too much, take too long or fail end soon, with what is wrong, and what they started ends too.
func TestRunsOfACommandAreBounded(t *testing.T) {
	table, err := reward.Read(strings.NewReader("state,left,right\n0,1,2\n1,3,4\n"), reward.KnownHeader)
	if err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, line string, limit time.Duration) error {
		c := Command{Line: line, Table: table, Limit: limit}
		_, err := c.release(ctx, 0, []float64{1, 2, 3, 4})
		return err
	}
	for line, want := range map[string]string{
		"cat /dev/zero":           "its output is longer than 1",
		"echo no table":           "its output is no release: ",
		"yes >&2":                 "it did not end within 200ms",
		"sleep 1000 & sleep 1000": "it did not end within 200ms",
		"cat; printf 'out\\tof luck\\n' >&2; exit 3": `exit status 3: out\tof luck`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		limit := time.Minute
		if strings.HasPrefix(want, "it did not end") {
			limit = 200 * time.Millisecond
		}
		err := run(t.Context(), line, limit)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 8 || time.Since(start) > 30*time.Second {
			t.Errorf("%s: %d MB in %v", line, mb, time.Since(start))
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := run(ctx, "sleep 1000 & sleep 1000", time.Hour); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("interrupted: %v", err)
	}
	if err := run(t.Context(), "cat", time.Minute); err != nil {
		t.Errorf("a copy: %v", err)
	}
}
