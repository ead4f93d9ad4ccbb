package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/benchmark"
	"veilpath/internal/exec"
	"veilpath/internal/figure"
	"veilpath/internal/phrase"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/internal/record/parquet"
	"veilpath/internal/table"
	"veilpath/planner/audit"
)

// Benchmark is the work of measuring ways to hide against observers of the goal.
type Benchmark struct {
	program *Program
	Rows    []benchmark.Row // as far as they are measured

	settings *configs.Loaded
	suite    *benchmark.Suite
	cases    []benchmark.Case
	models   []adversary.GoalModel // the observers of the suite
	commands []string              // that the suite names
}

// BenchmarkRows is the work of benchmarks.
const BenchmarkRows Kind = "rows"

// NewBenchmark prepares a suite, with the workers of the settings. It loads the settings of every row, so that a
// mistake in the last one is found before the first is measured.
func NewBenchmark(p *Program, settings *configs.Loaded, suite *benchmark.Suite) (*Benchmark, error) {
	b := &Benchmark{program: p, settings: settings, suite: suite, cases: suite.Cases()}
	var err error
	if b.models, err = p.GoalModels(strings.Join(suite.Observers, ","), settings.Exec.Timeout()); err != nil {
		return nil, RequestErrorf("observers: %w", err)
	}
	for i := range b.cases {
		c := &b.cases[i]
		request := suite.Request(c)
		loaded, err := request.Load(settings.Study.Workers)
		if err == nil {
			err = p.StartCommands(loaded)
		}
		if err != nil {
			return nil, RequestErrorf("%s: %w", c.Title(), err)
		}
		b.commands = append(b.commands, request.Lines(&loaded.Config)...)
	}
	p.RemarkCommands()
	return b, nil
}

// Question implements Asker.
func (b *Benchmark) Question() Question {
	return Question{Verb: "benchmark", Settings: b.settings, Request: b.suite, Commands: b.commands,
		Solve: b.solve}
}

// bench returns what measures rows.
func (b *Benchmark) bench() *benchmark.Bench {
	p := b.program
	return &benchmark.Bench{Version: p.Version, Builder: p.Builder(), Models: b.models,
		Workers: b.settings.Study.Workers, Commands: p.CommandsOf,
		Audit: func(ctx context.Context, settings *configs.Loaded) (string, error) {
			return auditVerdict(ctx, p, settings)
		}}
}

// How much an audit of a row releases, and how often it accuses an honest mechanism at most.
const (
	auditSamples     = 2000
	auditTables      = 12
	auditFalseAlarms = 0.001
)

// auditVerdict audits the mechanism of settings.
func auditVerdict(ctx context.Context, p *Program, settings *configs.Loaded) (string, error) {
	a, err := NewAudit(p, AuditRequest{Settings: settings, Of: audit.Reward, Samples: auditSamples,
		Tables: auditTables, FalseAlarms: auditFalseAlarms})
	if err != nil {
		return "not audited", nil // no audit runs on it
	}
	verdict, err := a.Quiet().Judge(ctx)
	if errors.Is(err, exec.ErrNoRewards) {
		return "not audited", nil
	}
	return verdict, err
}

// solve measures the rows that are not kept yet.
func (b *Benchmark) solve(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
	b.Rows = nil
	measure := func() pool.Work[int, benchmark.Row] {
		return func(ctx context.Context, i int, _ benchmark.Row) (benchmark.Row, error) {
			return b.bench().Case(ctx, b.suite, &b.cases[i], func(int) {})
		}
	}
	b.program.Progress(BenchmarkRows, 0, len(b.cases))
	for r, err := range pieces.Ordered(ctx, kept, 1, pool.Numbers(0, len(b.cases)), measure) {
		if err != nil {
			return nil, err
		}
		r.Value.Number = r.Piece + 1
		b.Rows = append(b.Rows, r.Value)
		b.program.Progress(BenchmarkRows, len(b.Rows), len(b.cases))
	}
	return b.answer(), nil
}

// answer returns the rows.
func (b *Benchmark) answer() *answer.Answer {
	rows, sheet := table.Table[benchmark.Row]{Columns: benchmark.Columns(), Rows: b.Rows}, benchmark.NewSheet(b.Rows)
	return &answer.Answer{Words: []string{benchmark.Words(b.Rows)}, Table: benchmark.ScreenTable(b.Rows),
		Notes: []string{fmt.Sprintf("Ways: the most bits for at most %s of the value, else the cheapest.",
			phrase.Percent(benchmark.Budget))},
		More: []table.Section{{Text: "\n", Table: rows.First("strength", "bits 50 %", "cost", "strongest"), Full: true}},
		CSV:  answer.File{Name: "rows.csv", Write: sheet.WriteCSV},
		JSON: answer.File{Name: "rows.json", Write: func(w io.Writer) error { return table.WriteJSON(w, b.Rows) }},
		Files: map[string]func(io.Writer) error{
			"rows.parquet": func(w io.Writer) error {
				return parquet.Write(w, benchmark.Columns(), b.program.Version, b.Rows)
			},
			"suite.json": func(w io.Writer) error { return table.WriteJSON(w, b.suite) }},
		Figures: map[string]*figure.Figure{"figure": figure.BenchmarkFigure(b.Rows)},
		Page: answer.Page{Kicker: "Every way to hide against every observer", Sheets: []*table.Sheet{sheet},
			Made: fmt.Sprintf("veilpath %s, seed %d, %s of %s", b.program.Version, b.suite.Seed,
				table.Count(len(b.Rows), "row"), table.Count(b.suite.Flights, "flight"))},
		Effort: table.Count(len(b.Rows), "row"),
		Next:   answer.Next{Files: []answer.Named{{Text: "page", File: PageName}}}}
}
