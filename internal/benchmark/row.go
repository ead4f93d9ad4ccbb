package benchmark

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/configs"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// Fractions are the parts of the mission's planned path after which bits are measured.
var Fractions = []float64{0.25, 0.5, 0.75}

// Half is the place of one half among the Fractions.
const Half = 1

// Request is everything that the numbers of a row depend on, beside the program.
type Request struct {
	Config    string   `json:"config"`
	Set       []string `json:"set"` // settings over it, key=value, sorted by key
	Flights   int      `json:"flights"`
	Policies  int      `json:"policies"`
	Training  int      `json:"training,omitempty"` // 0 for leak.TrainingFlights
	Seed      uint64   `json:"seed"`
	RadiusKm  float64  `json:"radius_km"`
	Observers []string `json:"observers"`
}

// Estimate is a mean with its 95 % interval. Numbers that are not known are NaN, and null in JSON.
type Estimate struct {
	Mean table.Maybe `json:"mean"`
	Low  table.Maybe `json:"ci_low"`
	High table.Maybe `json:"ci_high"`
}

// NewEstimate returns the estimate of a mean and its standard error, for a normal mean.
func NewEstimate(mean, standardError float64) Estimate {
	const halfWidth = 1.959963984540054 // of 95 %, in standard errors
	return Estimate{table.Maybe(mean), table.Maybe(mean - halfWidth*standardError),
		table.Maybe(mean + halfWidth*standardError)}
}

// Bits are what the strongest observer has left to learn.
type Bits struct {
	FlownKm  float64  `json:"flown_km"`
	Observer string   `json:"observer"` // chosen on the other half of the flights
	Left     Estimate `json:"bits_left"`
}

// Row is what a way to hide came to on a mission.
type Row struct {
	Number    int    `json:"-"` // of the case in its suite, from 1
	Mission   string `json:"mission"`
	Way       string `json:"way"`
	Parameter string `json:"parameter"`
	Value     string `json:"value"`
	Protects  string `json:"protects"`  // what the way hides
	Guarantee string `json:"guarantee"` // what is promised; "none" for ways without a guarantee

	PriorBits    float64  `json:"prior_bits"` // before anything is seen
	PlannedKm    float64  `json:"planned_km"` // length of the mission's planned flight
	Bits         []Bits   `json:"bits"`       // after each of the Fractions of it
	RecognisedKm Estimate `json:"recognised_km"`
	Deceptive    Estimate `json:"last_deceptive_km"`   // distance to the goal at the last waypoint that deceives
	Cost         Estimate `json:"cost"`                // of value, a fraction
	Detour       Estimate `json:"detour"`              // a fraction of the planned flight's time
	TimedOut     float64  `json:"timed_out,omitempty"` // share of flights that the time limit ended; they have no Detour
	Audit        string   `json:"audit"`               // verdict; "none" where nothing is promised

	Request  Request  `json:"request"`
	Commands []string `json:"commands,omitempty"` // of users that the row was measured with, with their versions
	Command  string   `json:"command"`            // prints the bits of the row
	Version  string   `json:"version"`
	Arch     string   `json:"arch"` // architecture on which it was measured: another one may round otherwise
}

// command returns the command that prints the bits of a row.
func (r Request) command(epsilon float64, flownKm []float64) string {
	words := []string{"veilpath", "leak", "--config", r.Config}
	for _, s := range r.Set {
		words = append(words, "--set", quoted(s))
	}
	var at []string
	for _, km := range flownKm {
		at = append(at, strconv.FormatFloat(km, 'g', -1, 64))
	}
	if r.Training > 0 {
		words = append(words, "--set", fmt.Sprintf("adversary.training=%d", r.Training))
	}
	return strings.Join(append(words, "--epsilons", configs.EpsilonText(epsilon), "--observers",
		quoted(strings.Join(r.Observers, ",")), "--at", strings.Join(at, ","),
		"--radii", fmt.Sprintf("%g", r.RadiusKm), "--flights", strconv.Itoa(r.Flights), "--set",
		fmt.Sprintf("adversary.policies=%d", r.Policies), "--seed", strconv.FormatUint(r.Seed, 10)), " ")
}

// quoted quotes a word for a shell if it needs that.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._=-:,/+"
	if strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Columns returns the columns of rows in tables and files.
func Columns() []table.Column[Row] {
	words := func(name, heading, meaning string, lead bool, of func(*Row) string) table.Column[Row] {
		return table.Column[Row]{Name: name, Heading: heading, Meaning: meaning, Text: of, Lead: lead, Repeats: true}
	}
	columns := []table.Column[Row]{
		{Name: "row", Heading: "row", Meaning: "number of the row", Whole: true, Lead: true,
			Value: func(r *Row) float64 { return float64(r.Number) }},
		words("mission", "mission", "what is flown", true, func(r *Row) string { return r.Mission }),
		words("way", "way", "how the goal is hidden", true, func(r *Row) string { return r.Way }),
		words("parameter", "", "setting that is the strength of the way", false, func(r *Row) string { return r.Parameter }),
		words("value", "strength", "value of that setting", false, func(r *Row) string { return r.Value }),
		words("guarantee", "", "what is promised, none for ways without a guarantee", false,
			func(r *Row) string { return r.Guarantee }),
		words("protects", "", "what the guarantee is of", false, func(r *Row) string { return r.Protects }),
		number("prior_bits", "bits", "bits about the goal before anything is seen", "", "%.2f",
			func(r *Row) float64 { return r.PriorBits }),
	}
	for i, fraction := range Fractions {
		percent := fmt.Sprintf("%.0f %%", 100*fraction)
		name := fmt.Sprintf("bits_left_%.0f", 100*fraction)
		left := estimates(name, "bits", "bits that the strongest observer has left to learn after "+percent+
			" of the planned path", "bits "+percent, "%.2f", func(r *Row) *Estimate { return &r.Bits[i].Left })
		heading := ""
		if i == Half {
			heading = "strongest"
			left = withInterval(left)
		}
		columns = append(columns, left...)
		columns = append(columns, words(fmt.Sprintf("observer_%.0f", 100*fraction), heading,
			"that observer, chosen on the other half of the flights", false,
			func(r *Row) string { return r.Bits[i].Observer }))
	}
	columns = append(columns, estimates("recognised_km", "km", "distance to the goal from which half of the belief of "+
		"that observer stays within the radius of it", "recognised km", "%.1f",
		func(r *Row) *Estimate { return &r.RecognisedKm })...)
	columns = append(columns, withInterval(estimates("cost", "1", "value lost at the start, as a share of the best there "+
		"is", "cost", "%.1p %%", func(r *Row) *Estimate { return &r.Cost }))...)
	columns = append(columns, estimates("detour", "1", "flight time over that of the planned flight, less 1", "detour",
		"%.1p %%", func(r *Row) *Estimate { return &r.Detour })...)
	columns = append(columns, number("timed_out", "1", "share of flights that the time limit ended, which have no detour",
		"", "", func(r *Row) float64 { return r.TimedOut }))
	columns = append(columns, estimates("last_deceptive_km", "km", "distance to the goal at the last waypoint from which "+
		"another goal was at least as likely, by cost difference", "deceptive km", "%.1f",
		func(r *Row) *Estimate { return &r.Deceptive })...)
	return append(columns,
		words("audit", "audit", "verdict of an audit of the promise", false, func(r *Row) string { return r.Audit }),
		words("command", "", "prints the bits of the row", false, func(r *Row) string { return r.Command }))
}

// number is a column of a number; heading may be empty.
func number(name, unit, meaning, heading, format string, of func(*Row) float64) table.Column[Row] {
	return table.Column[Row]{Name: name, Unit: unit, Meaning: meaning, Heading: heading, Format: format, Open: true,
		Value: of}
}

// estimates are the columns of an estimate: its mean, shown under the heading, and the ends of its interval.
func estimates(name, unit, meaning, heading, format string, of func(*Row) *Estimate) []table.Column[Row] {
	return []table.Column[Row]{
		number(name, unit, meaning, heading, format, func(r *Row) float64 { return float64(of(r).Mean) }),
		number(name+"_ci_low", unit, "lower end of its 95 % interval", "", "", func(r *Row) float64 {
			return float64(of(r).Low)
		}),
		number(name+"_ci_high", unit, "upper end of its 95 % interval", "", "", func(r *Row) float64 {
			return float64(of(r).High)
		}),
	}
}

// withInterval shows the interval of an estimate beside its mean.
func withInterval(estimate []table.Column[Row]) []table.Column[Row] {
	low, high := &estimate[1], estimate[2]
	low.Heading, low.Explained = "95 % interval", "interval of the mean before it"
	low.Format, low.Beside, low.End = estimate[0].Format+" .. "+estimate[0].Format, true, high.Value
	return estimate
}

// Missions returns the names of the missions of rows, in their order.
func Missions(rows []Row) (names []string) {
	for i := range rows {
		if !slices.Contains(names, rows[i].Mission) {
			names = append(names, rows[i].Mission)
		}
	}
	return names
}

// Front returns the numbers of those rows of a mission that no other row of it beats in both bits left after half
// of the path and cost, in ascending order of cost.
func Front(rows []Row, mission string) []int {
	front := study.Front(len(rows), func(i int) []float64 {
		if rows[i].Mission != mission {
			return []float64{math.NaN(), math.NaN()}
		}
		return []float64{-rows[i].left(), float64(rows[i].Cost.Mean)}
	})
	slices.SortStableFunc(front, func(a, b int) int { return cmp.Compare(rows[a].Cost.Mean, rows[b].Cost.Mean) })
	return front
}

// left is how many bits the strongest observer has left after half of the path.
func (r *Row) left() float64 { return float64(r.Bits[Half].Left.Mean) }

// NewSheet returns rows as a table of files and pages.
func NewSheet(rows []Row) *table.Sheet {
	columns := Columns()
	s := &table.Sheet{Name: "benchmark", Title: "Every way on every mission",
		Text: "The strongest observer is chosen on one half of the flights and measured on the other. Observers see a move " +
			"when it is commanded, which the track shows some km later."}
	for _, c := range columns {
		if c.End != nil {
			c.Heading = "" // the page shows means alone
		}
		s.Columns = append(s.Columns, table.Column[table.Row]{Name: c.Name, Unit: c.Unit, Meaning: c.Meaning,
			Heading: c.Heading, Format: c.Format, Lead: c.Lead})
	}
	for i := range rows {
		var cells table.Row
		for k := range columns {
			cells = append(cells, columns[k].Cell(&rows[i]))
		}
		s.Rows = append(s.Rows, cells)
	}
	return s
}
