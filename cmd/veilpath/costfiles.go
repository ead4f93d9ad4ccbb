package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"veilpath/cmd/internal/terminal"
	"veilpath/planner/mdp"
	"veilpath/sim/campaign"
	"veilpath/sim/cost"
	"veilpath/sim/record"
	"veilpath/sim/record/parquet"
	"veilpath/sim/report"
)

// The files of cost.
const (
	costTableName   = "costs.csv"
	costRunsName    = "costs.parquet"
	costRequestName = "request.json"
)

// costRequest is what the runs depend on. Where two agree the runs do.
type costRequest struct {
	Version       string    `json:"version"`
	Problem       string    `json:"problem"`
	ProblemSHA256 string    `json:"problem_sha256"` // of transitions, rewards, discount and start
	Discount      float64   `json:"discount"`
	Start         any       `json:"start"`
	Mechanisms    []string  `json:"mechanisms"`
	Epsilons      []float64 `json:"epsilons"`
	Delta         float64   `json:"delta"`
	Adjacency     float64   `json:"adjacency"`
	Calibration   string    `json:"calibration"`
	Seed          uint64    `json:"seed"`
	FirstRun      int       `json:"first_run"`
	Shard         string    `json:"shard,omitempty"`
}

func (s *costSession) describe() (costRequest, error) {
	g := s.study.Guarantee
	r := costRequest{
		Version: version, Problem: s.name, Discount: s.planned.Discount, Start: nameOf(s.states, s.planned.Start), Epsilons: s.study.Epsilons,
		Delta: g.Delta, Adjacency: g.Adjacency, Calibration: string(g.Calibration), Seed: s.study.Seed, FirstRun: s.first, Shard: s.shard,
	}
	for _, m := range s.study.Mechanisms {
		r.Mechanisms = append(r.Mechanisms, m.Name())
	}
	hash := sha256.New()
	number := func(x uint64) { binary.Write(hash, binary.LittleEndian, x) } // never fails
	law := s.planned.Law
	number(uint64(law.States()))
	number(uint64(law.Actions()))
	number(math.Float64bits(s.planned.Discount))
	number(uint64(s.planned.Start))
	var outcomes []mdp.Outcome
	for state := range law.States() {
		for action := range law.Actions() {
			outcomes = law.AppendOutcomes(outcomes[:0], state, action)
			number(uint64(len(outcomes)))
			for _, o := range outcomes {
				number(uint64(o.State))
				number(math.Float64bits(o.Probability))
			}
		}
	}
	for _, table := range s.planned.Rewards.Tables {
		for _, x := range table {
			number(math.Float64bits(x))
		}
	}
	r.ProblemSHA256 = fmt.Sprintf("%x", hash.Sum(nil))
	return r, nil
}

func (r costRequest) write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// costFolder opens the output folder: one to be resumed with the runs it holds, any other fresh. It is nil where
// nothing is to be left on disk.
func (a *app) costFolder(s *costSession, resume bool) (*record.Folder, error) {
	if resume && a.out == "" {
		return nil, usageError{errors.New("--resume needs --out: name the folder to go on with")}
	}
	if resume {
		found, err := a.loadCosts(s)
		if err != nil {
			return nil, err
		}
		if found {
			a.remark("resuming after %s", terminal.Count(s.tally.Runs(), "run"))
			folder, err := record.ReopenFolder(a.disk, a.out, "cost --resume")
			return folder, folderError(err)
		}
		a.remark("nothing to resume in %s: beginning", a.out)
	}
	return a.resultFolder("cost")
}

// loadCosts takes over the runs in the output folder, as far as there are any of this request.
func (a *app) loadCosts(s *costSession) (found bool, err error) {
	read := func(name string) ([]byte, error) {
		file, err := a.disk.OpenFile(filepath.Join(a.out, name), os.O_RDONLY, 0)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		const most = 1 << 30
		return io.ReadAll(io.LimitReader(file, most))
	}
	recorded, err := read(costRequestName)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var asked bytes.Buffer
	if err := s.request.write(&asked); err != nil {
		return false, err
	}
	if !bytes.Equal(recorded, asked.Bytes()) {
		return false, usageError{fmt.Errorf("%s was begun with another request, see %s there; repeat its flags, or name another --out", a.out, costRequestName)}
	}
	text, err := read(costRunsName)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	rows, err := parquet.ReadCosts(bytes.NewReader(text), int64(len(text)), s.request.Mechanisms)
	if err != nil {
		return false, fmt.Errorf("%s: %w; remove it, and its runs are done again", filepath.Join(a.out, costRunsName), err)
	}
	return true, s.take(rows)
}

// take counts rows of earlier sessions.
func (s *costSession) take(rows []cost.Row) error {
	epsilons := s.study.Epsilons
	for len(rows) >= len(epsilons) && (s.tally.Runs() < s.most-s.first || s.until > 0) {
		run := rows[:len(epsilons)]
		for e, row := range run {
			if row.Run != s.first+s.tally.Runs() || row.Epsilon != epsilons[e] {
				return fmt.Errorf("%s: run %d at epsilon %g is not the next one; remove it, and its runs are done again", costRunsName, row.Run, row.Epsilon)
			}
		}
		s.rows = append(s.rows, run...)
		s.tally.Add(run)
		rows = rows[len(epsilons):]
	}
	return nil
}

// saveCosts keeps the runs so far.
func (a *app) saveCosts(folder *record.Folder, s *costSession) error {
	if err := a.writeCostRuns(folder, s); err != nil {
		return err
	}
	return folder.Publish()
}

func (a *app) writeCostRuns(folder *record.Folder, s *costSession) error {
	if err := folder.Write(costRequestName, s.request.write); err != nil {
		return err
	}
	return folder.Write(costRunsName, func(w io.Writer) error { return parquet.WriteCosts(w, s.rows, s.request.Mechanisms, version) })
}

// writeCosts writes the files, the manifest last.
func (a *app) writeCosts(folder *record.Folder, s *costSession, complete bool, wall time.Duration) error {
	if err := a.writeCostRuns(folder, s); err != nil {
		return err
	}
	summaries := s.tally.Summaries()
	files := map[string]func(io.Writer) error{costTableName: func(w io.Writer) error { return writeCostTable(w, summaries) }}
	if finite(summaries) {
		figure := report.CostFigure(costTitle(summaries), filepath.Base(s.name), summaries, s.ceiling)
		files["figure.png"], files["figure.svg"] = figure.WritePNG, figure.WriteSVG
	} else {
		a.remark("no figure: the optimal value is 0, and no cost a share of it")
	}
	program, _ := a.program()
	return program.Write(folder, campaign.Results{Verb: "cost", Settings: s.loaded, Files: files, Partial: !complete, Wall: wall})
}

func finite(summaries []cost.Summary) bool {
	for _, s := range summaries {
		if math.IsInf(s.Mean, 0) || math.IsNaN(s.Mean) {
			return false
		}
	}
	return true
}

// costTitle says what came out.
func costTitle(summaries []cost.Summary) string {
	first, last := summaries[0], summaries[0]
	for _, s := range summaries {
		if s.Mechanism == first.Mechanism {
			last = s
		}
	}
	if first.Epsilon == last.Epsilon {
		return fmt.Sprintf("At ε = %g privacy costs %.3g %% of the value", first.Epsilon, 100*first.Mean)
	}
	return fmt.Sprintf("Privacy costs %.3g %% of the value at ε = %g and %.3g %% at ε = %g (%s)", 100*first.Mean, first.Epsilon, 100*last.Mean, last.Epsilon, first.Mechanism)
}

// costHeadings are the columns of costs.csv.
var costHeadings = []string{"mechanism", "epsilon", "sigma", "runs", "cost_of_privacy", "ci_low", "ci_high", "standard_error", "largest", "free", "error_bound", "cost_bound", "extra_sweeps_bound"}

func writeCostTable(w io.Writer, summaries []cost.Summary) error {
	table := csv.NewWriter(w)
	table.Write(costHeadings)
	for _, s := range summaries {
		row := []string{s.Mechanism}
		for _, x := range []float64{s.Epsilon, s.Sigma, float64(s.Runs), s.Mean, s.Low, s.High, s.StandardError, s.Largest, s.Free, s.ErrorBound, s.CostBound, s.ExtraSweepsBound} {
			text := ""
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				text = string(appendNumber(nil, x))
			}
			row = append(row, text)
		}
		table.Write(row)
	}
	table.Flush()
	return table.Error()
}

// costJSON is a summary for programs.
type costJSON struct {
	Mechanism        string         `json:"mechanism"`
	Epsilon          float64        `json:"epsilon"`
	Sigma            float64        `json:"sigma"`
	Runs             int            `json:"runs"`
	CostOfPrivacy    terminal.Maybe `json:"cost_of_privacy"`
	Low              terminal.Maybe `json:"ci_low"`
	High             terminal.Maybe `json:"ci_high"`
	StandardError    terminal.Maybe `json:"standard_error"`
	Largest          terminal.Maybe `json:"largest"`
	Free             float64        `json:"free"`
	ErrorBound       terminal.Maybe `json:"error_bound"`
	CostBound        terminal.Maybe `json:"cost_bound"`
	ExtraSweepsBound terminal.Maybe `json:"extra_sweeps_bound"`
}

func (a *app) printCosts(s *costSession) error {
	summaries := s.tally.Summaries()
	optimal := s.study.Problem.Optimal.Value[s.study.Problem.Start]
	switch a.format {
	case "csv":
		return writeCostTable(a.stdout, summaries)
	case "json":
		out := struct {
			Problem string         `json:"problem"`
			States  int            `json:"states"`
			Start   any            `json:"start"`
			Value   float64        `json:"value"`
			Ceiling terminal.Maybe `json:"ceiling"`
			Costs   []costJSON     `json:"costs"`
		}{s.name, s.listed, nameOf(s.states, s.planned.Start), optimal, terminal.Maybe(s.ceiling), nil}
		for _, c := range summaries {
			out.Costs = append(out.Costs, costJSON{c.Mechanism, c.Epsilon, c.Sigma, c.Runs, terminal.Maybe(c.Mean), terminal.Maybe(c.Low), terminal.Maybe(c.High), terminal.Maybe(c.StandardError),
				terminal.Maybe(c.Largest), c.Free, terminal.Maybe(c.ErrorBound), terminal.Maybe(c.CostBound), terminal.Maybe(c.ExtraSweepsBound)})
		}
		return a.printJSON(out)
	}
	fmt.Fprintf(a.stdout, "%s: %s from state %s is worth %.6g; no policy costs more than %s\n\n", s.name, terminal.Count(s.listed, "state"), s.states.Of(s.planned.Start), optimal, percentOrMore(s.ceiling))
	return terminal.WriteTable(a.stdout, costLead, costColumns, summaries)
}
