package axis

import (
	"math"
	"testing"
)

func TestScale(t *testing.T) {
	for _, s := range []Scale{{Low: 0.1, High: 20, Log: true}, {Low: -3, High: 9}, {Low: 200, High: 0}} {
		for _, share := range []float64{0, 0.3, 1} {
			const rounding = 1e-12
			if back := s.Share(s.Value(share)); math.Abs(back-share) > rounding {
				t.Errorf("%+v: %v came back as %v", s, share, back)
			}
		}
	}
}

// Steps are round, include ends that are multiples, and stop where values cannot be told apart.
func TestSteps(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		most      int
		want      []float64
	}{
		{0, 127, 7, []float64{0, 20, 40, 60, 80, 100, 120}},
		{-0.3, 0.3, 6, []float64{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}},
		{3, 9, 2, []float64{5}},
	} {
		got, _ := Steps(test.low, test.high, test.most)
		if len(got) != len(test.want) {
			t.Errorf("%v to %v: %v, want %v", test.low, test.high, got, test.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-test.want[i]) > 1e-12 {
				t.Errorf("%v to %v: %v, want %v", test.low, test.high, got, test.want)
			}
		}
	}
	if got, _ := Steps(1e16, 1e16+4, 4); len(got) > 41 {
		t.Errorf("%d steps of one that adds nothing", len(got))
	}
}

func TestThousands(t *testing.T) {
	for number, want := range map[string]string{"999": "999", "1000": "1,000", "-123456.25": "-123,456.25",
		"1234567": "1,234,567", "-100": "-100"} {
		if got := Thousands(number); got != want {
			t.Errorf("%s: %s, want %s", number, got, want)
		}
	}
}
