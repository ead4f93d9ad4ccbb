package benchmarks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"veilpath/configs"
	"veilpath/internal/benchmark"
	external "veilpath/internal/exec"
	"veilpath/internal/phrase"
	"veilpath/internal/pieces"
	"veilpath/internal/pool"
	"veilpath/internal/record/parquet"
	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/planner/audit"
	"veilpath/sim/campaign"
	"veilpath/sim/campaign/audits"
)

// Benchmark is the work of measuring ways to hide against observers of the goal.
type Benchmark struct {
	campaign.Task
	Rows []benchmark.Row // as far as they are measured

	settings *configs.Loaded
	suite    *benchmark.Suite
	cases    []benchmark.Case
	commands []string // that the suite names
}

// Rows is the work of benchmarks.
const Rows campaign.Work = "rows"

// Names of the files of a benchmark beside its figure.
const (
	rowsName  = "rows"
	suiteName = "suite.json"
)

// New prepares a suite, with the workers of the settings. It loads the settings of every row, so that a
// mistake in the last one is found before the first is measured.
func New(p *campaign.Program, settings *configs.Loaded, suite *benchmark.Suite) (*Benchmark, error) {
	b := &Benchmark{Task: campaign.Task{Program: p, Paged: true}, settings: settings, suite: suite, cases: suite.Cases()}
	if _, err := p.GoalModels(strings.Join(suite.Observers, ","), settings.Exec.Timeout()); err != nil {
		return nil, campaign.RequestErrorf("observers: %w", err)
	}
	for i := range b.cases {
		c := &b.cases[i]
		loaded, err := suite.Load(c, settings.Study.Workers)
		if err == nil {
			err = p.StartCommands(loaded)
		}
		if err != nil {
			return nil, campaign.RequestErrorf("%s: %w", c.Title(), err)
		}
		request := suite.Request(c)
		b.commands = append(b.commands, request.Lines(&loaded.Config)...)
	}
	p.RemarkCommands()
	return b, nil
}

// Asked is all that the answer depends on.
func (b *Benchmark) Asked() campaign.Asked {
	return campaign.Asked{Verb: "benchmark", Settings: b.settings, Request: b.suite, Shared: b.suite,
		Commands: b.commands}
}

// Joined returns the whole benchmark of a part in a folder, see Joiner.
func Joined(_ context.Context, p *campaign.Program, _ string, settings *configs.Loaded,
	asked json.RawMessage) (campaign.Resumable, error) {
	var suite benchmark.Suite
	if err := json.Unmarshal(asked, &suite); err != nil {
		return nil, err
	}
	return New(p, settings, &suite)
}

// Bench returns what measures rows.
func Bench(p *campaign.Program, workers int) *benchmark.Bench {
	return &benchmark.Bench{Version: p.Version, Builder: p.Builder(), Models: p.GoalObservers, Workers: workers,
		Commands: p.CommandsOf,
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
func auditVerdict(ctx context.Context, p *campaign.Program, settings *configs.Loaded) (string, error) {
	a, err := audits.New(p, audits.Request{Settings: settings, Of: audit.Reward, Samples: auditSamples,
		Tables: auditTables, FalseAlarms: auditFalseAlarms})
	if err != nil {
		return "not audited", nil // no audit runs on it
	}
	if err := a.Quiet().Do(ctx, nil); errors.Is(err, external.ErrNoRewards) {
		return "not audited", nil
	} else if err != nil {
		return "", err
	}
	return a.Report.Verdict(), nil
}

// Do measures the rows, after those that the keeper has.
func (b *Benchmark) Do(ctx context.Context, keeper pool.Keeper) error {
	defer b.Measure()()
	b.Rows = nil
	measure := func() pool.Work[int, benchmark.Row] {
		return func(ctx context.Context, i int, _ benchmark.Row) (benchmark.Row, error) {
			bench := Bench(b.Program, b.settings.Study.Workers)
			return bench.Case(ctx, b.suite, &b.cases[i], func(int) {})
		}
	}
	b.Program.Progress(Rows, 0, len(b.cases))
	for r, err := range pool.Resumed(ctx, 1, pool.Numbers(0, len(b.cases)), measure, keeper) {
		if err != nil {
			return err
		}
		r.Value.Number = r.Piece + 1
		b.Rows = append(b.Rows, r.Value)
		b.Program.Progress(Rows, len(b.Rows), len(b.cases))
	}
	return nil
}

// Effort implements campaign.Resumable.
func (b *Benchmark) Effort() string {
	return b.Timed(table.Count(len(b.Rows), "row"))
}

// Sections implements campaign.Answer.
func (b *Benchmark) Sections(bool) []table.Section {
	rows := table.Table[benchmark.Row]{Columns: benchmark.Columns(), Rows: b.Rows}
	note := fmt.Sprintf("\nWays: the most bits for at most %s of the value, else the cheapest.\n",
		phrase.Percent(benchmark.Budget))
	return []table.Section{{Text: benchmark.Words(b.Rows) + "\n\n", Table: benchmark.ScreenTable(b.Rows)}, {Text: note},
		{Text: "\n", Table: rows.First("strength", "bits 50 %", "cost", "strongest"), Full: true}}
}

// WriteCSV writes the rows.
func (b *Benchmark) WriteCSV(w io.Writer) error { return benchmark.NewSheet(b.Rows).WriteCSV(w) }

// WriteJSON writes the rows.
func (b *Benchmark) WriteJSON(w io.Writer) error { return table.WriteJSON(w, b.Rows) }

// Write writes the rows, the suite, a figure and a page.
func (b *Benchmark) Write(folder *pieces.Folder) error {
	figure, sheet := report.BenchmarkFigure(b.Rows), benchmark.NewSheet(b.Rows)
	words := []string{benchmark.Words(b.Rows)}
	made := fmt.Sprintf("veilpath %s, seed %d, %s of %s", b.Program.Version, b.suite.Seed, table.Count(len(b.Rows), "row"),
		table.Count(b.suite.Flights, "flight"))
	return b.WriteAnswer(folder, b.Asked(), campaign.Results{
		Files: map[string]func(io.Writer) error{
			rowsName + ".csv":  b.WriteCSV,
			rowsName + ".json": b.WriteJSON,
			rowsName + ".parquet": func(w io.Writer) error {
				return parquet.Write(w, benchmark.Columns(), b.Program.Version, b.Rows)
			},
			suiteName: func(w io.Writer) error { return table.WriteJSON(w, b.suite) },
			campaign.PageName: report.SheetPage("Every way to hide against every observer", made, words, figure,
				[]*table.Sheet{sheet}).Write,
		},
		Figures: map[string]*report.Figure{"figure": figure},
	})
}
