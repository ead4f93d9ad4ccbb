package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"veilpath/internal/axis"
)

// Scale says how an axis spaces its values.
type Scale int

// The scales of an axis.
const (
	Linear Scale = iota
	Log
)

// logFrom is the smallest ratio of the largest to the smallest value for which ScaleFor chooses a logarithmic
// axis.
const logFrom = 30

// ScaleFor returns the scale for values: Log if all are above 0 and span a factor of 30 or more.
func ScaleFor(values []float64) Scale {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	if low > 0 && high >= logFrom*low {
		return Log
	}
	return Linear
}

// Axis is one axis of a panel.
type Axis struct {
	Label    string     // quantity with its unit: "Detection distance (km)"
	Scale    Scale      //
	FromZero bool       // begin a linear axis at 0
	Range    [2]float64 // ends of the axis; both 0 for those of the data
	Names    []string   // names of the values 1, 2 and so on, the only values of a vertical axis; nil for numbers
}

// span is the range of values of an axis.
type span struct {
	scale     Scale
	low, high float64
}

func emptySpan(s Scale) span { return span{s, math.Inf(1), math.Inf(-1)} }

// include widens a span to include v. NaN is ignored.
func (s *span) include(v float64) {
	if !math.IsNaN(v) {
		s.low, s.high = min(s.low, v), max(s.high, v)
	}
}

// axis is the span as an axis.
func (s span) axis() axis.Scale { return axis.Scale{Low: s.low, High: s.high, Log: s.scale == Log} }

// at returns the place of v as a fraction of the axis: 0 at its low end, 1 at its high end.
func (s span) at(v float64) float64 { return s.axis().Share(v) }

// value is the inverse of at.
func (s span) value(fraction float64) float64 { return s.axis().Value(fraction) }

// room is the space beyond the outermost values, as a fraction of their range.
const room = 0.04

// settle returns the span of the axis for the span of the data.
func (a Axis) settle(data span) (span, error) {
	switch {
	case data.low > data.high:
		return span{}, fmt.Errorf("axis %q has no finite values", a.Label)
	case math.IsInf(data.low, 0) || math.IsInf(data.high, 0):
		return span{}, fmt.Errorf("axis %q has an infinite value, want finite ones or NaN", a.Label)
	case a.Scale == Log && data.low <= 0:
		return span{}, fmt.Errorf("value %v on axis %q, want values above 0 on a logarithmic axis", data.low, a.Label)
	}
	if n := len(a.Names); n > 0 {
		if data.low <= 0.5 || data.high >= float64(n)+0.5 { // a value beyond the first or last name
			return span{}, fmt.Errorf("axis %q has the values %v to %v, and %d names", a.Label, data.low, data.high, n)
		}
		return span{Linear, 0.5, float64(n) + 0.5}, nil
	}
	if a.Range != [2]float64{} {
		s := span{a.Scale, a.Range[0], a.Range[1]}
		if !(s.low < s.high) || math.IsInf(s.high-s.low, 0) || a.Scale == Log && s.low <= 0 {
			return span{}, fmt.Errorf("range %v to %v of axis %q: want finite limits in order, above 0 on a logarithmic axis",
				s.low, s.high, a.Label)
		}
		return s, nil
	}
	s := data
	if a.FromZero && a.Scale == Linear {
		s.include(0)
	}
	if !s.resolves() {
		s = s.around()
	} else {
		s = span{s.scale, s.value(-room), s.value(1 + room)}
	}
	if a.Scale == Linear && data.low >= 0 && (a.FromZero || s.low < 0) {
		s.low = 0
	}
	if math.IsInf(s.high-s.low, 0) || s.scale == Log && (math.IsInf(s.high/s.low, 0) || s.low == 0) {
		return span{}, fmt.Errorf("axis %q would extend from %v to %v, too far to draw", a.Label, data.low, data.high)
	}
	return s, nil
}

// resolves reports whether the ends of a span differ by more than rounding.
func (s span) resolves() bool {
	const roundings = 1e-12 // some thousand times the relative accuracy of float64
	return s.high-s.low > roundings*max(math.Abs(s.low), math.Abs(s.high))
}

// around returns a span with a single value in its middle.
func (s span) around() span {
	if s.scale == Log {
		return span{s.scale, s.low / 2, s.high * 2}
	}
	half := max(math.Abs(s.low), math.Abs(s.high)) / 2
	if half == 0 {
		half = 1
	}
	return span{s.scale, s.low - half, s.high + half}
}

// tick is a mark on an axis. A tick without a label is minor.
type tick struct {
	value float64
	label string
}

// ticks returns roughly count labelled ticks, and at least two, without which no distance can be read.
func (s span) ticks(count int) []tick {
	if s.scale == Log {
		if decades := math.Log10(s.high / s.low); decades > 0.9 {
			return s.logTicks(count, decades)
		}
	}
	out := s.linearTicks(count)
	for more := count + 1; len(out) < 2 && more <= count+8; more++ {
		out = s.linearTicks(more)
	}
	return out
}

// linearTicks returns roughly count ticks of equal steps.
func (s span) linearTicks(count int) (out []tick) {
	values, step := axis.Steps(s.low, s.high, count)
	for _, v := range values {
		out = append(out, tick{v, formatTick(v, step)})
	}
	return out
}

// logTicks labels powers of ten, and 2 and 5 times them if there is room. If fewer than three are labelled, which
// would not show the scale, it labels 3 and 7 times them too. The other multiples are minor ticks. At least two are
// labelled.
func (s span) logTicks(count int, decades float64) []tick {
	out, labelled := s.logTicksAt(count, decades, "125")
	if labelled < 3 && 5*decades <= float64(count)+1 {
		out, labelled = s.logTicksAt(count, decades, "12357")
	}
	if more := int(math.Ceil(decades)); labelled < 2 && decades < 2 {
		out, _ = s.logTicksAt(3*more, decades, "125")
	} else if labelled < 2 {
		out, _ = s.logTicksAt(more, decades, "1")
	}
	return out
}

// logTicksAt is logTicks with the digits whose multiples are labelled if there is room. labels is the number of
// labelled ticks.
func (s span) logTicksAt(count int, decades float64, digits string) (out []tick, labels int) {
	every := max(1, int(math.Ceil(decades/float64(count))))
	labelled := func(m float64, exponent int) bool {
		return m == 1 && exponent%every == 0 || m > 1 && strings.ContainsRune(digits, '0'+rune(m)) &&
			3*decades <= float64(count)+1
	}
	for e := int(math.Floor(math.Log10(s.low))); e <= int(math.Ceil(math.Log10(s.high))); e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow10(e)
			if v < s.low*(1-1e-9) || v > s.high*(1+1e-9) {
				continue
			}
			switch {
			case labelled(m, e):
				out = append(out, tick{v, formatTick(v, v)})
				labels++
			case every == 1:
				out = append(out, tick{value: v})
			}
		}
	}
	return out, labels
}

// formatTick writes v with the decimals that the step needs. A caret begins an exponent.
func formatTick(v, step float64) string {
	if math.Abs(v) < step/2 {
		return "0"
	}
	if magnitude := math.Abs(v); magnitude >= 1e7 || step < 1e-4 && magnitude < 1e-2 {
		exponent := int(math.Floor(math.Log10(magnitude) + 1e-9))
		mantissa := v / math.Pow10(exponent)
		digits := max(0, exponent-int(math.Floor(math.Log10(step)+1e-9)))
		text := strconv.FormatFloat(mantissa, 'f', digits, 64)
		power := "10^" + minus(strconv.Itoa(exponent))
		if text == "1" {
			return power
		}
		return minus(text) + "×" + power
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	return minus(axis.Thousands(strconv.FormatFloat(v, 'f', decimals, 64)))
}

// minus replaces the hyphen by a minus sign.
func minus(number string) string { return strings.Replace(number, "-", "−", 1) }
