package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/exec"
	"veilpath/internal/figure"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/planner/audit"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/planner/reward"
)

// AuditRequest is the request for an audit: whether a mechanism keeps its promise. It audits the built-in
// mechanism, or an external one that gives a file of its releases or a command that makes them.
type AuditRequest struct {
	Settings    *configs.Loaded `json:"-"`
	Of          audit.Publication
	Samples     int // releases of each of the two tables
	Tables      int // releases of whole tables
	FalseAlarms float64

	From    string        // file of releases
	Command string        // command of sh that makes releases
	Sigma   float64       // promised deviation of the noise of external releases; 0 for none
	Table   *reward.Table // input of the command
}

// Audit is an audit, a [Asker].
type Audit struct {
	Report *audit.Report // nil before the answer

	program *Program
	request AuditRequest
	judge   judge
}

// judge makes releases and judges them.
type judge func(context.Context, *pieces.Work) (*audit.Report, error)

// Releases is the work of audits.
const Releases Kind = "releases"

// NewAudit checks a request. It makes no releases.
func NewAudit(p *Program, r AuditRequest) (*Audit, error) {
	a := &Audit{program: p, request: r}
	var err error
	switch c := r.Settings.Config; {
	case r.From != "":
		a.judge, err = a.recorded(r.From, func(ctx context.Context, _ *pieces.Work) (*audit.Recorded, error) {
			return readReleases(ctx, p, r.From, c.Privacy.Adjacency)
		})
	case r.Command != "":
		command := audit.Command{Line: r.Command, Table: r.Table, Limit: c.Exec.Timeout()}
		const wrong = "{command} %s: %w; it must read the table on standard input, write a release of it in the same " +
			"layout, and end with exit status 0"
		a.judge, err = a.recorded(r.Command, a.record(command.Tables(c.Privacy.Adjacency, c.Study.Seed), 1,
			func(err error) error { return RequestErrorf(wrong, r.Command, err) }))
	default:
		a.judge, err = a.builtin()
	}
	return a, err
}

// Quiet lets the audit report no progress and no remarks, and returns it.
func (a *Audit) Quiet() *Audit {
	a.program = &Program{Version: a.program.Version, Now: a.program.Now}
	return a
}

// builtin returns the audit of the mechanism in the settings: on rewards, on rows of probabilities, or one that draws
// the goal.
func (a *Audit) builtin() (judge, error) {
	r, c := a.request, a.request.Settings.Config
	e, err := a.program.Builder().Experiment(c)
	if err != nil {
		return nil, err
	}
	command, isCommand := e.Mechanism.(exec.Mechanism)
	rows, isRows := e.Mechanism.(planner.RowMechanism)
	onReward, drawsGoal := planner.RewardMechanismOf(e.Mechanism), c.Privacy.DrawsGoal()
	if r.Of != audit.Reward && (isCommand || isRows || drawsGoal) {
		return nil, RequestErrorf("{of} %s is for built-in mechanisms on rewards; an audit of privacy.mechanism %s compares "+
			"what it releases; leave {of} out", r.Of, c.Privacy.Mechanism)
	}
	var in audit.Inputs
	var claim audit.Claim
	switch grid := e.Mission.Grid; {
	case isCommand:
		return a.ofCommand(e.Mission, command)
	case drawsGoal:
		lattice := grid.Lattice()
		var m privacy.GoalMechanism
		if m, err = privacy.NewGoalMechanism(c.Privacy.Mechanism, lattice, c.Guarantee()); err == nil {
			in, claim, err = audit.OfGoal(m, m, lattice, grid.Goal, c.Study.Seed)
		}
	case isRows:
		in, claim, err = audit.OfRows(e.Mission.Solved, rows, c.Guarantee(), c.Study.Seed, nil)
	case onReward == nil:
		return nil, RequestErrorf("the mechanism %s promises nothing about rewards or rows of probabilities; audit "+
			"a file of its releases", e.Mechanism.Name())
	default:
		in, claim, err = audit.OfProblem(e.Mission.Solved, onReward, c.Guarantee(), c.Study.Seed, r.Of)
	}
	if err != nil {
		return nil, RequestErrorf("%w", err)
	}
	return func(ctx context.Context, kept *pieces.Work) (*audit.Report, error) {
		return in.Audit(ctx, claim, audit.Plan{Samples: r.Samples, Tables: r.Tables,
			Workers: pool.Workers(c.Study.Workers), FalseAlarms: r.FalseAlarms, Kept: kept,
			Progress: a.program.Counter(Releases, 2*r.Samples)})
	}, nil
}

// ofCommand returns the audit of a command that is a mechanism, by releases of whole tables.
func (a *Audit) ofCommand(mission *planner.Mission, m exec.Mechanism) (judge, error) {
	c := a.request.Settings.Config
	a.program.RemarkCommands()
	tables := audit.Tables{Rewards: mission.Rewards.Joint, Adjacency: c.Privacy.Adjacency, Seed: c.Study.Seed,
		Release: func(_ context.Context, run int, rewards []float64) ([]float64, error) {
			var noise privacy.Noise
			noise.Seek(privacy.Address{Seed: c.Study.Seed, Run: uint64(run)})
			return m.Release(mission.Problem, rewards, c.Guarantee(), &noise)
		}}
	return a.recorded("exec:"+m.Line, a.record(tables, pool.Workers(c.Study.Workers),
		func(err error) error { return RequestErrorf("%w", err) }))
}

// releaser returns the releases of an external mechanism.
type releaser func(context.Context, *pieces.Work) (*audit.Recorded, error)

// record returns what makes releases of whole tables. wrap describes its errors.
func (a *Audit) record(tables audit.Tables, workers int, wrap func(error) error) releaser {
	runs := tables.Runs(a.request.Samples)
	return func(ctx context.Context, kept *pieces.Work) (*audit.Recorded, error) {
		recorded, err := tables.Record(ctx, runs, workers, kept, a.program.Counter(Releases, runs))
		if err != nil && ctx.Err() == nil {
			err = wrap(err)
		}
		return recorded, err
	}
}

// recorded returns the audit of the releases of an external mechanism.
func (a *Audit) recorded(of string, releases releaser) (judge, error) {
	c := a.request.Settings.Config
	claim := audit.Claim{Epsilon: c.Privacy.Epsilon, Delta: c.Privacy.Delta, Adjacency: c.Privacy.Adjacency,
		Sigma: a.request.Sigma}
	if err := claim.Check(); err != nil {
		return nil, RequestErrorf("%w", err)
	}
	return func(ctx context.Context, kept *pieces.Work) (*audit.Report, error) {
		recorded, err := releases(ctx, kept)
		if err != nil {
			return nil, err
		}
		return a.judgeRecorded(ctx, claim, recorded, of)
	}, nil
}

// judgeRecorded judges the releases of a mechanism or a file. Of many large tables that takes minutes, in which it can
// be interrupted.
func (a *Audit) judgeRecorded(ctx context.Context, claim audit.Claim, recorded *audit.Recorded,
	of string) (*audit.Report, error) {
	const many = 1_000_000 // numbers
	if n := len(recorded.Releases); n > 0 && n*len(recorded.Releases[0].Values) > many {
		a.program.Remarkf("comparing the entries of %d releases", n)
	}
	report, err := pool.Interruptible(ctx, func() (*audit.Report, error) {
		return claim.JudgeRecorded(recorded, a.request.FalseAlarms)
	})
	switch {
	case err == nil:
		report.Of, report.Repeatable = of, a.request.From == ""
	case ctx.Err() == nil:
		err = RequestErrorf("%s: %w", of, err)
	}
	return report, err
}

// readReleases reads the releases of an external mechanism from a CSV file. adjacency is the difference of the raised
// entries. All errors are RequestErrors, except the context's.
func readReleases(ctx context.Context, p *Program, path string, adjacency float64) (*audit.Recorded, error) {
	if err := problem.Removed(path); err != nil {
		return nil, RequestErrorf("%w", err)
	}
	file, err := os.Open(path)
	if err != nil {
		// errors.Unwrap removes the path, which the message has already
		return nil, RequestErrorf("%s: %w; name a CSV file of releases", path, errors.Unwrap(err))
	}
	defer file.Close()
	columns, err := audit.ReadCSV(ctx, file)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, RequestErrorf("%s: %w", path, err)
	}
	recorded, err := columns.Record(adjacency)
	if err != nil {
		return nil, RequestErrorf("%s: %w", path, err)
	}
	if columns["entry"] != nil && columns["release"] == nil {
		p.Remarkf("%s: the column entry stands without a column release, so no whole tables are judged, and a fault "+
			"of one entry may not show", path)
	}
	return recorded, nil
}

// Question implements Asker.
func (a *Audit) Question() Question {
	return Question{Verb: "audit", Settings: a.request.Settings, Request: a.request, Solve: a.solve,
		Demand: audit.ErrorOf}
}

// solve makes the releases that are not kept yet, and judges all.
func (a *Audit) solve(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
	var err error
	if a.Report, err = a.judge(ctx, kept); err != nil {
		return nil, err
	}
	return a.answer(), nil
}

// Judge judges without keeping anything, and returns the verdict.
func (a *Audit) Judge(ctx context.Context) (string, error) {
	if _, err := a.solve(ctx, nil); err != nil {
		return "", err
	}
	return a.Report.Verdict(), nil
}

// answer returns the report. More releases show a larger epsilon, or that there is none to show.
func (a *Audit) answer() *answer.Answer {
	r, numbers := a.Report, a.Report.Answer()
	out := &answer.Answer{Words: []string{r.Words()}, Table: r.Claims().First("result", "p", "measured"), Notes: r.Notes(),
		More:   []table.Section{{Text: "\n", Table: numbers, Full: true}},
		CSV:    answer.File{Name: "audit.csv", Write: numbers.WriteCSV},
		JSON:   answer.File{Name: "audit.json", Write: numbers.WriteJSON},
		Effort: "audited", Unmet: r.Err()}
	if r.Entry() != nil { // it tested one entry, which has a trade-off
		out.Files = map[string]func(io.Writer) error{"tradeoff.csv": r.WriteTradeOff}
		out.Figures = map[string]*figure.Figure{"figure": figure.AuditFigure(r)}
	}
	if a.request.From == "" {
		out.Next.Command = []string{"audit", "{samples}", fmt.Sprint(10 * a.request.Samples)}
	}
	return out
}
