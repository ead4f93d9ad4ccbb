package campaign

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/figure"
	"veilpath/internal/phrase"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// finding is what the first sentence of a study says: where flights are recognised at the smallest and at the
// largest epsilon with noise, and what the noise does.
type finding struct {
	Cause    string // what hides the destination, as in causeOf
	Observer string
	RadiusKm float64
	Effects  []phrase.Effect // at every epsilon with noise
	Least    *study.Summary  // at the smallest epsilon with noise
	Most     *study.Summary  // at the largest; equal to Least for one
	// PlannedKm and DirectKm are the distances of the flights without noise and straight to the target, 0 for one that is
	// never recognised; DirectKm is NaN if there is no straight flight.
	PlannedKm, DirectKm float64
}

// sentence returns the finding in words.
func (f *finding) sentence() string {
	decimals := phrase.Decimals(f.Least.MeanKm, f.Least.CILowKm, f.Least.CIHighKm)
	at := func(s *study.Summary) string { return " at epsilon " + configs.EpsilonText(s.Epsilon) }
	text := f.effect() + " " + recognised(f.Least.MeanKm, f.Least.CILowKm, f.Least.CIHighKm, decimals) + at(f.Least)
	if f.Most != f.Least {
		text += " and " + kmOrNever(f.Most.MeanKm, decimals) + at(f.Most)
	}
	return text + ", " + baselines(f.PlannedKm, f.DirectKm, decimals) + "."
}

// baselines says where flights without noise and straight to the target are recognised. directKm is NaN if there is no
// straight flight.
func baselines(plannedKm, directKm float64, decimals int) string {
	text := "without noise " + kmOrNever(plannedKm, decimals)
	if !math.IsNaN(directKm) {
		text += ", on a straight flight " + kmOrNever(directKm, decimals)
	}
	return text
}

// recognised says where a destination is recognised, with the interval of the mean.
func recognised(km, low, high float64, decimals int) string {
	if km == 0 {
		return "never recognised"
	}
	text := "recognised " + phrase.Fixed(km, decimals) + " km"
	if interval := phrase.Interval(low, high); interval != "-" {
		text += " (" + interval + ")"
	}
	return text + " from the target"
}

// kmOrNever writes a distance; 0 is that of a destination that is never recognised.
func kmOrNever(km float64, decimals int) string {
	if km == 0 {
		return "never"
	}
	return phrase.Fixed(km, decimals) + " km"
}

// effect says what the noise does, up to where the destination is recognised.
func (f *finding) effect() string {
	count := func(effect phrase.Effect) (n int) {
		for _, e := range f.Effects {
			if e == effect {
				n++
			}
		}
		return n
	}
	who := phrase.Observer(f.Observer, f.RadiusKm)
	hides, gives, all := count(phrase.Hides), count(phrase.GivesAway), len(f.Effects)
	some := func(n int) string {
		if n == all {
			return ""
		}
		return fmt.Sprintf(" at %d of %d epsilons", n, all)
	}
	switch {
	case hides > 0 && gives > 0:
		return fmt.Sprintf("%s hides the destination from %s%s and gives it away%s: it is", f.Cause, who, some(hides),
			some(gives))
	case hides > 0:
		return fmt.Sprintf("%s hides the destination from %s%s: it is", f.Cause, who, some(hides))
	case gives > 0:
		return fmt.Sprintf("%s gives the destination away to %s%s: it is", f.Cause, who, some(gives))
	}
	return fmt.Sprintf("%s is not shown to hide the destination from %s or to give it away: it is", f.Cause, who)
}

// findingAt returns the finding at a point, nil if it has no flights with noise.
func (r *Result) findingAt(point int) *finding {
	watching := &r.Points[point].Experiment.Adversary
	f := &finding{Cause: figure.Sentence(causeOf(r.Settings)), Observer: watching.Observer.Name,
		RadiusKm: r.Points[point].Experiment.RadiusKm()}
	for s := range withNoise(r.Summaries[point]) {
		if f.Least == nil || s.Epsilon < f.Least.Epsilon {
			f.Least = s
		}
		if f.Most == nil || s.Epsilon > f.Most.Epsilon {
			f.Most = s
		}
		effect := phrase.NotShown
		if s.PlannedKm > 0 { // no difference from a flight that is never recognised is a distance
			effect = phrase.EffectOf(s.NoiseKm, s.NoiseLowKm, s.NoiseHighKm, s.DirectKm)
		}
		f.Effects = append(f.Effects, effect)
		f.PlannedKm, f.DirectKm = s.PlannedKm, s.DirectKm
	}
	if f.Least == nil {
		return nil
	}
	return f
}

// mostEpsilons is the largest number of epsilons with noise on screen.
const mostEpsilons = 5

// shownEpsilons returns at most mostEpsilons of ascending epsilons: the first, the last, and those next to 1, 2 and 5
// times a power of ten.
func shownEpsilons(epsilons []float64) []float64 {
	if len(epsilons) <= mostEpsilons {
		return epsilons
	}
	first, last := epsilons[0], epsilons[len(epsilons)-1]
	wanted := []float64{first, last}
	for power := math.Floor(math.Log10(first)); power <= math.Log10(last); power++ {
		for _, digit := range []float64{1, 2, 5} {
			if x := digit * math.Pow(10, power); x > first && x < last {
				wanted = append(wanted, x)
			}
		}
	}
	var shown []float64
	for _, x := range wanted {
		shown = append(shown, slices.MinFunc(epsilons, func(a, b float64) int {
			return int(math.Copysign(1, math.Abs(math.Log(a/x))-math.Abs(math.Log(b/x))))
		}))
	}
	slices.Sort(shown)
	shown = slices.Compact(shown)
	if len(shown) <= mostEpsilons {
		return shown
	}
	var spread []float64
	for _, i := range table.Spread(len(shown), mostEpsilons) {
		spread = append(spread, shown[i])
	}
	return spread
}

// screenTable is the table of the summaries that people read: some epsilons of every point, and the plan without
// noise.
func (r *Result) screenTable() table.Plain {
	var out table.Plain
	keys := r.Manifest.Sweep.Keys()
	for _, k := range keys {
		out.Headings = append(out.Headings, k.Key[strings.Index(k.Key, ".")+1:])
	}
	out.Lead = len(keys) + 1
	out.Headings = append(out.Headings, "epsilon", "mean km", "95 % interval",
		fmt.Sprintf("hidden until %.4g km", r.Summaries[0][0].HiddenUntilKm), "value lost", "gives up")
	for point, summaries := range r.Summaries {
		if summaries[0].Runs == 0 {
			continue // not in this part of a sweep
		}
		var lead []string
		for _, v := range record.PointValues(keys, point) {
			lead = append(lead, table.Text(v))
		}
		var epsilons []float64
		for s := range withNoise(summaries) {
			epsilons = append(epsilons, s.Epsilon)
		}
		slices.Sort(epsilons)
		shown := shownEpsilons(epsilons)
		for s := range withNoise(summaries) {
			if slices.Contains(shown, s.Epsilon) {
				out.Rows = append(out.Rows, append(slices.Clone(lead), summaryRow(s)...))
			}
		}
		out.Rows = append(out.Rows, append(slices.Clone(lead), r.plannedRow(point)...))
	}
	return out
}

// summaryRow is the row of the flights at an epsilon.
func summaryRow(s *study.Summary) []string {
	return []string{configs.EpsilonText(s.Epsilon), phrase.Number(s.MeanKm, s.CILowKm, s.CIHighKm),
		phrase.Interval(s.CILowKm, s.CIHighKm), phrase.Percent(s.HiddenShare), phrase.Percent(s.CostOfPrivacy),
		phrase.Percent(s.Fallback)}
}

// plannedRow is the row of the plan without noise: that of its flights or, if none are asked for, of the planned
// flights of the others. The share of hidden ones is unknown where planned flights differ from run to run.
func (r *Result) plannedRow(point int) []string {
	summaries := r.Summaries[point]
	for i := range summaries {
		if summaries[i].Epsilon == study.None() {
			return summaryRow(&summaries[i])
		}
	}
	s, share := &summaries[0], "-"
	if !r.Points[point].Experiment.Varies() {
		share = phrase.Percent(0)
		if s.PlannedKm <= s.HiddenUntilKm {
			share = phrase.Percent(1)
		}
	}
	return []string{"none", phrase.Number(s.PlannedKm, math.NaN(), math.NaN()), "-", share, "-", "-"}
}

// kindsNote names the two kinds of flight at a point where a gap divides the distances at which flights with noise are
// recognised, and the share of those that are never recognised. It is empty for one kind that always is.
func (r *Result) kindsNote(point int) string {
	var all []float64
	never, flights := 0, 0
	for i, s := range r.Summaries[point] {
		if s.Epsilon == study.None() {
			continue
		}
		for x, n := range r.Tallies[point].DetectionKm(i).All() {
			if flights += n; x == 0 {
				never += n
				continue
			}
			all = append(all, slices.Repeat([]float64{x}, n)...)
		}
	}
	slices.Sort(all)
	note := ""
	if near, far, divided := twoKinds(all); divided {
		most, others := near, far
		if len(far) > len(near) {
			most, others = far, near
		}
		note = fmt.Sprintf("Most flights are recognised at %s, the others at %s.", kindText(most), kindText(others))
	}
	if never > 0 {
		note = strings.TrimSpace(fmt.Sprintf("%s %s of the flights are never recognised; they count as 0 km.", note,
			phrase.Percent(float64(never)/float64(flights))))
	}
	return note
}

// kindText writes where nine of ten flights of a kind are recognised.
func kindText(km []float64) string {
	low, high := phrase.Fixed(study.Quantile(km, 0.05), 0), phrase.Fixed(study.Quantile(km, 0.95), 0)
	if low == high {
		return "about " + low + " km"
	}
	return low + " to " + high + " km"
}

// twoKinds divides ascending distances at their widest gap, if it is wide enough to tell two kinds of flight: three
// tenths of their range and a twentieth of the largest, with at least 2 % of the flights on each side.
func twoKinds(km []float64) (near, far []float64, divided bool) {
	const ofRange, ofLargest, leastShare = 0.3, 0.05, 0.02
	least := max(1, int(math.Ceil(leastShare*float64(len(km)))))
	at, widest := 0, 0.0
	for i := least; i <= len(km)-least; i++ {
		if gap := km[i] - km[i-1]; gap > widest {
			at, widest = i, gap
		}
	}
	if at == 0 || widest < ofRange*(km[len(km)-1]-km[0]) || widest < ofLargest*km[len(km)-1] {
		return nil, nil, false
	}
	return km[:at], km[at:], true
}
