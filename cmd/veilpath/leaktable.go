package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"veilpath/adversary"
	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/sim/campaign"
	"veilpath/sim/leak"
	"veilpath/sim/record"
	"veilpath/sim/record/parquet"
	"veilpath/sim/report"
)

// leakAnswer is what leak found, as it is printed in JSON.
type leakAnswer struct {
	Goal        string            `json:"goal"` // prior or own
	Goals       int               `json:"goals"`
	PriorBits   float64           `json:"prior_bits"`
	Flights     int               `json:"flights"`
	Policies    int               `json:"policies"`
	Seed        uint64            `json:"seed"`
	Knows       []string          `json:"knows,omitempty"` // otherwise than it is
	InWords     []string          `json:"in_words"`
	Leakage     []leakageJSON     `json:"leakage"`
	Learned     []lessonJSON      `json:"learned_from"`
	Recognition []recognitionJSON `json:"recognition"`
	Routes      []diversityJSON   `json:"routes"`
}

type leakageJSON struct {
	Observer      string         `json:"observer"`
	Epsilon       terminal.Maybe `json:"epsilon"` // null for no noise
	FlownKm       float64        `json:"flown_km"`
	BitsLeft      terminal.Maybe `json:"bits_left"`
	StandardError terminal.Maybe `json:"standard_error"`
	BitsLearned   terminal.Maybe `json:"bits_learned"`
	Entropy       terminal.Maybe `json:"posterior_entropy_bits"`
	Rank          terminal.Maybe `json:"rank"`
	Top1          terminal.Maybe `json:"top1"`
	Top5          terminal.Maybe `json:"top5"`
}

type lessonJSON struct {
	Epsilon       terminal.Maybe `json:"epsilon"`
	FlownKm       float64        `json:"flown_km"`
	From          string         `json:"from"`
	Bits          terminal.Maybe `json:"bits"`
	StandardError terminal.Maybe `json:"standard_error"`
}

type recognitionJSON struct {
	Observer      string         `json:"observer"`
	Epsilon       terminal.Maybe `json:"epsilon"`
	RadiusKm      float64        `json:"radius_km"`
	DistanceKm    terminal.Maybe `json:"distance_km"`
	StandardError terminal.Maybe `json:"standard_error"`
	Never         float64        `json:"never"`
}

type diversityJSON struct {
	Epsilon  terminal.Maybe `json:"epsilon"`
	Distinct int            `json:"distinct"`
	Bits     float64        `json:"entropy_bits"`
}

// leakAnswerOf gathers the answer about the distances flown that were asked for.
func leakAnswerOf(r *leak.Result, at []float64) *leakAnswer {
	s := r.Study
	answer := &leakAnswer{Goal: "prior", Goals: len(s.World.Goals), PriorBits: s.World.PriorBits(), Flights: s.Flights, Policies: s.Policies, Seed: s.Seed,
		Leakage: []leakageJSON{}, Learned: []lessonJSON{}, Recognition: []recognitionJSON{}, Routes: []diversityJSON{}}
	if s.OwnGoal {
		answer.Goal = "own"
	}
	for _, row := range rowsAt(r, at) {
		answer.Leakage = append(answer.Leakage, leakageJSON{row.Observer, terminal.Maybe(row.Epsilon), row.FlownKm, terminal.Maybe(row.BitsLeft), terminal.Maybe(row.StandardError),
			terminal.Maybe(r.PriorBits() - row.BitsLeft), terminal.Maybe(row.Entropy), terminal.Maybe(row.Rank), terminal.Maybe(row.Top1), terminal.Maybe(row.Top5)})
	}
	for _, l := range r.Lessons() {
		if slices.Contains(at, l.FlownKm) {
			answer.Learned = append(answer.Learned, lessonJSON{terminal.Maybe(l.Epsilon), l.FlownKm, l.From, terminal.Maybe(l.Bits.Mean), terminal.Maybe(l.Bits.StandardError)})
		}
	}
	for _, c := range r.Recognitions() {
		answer.Recognition = append(answer.Recognition, recognitionJSON{c.Observer, terminal.Maybe(c.Epsilon), c.RadiusKm, terminal.Maybe(c.Distance.Mean), terminal.Maybe(c.Distance.StandardError), c.Never})
	}
	for _, d := range r.Diversities() {
		answer.Routes = append(answer.Routes, diversityJSON{terminal.Maybe(d.Epsilon), d.Distinct, d.Bits})
	}
	answer.InWords = leakInWords(r, at)
	return answer
}

// rowsAt returns what is left to learn after the distances flown.
func rowsAt(r *leak.Result, at []float64) []leak.Row {
	return slices.DeleteFunc(r.Rows(), func(row leak.Row) bool { return !slices.Contains(at, row.FlownKm) })
}

// leakInWords says for every distance flown asked for what was learned at every epsilon by the observer who knows most of
// those that watched, and how much of it from the reward.
func leakInWords(r *leak.Result, at []float64) []string {
	words := []string{}
	who := r.Study.Observers[0].Name
	for _, m := range adversary.GoalModels() { // from the one who knows least
		if slices.ContainsFunc(r.Study.Observers, func(o adversary.GoalModel) bool { return o.Name == m.Name }) {
			who = m.Name
		}
	}
	for _, row := range rowsAt(r, at) {
		if row.Observer != who {
			continue
		}
		noise := "at epsilon " + epsilonText(row.Epsilon)
		if math.IsInf(row.Epsilon, 1) {
			noise = "without noise"
		}
		text := fmt.Sprintf("after %g km %s the observer %s has %.1f of %.1f bits about the goal", row.FlownKm, noise, who,
			r.PriorBits()-row.BitsLeft, r.PriorBits())
		for _, l := range r.Lessons() {
			if l.Epsilon == row.Epsilon && l.FlownKm == row.FlownKm && l.From == leak.Reward {
				text += fmt.Sprintf("; %.2f of them from the reward", l.Bits.Mean)
			}
		}
		words = append(words, text)
	}
	return words
}

// epsilonText writes an epsilon; none where there is no noise.
func epsilonText(epsilon float64) string {
	if math.IsInf(epsilon, 1) {
		return "none"
	}
	return strconv.FormatFloat(epsilon, 'g', -1, 64)
}

// leakageLead and leakageColumns are the table of what is left to learn.
var leakageLead = []terminal.Column[leakageJSON]{
	{Heading: "epsilon", Cell: func(r *leakageJSON) string { return epsilonCell(r.Epsilon) }},
	{Heading: "flown km", Cell: func(r *leakageJSON) string { return strconv.FormatFloat(r.FlownKm, 'g', -1, 64) }},
	{Heading: "observer", Cell: func(r *leakageJSON) string { return r.Observer }},
}

var leakageColumns = []terminal.Column[leakageJSON]{
	{Heading: "bits left", Meaning: "to be learned about the goal: the mean of -log2 of its posterior probability",
		Cell: func(r *leakageJSON) string { return terminal.Decimals(float64(r.BitsLeft), 2) }},
	{Heading: "+-", Meaning: "its standard error", Beside: true, Cell: func(r *leakageJSON) string { return terminal.Decimals(float64(r.StandardError), 2) }},
	{Heading: "learned", Meaning: "bits learned so far", Cell: func(r *leakageJSON) string { return terminal.Decimals(float64(r.BitsLearned), 2) }},
	{Heading: "rank", Meaning: "of the goal in the posterior, on average; 1 is the likeliest", Cell: func(r *leakageJSON) string { return terminal.Decimals(float64(r.Rank), 1) }},
	{Heading: "top 1", Meaning: "share of flights whose goal is the likeliest", Cell: func(r *leakageJSON) string { return terminal.Percent(float64(r.Top1)) }},
	{Heading: "top 5", Meaning: "or among the five likeliest", Cell: func(r *leakageJSON) string { return terminal.Percent(float64(r.Top5)) }},
}

func epsilonCell(e terminal.Maybe) string { return epsilonText(float64(e)) }

var lessonColumns = []terminal.Column[lessonJSON]{
	{Heading: "learned from", Cell: func(l *lessonJSON) string { return l.From }},
	{Heading: "bits", Cell: func(l *lessonJSON) string { return terminal.Decimals(float64(l.Bits), 2) }},
	{Heading: "+-", Beside: true, Cell: func(l *lessonJSON) string { return terminal.Decimals(float64(l.StandardError), 2) }},
}

var lessonLead = []terminal.Column[lessonJSON]{
	{Heading: "epsilon", Cell: func(l *lessonJSON) string { return epsilonCell(l.Epsilon) }},
	{Heading: "flown km", Cell: func(l *lessonJSON) string { return strconv.FormatFloat(l.FlownKm, 'g', -1, 64) }},
}

var recognitionLead = []terminal.Column[recognitionJSON]{
	{Heading: "epsilon", Cell: func(r *recognitionJSON) string { return epsilonCell(r.Epsilon) }},
	{Heading: "observer", Cell: func(r *recognitionJSON) string { return r.Observer }},
	{Heading: "within km", Cell: func(r *recognitionJSON) string { return strconv.FormatFloat(r.RadiusKm, 'g', -1, 64) }},
}

var recognitionColumns = []terminal.Column[recognitionJSON]{
	{Heading: "recognised at km", Meaning: "distance to the target from which half of the posterior stays within the radius of it; 0 counts where it never does",
		Cell: func(r *recognitionJSON) string { return terminal.Decimals(float64(r.DistanceKm), 1) }},
	{Heading: "+-", Meaning: "its standard error", Beside: true, Cell: func(r *recognitionJSON) string { return terminal.Decimals(float64(r.StandardError), 1) }},
	{Heading: "never", Meaning: "share of flights that are never recognised", Cell: func(r *recognitionJSON) string { return terminal.Percent(r.Never) }},
}

// printLeak prints the answer in the format asked for.
func (a *app) printLeak(r *leak.Result, at []float64, answer *leakAnswer) error {
	switch a.format {
	case "json":
		return a.printJSON(answer)
	case "csv":
		return record.WriteLeakage(a.stdout, rowsAt(r, at))
	}
	for _, line := range answer.InWords {
		fmt.Fprintln(a.stdout, line)
	}
	fmt.Fprintln(a.stdout)
	if err := terminal.WriteTable(a.stdout, leakageLead, leakageColumns, answer.Leakage); err != nil {
		return err
	}
	if len(answer.Learned) > 0 {
		fmt.Fprintln(a.stdout)
		if err := terminal.WriteTable(a.stdout, lessonLead, lessonColumns, answer.Learned); err != nil {
			return err
		}
	}
	fmt.Fprintln(a.stdout)
	if err := terminal.WriteTable(a.stdout, recognitionLead, recognitionColumns, answer.Recognition); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	for _, d := range answer.Routes {
		fmt.Fprintf(a.stdout, "%s at epsilon %s, entropy %.2f bits\n", terminal.Count(d.Distinct, "route"), epsilonCell(d.Epsilon), d.Bits)
	}
	return nil
}

// Files with all of the answer.
const (
	leakageName  = "leakage.json"
	leakPageName = "leakage.html"
)

// leakPage is the answer as a page.
func leakPage(r *leak.Result, answer *leakAnswer, figure *report.Figure) *report.Page {
	inside := *figure
	inside.Title = ""
	p := &report.Page{
		Kicker: "What observers learn about the goal of a flight", Title: figure.Title, Figures: []*report.Figure{&inside},
		Made: fmt.Sprintf("veilpath %s, seed %d, %s at every epsilon, %d possible goals", version, answer.Seed, terminal.Count(answer.Flights, "flight"), answer.Goals),
	}
	for _, line := range answer.InWords {
		p.Words = append(p.Words, strings.ToUpper(line[:1])+line[1:]+".")
	}
	p.Tables = []report.Table{
		pageTable("Left to learn", "Bits left are the mean of -log2 of the posterior probability of the true goal. By how much they fall bounds from below how much the flight says about it.", leakageLead, leakageColumns, answer.Leakage),
		pageTable("What taught it", "Bits by which an observer is ahead of one who does not know that, on the same flights.", lessonLead, lessonColumns, answer.Learned),
		pageTable("Recognition", "Distance to the target from which at least half of the posterior stays within a radius of it.", recognitionLead, recognitionColumns, answer.Recognition),
	}
	if len(answer.Learned) == 0 {
		p.Tables = slices.Delete(p.Tables, 1, 2)
	}
	return p
}

// pageTable is a table of the terminal for a page.
func pageTable[T any](title, text string, lead, columns []terminal.Column[T], rows []T) report.Table {
	t := report.Table{Title: title, Text: text}
	columns = slices.Concat(lead, columns)
	for _, c := range columns {
		t.Header = append(t.Header, c.Heading)
	}
	for i := range rows {
		var cells []string
		for _, c := range columns {
			cells = append(cells, c.Cell(&rows[i]))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// writeLeak writes the files.
func (a *app) writeLeak(folder *record.Folder, loaded *configs.Loaded, r *leak.Result, answer *leakAnswer, wall time.Duration) error {
	figure := report.LeakFigure(r, answer.InWords[len(answer.InWords)/2])
	files := map[string]func(io.Writer) error{
		leakageName: func(w io.Writer) error {
			encoder := json.NewEncoder(w)
			encoder.SetIndent("", "  ")
			return encoder.Encode(answer)
		},
		record.LeakageName:            func(w io.Writer) error { return record.WriteLeakage(w, r.Rows()) },
		record.LeakageParquetName:     func(w io.Writer) error { return parquet.WriteLeakage(w, r.Rows(), version) },
		record.RecognitionName:        func(w io.Writer) error { return record.WriteRecognition(w, r.Recognitions()) },
		record.RecognitionParquetName: func(w io.Writer) error { return parquet.WriteRecognition(w, r.Recognitions(), version) },
		leakPageName:                  leakPage(r, answer, figure).Write,
		"figure.png":                  figure.WritePNG,
		"figure.svg":                  figure.WriteSVG,
	}
	program, _ := a.program()
	return program.Write(folder, campaign.Results{Verb: "leak", Settings: loaded, Files: files, Runs: r.Study.Flights, Flights: r.Study.Flights * len(r.Study.Epsilons), Wall: wall})
}
