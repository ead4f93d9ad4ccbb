package model

import (
	"fmt"
	"slices"
	"strings"

	"veilpath/cmd/internal/recording"
	"veilpath/configs"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// Record is what veilpath run, study or tune wrote with --out, opened.
type Record struct {
	Name     string // of its folder or file
	verb     string
	runs     int // per epsilon; 0 for a single flight
	complete bool
	config   configs.Config // of a sweep, its first point
	sweeps   string         // keys that the study went through values of

	chosen float64 // epsilon that a tune chose; 0 for none
	tuned  *Tuned  // nil for none
	rows   []Recorded

	flights []recording.Flight // with recorded steps, at the first point of a sweep
}

// surface reports whether the record's rows are of many radii, as a tune's are.
func (r *Record) surface() bool { return r.verb == "tune" }

// OpenRecord shows a record whose manifest was found at a path that the messages name.
func (m *Model) OpenRecord(name, at string, texts recording.Files) error {
	r, run, err := parseManifest(at, texts[recording.ManifestName])
	if err != nil {
		return err
	}
	r.Name = name
	if text := texts[recording.SummaryName]; text != nil {
		if r.rows, err = parseSummary(text); err != nil {
			return err
		}
	}
	if r.flights, err = recording.ParseFlights(texts[recording.FlightsName]); err != nil {
		return err
	}
	config := r.config
	if r.runs > 0 {
		config.Study.Runs = r.runs
		config.Privacy.Epsilon = middle(config.Study.Epsilons)
	}
	if text := texts[recording.ConfigName]; r.surface() && text != nil {
		tuned, err := loadText(recording.ConfigName, text)
		if err != nil {
			return err
		}
		r.chosen, config.Privacy.Epsilon = tuned.Privacy.Epsilon, tuned.Privacy.Epsilon
	}
	if err := m.apply(config); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	m.Record = r
	m.Clock.TimeS, m.Clock.Playing = 0, true
	none := config.Privacy.Epsilon == study.None()
	switch {
	case r.verb == "run" && run == nil:
		m.SetShown(ShowDirect)
	case run != nil:
		m.Select(*run)
	default:
		m.Select(0)
	}
	if none && !m.ShowsBaseline() {
		m.SetShown(ShowPlanned)
	}
	m.Say(false, "%s: %s", r.Name, r.describe())
	return nil
}

// middle returns the epsilon to begin with: 1 where it is there, otherwise the first. It is none where there is no
// other.
func middle(epsilons []float64) float64 {
	noisy := slices.DeleteFunc(slices.Clone(epsilons), func(e float64) bool { return e == study.None() })
	switch {
	case slices.Contains(noisy, 1):
		return 1
	case len(noisy) == 0:
		return study.None()
	}
	return noisy[0]
}

func (r *Record) describe() string {
	epsilons := table.Count(len(r.config.Study.Epsilons), "epsilon")
	text := fmt.Sprintf("a study of %s x %d runs", epsilons, r.runs)
	switch {
	case r.runs == 0:
		text = "a single flight"
	case r.surface() && r.chosen > 0:
		text = fmt.Sprintf("a tune that chose epsilon %.4g", r.chosen)
	case r.surface():
		text = "a tune without a choice of epsilon"
	}
	if !r.complete {
		text += ", interrupted"
	}
	if r.sweeps != "" {
		text += "; it sweeps " + r.sweeps + ", shown is its first point"
	}
	if r.runs > MaxRuns {
		text += fmt.Sprintf("; flown again are the first %d runs, the recorded mean is of all", MaxRuns)
	}
	if n := len(r.flights); n > 0 {
		text += fmt.Sprintf("; %s shown as recorded", table.Count(n, "flight"))
	}
	return text
}

// recordedFlight returns the recorded steps of the run on show; nil where there are none, or where other settings are
// in force than the record's.
func (m *Model) recordedFlight() *recording.Flight {
	if m.Record == nil || len(m.Record.flights) == 0 || !m.own() {
		return nil
	}
	i := slices.IndexFunc(m.Record.flights, func(f recording.Flight) bool {
		return f.Run == m.RunNumber && f.Epsilon == m.Config.Privacy.Epsilon
	})
	if i < 0 {
		return nil
	}
	return &m.Record.flights[i]
}

// parseManifest reads a manifest and, for a single private flight, its run number.
func parseManifest(name string, text []byte) (*Record, *int, error) {
	m, err := recording.Manifest(name, text)
	switch {
	case err != nil:
		return nil, nil, err
	case m.Verb != "run" && m.Runs < 1:
		return nil, nil, fmt.Errorf("%s is of the verb %q and holds no runs; open what veilpath run, study or tune wrote, "+
			"or report.html of veilpath leak in a browser", name, m.Verb)
	case m.Run != nil && *m.Run < 0:
		return nil, nil, fmt.Errorf("%s: run %d; runs are numbered from 0", name, *m.Run)
	}
	config, err := loadText(name, m.Config)
	if err != nil {
		return nil, nil, err
	}
	if sum := config.SHA256(); m.ConfigSHA256 != "" && sum != m.ConfigSHA256 {
		return nil, nil, fmt.Errorf("%s was changed: its config has the SHA-256 %.12s, recorded is %.12s", name, sum,
			m.ConfigSHA256)
	}
	r := &Record{verb: m.Verb, complete: m.Complete, config: config, tuned: tunedOf(m.Answer)}
	if m.Verb != "run" {
		r.runs = m.Runs
	}
	var keys []string
	for _, s := range m.Sweep.Keys() {
		keys = append(keys, s.Key)
	}
	r.sweeps = strings.Join(keys, " and ")
	return r, m.Run, nil
}
