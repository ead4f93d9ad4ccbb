package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/option"
	"veilpath/internal/pieces"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/sim/cost"
	"veilpath/sim/study"
)

// The files of a study of costs, besides its figure.
const (
	costsName       = "costs.csv"     // a row per mechanism and epsilon
	costRunsName    = "costs.parquet" // a row per run and epsilon
	costRequestName = "request.json"
)

// CostRequest is the request for a study of costs. Given is what Problem reads; its settings have the epsilons,
// runs, seed and guarantee.
type CostRequest struct {
	Given *setup.Input
	// Mechanisms are those whose costs are compared. Without any, also of Commands, it is input perturbation and, for a
	// team, output perturbation; for one agent the two add the same noise.
	Mechanisms []planner.Mechanism
	Commands   []string // commands of further mechanisms

	Stream func(planner.Mechanism, int) privacy.Address // see cost.Study
	// requested half-width of every mean, as a share of the value; 0 for a fixed number of runs
	Until float64
	Part  Part
}

// costsAsked is everything that runs and summaries depend on. Equal requests give equal files.
type costsAsked struct {
	Version       string        `json:"version"`
	Problem       string        `json:"problem"`
	ProblemSHA256 string        `json:"problem_sha256"` // of transitions, rewards, discount and start
	Start         any           `json:"start"`          // name or number of the state
	Delta         float64       `json:"delta"`
	Adjacency     float64       `json:"adjacency"`
	Calibration   string        `json:"calibration"`
	RewardRange   []float64     `json:"reward_range,omitempty"`
	Rows          *privacy.Rows `json:"rows,omitempty"` // of mechanisms on rows of probabilities
	Seed          uint64        `json:"seed"`
	Until         float64       `json:"until,omitempty"`
	Axis          *configs.Axis `json:"axis,omitempty"`
	cost.Facts
}

// Costs is a study of costs, a [Asker].
type Costs struct {
	program  *Program
	settings *configs.Loaded
	part     Part
	study    cost.Study // without a problem when parts are joined
	asked    costsAsked
	most     int // requested runs
	commands []string
	rows     []cost.Row
	pieces   []cost.Piece // on a range of epsilon, after all runs
	tally    *cost.Tally
}

// NewCosts prepares a study of costs.
func NewCosts(p *Program, r CostRequest) (*Costs, error) {
	g, c := r.Given, r.Given.Settings.Config
	for _, line := range r.Commands {
		m, err := p.ExternalCommands().Mechanism(line, c.Exec.Timeout())
		if err != nil {
			return nil, RequestErrorf("{mechanism}: %w", err)
		}
		r.Mechanisms = append(r.Mechanisms, m)
	}
	if len(r.Mechanisms) == 0 {
		r.Mechanisms = []planner.Mechanism{planner.Standard()}
		if g.Rewards.Agents() > 1 {
			r.Mechanisms = append(r.Mechanisms, planner.OnReward(privacy.OutputPerturbation{Norm: privacy.ExactL2}))
		}
	}
	p.RemarkCommands()
	solved, err := cost.SolveAccurately(g.Problem, g.Tolerance)
	if err != nil {
		return nil, RequestErrorf("%w", err)
	}
	s := &Costs{program: p, settings: g.Settings, part: r.Part, most: c.Study.Runs, commands: r.Commands}
	if err := cost.CheckValue(solved); err != nil {
		return nil, RequestErrorf("%w", err)
	}
	s.study = cost.Study{Problem: solved, Mechanisms: r.Mechanisms, Guarantee: g.Guarantee(),
		Epsilons: slices.Sorted(slices.Values(c.Study.Epsilons)),
		Seed:     c.Study.Seed, Workers: c.Study.Workers, Stream: r.Stream}
	s.asked = costsAsked{Version: p.Version, Problem: g.Name, ProblemSHA256: ProblemSHA256(g),
		Start: g.States.Value(g.Start),
		Delta: c.Privacy.Delta, Adjacency: c.Privacy.Adjacency, Calibration: c.Privacy.Calibration,
		RewardRange: c.Privacy.RewardRange, Seed: c.Study.Seed, Until: r.Until}
	for _, m := range r.Mechanisms {
		if _, is := m.(planner.RowMechanism); is {
			s.asked.Rows = &s.study.Guarantee.Rows
		}
	}
	if s.asked.Facts, err = s.study.Facts(); err != nil {
		return nil, RequestErrorf("%w", err)
	}
	s.asked.States = g.Listed
	if c.Study.Axis.Whole() && g.Settings.IsSet("study.axis") {
		s.asked.Axis = &c.Study.Axis
	}
	switch {
	case r.Until > 0 && r.Part != Part{}:
		return nil, RequestErrorf("{until} and {shard} exclude each other, because the stopping rule needs all " +
			"runs; give {runs} instead of {until}")
	case r.Until > 0 && !g.Settings.IsSet(RunsKey):
		s.most = mostCostRuns
	}
	if err := r.Part.Check(s.most); err != nil {
		return nil, err
	}
	s.tally = cost.NewTally(s.asked.Facts, r.Until)
	return s, nil
}

// mostCostRuns is the default limit on runs with {until}.
const mostCostRuns = 100_000

// ProblemSHA256 returns a hash of the transitions, rewards, discount and start of a problem.
func ProblemSHA256(g *setup.Input) string {
	hash := sha256.New()
	var text []byte
	number := func(x uint64) {
		if text = binary.LittleEndian.AppendUint64(text, x); len(text) >= 1<<15 {
			hash.Write(text)
			text = text[:0]
		}
	}
	for _, n := range []int{g.Law.States(), g.Law.Actions(), g.Start} {
		number(uint64(n))
	}
	number(math.Float64bits(g.Discount))
	var outcomes []mdp.Outcome
	for state := range g.Law.States() {
		for action := range g.Law.Actions() {
			outcomes = g.Law.AppendOutcomes(outcomes[:0], state, action)
			number(uint64(len(outcomes)))
			for _, o := range outcomes {
				number(uint64(o.State))
				number(math.Float64bits(o.Probability))
			}
		}
	}
	for _, table := range g.Rewards.Tables {
		for _, x := range table {
			number(math.Float64bits(x))
		}
	}
	hash.Write(text)
	return fmt.Sprintf("%x", hash.Sum(nil))
}

// Runs returns the number of finished runs, and Summaries the results.
func (s *Costs) Runs() int                 { return s.tally.Runs() }
func (s *Costs) Summaries() []cost.Summary { return s.tally.Summaries() }

// Question implements Asker.
func (s *Costs) Question() Question {
	return Question{Verb: "cost", Settings: s.settings, Request: s.asked, Commands: s.commands, Part: s.part,
		Solve: s.solve}
}

// joinCosts returns the whole work of a part. The parts have all runs, but not the problem.
func joinCosts(_ context.Context, p *Program, settings *configs.Loaded, asked costsAsked) (*Costs, error) {
	return &Costs{program: p, settings: settings, most: settings.Study.Runs, asked: asked,
		tally: cost.NewTally(asked.Facts, 0)}, nil
}

// solve does the runs that are not kept yet. On a range of epsilon it also computes the exact costs along the range.
func (s *Costs) solve(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
	if s.study.Problem == nil {
		if err := s.join(kept); err != nil {
			return nil, err
		}
		return s.answer(), nil
	}
	s.study.Kept = kept
	err := s.doRuns(ctx)
	if (err == nil || errors.Is(err, pieces.ErrPart)) && s.asked.Axis != nil {
		err = s.doPieces(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s.answer(), nil
}

// doRuns does the remaining runs.
func (s *Costs) doRuns(ctx context.Context) error {
	s.program.Progress(CostRuns, s.Runs(), s.most)
	if s.known() {
		return nil
	}
	for rows, err := range s.study.Rows(ctx, s.Runs(), s.most) {
		if err != nil {
			return err
		}
		if s.program.Progress(CostRuns, rows[0].Run+1, s.most); s.study.Kept.IsPart() {
			continue // its rows are counted when the parts are joined
		}
		if err := s.next(rows); err != nil {
			return err
		}
		if s.known() {
			break
		}
	}
	return nil
}

// doPieces computes the costs of the runs along the range of epsilon.
func (s *Costs) doPieces(ctx context.Context) error {
	s.pieces = nil
	runs := s.Runs()
	if s.study.Kept.IsPart() {
		runs = s.most
	}
	for pieces, err := range s.study.Pieces(ctx, study.Range(*s.asked.Axis), 0, runs) {
		if err != nil {
			return err
		}
		if s.program.Progress(CostRuns, pieces[0].Run+1, runs); !s.study.Kept.IsPart() {
			s.pieces = append(s.pieces, pieces...)
		}
	}
	return nil
}

// next counts the rows of the next run, and returns an error for another run.
func (s *Costs) next(rows []cost.Row) error {
	if len(rows) != len(s.asked.Epsilons) || rows[0].Run != s.Runs() {
		return fmt.Errorf("run %d is not the next one; repeat the command with another folder", rows[0].Run)
	}
	s.rows = append(s.rows, rows...)
	s.tally.Add(rows)
	return nil
}

// join reads the runs of all parts from kept pieces.
func (s *Costs) join(kept *pieces.Work) error {
	for together, err := range pieces.Kept[[][]cost.Row](kept) {
		for _, rows := range together {
			err = errors.Join(err, s.next(rows))
		}
		if err != nil {
			return err
		}
	}
	done := s.most
	if s.asked.Axis != nil {
		done = 0
		for together, err := range pieces.Kept[[][]cost.Piece](kept) {
			if err != nil {
				return err
			}
			for _, pieces := range together {
				done, s.pieces = done+1, append(s.pieces, pieces...)
			}
		}
	}
	if s.Runs() < s.most || done < s.most {
		return errors.New("pieces are missing or damaged")
	}
	return nil
}

// curves returns the mean costs along the range of epsilon, nil without a range.
func (s *Costs) curves() []cost.Curve {
	if len(s.pieces) == 0 {
		return nil
	}
	return cost.Curves(s.pieces, s.asked.Mechanisms, study.Range(*s.asked.Axis), s.Runs())
}

// CostRuns is the work of studies of costs.
const CostRuns Kind = "runs"

// known reports whether every mean has the requested half-width.
func (s *Costs) known() bool { return s.asked.Until > 0 && s.tally.Widest() <= s.asked.Until }

// unmet returns an error if the requested half-width was not reached.
func (s *Costs) unmet() error {
	if s.asked.Until == 0 || s.known() {
		return nil
	}
	return option.Errorf("after %s the widest interval is still +-%.3g%% of the value, above {until} %.3g%%; allow "+
		"more with {runs}", table.Count(s.Runs(), "run"), 100*s.tally.Widest(), 100*s.asked.Until)
}
