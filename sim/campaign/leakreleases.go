package campaign

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/pieces"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/sim/leak"
)

// newReleases prepares a study of several flights to one goal, for every number of flights in Counts. The default for
// adversary.policies depends on the largest of them.
func newReleases(ctx context.Context, p *Program, r LeakRequest) (*Leak, error) {
	r.At, r.Radii = "0", "0"
	listed, err := configs.ParseRange(r.Counts)
	releases := &leak.Releases{}
	for _, n := range listed {
		const most = 1024
		if n != math.Trunc(n) || n < 1 || n > most {
			err = fmt.Errorf("%g is not a whole number from 1 to %d", n, most)
			break
		}
		releases.Counts = append(releases.Counts, int(n))
	}
	if err != nil {
		return nil, RequestErrorf("{counts} %s: %w", r.Counts, err)
	}
	slices.Sort(releases.Counts)
	several := slices.Max(releases.Counts)
	if !r.Settings.IsSet("adversary.policies") {
		r.Settings.Config.Adversary.Policies = leak.PoliciesFor(several)
	}
	study, _, err := newStudy(ctx, p, r)
	if err != nil {
		return nil, err
	}
	study.Alike = true
	releases.Study = *study
	if err := releases.Check(); err != nil {
		return nil, RequestErrorf("%w", err)
	}
	find := func(ctx context.Context, kept *pieces.Work, done func(n int)) (*found, error) {
		releases.Kept = kept
		rows, err := releases.Fly(ctx, done)
		if err != nil {
			return nil, err
		}
		priorBits := study.World().PriorBits()
		f := releasesScreen(rows, study.Flights, len(study.World().Goals), priorBits, study.Ways[0].AtDelta())
		f.json, f.Figures = facts(study), onlyFigure(figure.ReleasesFigure(rows, priorBits))
		f.Page = answer.Page{Kicker: "What several flights to one goal reveal",
			Sheets: []*table.Sheet{leak.NewReleasesSheet(rows)}}
		return f, nil
	}
	return ofStudy(p, r, study, several, releases.Work(), find), nil
}

// newTwoGoals prepares the comparison of two goals: how well releases distinguish them when the guarantee is for one
// entry.
func newTwoGoals(p *Program, r LeakRequest) (*Leak, error) {
	if p.Mechanism != nil {
		return nil, RequestErrorf("two goals are compared for the built-in mechanisms only; leave %s out",
			p.Mechanism.Name())
	}
	c := r.Settings.Config
	setting, err := setup.Leak(c)
	if err != nil {
		return nil, err
	}
	one, other, err := setup.TwoGoals(c, r.Goals)
	if err != nil {
		return nil, RequestErrorf("%w", err)
	}
	epsilons, err := ParseEpsilonsOrNone(r.Epsilons)
	if err == nil && math.IsInf(slices.Max(epsilons), 1) {
		err = fmt.Errorf("without noise two goals are distinguished with certainty; want only numbers")
	}
	if err != nil {
		return nil, RequestErrorf("{epsilons}: %w", err)
	}
	candidates, err := setup.Candidates(c)
	if err != nil {
		return nil, err
	}
	find := func(ctx context.Context, _ *pieces.Work, done func(n int)) (*found, error) {
		pairs, err := setting.Pairs(ctx, one, other, candidates, epsilons, r.Draws, c.Study.Seed, done)
		if err != nil {
			return nil, RequestErrorf("%w", err)
		}
		delta := setting.Guarantee.Delta
		first, second, _ := strings.Cut(r.Goals, ",")
		f := pairsScreen(pairs, first, second, len(candidates), r.Draws, delta)
		f.json = map[string]any{"goals": r.Goals, "candidates": len(candidates), "draws": r.Draws, "seed": c.Study.Seed}
		f.Page = answer.Page{Kicker: "What a guarantee for one entry means between two goals",
			Sheets: []*table.Sheet{leak.NewPairsSheet(pairs, delta)}}
		return f, nil
	}
	return ask(p, r, len(candidates), 0, 2*r.Draws*len(epsilons), find), nil
}
