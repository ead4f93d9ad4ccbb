package answer

import (
	"fmt"
	"math"
	"strings"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/sim/study"
)

// Results is the table of the results.
func (a *Answers) Results() [][2]string {
	m := a.Model
	run, sum := &m.Flight().Run, m.Ensemble.Summary()
	rows := [][2]string{
		{"This flight", Recognised(run, 1)},
		{Capital(m.DirectWay()), baselineText(m.Private.Run.DirectKm)},
		{Capital(a.plannedName()), baselineText(m.Private.Run.PlannedKm)},
		{"Mechanism of privacy", hidingText(&m.World)},
	}
	for _, metric := range study.Metrics() {
		rows = append(rows, [2]string{"This flight: " + metric.Meaning, metricText(metric.Cell(run), metric.Unit, "none")})
	}
	rows = append(rows, [2]string{"Flights of the ensemble", fmt.Sprintf("%d of %d", sum.Runs, m.Runs())},
		[2]string{"Mean distance of recognition", a.MeanText(WholeInterval)},
		[2]string{"Effect of " + a.theCause(), a.NoiseSentence()})
	if text := a.OverText(); text != "" {
		rows = append(rows, [2]string{"Flights over cells that are kept out of, where no waypoint is commanded", text})
	}
	for _, statistic := range study.Statistics() {
		meaning := statistic.Meaning
		if m.Tied() {
			meaning, _, _ = strings.Cut(meaning, ": what the noise")
		}
		of := either(strings.HasPrefix(statistic.Name, "noise_"), "noise", "mean")
		meaning = strings.Replace(meaning, " end of its 95 % interval", " 95 % end of the "+of, 1)
		rows = append(rows, [2]string{"Ensemble: " + meaning,
			metricText(*statistic.Of(&sum), statistic.Unit, "not known")})
	}
	for _, w := range a.AlsoWatching() {
		rows = append(rows, [2]string{"By " + Spoken(w.Name), CaughtText(w)})
	}
	if m.Pair != nil {
		rows = append(rows, [2]string{"Against " + a.KeptText(), a.PairText()})
	}
	for i := range m.Inference.Views {
		v := &m.Inference.Views[i]
		if b := v.At(m.Flight().At(m.Clock.TimeS)); b != nil && a.Inferring() {
			rows = append(rows, [2]string{"Bits left to " + v.Name,
				fmt.Sprintf("%s of %s, goal %s", chart.Fixed(b.Entropy, 1), chart.Fixed(m.Inference.Bits, 1), Place(b.Rank))})
		}
	}
	if a.Inferring() {
		for _, gain := range m.Inference.Gains(m.Flight().At(m.Clock.TimeS)) {
			rows = append(rows, [2]string{"Taught of this goal by the " + gain.From,
				chart.Fixed(gain.Bits, 1) + " of " + chart.Fixed(m.Inference.Bits, 1) + " bits"})
		}
	}
	return rows
}

// metricText is a metric or a statistic of a unit in words; nan is that for one that there is not.
func metricText(value any, unit, nan string) string {
	switch v := value.(type) {
	case bool:
		return either(v, "yes", "no")
	case float64:
		if math.IsNaN(v) {
			return nan
		}
		if unit == "1" {
			return chart.Fixed(100*v, 1) + " %"
		}
		return chart.Fixed(v, 1) + " " + unit
	}
	return fmt.Sprint(value)
}

// OverText says how many flights go over cells that are kept out of; empty where there are none such or that is not
// known.
func (a *Answers) OverText() string {
	e := &a.Model.Ensemble
	if !a.Model.Experiment.Mission.Grid.KeepsOut() || !e.Complete() {
		return ""
	}
	return a.crossed.Get(e.Version, func() string {
		over, of := a.Model.OverKeptOut()
		return fmt.Sprintf("%d of %d", over, of)
	})
}
