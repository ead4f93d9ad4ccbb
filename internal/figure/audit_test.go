package figure

import (
	"math/rand/v2"
	"strings"
	"testing"

	"veilpath/planner/audit"
)

// A figure says of pooled entries what they are, names a command as it is written, and claims no more than that no
// test failed where the bound on epsilon or the dots are beyond the promise.
func TestAuditFigures(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	claim := audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	judge := func(sigma float64, pooled bool, n int) *audit.Report {
		rec := &audit.Recorded{}
		if pooled {
			columns := audit.Columns{}
			for run := range n / 4 {
				for entry := range 4 {
					reward := float64((run + entry) % 2)
					columns["release"] = append(columns["release"], float64(run))
					columns["entry"] = append(columns["entry"], float64(entry))
					columns["reward"] = append(columns["reward"], reward)
					columns["released"] = append(columns["released"], reward+sigma*random.NormFloat64())
				}
			}
			var err error
			if rec, err = columns.Record(1); err != nil {
				t.Fatal(err)
			}
		} else {
			for range n {
				rec.A = append(rec.A, sigma*random.NormFloat64())
				rec.B = append(rec.B, 1+sigma*random.NormFloat64())
			}
		}
		r, err := claim.JudgeRecorded(rec, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		r.Of = "python3 own.py"
		if sigma == 1 { // as if these releases showed more
			r.Entry().EpsilonLow = 1.2
		}
		return r
	}
	for _, c := range []struct {
		r                     *audit.Report
		title, subtitle, note string
	}{
		{judge(10, false, 2000), "No test failed: the releases are consistent",
			"Released: python3 own.py, 2,000 times from each of two neighbouring tables", "scatter around them."},
		{judge(1, false, 400), "No test failed, but epsilon is at least 1.2 with",
			"Released: python3 own.py, 400 times from each of two neighbouring tables", "it may be chance: no test failed"},
		{judge(1, true, 800), "No test failed, but epsilon is at least 1.2 with", "of a table and ", "it may be chance"},
		{judge(0.1, false, 400), "The promise is broken", "Released", "scatter around them."},
	} {
		f := AuditFigure(c.r)
		if !strings.HasPrefix(f.Title, c.title) || !strings.Contains(f.Subtitle, c.subtitle) ||
			!strings.Contains(f.Note, c.note) {
			t.Errorf("%q, %q, %q, want %q, %q, %q", f.Title, f.Subtitle, f.Note, c.title, c.subtitle, c.note)
		}
		if pooled := c.r.Entry().Pooled; pooled != strings.Contains(f.Subtitle, "200 releases of whole tables") ||
			pooled != strings.Contains(f.Title, "if the noise of all entries is independent") {
			t.Errorf("pooled %t: %q, %q", pooled, f.Title, f.Subtitle)
		}
		checkLayout(t, f)
	}
}
