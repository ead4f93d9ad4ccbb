package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

func scalars() *Item {
	return &Item{Name: "scalars", Title: "The numbers of the text", Where: "Abstract, Sections 7 and 8",
		weight: func(s *Settings) int { return 2 * s.Example2.Samples }, seconds: 0.0019, compute: computeScalars}
}

func computeScalars(ctx context.Context, b *bench) (*Result, error) {
	result := &Result{}
	for _, step := range []func(context.Context) ([]Quantity, error){
		b.survivalScalars, b.iterationScalars, b.boundScalars, quotedScalars, b.growthScalars,
	} {
		quantities, err := step(ctx)
		if err != nil {
			return nil, err
		}
		for _, q := range quantities {
			result.Judgements = append(result.Judgements, q.Judge())
		}
	}
	result.Summary = scalarSummary(result.Judgements[0], result.Judgements[1], result.Judgements[2])
	return result, nil
}

// scalarSummary tells about Theorem 5 in Example 2 and its iterations.
func scalarSummary(survival, plain, private *Judgement) []string {
	value, row := private.Reading().Values[0], private.Rows[0]
	more := row.Published - plain.Rows[0].Published
	change := func(j *Judgement) string {
		if j.agrees() {
			return j.Reading().Change
		}
		return ""
	}
	return prose("scalars", map[string]any{"Survival": change(survival), "Private": change(private), "More": more,
		"Scatter": value.PublishedSE * math.Sqrt(publishedWorldSamples), "Error": value.PublishedSE, "Drowned": more < 2*value.PublishedSE,
		"PlainAgrees": plain.agrees(), "Sweeps": publishedSweeps, "Computed": row.Computed})
}

// survivalScalars are Theorem 5's bounds in Example 2.
func (b *bench) survivalScalars(context.Context) ([]Quantity, error) {
	const fourDecimals = 5e-5
	q := Quantity{Name: "Theorem 5 in Example 2"}
	type place struct{ rmax, epsilon float64 }
	places := []place{{5, 0.1}, {5, 1}, {50, 0.1}, {50, 1}}
	for _, at := range places {
		n, err := scalar(fmt.Sprintf("ex2_thm5_prob_rmax%g_eps%g", at.rmax, at.epsilon), fmt.Sprintf("R_max = %g, ε = %g", at.rmax, at.epsilon))
		if err != nil {
			return nil, err
		}
		n.HalfUnit = fourDecimals
		q.Numbers = append(q.Numbers, n)
	}
	for _, adjacency := range []float64{statedAdjacency, 1} {
		r := Reading{Name: fmt.Sprintf("δ = 0.1, b = %g", adjacency), Change: changedAdjacency(adjacency)}
		for _, at := range places {
			g := b.Example2.Guarantee
			g.Epsilon, g.Adjacency = at.epsilon, adjacency
			sigma, err := g.Sigma()
			if err != nil {
				return nil, err
			}
			world := b.Example2.World(at.rmax)
			goals, err := gapGoals(world.Reward-world.OtherReward, 1)
			if err != nil {
				return nil, err
			}
			bound, err := goals.Bound(sigma)
			if err != nil {
				return nil, err
			}
			r.Values = append(r.Values, Value{Mean: bound})
		}
		q.Readings = append(q.Readings, r)
	}
	return []Quantity{q}, nil
}

// lookups is how many joint rewards a sweep visits in Example 2.
const lookups = 6400

// iterationScalars are the counted iterations of Example 2.
func (b *bench) iterationScalars(ctx context.Context) ([]Quantity, error) {
	plain, err := scalar("ex2_nonprivate_iterations", "")
	if err != nil {
		return nil, err
	}
	counted, err := b.plainSweeps(plain)
	if err != nil {
		return nil, err
	}
	mean, err := scalar("ex2_private_mean_iterations_eps1.3", "")
	if err != nil {
		return nil, err
	}
	private := Quantity{Name: "mean iterations with privacy, ε = 1.3", Numbers: []Number{mean}}
	slip := b.Example2.World(b.Example2.GoalRewards[0]).Slip
	for _, adjacency := range []float64{statedAdjacency, 1} {
		e, threshold, err := b.privateSweeps(ctx, iterationReading{slip, adjacency})
		if err != nil {
			return nil, err
		}
		private.Readings = append(private.Readings, Reading{
			Name:   fmt.Sprintf("b = %g, γ = 0.99, slip to %s, threshold %.3g, where the true rewards take 1761 sweeps", adjacency, slip, threshold),
			Change: changedAdjacency(adjacency),
			Values: []Value{times(lookups, sampled(e, publishedWorldSamples))},
		})
	}
	increase, err := scalar("extra_computation_headline", "")
	if err != nil {
		return nil, err
	}
	ratio := Quantity{Name: "increase in iterations (%)", Numbers: []Number{increase}, Itself: true, Readings: []Reading{{
		Name: "of the two printed counts", Values: []Value{{Mean: 100 * (mean.Published - plain.Published) / plain.Published}}}}}
	return []Quantity{counted, private, ratio}, nil
}

// plainSweeps counts the iterations without privacy under the usual stopping rules.
func (b *bench) plainSweeps(n Number) (Quantity, error) {
	q := Quantity{Name: "iterations without privacy", Numbers: []Number{n}}
	world := b.Example2.World(b.Example2.GoalRewards[0])
	a, err := worldReading{world.Slip, iterationGamma, statedAdjacency, [2]int{}}.arena(world)
	if err != nil {
		return q, err
	}
	solver, err := mdp.NewValueIteration(a.Law, iterationGamma)
	if err != nil {
		return q, err
	}
	for _, rule := range []struct {
		name      string
		threshold float64
	}{
		{"1e-8", 1e-8}, {"1e-7", 1e-7}, {"1e-6", 1e-6}, {"η/2 for η = 1e-8", 5e-9}, {"η/2 for η = 1e-7", 5e-8},
		{"η(1-γ)/(2γ) for η = 1e-5", 1e-5 * (1 - iterationGamma) / (2 * iterationGamma)},
	} {
		sweeps, _ := solver.SweepsToChange(a.Rewards.Joint, nil, rule.threshold)
		q.Readings = append(q.Readings, Reading{
			Name:   fmt.Sprintf("%d sweeps until none changes a value by %s; γ = 0.99, slip to %s, none of them stated", sweeps, rule.name, world.Slip),
			Values: []Value{{Mean: lookups * float64(sweeps)}},
		})
	}
	sweeps, err := privacy.Convergence{Gamma: iterationGamma, Eta: sweepEta}.Sweeps(world.Reward)
	q.Readings = append(q.Readings, Reading{
		Name: fmt.Sprintf("%d sweeps by Theorem 4 for γ = 0.99, η = 1e-8", sweeps), Values: []Value{{Mean: lookups * float64(sweeps)}},
	})
	return q, err
}

// boundScalars is Theorem 6's bound in Example 2, in percent of the sweeps without privacy.
func (b *bench) boundScalars(context.Context) ([]Quantity, error) {
	n, err := scalar("ex2_thm6_bound_increase_eps1.3", "")
	if err != nil {
		return nil, err
	}
	q := Quantity{Name: "Theorem 6 in Example 2 (%)", Numbers: []Number{n}}
	rmax := b.Example2.GoalRewards[0]
	for _, adjacency := range []float64{statedAdjacency, 1} {
		g := b.Example2.Guarantee
		g.Epsilon, g.Adjacency = headlineEpsilon, adjacency
		sigma, err := g.Sigma()
		if err != nil {
			return nil, err
		}
		for _, gamma := range []float64{sweepGamma, plottedGamma} {
			solver := privacy.Convergence{Gamma: gamma, Eta: sweepEta}
			base, err := solver.Sweeps(rmax)
			if err != nil {
				return nil, err
			}
			for _, form := range []privacy.Theorem6Form{privacy.Statement, privacy.Proof} {
				extra, err := solver.ExtraSweepsBound(form, 2, lookups, sigma, rmax)
				if err != nil {
					return nil, err
				}
				q.Readings = append(q.Readings, Reading{
					Name:   fmt.Sprintf("b = %g, γ = %g, η = 1e-8, form of the %s; γ and η are not stated", adjacency, gamma, form),
					Change: changedAdjacency(adjacency),
					Values: []Value{{Mean: 100 * extra / float64(base)}},
				})
			}
		}
	}
	return []Quantity{q}, nil
}

// growthScalars is the claim about Theorem 6's figure.
func (b *bench) growthScalars(context.Context) ([]Quantity, error) {
	limit, err := scalar("fig_thm6_increase_ceiling_eps1", "")
	if err != nil {
		return nil, err
	}
	limit.AtMost = true
	sigma, err := sweepSigma(1)
	if err != nil {
		return nil, err
	}
	q := Quantity{Name: "increase at ε = 1, at most (%)"}
	r := Reading{Name: "γ = 0.99, η = 1e-8, independent entries"}
	for _, rmax := range []float64{1, 10} {
		solver := privacy.Convergence{Gamma: sweepGamma, Eta: sweepEta}
		base, err := solver.Sweeps(rmax)
		if err != nil {
			return nil, err
		}
		extra, err := solver.ExtraSweepsIndependent(peakedJoint(sweepEntries, rmax), sweepAgents, sigma)
		if err != nil {
			return nil, err
		}
		n := limit
		n.Label = fmt.Sprintf("R_max = %g", rmax)
		q.Numbers = append(q.Numbers, n)
		r.Values = append(r.Values, Value{Mean: 100 * extra.Sweeps / float64(base)})
	}
	q.Readings = []Reading{r}
	return []Quantity{q}, nil
}

// figureValue reads one point of a figure.
func figureValue(table, x string, at float64, y string) (float64, error) {
	p, err := open(table)
	if err != nil {
		return 0, err
	}
	numbers, err := p.numbers(x, y, "", true)
	if err != nil {
		return 0, err
	}
	for _, n := range numbers {
		if n.X == at {
			return n.Published, nil
		}
	}
	return 0, fmt.Errorf("reproduce: %s has nothing at %g", table, at)
}

// quotedScalars are numbers of the text that are read off the paper's own figures.
func quotedScalars(context.Context) ([]Quantity, error) {
	const world, flight = "fig_ex2_cost_vs_eps", "fig_ex3_detection_distance_vs_eps"
	point := func(table string, at float64, y string) func() (float64, error) {
		return func() (float64, error) { return figureValue(table, "eps", at, y) }
	}
	var quantities []Quantity
	for _, s := range []struct {
		scalar, name, from string
		atMost             bool
		read               func() (float64, error)
	}{
		{"cost_decrease_headline", "loss at ε = 1.3, input, R_max = 5 (%)", "the figure of Example 2", false, point(world, 1.3, "input_rmax5_cost_percent")},
		{"ex2_loss_rmax50_eps0.1", "loss at ε = 0.1, input, R_max = 50 (%)", "the figure of Example 2", false, point(world, 0.1, "input_rmax50_cost_percent")},
		{"ex2_loss_rmax5_eps0.1", "loss at ε = 0.1, input, R_max = 5 (%)", "the figure of Example 2", false, point(world, 0.1, "input_rmax5_cost_percent")},
		{"ex2_output_eps_matching_input_eps1", "ε at which output costs no more than input at ε = 1", "the figure of Example 2", false, matchingEpsilon},
		{"ex3_improvement_eps0.2", "improvement at ε = 0.2 (km)", "the figure of Example 3", false, improvement},
		{"ex3_privacy_disabled_distance", "detection at ε = 4, within (km)", "the figure of Example 3", true, point(flight, 4, "private_mean_detection_distance_km")},
	} {
		n, err := scalar(s.scalar, "")
		if err != nil {
			return nil, err
		}
		n.AtMost = s.atMost
		v, err := s.read()
		if err != nil {
			return nil, err
		}
		quantities = append(quantities, Quantity{Name: s.name, Numbers: []Number{n}, Itself: true, Readings: []Reading{{Name: "read off " + s.from, Values: []Value{{Mean: v}}}}})
	}
	return quantities, nil
}

// matchingEpsilon is the first plotted epsilon at which output perturbation costs no more than input perturbation at 1.
func matchingEpsilon() (float64, error) {
	input, err := figureValue("fig_ex2_cost_vs_eps", "eps", 1, "input_rmax5_cost_percent")
	if err != nil {
		return 0, err
	}
	p, err := open("fig_ex2_cost_vs_eps")
	if err != nil {
		return 0, err
	}
	numbers, err := p.numbers("eps", "output_rmax5_cost_percent", "", true)
	if err != nil {
		return 0, err
	}
	for _, n := range numbers {
		if n.Published <= input {
			return n.X, nil
		}
	}
	return 0, errors.New("reproduce: output perturbation costs more everywhere in the figure of Example 2")
}

// improvement is how much later the vehicle is recognised with privacy.
func improvement() (float64, error) {
	const table = "fig_ex3_detection_distance_vs_eps"
	private, err := figureValue(table, "eps", 0.2, "private_mean_detection_distance_km")
	if err != nil {
		return 0, err
	}
	direct, err := figureValue(table, "eps", 0.2, "nonprivate_detection_distance_km")
	return direct - private, err
}

// peakedJoint is a joint reward with one largest entry, all others its negative.
func peakedJoint(entries int, rmax float64) []float64 {
	joint := make([]float64, entries)
	for k := range joint {
		joint[k] = -rmax
	}
	joint[0] = rmax
	return joint
}
