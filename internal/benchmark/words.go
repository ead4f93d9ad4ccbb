package benchmark

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/internal/phrase"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// Budget is the share of the value up to which the answer compares ways, as a fraction.
const Budget = 0.1

// picked is what the answer says of a mission.
type picked struct {
	way   *Row // leaves most bits within the Budget; the cheapest if none is so cheap, nil if there is none
	cheap bool // the way is within the Budget
	plain *Row // the plan without noise; nil if the suite has none
	shown bool // the way is cheap and shown to leave more than the plan
}

// pick picks the way to hide of a mission. The intervals of all cheap ways are compared with that of the plan, so they
// are widened to hold together.
func pick(rows []Row, mission string) (p picked) {
	ways := 0
	for i := range rows {
		r := &rows[i]
		if r.Mission != mission || math.IsNaN(float64(r.Cost.Mean)) || math.IsNaN(r.left()) {
			continue
		}
		if r.noiseless() {
			p.plain = r
			continue
		}
		cheap := float64(r.Cost.Mean) <= Budget
		if cheap {
			ways++
		}
		if p.way == nil || cheap && (!p.cheap || r.left() > p.way.left()) || !cheap && r.Cost.Mean < p.way.Cost.Mean {
			p.way, p.cheap = r, cheap
		}
	}
	if p.cheap && p.plain != nil {
		wider := table.Maybe(study.Widening(ways))
		most, plain := &p.way.Bits[Half].Left, &p.plain.Bits[Half].Left
		p.shown = most.Mean-wider*(most.Mean-most.Low) > plain.Mean+wider*(plain.High-plain.Mean)
	}
	return p
}

// Words says on how many missions a way to hide within the Budget is shown to leave the strongest observer more to
// learn than the plan without noise.
func Words(rows []Row) string {
	missions := Missions(rows)
	shown, cheap, plain := 0, 0, 0
	for _, m := range missions {
		p := pick(rows, m)
		if p.shown {
			shown++
		}
		if p.cheap {
			cheap++
		}
		if p.plain != nil {
			plain++
		}
	}
	on := fmt.Sprintf("%d of %s", shown, table.Count(len(missions), "mission"))
	switch {
	case len(missions) == 1:
		on = "the mission"
	case shown == 0:
		on = fmt.Sprintf("any of %d missions", len(missions))
	}
	within := fmt.Sprintf("at most %s of the value", phrase.Percent(Budget))
	switch {
	case cheap == 0:
		return fmt.Sprintf("No way to hide costs %s.", within)
	case plain == 0:
		return "The suite has no plan without noise, so no way is shown to hide more."
	}
	which := "no"
	if shown > 0 {
		which = "a"
	}
	return fmt.Sprintf("Halfway to the goal, %s way to hide is shown to leave the strongest observer more to learn than "+
		"the plan without noise on %s at a cost of %s.", which, on, within)
}

// ScreenTable is the table of the answer: a row for every mission.
func ScreenTable(rows []Row) table.Plain {
	out := table.Plain{Lead: 2, Headings: []string{"mission", "way", "bits left", "95 % interval", "no noise",
		"value lost"}}
	for _, m := range Missions(rows) {
		p, plain := pick(rows, m), "-"
		if p.plain != nil {
			plain = p.plain.bits()
		}
		if p.way == nil {
			out.Rows = append(out.Rows, []string{m, "none", "-", "-", plain, "-"})
			continue
		}
		left := p.way.Bits[Half].Left
		out.Rows = append(out.Rows, []string{m, strings.TrimSpace(p.way.Way + " " + p.way.Value),
			fmt.Sprintf("%s of %.2f", p.way.bits(), p.way.PriorBits), phrase.Interval(float64(left.Low), float64(left.High)),
			plain, phrase.Percent(float64(p.way.Cost.Mean))})
	}
	return out
}

// bits writes the bits that the strongest observer has left halfway, to hundredths at most.
func (r *Row) bits() string {
	left := r.Bits[Half].Left
	decimals := phrase.Decimals(float64(left.Mean), float64(left.Low), float64(left.High))
	return phrase.Fixed(float64(left.Mean), min(decimals, 2))
}

// noiseless reports whether a row is of the plan without noise, which hides nothing.
func (r *Row) noiseless() bool { return slices.Contains(r.Request.Set, "privacy.epsilon=none") }
