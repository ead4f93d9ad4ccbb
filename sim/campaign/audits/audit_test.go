package audits

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/planner/audit"
	"veilpath/sim/campaign"
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
	a := &Audit{Task: campaign.Task{Program: new(campaign.Program)}, request: Request{FalseAlarms: 0.01}}
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
	p := new(campaign.Program)
	a, err := New(p, Request{Settings: settings, Of: audit.Reward, FalseAlarms: 0.01, From: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Do(context.Background(), a, filepath.Join(t.TempDir(), "out")); err != nil {
		t.Fatal(err)
	}
	if got := a.Report.Verdict(); got != audit.Consistent {
		t.Errorf("the verdict is %s", got)
	}
}
