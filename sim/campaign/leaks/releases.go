package leaks

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/pool"
	"veilpath/internal/report"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/leak"
)

// NewReleases prepares a study of several flights to one goal, for every number of flights in a list. It uses the
// settings, observers, epsilons and the number of drawn goals (Flights) of the request. The default for
// adversary.policies depends on the largest number of flights.
func NewReleases(ctx context.Context, p *campaign.Program, r Request, counts string) (*Leak, error) {
	r.At, r.Radii = "0", "0"
	listed, err := configs.ParseRange(counts)
	var several []int
	for _, n := range listed {
		const most = 1024
		if n != math.Trunc(n) || n < 1 || n > most {
			err = fmt.Errorf("%g is not a whole number from 1 to %d", n, most)
			break
		}
		several = append(several, int(n))
	}
	if err != nil {
		return nil, campaign.RequestErrorf("{counts} %s: %w", counts, err)
	}
	slices.Sort(several)
	if !r.Settings.IsSet("adversary.policies") {
		r.Settings.Config.Adversary.Policies = leak.PoliciesFor(slices.Max(several))
	}
	study, _, err := newStudy(ctx, p, r)
	if err != nil {
		return nil, err
	}
	study.Alike = true
	releases := &leak.Releases{Study: *study, Counts: several}
	if err := releases.Check(); err != nil {
		return nil, campaign.RequestErrorf("%w", err)
	}
	l := newLeak(p, r, study)
	l.Flights *= slices.Max(releases.Counts)
	l.asked, l.shared = []any{"releases", r, releases.Counts}, sharedLeak{r, counts}
	l.total = releases.Work()
	l.find = func(ctx context.Context, keeper pool.Keeper, done func(n int)) (*answer, error) {
		releases.Keeper = keeper
		rows, err := releases.Fly(ctx, done)
		if err != nil {
			return nil, err
		}
		return &answer{kicker: "What several flights to one goal reveal", facts: facts(study),
			screen: releasesScreen(rows, study.Flights, len(study.World().Goals), study.World().PriorBits(),
				study.Ways[0].AtDelta()),
			answer: []*table.Sheet{leak.NewReleasesSheet(rows)},
			figure: report.ReleasesFigure(rows, study.World().PriorBits())}, nil
	}
	return l, nil
}

// NewTwoGoals prepares the comparison of two goals, given as cells such as 16:11,3:4: how well releases
// distinguish them when the guarantee is for one entry. It uses the settings and epsilons of the request. draws is
// the number of releases of each goal.
func NewTwoGoals(p *campaign.Program, r Request, cells string, draws int) (*Leak, error) {
	if p.Mechanism != nil {
		return nil, campaign.RequestErrorf("two goals are compared for the built-in mechanisms only; leave %s out",
			p.Mechanism.Name())
	}
	setting, err := setup.Leak(r.Settings.Config)
	if err != nil {
		return nil, err
	}
	one, other, err := setup.TwoGoals(r.Settings.Config, cells)
	if err != nil {
		return nil, campaign.RequestErrorf("%w", err)
	}
	epsilons, err := campaign.ParseEpsilonsOrNone(r.Epsilons)
	if err == nil && math.IsInf(slices.Max(epsilons), 1) {
		err = fmt.Errorf("without noise two goals are distinguished with certainty; want only numbers")
	}
	if err != nil {
		return nil, campaign.RequestErrorf("{epsilons}: %w", err)
	}
	candidates, err := setup.Candidates(r.Settings.Config)
	if err != nil {
		return nil, err
	}
	l := &Leak{Task: campaign.Task{Program: p, Paged: true}, Goals: len(candidates), settings: r.Settings,
		total: 2 * draws * len(epsilons), asked: []any{"goals", r, cells, draws}}
	l.find = func(ctx context.Context, _ pool.Keeper, done func(n int)) (*answer, error) {
		pairs, err := setting.Pairs(ctx, one, other, candidates, epsilons, draws, r.Settings.Study.Seed, done)
		if err != nil {
			return nil, campaign.RequestErrorf("%w", err)
		}
		first, second, _ := strings.Cut(cells, ",")
		return &answer{kicker: "What a guarantee for one entry means between two goals",
			screen: pairsScreen(pairs, first, second, len(candidates), draws, setting.Guarantee.Delta),
			answer: []*table.Sheet{leak.NewPairsSheet(pairs, setting.Guarantee.Delta)},
			facts: map[string]any{"goals": cells, "candidates": len(candidates), "draws": draws,
				"seed": r.Settings.Study.Seed}}, nil
	}
	return l, nil
}
