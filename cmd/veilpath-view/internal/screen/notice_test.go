package screen

import (
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// A notice goes once what it was said of has changed; what went wrong stays, and a notice of that change itself.
func TestNoticesGoWithWhatTheySay(t *testing.T) {
	d := newDesk(t, 1280, 800)
	still := func() { d.step(ui.Input{Outside: true}) }
	for _, test := range []struct {
		wrong, moment bool
		do            func()
		stays         bool
	}{
		{do: func() {}, stays: true},
		{do: func() { d.Model.SetRadius(4) }},
		{do: func() { d.Choose(answer.Selection{Kind: answer.ByCrossing}) }},
		{do: func() { d.Model.StopAt(d.Model.Flight(), 300) }, stays: true},
		{do: func() { d.Model.StopAt(d.Model.Flight(), 400) }, moment: true},
		{do: func() { d.Model.SetRadius(2) }, wrong: true, stays: true},
	} {
		d.Model.Say(test.wrong, "Said.")
		d.Model.Message.Moment = test.moment
		still()
		test.do()
		if still(); (d.Model.Message.Text != "") != test.stays {
			t.Errorf("%+v: the notice is %q", test, d.Model.Message.Text)
		}
		d.Model.Message.Text = ""
		still()
	}
	d.Model.SetRadius(1)
	d.Model.Say(false, "Said of that.")
	if still(); d.Model.Message.Text == "" {
		t.Error("what is said of a change goes with it")
	}
}
