package campaign

import (
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
)

// A mechanism is cut from its epsilon at the last colon, because commands may contain colons.
func TestEpsilonsOfMechanisms(t *testing.T) {
	for item, want := range map[string][2]string{
		"goal:0.5":           {"goal", "0.5"},
		"goal":               {"goal", ""},
		"exec:a:b c:2":       {"exec:a:b c", "2"},
		"exec:a":             {"exec:a", ""},
		"exec:python3 m.py:": {"exec:python3 m.py", ""},
	} {
		if name, epsilon := cutEpsilon(item); name != want[0] || epsilon != want[1] {
			t.Errorf("%q is cut into %q and %q, want %q", item, name, epsilon, want)
		}
	}
}

// The curve has the distances that were requested, in order and once each.
func TestDistancesOfTheCurve(t *testing.T) {
	for _, requested := range [][]float64{{50}, {7, 3}, {0}, {260}} {
		curve := curveKm(requested, 206.4)
		if !slices.IsSorted(curve) || len(slices.Compact(slices.Clone(curve))) != len(curve) {
			t.Errorf("%v: %v is not ascending", requested, curve)
		}
		for _, km := range requested {
			if !slices.Contains(curve, km) {
				t.Errorf("%v: %v leaves %g km out", requested, curve, km)
			}
		}
	}
}

// Distances that are not given fit the mission: the usual ones from 100 km on, and smaller ones on shorter missions.
func TestDistancesFitTheMission(t *testing.T) {
	for _, c := range []struct {
		eastKm, spacingKm    float64
		mechanisms           string
		at, radii, wantRadii string
	}{
		{206, 12.5, "", "50km", "", "0.7,12.5,25"},
		{100, 10, "", "50km", "", "0.7,12.5,25"},
		{100, 10, "goal:1", "50km", "", "25"},
		{96, 10, "", "48km", "", "0.7,10,20"},
		{2.42, 0.2, "", "1.2km", "", "0.2,0.4,0.7"},
		{2.42, 0.7, "", "1.2km", "", "0.7,1.4"},
		{2.42, 0.2, "goal:1", "1.2km", "", "0.4"},
		{0.15, 0.015, "", "0.075km", "0.01", "0.01"},
	} {
		settings := &configs.Loaded{Config: configs.Default()}
		settings.Vehicle.StartKm, settings.TargetKm = [3]float64{}, [3]float64{c.eastKm}
		settings.Planner.SpacingKm = c.spacingKm
		r := LeakRequest{Settings: settings, Mechanisms: c.mechanisms, Radii: c.radii}.fitted()
		if r.At != c.at || r.Radii != c.wantRadii {
			t.Errorf("%+v: at %s, radii %s", c, r.At, r.Radii)
		}
	}
	asked := LeakRequest{Settings: &configs.Loaded{Config: configs.Default()}, At: "3km,4km", Radii: "2"}
	if r := asked.fitted(); r.At != asked.At || r.Radii != asked.Radii {
		t.Errorf("what was asked for, %s and %s, became %s and %s", asked.At, asked.Radii, r.At, r.Radii)
	}
}

// Lists with a mistake are refused with the item and the cure.
func TestListsOfWays(t *testing.T) {
	settings, err := configs.Load(configs.Request{Config: "passage"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		request LeakRequest
		says    string
	}{
		{LeakRequest{Mechanisms: "gaol:1"}, "did you mean goal?"},
		{LeakRequest{Mechanisms: "goal"}, `mechanisms "goal": want NAME:EPSILON`},
		{LeakRequest{Mechanisms: "goal:1,goal:1"}, "goal:1 is listed twice"},
		{LeakRequest{Mechanisms: "goal:0.5,2"}, `no mechanism is called "2"`},
		{LeakRequest{Epsilons: "1,0"}, "0 is out of range"},
		{LeakRequest{Epsilons: "1", Against: []string{"planner.moves"}}, "against planner.moves: want key=value"},
		{LeakRequest{Epsilons: "1", Observers: "moves,moves"}, "moves is listed twice"},
		{LeakRequest{Epsilons: "1", Observers: "ballistic"}, `"ballistic" is not an observer of the goal`},
		{LeakRequest{Epsilons: "1", At: "-1km"}, "-1 km is out of range"},
	} {
		r := c.request
		r.Settings, r.Flights = settings, 2
		for field, value := range map[*string]string{&r.Observers: "moves", &r.At: "10km", &r.Radii: "25"} {
			if *field == "" {
				*field = value
			}
		}
		p := &Program{Version: "1"}
		if _, err := NewLeak(t.Context(), p, r); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v; want an error with %q", c.request, err, c.says)
		}
	}
}
