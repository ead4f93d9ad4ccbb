package audit_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/planner/audit"
	"veilpath/planner/privacy"
)

// subject returns the paper's mission at an epsilon, with the claim of its mechanism.
func subject(t testing.TB, epsilon float64, of audit.Publication) (audit.Subject, audit.Claim) {
	t.Helper()
	e, err := setup.Experiment(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	claim := gaussian(t, epsilon)
	g := e.Mission.Grid
	entry := g.Goal*5 + int(planner.ToTarget)
	if of == audit.Route {
		entry = g.State(planner.Cell{Column: 1, Row: 8})*5 + int(planner.East)
	}
	return audit.Subject{Problem: e.Mission.Solved, Mechanism: privacy.InputPerturbation{}, Sigma: claim.Sigma,
		Guarantee: privacy.Guarantee{Adjacency: 1}, Seed: 5, Of: of, Entry: entry}, claim
}

// auditOf audits two inputs at a stated 1 %.
func auditOf(t testing.TB, in audit.Inputs, c audit.Claim, samples, tables int) *audit.Report {
	t.Helper()
	r, err := in.Audit(context.Background(), c, audit.Plan{Samples: samples, Tables: tables, Workers: 1, FalseAlarms: 0.01,
		Progress: func(int) {}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What each publication tells of its worst entry, measured with 60,000 releases a side: the policy keeps nine
// tenths of the reward's mu, the route half.
func TestPublicationsTellWhatTheyAreKnownTo(t *testing.T) {
	const samples, fourErrors = 3000, 4
	for _, c := range []struct {
		of      audit.Publication
		epsilon float64
		mu      float64
	}{
		{audit.Reward, 1, 0.3961}, {audit.Reward, 4, 1.3359},
		{audit.Policy, 1, 0.371}, {audit.Policy, 4, 1.209},
		{audit.Route, 1, 0.224}, {audit.Route, 4, 0.743},
	} {
		s, claim := subject(t, c.epsilon, c.of)
		table, neighbour, err := audit.Watch(context.Background(), samples, 2, s.Seed, s.NewSampler, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		e, err := claim.Compare(audit.Samples{A: table, B: neighbour, Threshold: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(e.Mu-c.mu) > fourErrors*e.MuStandardError {
			t.Errorf("%s at epsilon %g: mu %.4f +- %.4f, want %.4f", c.of, c.epsilon, e.Mu, e.MuStandardError, c.mu)
		}
		r, err := claim.Judge(&audit.Samples{A: table, B: neighbour, Threshold: 0.5}, nil, 0.01)
		if err != nil || r.Verdict() != audit.Consistent {
			t.Errorf("%s at epsilon %g: %v, %s", c.of, c.epsilon, err, r.Why())
		}
	}
}

// How many goroutines there are does not matter.
func TestReleasesDependOnTheSeedAlone(t *testing.T) {
	s, _ := subject(t, 1, audit.Reward)
	var first []float64
	for _, workers := range []int{1, 3} {
		told := 0
		table, neighbour, err := audit.Watch(context.Background(), 700, workers, s.Seed, s.NewSampler,
			func(n int) { told += n })
		if err != nil || told != 1400 {
			t.Fatalf("%v, %d of 1400 releases told", err, told)
		}
		all := append(table, neighbour...)
		if first == nil {
			first = all
		}
		for i := range all {
			if all[i] != first[i] {
				t.Fatalf("release %d is %v with %d goroutines and %v with one", i, all[i], workers, first[i])
			}
		}
	}
}

func TestAnAuditEndsWhenToldTo(t *testing.T) {
	s, _ := subject(t, 1, audit.Reward)
	ctx, cancel := context.WithCancel(context.Background())
	_, _, err := audit.Watch(ctx, 1_000_000, 2, s.Seed, s.NewSampler, func(int) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	failure := errors.New("broke")
	_, _, err = audit.Watch(context.Background(), 1000, 2, 1, func() (audit.Sampler, error) {
		return func(int, *privacy.Noise) (float64, error) { return 0, failure }, nil
	}, func(int) {})
	if !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
}

func TestSubjectsThatCannotBeAuditedAreRefused(t *testing.T) {
	for want, change := range map[string]func(*audit.Subject){
		"entry 2000":     func(s *audit.Subject) { s.Entry = 2000 },
		"entry -1":       func(s *audit.Subject) { s.Entry = -1 },
		`"value" cannot`: func(s *audit.Subject) { s.Of = "value" },
	} {
		s, _ := subject(t, 1, audit.Reward)
		change(&s)
		if _, err := s.NewSampler(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if _, err := s.Inputs(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Whole tables are judged where the reward is published and tables are requested, and nowhere else.
func TestAuditsOfWholeTables(t *testing.T) {
	for _, c := range []struct {
		of     audit.Publication
		tables int
		joint  bool
	}{{audit.Reward, 20, true}, {audit.Reward, 0, false}, {audit.Policy, 20, false}} {
		s, claim := subject(t, 1, c.of)
		in, err := s.Inputs()
		if err != nil {
			t.Fatal(err)
		}
		r := auditOf(t, in, claim, 2*audit.LeastSamples, c.tables)
		// 20 tables add 40,000 values to the 400 of the two inputs, so that sigma is known to 0.35 %.
		if c.joint {
			if sigma := number(t, r, "noise_sigma"); math.Abs(sigma/claim.Sigma-1) > 0.015 {
				t.Errorf("noise of %g, want %g", sigma, claim.Sigma)
			}
		}
		if (r.Releases > 0) != c.joint || r.Of != string(c.of) {
			t.Errorf("%s with %d tables: judged as %s, %d whole tables", c.of, c.tables, r.Of, r.Releases)
		}
	}
}
