package campaign

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/pool"
	"veilpath/internal/report"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/sim/leak"
)

// NewReleases prepares several flights to one goal: as many as a list of counts says. Of the request it takes settings,
// observers, epsilons and the number of goals that are drawn. Unless the settings say how many private policies
// observers know, it is as many as so many flights take.
func (p *Program) NewReleases(ctx context.Context, r LeakRequest, counts string) (*Leak, error) {
	r.At, r.Radii = "0", "0"
	several, err := parseCounts(counts)
	if err != nil {
		return nil, mistake("{counts} %s: %w", counts, err)
	}
	if !r.Settings.IsSet("adversary.policies") {
		r.Settings.Config.Adversary.Policies = leak.PoliciesFor(slices.Max(several))
	}
	study, _, err := p.newLeakStudy(ctx, r)
	if err != nil {
		return nil, err
	}
	study.Alike = true
	releases := &leak.Releases{Study: *study, Counts: several}
	if err := releases.Check(); err != nil {
		return nil, mistake("%w", err)
	}
	l := p.newLeak(r, study)
	l.Flights *= slices.Max(releases.Counts)
	l.asked, l.shared = []any{"releases", r, releases.Counts}, sharedLeak{r, counts}
	l.total = releases.Work()
	l.find = func(ctx context.Context, keeper pool.Keeper, done func(n int)) (*finding, error) {
		releases.Keeper = keeper
		rows, err := releases.Fly(ctx, done)
		if err != nil {
			return nil, err
		}
		f := &finding{kicker: "What several flights to one goal reveal", facts: facts(study),
			answer: []*table.Sheet{leak.NewReleasesSheet(rows)},
			figure: report.ReleasesFigure(rows, study.World().PriorBits())}
		last := rows[len(rows)-1]
		f.words = []string{fmt.Sprintf("after %s at epsilon %g the observer %s has %.1f of %.1f bits before the hand-over "+
			"where each is planned from fresh noise, and %.1f where one release is reused",
			count(last.Flights, "flight"), last.Epsilon, last.Observer, study.World().PriorBits()-last.Fresh.Mean,
			study.World().PriorBits(), study.World().PriorBits()-last.Reused.Mean)}
		f.words = append(append(f.words, overstated(study, rows)...), few(study.Flights, "goals")...)
		return f, nil
	}
	return l, nil
}

// parseCounts reads numbers of flights to one goal, and returns them in ascending order.
func parseCounts(list string) ([]int, error) {
	listed, err := configs.ParseRange(list)
	var counts []int
	for _, n := range listed {
		const most = 1024
		if n != math.Trunc(n) || n < 1 || n > most {
			return nil, fmt.Errorf("%g is no whole number from 1 to %d", n, most)
		}
		counts = append(counts, int(n))
	}
	slices.Sort(counts)
	return counts, err
}

// overstated says where an observer who knows the mechanism from private policies has more left to learn after more
// flights, which overstates what is left.
func overstated(s *leak.Study, rows []leak.ReleasesRow) []string {
	var words []string
	for _, r := range rows {
		private := slices.ContainsFunc(s.Observers, func(m adversary.GoalModel) bool {
			return m.Private && m.Name == r.Observer
		})
		if private && r.Overstated(rows) {
			words = append(words, fmt.Sprintf("%s at epsilon %g leave the observer %s more to learn than fewer do, which "+
				"overstates it. The causes are too few policies (%d per goal), too few goals, or moves that depend on each "+
				"other; more --policies or --goals show which",
				count(r.Flights, "flight"), r.Epsilon, r.Observer, s.Policies))
		}
	}
	return words
}

// NewTwoGoals prepares what the noise of a guarantee for one entry means between two goals, cells written 16:11,3:4. Of
// the request it takes settings and epsilons; draws is how many releases of each are drawn.
func (p *Program) NewTwoGoals(r LeakRequest, cells string, draws int) (*Leak, error) {
	if p.Mechanism != nil {
		return nil, mistake("two goals are distinguished by the noise of the program's own mechanisms; leave %s out",
			p.Mechanism.Name())
	}
	setting, err := setup.Leak(r.Settings.Config)
	if err != nil {
		return nil, err
	}
	one, other, err := setup.TwoGoals(r.Settings.Config, cells)
	if err != nil {
		return nil, mistake("%w", err)
	}
	epsilons, err := parseEpsilonsOrNone(r.Epsilons)
	if err == nil && math.IsInf(slices.Max(epsilons), 1) {
		err = fmt.Errorf("without noise two goals are distinguished with certainty; want numbers alone")
	}
	if err != nil {
		return nil, mistake("{epsilons}: %w", err)
	}
	candidates, err := setup.Candidates(r.Settings.Config)
	if err != nil {
		return nil, err
	}
	l := &Leak{Goals: len(candidates), program: p, settings: r.Settings, total: 2 * draws * len(epsilons),
		asked: []any{"goals", r, cells, draws}}
	l.find = func(ctx context.Context, _ pool.Keeper, done func(n int)) (*finding, error) {
		pairs, err := setting.Pairs(ctx, one, other, candidates, epsilons, draws, r.Settings.Study.Seed, done)
		if err != nil {
			return nil, mistake("%w", err)
		}
		f := &finding{kicker: "What a guarantee for one entry means between two goals",
			answer: []*table.Sheet{leak.NewPairsSheet(pairs)},
			facts:  map[string]any{"goals": cells, "candidates": len(candidates), "draws": draws, "seed": r.Settings.Study.Seed}}
		for _, p := range pairs {
			f.words = append(f.words, fmt.Sprintf("at epsilon %g the rewards of %s are %.1f b apart: mu %.2f between them, "+
				"and a released reward of the first names its goal with probability %.2f",
				p.Epsilon, strings.Replace(cells, ",", " and ", 1), p.Group.Distance/p.AdjacencyB, p.Group.Mu,
				p.NamedOne.Probability.Mean))
		}
		return f, nil
	}
	return l, nil
}
