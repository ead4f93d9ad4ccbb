package campaign

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/planner/audit"
)

// An audit can be interrupted while it compares many releases, not only while it makes them.
func TestAuditIsInterruptedWhileItCompares(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	recorded := new(audit.Recorded)
	for range 2000 {
		r := audit.Release{Raised: make([]bool, 200), Values: make([]float64, 200)}
		for i := range r.Values {
			r.Raised[i], r.Values[i] = random.IntN(2) == 1, random.NormFloat64()
		}
		recorded.Releases = append(recorded.Releases, r)
	}
	a := &Audit{program: new(Program), request: AuditRequest{FalseAlarms: 0.01}}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := a.judgeRecorded(ctx, audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}, recorded, "it"); !errors.Is(err,
		context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A release that does not depend on the reward at all keeps every promise, and its audit has a figure.
func TestAuditOfConstantReleases(t *testing.T) {
	var text strings.Builder
	text.WriteString("reward,released,entry,release\n")
	for i := range 1000 {
		text.WriteString(strconv.Itoa(i%2) + ",0,0," + strconv.Itoa(i) + "\n")
	}
	path := filepath.Join(t.TempDir(), "constant.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	settings, err := configs.Load(configs.Request{Sets: []string{"privacy.epsilon=1"}})
	if err != nil {
		t.Fatal(err)
	}
	p := new(Program)
	a, err := NewAudit(p, AuditRequest{Settings: settings, Of: audit.Reward, FalseAlarms: 0.01, From: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Do(context.Background(), a, filepath.Join(t.TempDir(), "out")); err != nil {
		t.Fatal(err)
	}
	if got := a.Report.Verdict(); got != audit.Consistent || a.Report.Err() != nil {
		t.Errorf("the verdict is %s, %v", got, a.Report.Err())
	}
}

// The raw values of 2 % of the entries are found, also without a promised sigma; and the answer says of few releases
// what they could show, since no more can be made of a file.
func TestAuditOfRawValues(t *testing.T) {
	judged := func(releases int, sigma float64) *Audit {
		t.Helper()
		var text strings.Builder
		text.WriteString("reward,released,entry,release\n")
		random := rand.New(rand.NewPCG(1, 1))
		for k := range releases {
			for entry := range 4 {
				reward := float64(entry + random.IntN(2))
				released := reward + 1.878*random.NormFloat64()
				if random.Float64() < 0.02 {
					released = reward
				}
				fmt.Fprintf(&text, "%v,%v,%d,%d\n", reward, released, entry, k)
			}
		}
		path := filepath.Join(t.TempDir(), "raw.csv")
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		settings, err := configs.Load(configs.Request{Sets: []string{"privacy.epsilon=1", "privacy.delta=0.01",
			"privacy.adjacency=1"}})
		if err != nil {
			t.Fatal(err)
		}
		a, err := NewAudit(new(Program), AuditRequest{Settings: settings, Of: audit.Reward, FalseAlarms: 0.01, From: path,
			Sigma: sigma})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Judge(context.Background()); err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, sigma := range []float64{0, 1.878} {
		if a := judged(1000, sigma); !errors.Is(a.Report.Err(), audit.ErrNotAsDescribed) {
			t.Errorf("sigma %g, 1,000 releases: %s", sigma, a.Report.Words())
		}
		if a := judged(5000, sigma); !errors.Is(a.Report.Err(), audit.ErrBroken) || a.Report.Evidence[0].EpsilonLow < 2.5 {
			t.Errorf("sigma %g, 5,000 releases: %s", sigma, a.Report.Words())
		}
	}
	if words := judged(12, 0).Report.Words(); !strings.Contains(words,
		"These 12 releases cannot show more than epsilon 0; ") ||
		strings.Contains(words, "samples") {
		t.Error(words)
	}
}
