package phrase

import (
	"math"
	"testing"
)

var nan = math.NaN()

func TestNumbersHaveTheDigitsThatIntervalsSupport(t *testing.T) {
	for _, c := range []struct {
		value, low, high float64
		km, interval     string
	}{
		{41.78, 38.58, 44.91, "41.8 km (38.6 .. 44.9)", "38.6 .. 44.9"},
		{55.781, 55.642, 55.921, "55.78 km (55.64 .. 55.92)", "55.64 .. 55.92"},
		{60.77, nan, nan, "60.8 km", "-"},
		{60.77, 60.77, 60.77, "60.8 km", "-"},
		{101.55, nan, nan, "102 km", "-"},
		{123.4, 80, 165, "123 km (80 .. 165)", "80 .. 165"},
		{50, 49.004, 50.996, "50.0 km (49.0 .. 51.0)", "49.0 .. 51.0"}, // half-width 0.996
		{0, 0, 3.2, "never", "0.0 .. 3.2"},
		{2, 0.0007, 4.38, "2.0 km (0.001 .. 4.380)", "0.001 .. 4.380"}, // excludes 0
		{-1, -4.38, -0.004, "-1.0 km (-4.380 .. -0.004)", "-4.380 .. -0.004"},
	} {
		if got := Km(c.value, c.low, c.high); got != c.km {
			t.Errorf("%v: %q, want %q", c, got, c.km)
		}
		if got := Interval(c.low, c.high); got != c.interval {
			t.Errorf("%v: %q, want %q", c, got, c.interval)
		}
	}
}

func TestChangesSayTheirDirection(t *testing.T) {
	for _, c := range []struct {
		km, low, high  float64
		want, interval string
	}{{-18.98, -22.19, -15.86, "19.0 km nearer", "15.9 .. 22.2"}, {3.2, 1, 5.4, "3.2 km farther", "1.0 .. 5.4"},
		{-0.5, nan, nan, "0.500 km nearer", "-"}, {0.7, -3.11, 4.52, "0.7 km farther", "3.1 nearer .. 4.5 farther"}} {
		if got := Change(c.km, c.low, c.high); got != c.want {
			t.Errorf("%v: %q, want %q", c, got, c.want)
		}
		if got := ChangeInterval(c.low, c.high); got != c.interval {
			t.Errorf("%v: %q, want %q", c, got, c.interval)
		}
	}
}

// A share that is not none or all of the flights does not read as if it were.
func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0: "0 %", 1: "100 %", 0.0001: "<0.1 %", 0.0005: "0.1 %", 0.055: "5.5 %",
		0.0996: "10 %", 0.1: "10 %", 0.439: "44 %", 0.993: "99.3 %", 0.9999: ">99.9 %", 9.48: "948 %", -0.018: "-1.8 %"} {
		if got := Percent(share); got != want {
			t.Errorf("%v: %q, want %q", share, got, want)
		}
	}
	if got := Percent(nan); got != "-" {
		t.Errorf("unknown: %q", got)
	}
}

// An epsilon that is written holds where the computed one does.
func TestEpsilonsAreRoundedToTheSafeSide(t *testing.T) {
	for _, c := range []struct {
		epsilon         float64
		plain, down, up string
	}{{1.1949, "1.19", "1.19", "1.2"}, {1.1991, "1.2", "1.19", "1.2"}, {0.2, "0.2", "0.2", "0.2"},
		{0.33321, "0.333", "0.333", "0.334"}, {99.96, "100", "99.9", "100"}, {0.3, "0.3", "0.3", "0.3"},
		{math.Inf(1), "none", "none", "none"}} {
		if p, d, u := Epsilon(c.epsilon), EpsilonAtMost(c.epsilon), EpsilonAtLeast(c.epsilon); p != c.plain ||
			d != c.down || u != c.up {
			t.Errorf("%v: %q, at most %q, at least %q, want %q, %q, %q", c.epsilon, p, d, u, c.plain, c.down, c.up)
		}
	}
}

func TestEffectsAreShownAndMatter(t *testing.T) {
	for _, c := range []struct {
		km, low, high, directKm float64
		want                    Effect
	}{
		{-18.98, -22.19, -15.86, 101.55, Hides},
		{5, 1, 9, 101.55, GivesAway},
		{-3, -7, 1, 101.55, NotShown},
		{-1e-6, -2e-6, -1e-7, 500, NotShown}, // a millimetre
		{-0.09, -0.1, -0.08, 101.55, NotShown},
		{-0.05, -0.06, -0.04, 2, Hides}, // 2.5 % of a short way
		{-0.5, -0.6, -0.4, nan, Hides},  // no straight flight
		{nan, nan, nan, 101.55, NotShown},
	} {
		if got := EffectOf(c.km, c.low, c.high, c.directKm); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestPractical(t *testing.T) {
	for _, c := range []struct {
		givesUp, lost float64
		want          bool
	}{{0.33, 0.5, true}, {0.34, 0, false}, {0, 0.51, false}, {nan, nan, true}} {
		if Practical(c.givesUp, c.lost) != c.want {
			t.Errorf("%+v", c)
		}
	}
}

func TestList(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"},
		"a, b and c": {"a", "b", "c"}} {
		if got := List(words); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
