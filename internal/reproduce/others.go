package reproduce

import (
	"context"
	"fmt"
	"math"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// concentrations are the k of the Dirichlet mechanism at which the cost of private transition probabilities is sampled.
var concentrations = []float64{1, 3, 10, 30, 100, 300, 1000}

// The rows whose privacy is said: they differ by at most rowAdjacency, at a delta of rowDelta.
const (
	rowAdjacency = 0.1
	rowDelta     = 0.01
)

// Statement is what another paper says, with the verdict on it.
type Statement struct {
	Paper, Says string
	Verdict     string // Agrees, Differs or Unknown
	Why         string
}

// The verdicts on statements.
const (
	Agrees  = "agrees"
	Differs = "differs"
	Unknown = "cannot be checked"
)

// verdictOf is Agrees or Differs.
func verdictOf(holds bool) string {
	if holds {
		return Agrees
	}
	return Differs
}

// state adds statements of a paper.
func (r *Result) state(paper string, all ...Statement) {
	for _, s := range all {
		s.Paper = paper
		r.Statements = append(r.Statements, s)
	}
}

func computeOthers(ctx context.Context, b *bench) (*Result, error) {
	result := &Result{Summary: prose("others", nil)}
	costs, err := b.lawCosts(ctx, result)
	if err != nil {
		return nil, err
	}
	paths, err := b.deceptivePaths(result)
	if err != nil {
		return nil, err
	}
	f := newFinding("others.statements", "paper", "statement", "verdict", "why")
	for _, s := range result.Statements {
		f.Rows = append(f.Rows, []string{s.Paper, s.Says, s.Verdict, s.Why})
	}
	result.Findings = []Finding{f, costs, paths}
	return result, nil
}

// lawProblem is a problem whose transition law is made private.
type lawProblem struct {
	name   string
	solved *planner.Solved
	least  float64 // probability in its law
	widest int     // number of components of a row
}

// lawProblems returns those of Examples 1 and 2 with one agent each.
func (b *bench) lawProblems() ([]lawProblem, error) {
	states, err := b.Example1.Team(1).Problem(b.Example1.Discount)
	if err != nil {
		return nil, err
	}
	world := b.Example2.World(b.Example2.GoalRewards[0])
	world.Agents = 1
	grid, err := world.Problem(b.Example2.Discount, []int{world.Columns*world.Rows - 1})
	if err != nil {
		return nil, err
	}
	all := []lawProblem{{name: "two states"}, {name: "grid"}}
	for i, problem := range []*planner.Problem{states, grid} {
		p := &all[i]
		if p.solved, err = problem.Solve(lawTolerance, 0); err != nil {
			return nil, err
		}
		p.least = 1
		for _, row := range (planner.Transitions{}).Rows(p.solved) {
			p.widest = max(p.widest, len(row.Of))
			for _, probability := range row.Probabilities {
				p.least = min(p.least, probability)
			}
		}
	}
	return all, nil
}

// lawTolerance is that of values, relative to the largest reward.
const lawTolerance = 1e-9

func lawSamples(s *Settings) int { return min(s.Example1.Samples, 400) }

// lawCosts samples the cost of private transition probabilities over k. Rows are drawn around themselves, without a
// share of the uniform row, as in the paper.
func (b *bench) lawCosts(ctx context.Context, result *Result) (Finding, error) {
	f := newFinding("others.costs", "k", "two states: cost (%)", "ε", "grid: cost (%)", "ε")
	problems, err := b.lawProblems()
	if err != nil {
		return f, err
	}
	f.Rows = make([][]string, len(concentrations))
	for i, k := range concentrations {
		f.Rows[i] = []string{fmt.Sprintf("%g", k)}
	}
	rise := math.Inf(-1) // from a k to the next, in standard errors
	for at, p := range problems {
		costs, err := b.lawCost(ctx, &p, uint64(at))
		if err != nil {
			return f, err
		}
		for i, cost := range costs {
			f.Rows[i] = append(f.Rows[i], percentOf(cost),
				brief(p.epsilon(concentrations[i])))
			if i > 0 {
				rise = max(rise, (cost.Mean-costs[i-1].Mean)/max(math.Hypot(cost.StandardError, costs[i-1].StandardError),
					lawTolerance))
			}
		}
	}
	result.state("Gohari, Hale and Topcu 2020",
		Statement{Says: "The cost of privacy increases with the strength of privacy (abstract).",
			Verdict: verdictOf(rise < 3),
			Why: "On the problems of Examples 1 and 2 for one agent the mean cost falls from each k to the next, or rises by " +
				"no more than the sampling error."},
		Statement{Says: "All numbers of its two examples.", Verdict: Unknown,
			Why: "The copy that could be read ends in the introduction: it has neither the problems nor the numbers."})
	return f, nil
}

// percentOf writes a share in percent; what is below the tolerance of values is 0.
func percentOf(e privacy.SampleMean) string {
	if math.Abs(e.Mean) < lawTolerance {
		return "0"
	}
	return fmt.Sprintf("%.3g ± %.2g", 100*e.Mean, 100*e.StandardError)
}

// lawCost samples the relative cost of privacy at every k. All k of a sample have the same noise.
func (b *bench) lawCost(ctx context.Context, p *lawProblem, cell uint64) ([]privacy.SampleMean, error) {
	costs := make([][]float64, lawSamples(b.Settings))
	err := sample(ctx, b, costs, func() (func(int) ([]float64, error), error) {
		of, err := planner.NewPlanner(p.solved, nil)
		if err != nil {
			return nil, err
		}
		rows := planner.Transitions{}.Rows(p.solved)
		private := make([][]float64, len(rows))
		for i, row := range rows {
			private[i] = make([]float64, len(row.Of))
		}
		var noise privacy.Noise
		return func(sample int) (costs []float64, err error) {
			for _, k := range concentrations {
				noise.Seek(privacy.Address{Seed: b.Seed, Run: uint64(sample), Purpose: purposeLaws, Cell: cell})
				for i, row := range rows {
					privacy.Dirichlet{Concentration: k}.Draw(private[i], row.Probabilities, &noise)
				}
				plan, err := planner.Transitions{}.PlanFor(of, rows, private)
				if err != nil {
					return nil, err
				}
				costs = append(costs, of.CostOf(&plan).Relative)
			}
			return costs, nil
		}, nil
	})
	if err != nil || b.part {
		return make([]privacy.SampleMean, len(concentrations)), err
	}
	return means(costs, func(c *[]float64) []float64 { return *c }), nil
}

// epsilon returns the exact epsilon of a k, for rows that differ by rowAdjacency and have no component below the least
// of the problem; 0 where delta alone is enough. A share of the uniform row bounds components from below in the same
// way: see privacy.Dirichlet.
func (p *lawProblem) epsilon(k float64) float64 {
	n := float64(p.widest)
	d := privacy.Dirichlet{Concentration: k * (1 + n*p.least), Uniform: n * p.least / (1 + n*p.least)}
	low, high := 0.0, 1e4
	if d.Delta(low, p.widest, rowAdjacency) <= rowDelta {
		return 0
	}
	for range 60 {
		if middle := (low + high) / 2; d.Delta(middle, p.widest, rowAdjacency) > rowDelta {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
