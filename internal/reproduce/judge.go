package reproduce

import (
	"fmt"
	"math"
)

// Agreement says how a published number compares with the computed one.
type Agreement string

// The agreements, best first.
const (
	Exact         Agreement = "exact"          // equal in floating point
	Digits        Agreement = "digits"         // equal in every printed digit, or half a step off
	MonteCarlo    Agreement = "Monte Carlo"    // within the sampling error of both
	AfterChange   Agreement = "after a change" // one of the above, with a reading that changes what the paper says
	NotReproduced Agreement = "not reproduced" // none of the above
	Contradicted  Agreement = "contradicted"   // impossible by a proof or by the paper itself
)

// Agreements lists all agreements, best first.
func Agreements() []Agreement {
	return []Agreement{Exact, Digits, MonteCarlo, AfterChange, NotReproduced, Contradicted}
}

// Agrees reports whether the agreement means that the numbers agree, with or without a change.
func (v Agreement) Agrees() bool { return v != NotReproduced && v != Contradicted }

// Number is a number of the paper.
type Number struct {
	Label     string
	X         float64 // its place along the curve; epsilon of a number of the text
	RMax      float64 // largest reward, of a number of the text
	Published float64
	HalfUnit  float64 // half a unit of the last printed digit; 0 for a number printed in full
	AtMost    bool    // the paper claims an upper limit and not a value
	Limit     float64 // upper limit by a proof; 0 for none
}

// Value is a number computed by a reading.
type Value struct {
	Mean        float64
	SE          float64 // standard error of Mean; 0 for a closed form
	PublishedSE float64 // standard error of the published number under this reading
}

// Reading is one way to read the paper.
type Reading struct {
	Name   string // its settings
	Change string // its change of what the paper says; empty for none
	Values []Value
}

// Quantity holds numbers of the paper from one computation.
type Quantity struct {
	Name     string
	Numbers  []Number
	Readings []Reading // the first follows the paper
	Itself   bool      // readings use other numbers of the paper, so a difference is a contradiction
	Because  string    // why a number above its limit is impossible
}

// Judgement is a quantity with the picked reading and the agreements.
type Judgement struct {
	Quantity
	Picked int
	Rows   []Row // one per number
}

// Row is one line of the comparison.
type Row struct {
	Quantity      string    `json:"quantity"`
	Published     float64   `json:"published"`
	Computed      float64   `json:"computed"`
	StandardError float64   `json:"standard_error"` // of the difference; 0 for a closed form
	Tolerance     float64   `json:"tolerance"`      // largest difference that counts as agreement
	Agreement     Agreement `json:"agreement"`
	Note          string    `json:"note"`
}

// Difference returns computed minus published.
func (r Row) Difference() float64 { return r.Computed - r.Published }

// Reading returns the picked reading.
func (j *Judgement) Reading() *Reading { return &j.Readings[j.Picked] }

const (
	// exactly is the largest relative difference of two evaluations of a formula in double precision.
	exactly = 1e-9
	// falseAlarm is the probability that a correct quantity is judged wrong by chance. For a single number it
	// corresponds to three standard errors.
	falseAlarm = 0.0027
)

// Judge picks the first reading under which every number agrees or, if there is none, the one with the smallest
// root-mean-square difference. It returns the agreements under that reading.
func (q Quantity) Judge() *Judgement {
	j := &Judgement{Quantity: q, Picked: q.pick()}
	for i := range q.Numbers {
		j.Rows = append(j.Rows, q.row(i, j.Reading()))
	}
	missed := 0
	for _, row := range j.Rows {
		if !row.Agreement.Agrees() {
			missed++
		}
	}
	if 2*missed > len(j.Rows) {
		for i := range j.Rows {
			if j.Rows[i].Agreement.Agrees() {
				j.Rows[i].Note += fmt.Sprintf("; may be chance, for %d of the %d numbers do not agree in this setting", missed,
					len(j.Rows))
			}
		}
	}
	return j
}

func (q Quantity) pick() int {
	best, least := 0, math.Inf(1)
	for i := range q.Readings {
		agree, squares := 0, 0.0
		for k, n := range q.Numbers {
			if _, _, ok := q.agreement(k, &q.Readings[i]); ok {
				agree++
			}
			d := q.Readings[i].Values[k].Mean - n.Published
			squares += d * d
		}
		if agree == len(q.Numbers) {
			return i
		}
		if squares < least {
			best, least = i, squares
		}
	}
	return best
}

// deviations returns the largest number of standard errors that a sampled number may differ. With it, the
// probability that any of a quantity's correct numbers differs more is falseAlarm (Sidak 1967).
func (q Quantity) deviations() float64 {
	each := 1 - math.Pow(1-falseAlarm, 1/float64(len(q.Numbers)))
	return math.Sqrt2 * math.Erfinv(1-each)
}

// agreement reports whether a number agrees under a reading, the kind of agreement that applies, and its
// tolerance.
func (q Quantity) agreement(k int, r *Reading) (Agreement, float64, bool) {
	n, v := q.Numbers[k], r.Values[k]
	d := math.Abs(v.Mean - n.Published)
	se := math.Hypot(v.SE, v.PublishedSE)
	tolerance := exactly * math.Abs(n.Published)
	switch {
	case n.AtMost:
		return Exact, 0, v.Mean+q.deviations()*se <= n.Published
	case se == 0 && d <= tolerance:
		return Exact, tolerance, true
	case se == 0 && n.HalfUnit > 0:
		return Digits, n.HalfUnit, d <= n.HalfUnit*(1+exactly)
	case se == 0:
		return Exact, tolerance, false
	}
	tolerance = q.deviations()*se + n.HalfUnit
	return MonteCarlo, tolerance, d <= tolerance
}

func (q Quantity) row(k int, r *Reading) Row {
	n, v := q.Numbers[k], r.Values[k]
	how, tolerance, ok := q.agreement(k, r)
	row := Row{
		Quantity: q.Name, Published: n.Published, Computed: v.Mean, StandardError: math.Hypot(v.SE, v.PublishedSE),
		Tolerance: tolerance, Agreement: how, Note: r.Name,
	}
	if n.Label != "" {
		row.Quantity += ", " + n.Label
	}
	beyond := n.Limit > 0 && n.Published > n.Limit
	switch {
	case ok && r.Change != "":
		row.Agreement, row.Note = AfterChange, string(how)+" after a change: "+r.Change
	case ok:
	case beyond:
		row.Agreement, row.Note = Contradicted, q.Because
	case q.Itself:
		row.Agreement = Contradicted
	default:
		row.Agreement = NotReproduced
	}
	return row
}
