package campaign

import (
	"fmt"
	"io"
	"math"
	"slices"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/phrase"
	"veilpath/internal/record"
	"veilpath/internal/runfile"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// variedName is the name of the file that says how much the settings that vary matter.
const variedName = "varied.csv"

// varied returns the settings that vary, for the table of the runs: those of every point are the same.
func (s *Study) varied() (v runfile.Varied) {
	for _, variation := range s.sweep.Points[0].Experiment.Varied {
		v.Settings = append(v.Settings, variation.Key)
	}
	v.Of = func(point, run int) (values []float64) {
		of := &s.sweep.Points[point]
		for _, variation := range of.Experiment.Varied {
			x, _ := variation.Draw(of.Seed, run) // it is in bounds, since the run was flown
			values = append(values, x)
		}
		return values
	}
	return v
}

// sensitivityRow is a sensitivity and its point of a sweep.
type sensitivityRow struct {
	study.Sensitivity
	point int
}

// sensitivities returns how much the settings that vary matter, at all points.
func (r *Result) sensitivities() table.Table[sensitivityRow] {
	t := table.Table[sensitivityRow]{Columns: record.SweptColumns(r.Manifest.Sweep.Keys(),
		func(s *sensitivityRow) int { return s.point })}
	for _, c := range study.SensitivityColumns() {
		t.Columns = append(t.Columns, table.Of(c, func(s *sensitivityRow) *study.Sensitivity { return &s.Sensitivity }))
	}
	for point, tally := range r.Tallies {
		for _, s := range tally.Sensitivities() {
			t.Rows = append(t.Rows, sensitivityRow{s, point})
		}
	}
	return t
}

// addSensitivities adds to an answer how much the settings that vary matter: a note on the one that matters most, a
// file, and a table for those who ask for everything. It adds nothing if none varies.
func (r *Result) addSensitivities(a *answer.Answer) {
	t := r.sensitivities()
	if len(t.Rows) == 0 {
		return
	}
	a.Files = map[string]func(io.Writer) error{variedName: t.WriteCSV}
	a.More = append(a.More, table.Section{Text: "\n", Full: true, Table: t})
	shown := slices.DeleteFunc(slices.Clone(t.Rows), func(s sensitivityRow) bool {
		return !(s.Low > 0 || s.High < 0)
	})
	note := "No setting that varies is shown to move the distance; " + variedName + " has all."
	if len(shown) > 0 {
		most := slices.MaxFunc(shown, func(a, b sensitivityRow) int {
			return int(math.Copysign(1, math.Abs(a.Rank)-math.Abs(b.Rank)))
		})
		note = fmt.Sprintf("Of what varies, %s goes most with the distance: rank correlation %s (%s) at epsilon %s.",
			most.Setting, phrase.Fixed(most.Rank, 2), phrase.Fixed(most.Low, 2)+" .. "+phrase.Fixed(most.High, 2),
			configs.EpsilonText(most.Epsilon))
	}
	a.Notes = append(a.Notes, note)
}
