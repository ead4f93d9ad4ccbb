package screen

import (
	"strconv"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
)

// The sides of an area select as dragging over it does: the other side gives way, and an area of all selects all
// flights.
func TestAreasAreSelectedByTheOutline(t *testing.T) {
	d := newDesk(t, 1280, 800)
	slider := func(id string) outlineSlider {
		t.Helper()
		for _, s := range d.Outline().Sliders {
			if s.ID == id {
				return s
			}
		}
		t.Fatalf("there is no slider %s", id)
		return outlineSlider{}
	}
	set := func(id string, v float64) { d.operate(id, strconv.FormatFloat(v, 'g', -1, 64)) }
	all := len(d.Model.Ensemble.Members)

	set("select-west", -80)
	set("select-east", -60)
	set("select-south", -20)
	set("select-north", 200)
	c := d.Selection
	if _, n := d.SelectedRuns(); c.Kind != answer.ByArea || c.Spans[0] != [2]float64{-80, -60} || c.Spans[1][0] != -20 ||
		n == 0 || n == all {
		t.Errorf("an area selects %d of %d flights: %+v", n, all, c)
	}
	if s := slider("select-east"); s.Value != -60 || s.Text != "-60 km" {
		t.Errorf("its east side is told as %+v", s)
	}
	if set("select-west", -50); d.Selection.Spans[0][1] != -50 {
		t.Errorf("passed by the west side, the east side is at %v km", d.Selection.Spans[0][1])
	}
	if set("select-east", -90); d.Selection.Spans[0][0] != -90 {
		t.Errorf("passed by the east side, the west side is at %v km", d.Selection.Spans[0][0])
	}
	for id, end := range map[string]float64{"select-west": -1e9, "select-east": 1e9, "select-south": -1e9,
		"select-north": 1e9} {
		set(id, end)
	}
	if d.Selection.Kind != answer.AllFlights {
		t.Errorf("all of the map selects %+v", d.Selection)
	}
}
