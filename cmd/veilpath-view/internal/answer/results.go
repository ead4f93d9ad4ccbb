package answer

import (
	"fmt"
	"math"
	"strings"

	"veilpath/sim/study"
)

// Results is the table of the results.
func (a *Answers) Results() [][2]string {
	m := a.Model
	run, sum := &m.Flight().Run, m.Ensemble.Summary()
	rows := [][2]string{
		{"This flight", Recognised(run, 1)},
		{Capital(m.DirectWay()), baselineText(m.Private.Run.DirectKm)},
		{"Planned without noise", baselineText(m.Private.Run.PlannedKm)},
		{"Mechanism of privacy", hidingText(&m.World)},
	}
	for _, metric := range study.Metrics() {
		rows = append(rows, [2]string{"This flight: " + metric.Meaning, metricText(metric.Cell(run), metric.Unit, "none")})
	}
	rows = append(rows, [2]string{"Flights of the ensemble", fmt.Sprintf("%d of %d", sum.Runs, m.Runs())},
		[2]string{"Mean distance of recognition", a.MeanText()},
		[2]string{"Effect of " + a.theCause(), a.NoiseSentence()})
	for _, statistic := range study.Statistics() {
		meaning := statistic.Meaning
		of := either(strings.HasPrefix(statistic.Name, "noise_"), "noise", "mean")
		meaning = strings.Replace(meaning, " end of its 95 % interval", " 95 % end of the "+of, 1)
		rows = append(rows, [2]string{"Ensemble: " + meaning,
			metricText(*statistic.Of(&sum), statistic.Unit, "not known")})
	}
	if m.Pair != nil {
		rows = append(rows, [2]string{"Against " + a.KeptText(), a.PairText()})
	}
	for i := range m.Inference.Views {
		v := &m.Inference.Views[i]
		if b := v.At(m.Flight().At(m.Clock.TimeS)); b != nil && a.Inferring() {
			rows = append(rows, [2]string{"Bits left to " + v.Name,
				fmt.Sprintf("%s of %s, goal %s", Fixed(b.Entropy, 1), Fixed(m.Inference.Bits, 1), Place(b.Rank))})
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
			return Fixed(100*v, 1) + " %"
		}
		return Fixed(v, 1) + " " + unit
	}
	return fmt.Sprint(value)
}
