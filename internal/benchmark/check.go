package benchmark

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Agreement is how well a row that was measured again agrees with the recorded one.
type Agreement string

// The agreements, the best first.
const (
	Same      Agreement = "same"         // every number, to the bit
	Noise     Agreement = "within noise" // every number, within what both intervals allow
	Different Agreement = "different"
)

// Difference is a number of a row that is not the same when it is measured again.
type Difference struct {
	Name            string
	Recorded, Again float64
	Noise           bool // within what both intervals allow
}

// widest is how many standard errors of a difference are taken for noise. Of the some 25 numbers of a row, one
// exceeds it by chance in one check of 600.
const widest = 4

// mostWider is how many times as wide as that of the repeated number the interval of a recorded one may be.
const mostWider = 10

// Label reports whether a row has the names of mission, way and parameter that a suite gives to its request, and
// whether the suite has that request. Names of other suites are their authors' own.
func (s *Suite) Label(r *Row) (right, known bool) {
	for _, c := range s.Cases() {
		if request := s.Request(&c); reflect.DeepEqual(request, r.Request) {
			return c.Mission.Name == r.Mission && c.Way.Name == r.Way && c.Way.Parameter == r.Parameter, true
		}
	}
	return false, false
}

// Compare returns how a row that was measured again agrees with the recorded one, and what differs. The same version
// on the same architecture measures the same bits: then no difference is noise.
func Compare(recorded, again *Row) (Agreement, []Difference) {
	if len(recorded.Bits) != len(again.Bits) || recorded.claims() != again.claims() {
		return Different, nil
	}
	var all []Difference
	alike, observers := recorded.Version == again.Version && recorded.Arch == again.Arch, true
	add := func(name string, a, b Estimate) {
		if same(a.Mean, b.Mean) && same(a.Low, b.Low) && same(a.High, b.High) {
			return
		}
		all = append(all, Difference{Name: name, Recorded: float64(a.Mean), Again: float64(b.Mean),
			Noise: !alike && near(a, b)})
	}
	for i := range recorded.Bits {
		add(fmt.Sprintf("bits_left_%.0f", 100*Fractions[i]), recorded.Bits[i].Left, again.Bits[i].Left)
		observers = observers && recorded.Bits[i].Observer == again.Bits[i].Observer
	}
	add("recognised_km", recorded.RecognisedKm, again.RecognisedKm)
	add("cost", recorded.Cost, again.Cost)
	add("detour", recorded.Detour, again.Detour)
	share := func(r *Row) Estimate {
		return NewEstimate(r.TimedOut, math.Sqrt(r.TimedOut*(1-r.TimedOut)/float64(r.Request.Flights)))
	}
	add("timed_out", share(recorded), share(again))
	add("last_deceptive_km", recorded.Deceptive, again.Deceptive)
	switch {
	case alike && !observers || slices.ContainsFunc(all, func(d Difference) bool { return !d.Noise }):
		return Different, all
	case len(all) > 0 || !observers:
		return Noise, all
	}
	return Same, nil
}

// near reports whether the recorded estimate may be of the same number: as far away as noise allows, and its interval
// not much wider.
func near(recorded, again Estimate) bool {
	first, second := recorded.width(), again.width()
	return math.Abs(float64(recorded.Mean-again.Mean)) <= widest*math.Hypot(first, second)/(2*1.96) &&
		!(second > 0 && first > mostWider*second)
}

// claims are what a row says besides its estimates and their observers.
func (r *Row) claims() [10]any {
	claims := [10]any{r.Protects, r.Guarantee, r.Audit, r.Command, r.PriorBits, r.PlannedKm,
		strings.Join(r.Commands, "\n")}
	for i := range r.Bits {
		claims[7+i] = r.Bits[i].FlownKm
	}
	return claims
}

// same reports whether two numbers are equal, or both unknown.
func same[T ~float64](a, b T) bool { return a == b || a != a && b != b }

// ReadRows reads rows in JSON, as files and submissions hold them: a list, or one alone. The error says what is wrong.
func ReadRows(text []byte) (rows []Row, err error) {
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '[' {
		err = json.Unmarshal(text, &rows)
	} else {
		rows = make([]Row, 1)
		err = json.Unmarshal(text, &rows[0])
	}
	if err != nil {
		return nil, fmt.Errorf("not rows of a benchmark in JSON: %w", err)
	}
	for i := range rows {
		if err := rows[i].check(); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		rows[i].Number = i + 1
	}
	return rows, nil
}

// check returns an error unless a row can be measured again and is not edited.
func (r *Row) check() error {
	switch {
	case len(r.Bits) != len(Fractions):
		return fmt.Errorf("bits of %d distances; want %d, as veilpath benchmark writes rows", len(r.Bits),
			len(Fractions))
	case r.Request.Config == "" || len(r.Request.Observers) == 0 || r.Request.Flights < 4 || r.Request.Policies < 1 ||
		r.Request.Training < 0:
		return fmt.Errorf("its request lacks config, observers, flights or policies; the row cannot be measured again")
	case r.Parameter != "" && !slices.Contains(r.Request.Set, r.Parameter+"="+r.Value):
		return fmt.Errorf("its value of %s is %q, and its request has another; the row was edited", r.Parameter, r.Value)
	case r.Hash != r.hash():
		return fmt.Errorf("its hash is not that of the row, so it was edited; restore it")
	}
	return nil
}
