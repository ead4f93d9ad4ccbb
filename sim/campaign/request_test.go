package campaign

import (
	"slices"
	"strings"
	"testing"

	"veilpath/internal/table"
)

func TestShardMistakes(t *testing.T) {
	for _, text := range []string{"0/3", "4/3", "1", "1/", "/3", "a/b", "1/0", "-1/3", "1/3/5", "1.5/3", "1/11"} {
		part, err := ParsePart(text)
		if err == nil {
			err = part.Check(10)
		}
		if err == nil {
			t.Errorf("--shard %s was taken for %+v", text, part)
		}
	}
}

func TestUntilTakesKilometres(t *testing.T) {
	for text, want := range map[string]float64{"0.5km": 0.5, "2": 2, "1.5 km": 1.5} {
		if km, err := ParseHalfWidth(text); err != nil || km != want {
			t.Errorf("--until %q is %g, %v; want %g", text, km, err, want)
		}
	}
	for _, text := range []string{"0", "-1km", "5m", "nan", "inf", "km"} {
		if km, err := ParseHalfWidth(text); err == nil {
			t.Errorf("--until %q was taken for %g km", text, km)
		}
	}
}

// A sweep holds what its values mean, however they are written, in one type.
func TestSweptValuesAreWhatTheyMean(t *testing.T) {
	for text, want := range map[string][]any{
		"vehicle.heading=0:90:45":                            {0.0, 45.0, 90.0},
		"vehicle.heading=90.0,4.5e1":                         {90.0, 45.0},
		"vehicle.heading=90.0,line_of_sight":                 {"90", "line_of_sight"},
		"vehicle.heading=line_of_sight":                      {"line_of_sight"},
		"vehicle.start_km=[-200,-50,10],[ -2e2, -50, 10.50]": {"[-200, -50, 10]", "[-200, -50, 10.5]"},
		"planner.columns=20.0,21":                            {int64(20), int64(21)},
		"planner.keep_out=[[3, 4]],[[5,6,7,8],[1,2]]":        {"[[3, 4]]", "[[5, 6, 7, 8], [1, 2]]"},
	} {
		if s, err := ParseSweep(text); err != nil || !slices.Equal(s.Values, want) {
			t.Errorf("--sweep %s holds %#v, %v; want %#v", text, s.Values, err, want)
		}
	}
	for _, text := range []string{
		"vehicle.start_km=[-200,-50,10],[-200, -50, 10.0]",
		"vehicle.start_km=[0,0,0],[-0,0,0e3]",
		"vehicle.heading=90,line_of_sight,90.0",
		"planner.start_cell=[0,7],[0,7.0]",
		"planner.columns=20,2e1",
	} {
		if s, err := ParseSweep(text); err == nil || !strings.Contains(err.Error(), "twice") {
			t.Errorf("--sweep %s holds %#v, %v; want it refused", text, s.Values, err)
		}
	}
}

// A file of rewards is in no record of a sweep, so a study of such a sweep could not be repeated.
func TestFilesOfRewardsAreNotSwept(t *testing.T) {
	s, err := ParseSweep("planner.rewards=a.csv,b.csv")
	if err == nil || !strings.Contains(err.Error(), "fly one study for each") {
		t.Errorf("%#v, %v; want it refused", s.Values, err)
	}
}

// Whatever is typed, a sweep is refused on one line or has values that can be written down and read again.
func FuzzSweep(f *testing.F) {
	for _, text := range []string{"vehicle.speed_km_s=1.4:2:0.2", "target_km=[0,0,0],[1,2,3]",
		"privacy.calibration=classical,analytic", "sim.step_s", "planner.columns=20,21", "vehicle.heading=line_of_sight,90",
		"a=b", "=", "vehicle.start_km=[,]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSweep(text)
		if err != nil {
			return
		}
		again := s.Key + "="
		for i, v := range s.Values {
			if i > 0 {
				again += ","
			}
			again += table.Text(v)
		}
		s2, err := ParseSweep(again)
		if err != nil {
			t.Fatalf("%q became %q, which is refused: %v", text, again, err)
		}
		for i, v := range s.Values {
			if s2.Values[i] != v {
				t.Fatalf("%q: value %d is %v, read again %v", text, i, v, s2.Values[i])
			}
		}
	})
}
