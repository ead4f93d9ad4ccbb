package campaign

import (
	"context"
	"encoding/json"
	"io"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/internal/reproduce"
	"veilpath/internal/table"
)

// Reproduction recomputes results of the paper. It is a [Asker].
type Reproduction struct {
	Items   []*reproduce.Item
	Results []*reproduce.Result // nil before Do

	program  *Program
	loaded   *configs.Loaded
	examples [2]configs.Config
	settings *reproduce.Settings
}

// Samples is the work of reproductions.
const Samples Kind = "samples"

// NewReproduction prepares recomputing items, with settings for the mission and for Examples 1 and 2.
func NewReproduction(p *Program, items []*reproduce.Item, loaded *configs.Loaded,
	examples [2]configs.Config) (*Reproduction, error) {
	settings, err := reproduce.NewSettings(loaded.Config, examples[0], examples[1])
	return &Reproduction{program: p, Items: items, loaded: loaded, examples: examples,
		settings: settings}, err
}

// reproductionRequest is the request of a reproduction.
type reproductionRequest struct {
	Items    []string
	Examples [2]json.RawMessage // settings
}

// Question implements Asker.
func (r *Reproduction) Question() Question {
	var names []string
	for _, item := range r.Items {
		names = append(names, item.Name)
	}
	examples := r.examples
	for i := range examples {
		examples[i].Study.Workers = 0 // does not change results
	}
	return Question{Verb: "reproduce", Settings: r.loaded, Request: struct {
		Items    []string
		Examples [2]configs.Config
	}{names, examples}, Solve: r.solve}
}

// joinReproduction returns the whole work of a part.
func joinReproduction(_ context.Context, p *Program, settings *configs.Loaded,
	r reproductionRequest) (*Reproduction, error) {
	var examples [2]configs.Config
	for i, text := range r.Examples {
		loaded, err := configs.Load(RecordedRequest("", record.Manifest{Config: text}))
		if err != nil {
			return nil, err
		}
		examples[i] = loaded.Config
	}
	items, err := reproduce.Select(r.Items)
	if err != nil {
		return nil, err
	}
	return NewReproduction(p, items, settings, examples)
}

// solve computes what is not kept yet.
func (r *Reproduction) solve(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
	var err error
	r.Results, err = reproduce.Run(ctx, r.Items, r.settings, kept,
		r.program.Counter(Samples, reproduce.Work(r.Items, r.settings)))
	if err != nil {
		return nil, err
	}
	return r.answer(), nil
}

// answer returns the comparison of published and computed numbers.
func (r *Reproduction) answer() *answer.Answer {
	rows := table.Table[reproduce.Extreme]{Columns: reproduce.ExtremeColumns(), Rows: reproduce.Extremes(r.Results)}
	judged := 0
	for _, n := range reproduce.Count(r.Results) {
		judged += n
	}
	a := &answer.Answer{Words: []string{reproduce.Words(r.Results)}, Table: reproduce.ScreenTable(r.Results),
		More: []table.Section{{Text: "\n", Table: rows, Full: true}},
		CSV: answer.File{Name: reproduce.ComparisonName,
			Write: func(w io.Writer) error { return reproduce.WriteComparison(w, r.Results) }},
		JSON: answer.File{Name: AnswerName,
			Write: func(w io.Writer) error { return reproduce.WriteJSON(w, r.Results) }},
		Figures: map[string]*figure.Figure{}, Effort: table.Count(judged, "number") + " judged"}
	for _, result := range r.Results {
		if drawn := result.Figure(); drawn != nil {
			a.Figures["figure-"+result.Item.Name] = drawn
		}
	}
	return a
}
