package audit_test

import (
	"context"
	"math"
	"runtime"
	"testing"

	"veilpath/configs"
	"veilpath/planner/audit"
	"veilpath/planner/privacy"
	"veilpath/sim/setup"
)

func TestZ(t *testing.T) {
	e, err := setup.Experiment(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	g := e.Mission.Grid
	for _, of := range []audit.Publication{audit.Reward, audit.Policy, audit.Route} {
		for _, eps := range []float64{.2, 1, 4} {
			sigma, _ := privacy.Classical.Sigma(eps, .01, 1)
			claim := audit.Claim{Epsilon: eps, Delta: .01, Adjacency: 1, Sigma: sigma}
			entry := g.Goal*5 + 4
			n := 20000
			if of == audit.Route {
				entry = (8*20+1)*5 + 2
			}
			s := audit.Subject{Problem: e.Mission.Solved, Mechanism: privacy.InputPerturbation{}, Sigma: sigma, Adjacency: 1, Seed: 1, Of: of, Entry: entry}
			a, b, err := audit.Watch(context.Background(), n, runtime.GOMAXPROCS(0), s.NewTrial, func(int) {})
			if err != nil {
				t.Fatal(err)
			}
			en, err := claim.JudgeEntry(a, b, s.Threshold())
			if err != nil {
				t.Fatal(err)
			}
			rel, err := s.Releases(context.Background(), 100)
			if err != nil {
				t.Fatal(err)
			}
			j, err := claim.JudgeJoint(rel)
			if err != nil {
				t.Fatal(err)
			}
			r, _ := claim.Judge(en, j, .01)
			att, _ := claim.Attained()
			t.Logf("%s %v mu %.4f claim %.4f se %.4f epslow %.3f att %.3f mulow %.3f once %.3f(%.3f) %d verdict %s %s", of, eps, en.Mu, claim.Mu(), en.MuStandardError, en.EpsilonLow, att, en.MuLow, j.MuOnce, j.MuOnceStandardError, j.Right, r.Verdict(), r.Why())
			for _, x := range r.Tests {
				t.Logf("   %+v", x)
			}
			_ = math.Pi
		}
	}
}
