package screen

import (
	"fmt"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// A link holds what is compared with, selected and changed by hand.
func TestLinkHoldsWhatWasDone(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetEpsilon(3)
	d.Model.Work()
	d.do("compare")
	d.Model.SetEpsilon(0.4)
	d.Model.Work()
	d.step(ui.Input{Outside: true})
	_, at := d.waypoint(2)
	d.drag(at, draw.Point{X: at.X + 5, Y: at.Y + 25})
	d.Model.KeepOut(399)
	d.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{{40, 70.5}}})
	d.step(ui.Input{Outside: true})
	link := d.Link()

	other := newDesk(t, 1280, 800)
	other.Follow(link)
	other.Model.Work()
	other.step(ui.Input{Outside: true})
	other.step(ui.Input{Outside: true})
	if other.Link() != link {
		t.Errorf("the link came back as\n%s, was\n%s: %s", other.Link(), link, other.Model.Message.Text)
	}
	if other.KeptText() != "kept: epsilon 3" || other.Difference().MeanKm != d.Difference().MeanKm {
		t.Errorf("%s by %v km, want %v", other.KeptText(), other.Difference().MeanKm, d.Difference().MeanKm)
	}
	// some of it is no number
	if a, b := fmt.Sprintf("%+v", other.Model.Private.Run), fmt.Sprintf("%+v", d.Model.Private.Run); a != b {
		t.Errorf("the flight is %s, want %s", a, b)
	}
	for _, bad := range []string{"brush=km:1", "brush=area:1,2,3,NaN", "moved=3", "moved=3:1,2,Inf", "out=x", "out=-1",
		"kept=privacy.epsilon%3Dmuch"} {
		other.Follow(bad)
		if !other.Model.Message.Wrong {
			t.Errorf("%s is followed", bad)
		}
		other.Model.Message.Wrong = false
	}
	other.Follow("moved=99999:1,2,3&out=99999")
	other.step(ui.Input{Outside: true})
}
