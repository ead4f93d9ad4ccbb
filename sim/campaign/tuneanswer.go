package campaign

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/flightfile"
	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// ChoiceName is the file with the settings that a tuning chose.
const ChoiceName = "config.yaml"

// searchAnswer is the request and the answer of a search as JSON, in the manifest and in the output of tune.
type searchAnswer struct {
	InWords       string         `json:"in_words"`
	Epsilon       table.Maybe    `json:"epsilon"` // chosen; null without a demand, or if none meets it
	Met           bool           `json:"met"`
	Baselines     *BaselinesJSON `json:"baselines,omitempty"` // of flights
	Delta         float64        `json:"delta"`
	Confidence    float64        `json:"confidence"` // of all sets together
	Between       [2]float64     `json:"between"`    // epsilons searched
	Resolution    float64        `json:"resolution"`
	MostRuns      int            `json:"max_runs"`
	RadiusKm      float64        `json:"radius_km,omitempty"`
	HiddenUntilKm table.Maybe    `json:"hidden_until_km"`
	Quantile      table.Maybe    `json:"quantile"`
	MaxCost       table.Maybe    `json:"max_cost"`
	setsJSON
	Demands []demandJSON `json:"demands"`
}

// setsJSON is study.Sets as JSON.
type setsJSON struct {
	MetEpsilons       [][2]float64 `json:"met_epsilons"` // ranges shown to meet all demands
	NotMetEpsilons    [][2]float64 `json:"not_met_epsilons"`
	UndecidedEpsilons [][2]float64 `json:"undecided_epsilons"`
}

// demandJSON is a demand and the answer to it as JSON.
type demandJSON struct {
	Demand string  `json:"demand"`
	Limit  float64 `json:"limit"`
	setsJSON
	Crossings []crossingJSON `json:"crossings"`
	Clipped   int            `json:"clipped_runs,omitempty"` // runs with a flight that counts as less than it is
	Looks     []lookJSON     `json:"looks"`
}

// crossingJSON is an epsilon at which the mean passes the limit, a study.Estimate, as JSON.
type crossingJSON struct {
	Value float64 `json:"epsilon"`
	Low   float64 `json:"ci_low"`
	High  float64 `json:"ci_high"`
}

// lookJSON is an interim analysis as JSON.
type lookJSON struct {
	Runs   int          `json:"runs"`
	Low    float64      `json:"epsilon_low"` // range of the last runs
	High   float64      `json:"epsilon_high"`
	Met    [][2]float64 `json:"met_epsilons"`
	NotMet [][2]float64 `json:"not_met_epsilons"`
}

// pairsOf returns ranges for JSON.
func pairsOf(ranges []study.Range) [][2]float64 {
	pairs := [][2]float64{}
	for _, r := range ranges {
		pairs = append(pairs, [2]float64{r.Low, r.High})
	}
	return pairs
}

func setsOf(s study.Sets) setsJSON {
	return setsJSON{pairsOf(s.Met), pairsOf(s.NotMet), pairsOf(s.Undecided)}
}

func demandOf(a *study.Answer) demandJSON {
	d := demandJSON{Demand: a.Demand.Name, Limit: a.Demand.Limit, setsJSON: setsOf(a.Sets),
		Crossings: []crossingJSON{}, Looks: []lookJSON{}}
	for _, c := range a.Crossings {
		d.Crossings = append(d.Crossings, crossingJSON(c))
	}
	for _, l := range a.Analyses {
		d.Looks = append(d.Looks, lookJSON{l.Runs, l.Axis.Low, l.Axis.High, pairsOf(l.Met), pairsOf(l.NotMet)})
	}
	return d
}

// searched returns the answer of a search with the requirement and the sets that it found.
func (r *Requirement) searched(words string, epsilon float64, sets study.Sets, demands ...study.Answer) *searchAnswer {
	out := &searchAnswer{InWords: strings.ReplaceAll(words, "\n", " "), Epsilon: table.Maybe(epsilon),
		Met: !math.IsNaN(epsilon), Confidence: r.Confidence, Between: [2]float64{r.Low, r.High}, Resolution: r.Resolution,
		MostRuns: r.MostRuns, HiddenUntilKm: table.Maybe(r.HiddenUntilKm), Quantile: table.Maybe(r.Share),
		MaxCost: table.Maybe(r.MaxCost), setsJSON: setsOf(sets), Demands: []demandJSON{}}
	for i := range demands {
		out.Demands = append(out.Demands, demandOf(&demands[i]))
	}
	return out
}

// addTo adds the answer of a search to the manifest.
func (s *searchAnswer) addTo(a *answer.Answer) (err error) {
	if a.Facts.Answer, err = json.Marshal(s); err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	return nil
}

// choose adds the settings with the epsilon found, if there is one, and the command that flies with them.
func choose(a *answer.Answer, c configs.Config, epsilon float64) {
	if math.IsNaN(epsilon) {
		return
	}
	c.Privacy.Epsilon, c.Study.Epsilons, c.Study.Axis = epsilon, []float64{epsilon}, configs.Axis{}
	c.Study.Workers = 0 // does not change answers
	a.Files[ChoiceName] = func(w io.Writer) error { _, err := w.Write(c.YAML()); return err }
	a.Next.Command = []string{"study", "{config}", "{folder}/" + ChoiceName, "{runs}", "2000"}
}

// answer returns the epsilons to take and the table of radii, or the plane without a demand. Its CSV has the surface
// at the listed epsilons, then what the answers rest on: for every radius the epsilons at which the answer changes,
// the chosen one among them.
func (t *Tuning) answer() (*answer.Answer, error) {
	asked, cells, b := t.asked(), slices.Clone(t.cells), &t.survey.Experiment.Baselines
	for i := range t.byRadius {
		cells = append(cells, t.byRadius[i].Ends)
	}
	own := table.Table[study.SurfaceCell]{Rows: t.listed(),
		Columns: table.InKm(study.SurfaceColumns(), Decimals(t.settings.Config))}
	a := &answer.Answer{
		CSV: answer.File{Name: flightfile.SummaryName, // for the viewer and for spreadsheets
			Write: func(w io.Writer) error { return study.WriteSurface(w, cells) }},
		JSON: answer.File{Name: AnswerName,
			Write: func(w io.Writer) error { return table.WriteJSON(w, t.json(asked)) }},
		Files: map[string]func(io.Writer) error{flightfile.SurfaceName: func(w io.Writer) error {
			return parquet.Write(w, study.SegmentColumns(), t.program.Version, t.segments...)
		}},
		Figures: t.figures(),
		More: []table.Section{{Full: true, Table: own.First("mean km", "cost", "detour"),
			Text: fmt.Sprintf("\nRecognised %s.\n%s per listed epsilon, radius %g km, delta %g, %g %% intervals.\n\n",
				baselines(t.tally.MeanOf(plannedKm), t.tally.MeanOf(directKm), Decimals(t.settings.Config)),
				table.Count(t.survey.Runs, "run"), asked.RadiusKm, asked.Delta, 100*t.Confidence)}},
		Facts: record.Facts{Runs: t.survey.Runs, NominalDetectionKm: table.Maybe(b.DirectKm()),
			PlannedDetectionKm: table.Maybe(b.Planned.DetectionKm)},
		Next:  answer.Next{Files: []answer.Named{{Text: "no picture: one needs two epsilons and two radii"}}},
		Unmet: t.unmet(),
	}
	if a.Figures[planeName] != nil {
		a.Next.Files = []answer.Named{{Text: "picture", File: planeName + ".png"}}
	}
	if t.found == nil {
		a.Words, a.Table = []string{t.surfaceSentence(), "The mean distance from the target, km, by radius:"}, t.plane()
		if why, _ := t.program.MoreThanRoutes(t.settings.Config); why == "" {
			a.Next.Command = []string{"tune", "{hidden-until}", fmt.Sprintf("%.3g", own.Rows[len(own.Rows)/2].Mean.Value)}
		}
		return a, nil
	}
	a.Words, a.Notes = strings.Split(t.sentence(), "\n"), t.notes()
	a.Table = table.Table[RadiusAnswer]{Rows: t.byRadius, Columns: RadiusColumns(t.HiddenUntilKm)}
	choice := t.choice
	if t.Hidden() {
		choice.Study.HiddenUntilKm = t.HiddenUntilKm
	}
	if choose(a, choice, t.found.Chosen()); a.Unmet == nil {
		a.Next.Files = append(a.Next.Files, answer.Named{Text: "settings", File: ChoiceName})
	}
	return a, asked.addTo(a)
}

// asked returns the request and the answer.
func (t *Tuning) asked() (out *searchAnswer) {
	if t.found == nil {
		out = t.searched("", math.NaN(), study.Sets{})
	} else {
		out = t.searched(t.sentence(), t.found.Chosen(), t.found.Sets(), t.found.Answers...)
		for i := range out.Demands {
			out.Demands[i].Clipped = t.found.Clipped(&t.found.Answers[i].Demand)
		}
	}
	out.Delta, out.RadiusKm = t.survey.Experiment.Delta(), t.settings.Adversary.RadiusKm
	out.Baselines = &BaselinesJSON{
		Direct:       table.Maybe(t.tally.MeanOf(directKm)),
		HandoverOnly: table.Maybe(t.tally.MeanOf(func(r *study.Run) float64 { return r.HandoverOnlyKm })),
		Planned:      table.Maybe(t.tally.MeanOf(plannedKm)),
	}
	return out
}

// json returns the request, the answer and the surface for package json.
func (t *Tuning) json(asked *searchAnswer) any {
	objects := func(cells ...study.SurfaceCell) []map[string]any {
		return table.Table[study.SurfaceCell]{Columns: study.SurfaceColumns(), Rows: cells}.Objects()
	}
	out := struct {
		*searchAnswer
		Chosen  map[string]any   `json:"chosen,omitempty"` // results of the search's flights at the chosen epsilon
		Radii   []RadiusAnswer   `json:"radii,omitempty"`  // answers by radius
		Surface []map[string]any `json:"surface"`
	}{searchAnswer: asked, Radii: t.byRadius, Surface: objects(slices.Concat(t.cells...)...)}
	if out.Met {
		out.Chosen = objects(t.own().There)[0]
	}
	return out
}
