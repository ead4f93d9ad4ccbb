package reproduction

import (
	"context"
	"encoding/json"
	"io"

	"veilpath/configs"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/report"
	"veilpath/internal/reproduce"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
)

// Reproduction recomputes results of the paper. It is a [campaign.Resumable].
type Reproduction struct {
	campaign.Task
	Items   []*reproduce.Item
	Results []*reproduce.Result // nil before Do

	loaded   *configs.Loaded
	examples [2]configs.Config
	settings *reproduce.Settings
}

// Samples is the work of reproductions.
const Samples campaign.Work = "samples"

// New prepares recomputing items, with settings for the mission and for Examples 1 and 2.
func New(p *campaign.Program, items []*reproduce.Item, loaded *configs.Loaded,
	examples [2]configs.Config) (*Reproduction, error) {
	settings, err := reproduce.NewSettings(loaded.Config, examples[0], examples[1])
	return &Reproduction{Task: campaign.Task{Program: p}, Items: items, loaded: loaded, examples: examples,
		settings: settings}, err
}

// Asked returns everything that the answer depends on.
func (r *Reproduction) Asked() campaign.Asked {
	var names []string
	for _, item := range r.Items {
		names = append(names, item.Name)
	}
	return campaign.Asked{Verb: "reproduce", Settings: r.loaded, Request: names, Shared: sharedReproduction{names,
		r.examples}}
}

// sharedReproduction is the request of a divided reproduction.
type sharedReproduction struct {
	Items    []string
	Examples [2]configs.Config
}

// Joined returns the whole reproduction of a part, see Joiner.
func Joined(_ context.Context, p *campaign.Program, _ string, settings *configs.Loaded,
	asked json.RawMessage) (campaign.Resumable, error) {
	var shared struct {
		Items    []string
		Examples [2]json.RawMessage
	}
	err := json.Unmarshal(asked, &shared)
	if err != nil {
		return nil, err
	}
	var examples [2]configs.Config
	for i, text := range shared.Examples {
		loaded, err := configs.Load(campaign.RecordedRequest("", record.Manifest{Config: text}))
		if err != nil {
			return nil, err
		}
		examples[i] = loaded.Config
	}
	items, err := reproduce.Select(shared.Items)
	if err != nil {
		return nil, err
	}
	return New(p, items, settings, examples)
}

// Do computes the items. It reuses the samples of the keeper.
func (r *Reproduction) Do(ctx context.Context, keeper pool.Keeper) (err error) {
	defer r.Measure()()
	r.Results, err = reproduce.Run(ctx, r.Items, r.settings, keeper,
		r.Program.Counter(Samples, reproduce.Work(r.Items, r.settings)))
	return err
}

// Effort implements campaign.Resumable.
func (r *Reproduction) Effort() string {
	judged := 0
	for _, n := range reproduce.Count(r.Results) {
		judged += n
	}
	return r.Timed(table.Count(judged, "number") + " judged")
}

// Sections implements campaign.Answer.
func (r *Reproduction) Sections(bool) []table.Section {
	rows := table.Table[reproduce.Extreme]{Columns: reproduce.ExtremeColumns(), Rows: reproduce.Extremes(r.Results)}
	return []table.Section{{Text: reproduce.Words(r.Results) + "\n\n", Table: reproduce.ScreenTable(r.Results)},
		{Text: "\n", Table: rows, Full: true}}
}

// WriteCSV writes the numbers beside the published ones.
func (r *Reproduction) WriteCSV(w io.Writer) error { return reproduce.WriteComparison(w, r.Results) }

// WriteJSON writes the numbers beside the published ones.
func (r *Reproduction) WriteJSON(w io.Writer) error { return reproduce.WriteJSON(w, r.Results) }

// Write writes every number and the figures.
func (r *Reproduction) Write(folder *record.Folder) error {
	files := map[string]func(io.Writer) error{reproduce.ComparisonName: r.WriteCSV}
	figures := map[string]*report.Figure{}
	for _, result := range r.Results {
		if figure := result.Figure(); figure != nil {
			figures["figure-"+result.Item.Name] = figure
		}
	}
	return r.WriteAnswer(folder, r.Asked(), campaign.Results{Files: files, Figures: figures})
}
