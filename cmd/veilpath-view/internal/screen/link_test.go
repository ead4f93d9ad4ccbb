package screen

import (
	"math"
	"strings"
	"testing"
	"time"

	"veilpath/cmd/internal/recording"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// A link holds all that is on show: anyone who follows it sees the same, also in a window of another size.
func TestLinkHoldsTheWholeState(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.SetEpsilon(0.4)
	d.Model.SetShown(model.ShowDirect)
	d.Model.SetShown(model.ShowPrivate)
	d.Model.Clock.Seek(61.37)
	for _, id := range []string{"fan", "theme"} {
		d.do(id)
	}
	d.do("speed", "16")
	d.do("map", "noise")
	d.step(ui.Input{Pointer: d.Layout.Map.Center(), Wheel: 3})
	d.drag(d.Layout.Map.Center(), draw.Point{X: d.Layout.Map.Center().X + 70, Y: d.Layout.Map.Center().Y - 30})
	link := d.Link()

	other := newDesk(t, 1024, 700)
	other.Model.Select(7) // which the link does not mention, since it is of run 0
	other.Follow(link)
	other.step(ui.Input{Outside: true})
	if other.Model.Message.Wrong {
		t.Fatal(other.Model.Message.Text)
	}
	if got := other.Link(); got != link {
		t.Errorf("followed\n%s, which gives\n%s", link, got)
	}
	c, m := &other.plan.Map.Camera, other.Model
	const rounding = 0.001 // km
	if other.Heat != answer.HeatNoise || other.plan.ShowFan || other.Theme().Dark ||
		m.Clock.Speed != 16 ||
		m.Clock.TimeS != 61.37 || m.Clock.Playing ||
		m.RunNumber != 0 || math.Abs(c.CenterX-d.plan.Map.Camera.CenterX) > rounding ||
		math.Abs(c.CenterY-d.plan.Map.Camera.CenterY) > rounding {
		t.Errorf("%s shows something else: %+v, clock %+v", link, c, m.Clock)
	}
}

// The theme of the system is in no link. One that was chosen is, and stays whatever the system prefers.
func TestThemeInLinks(t *testing.T) {
	d := newDesk(t, 1280, 800)
	if d.SetDark(false); strings.Contains(d.Link(), "theme") {
		t.Errorf("the system's theme is in %s", d.Link())
	}
	d.do("theme")
	if d.SetDark(false); !d.Theme().Dark || !strings.Contains(d.Link(), "theme=dark") {
		t.Errorf("chosen was dark, which is %v, and the link is %s", d.Theme().Dark, d.Link())
	}
}

// A baseline hides the run, which is there again once it is off: also by a link, and by an undo.
func TestBaselineKeepsTheRun(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Model.Select(7)
	for _, baseline := range []model.Shown{model.ShowDirect, model.ShowPlanned} {
		button := [...]string{model.ShowPlanned: "planned", model.ShowDirect: "direct"}[baseline]
		d.do(button)
		link := d.Link()
		d.Model.SetEpsilon(3)
		d.step(ui.Input{Outside: true})
		d.press(ui.Undo)
		other := newDesk(t, 1280, 800)
		other.Follow(link)
		for name, d := range map[string]*desk{"undone": d, "followed": other} {
			if d.Model.Show != baseline {
				t.Errorf("%s, shown is %s, want %s: %s", name, answer.ShownNames[d.Model.Show], answer.ShownNames[baseline], link)
			}
		}
		if err := other.Operate(button, ""); err != nil || other.Model.Show != model.ShowPrivate ||
			other.Model.RunNumber != 7 {
			t.Errorf("%v, shown is %s of run %d: %s", err, answer.ShownNames[other.Model.Show], other.Model.RunNumber, link)
		}
	}
	if d.do("planned"); d.Model.Show != model.ShowPrivate || d.Model.RunNumber != 7 {
		t.Errorf("shown is %s of run %d", answer.ShownNames[d.Model.Show], d.Model.RunNumber)
	}
}

func TestLinksThatDoNotWork(t *testing.T) {
	d := newDesk(t, 1280, 800)
	before := d.Link()
	for _, bad := range []string{"map=reward", "theme=pink", "speed=0", "speed=NaN", "zoom=-1", "center=1", "center=a,b",
		"%zz", "run=-1", "nonsense=1", "map=noise&run=x",
		"privacy.epsilon=3&kept=nonsense%3D1", "map=noise&kept=privacy.epsilon%3D-1", "run=4&kept=%25zz",
		"kept=target_km%3Dx",
		"story=99x", "story=8", "privacy.epsilon=3&story=99",
		"folded=guess,nothing", "tilt=1", "maps=2", "along=epsilon", "kept=tilt%3D1", "fan=1",
		"planned=maybe"} {
		d.Model.Message.Text = ""
		d.Follow(bad)
		d.step(ui.Input{Outside: true})
		key, _, _ := strings.Cut(bad[strings.LastIndexAny(bad, "&")+1:], "=")
		m := d.Model.Message
		named := strings.Contains(m.Text, key) || key == "%zz" || key == "kept" &&
			strings.Contains(m.Text, "to compare with")
		if !m.Wrong || !named || strings.Contains(m.Text, "\n") || d.Link() != before {
			t.Errorf("%s: message %+v, shown is now %s", bad, m, d.Link())
		}
	}
}

// The clipboard is claimed only when the browser granted it.
func TestLinkClaimsTheClipboardOnlyWhenItHasIt(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, ok := range []bool{true, false} {
		d.shell.refuse = !ok
		d.do("link")
		claimed := d.Model.Message.Text != "" && strings.Contains(d.Model.Message.Text, "is in the clipboard")
		if claimed != ok {
			t.Errorf("granted %v: %q", ok, d.Model.Message.Text)
		}
	}
}

// A refused link opens what the plain address does, and says why.
func TestArriveByARefusedLink(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	want, known := d.Reacting()
	if !known || want == 0 {
		t.Fatalf("the flight that reacts is %d, known: %v", want, known)
	}
	d.Arrive("foo=1", "", nil)
	refused := d.Model.Message
	d.step(ui.Input{Outside: true})
	if d.Model.RunNumber != want || !refused.Wrong || d.Model.Message != refused {
		t.Errorf("run %d, want %d; %+v, then %+v", d.Model.RunNumber, want, refused, d.Model.Message)
	}
	d.Arrive("run=4", "", nil)
	d.step(ui.Input{Outside: true})
	if d.Model.RunNumber != 4 {
		t.Errorf("run %d, want 4", d.Model.RunNumber)
	}
	list := []Entry{{Name: "flown", Verb: "study",
		Load: func() (recording.Files, error) { return recordedStudy(t, false), nil }}}
	d.Arrive("foo=1", "out", list)
	for range 200 {
		time.Sleep(10 * time.Millisecond)
		if d.step(ui.Input{Outside: true}); d.Model.Record != nil {
			break
		}
	}
	if text := d.Model.Message.Text; d.Model.Record == nil || text != refused.Text+"; shown is flown" {
		t.Errorf("the recording %v is open, %q", d.Model.Record, text)
	}
}

// A page runs no commands, and a refused link does not offer them.
func TestRefusedLinksOfferNoCommands(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, key := range []string{"adversary.observer", "privacy.mechanism"} {
		d.Follow(key + "=ob")
		if text := d.Model.Message.Text; !strings.Contains(text, "allowed: ") || strings.Contains(text, "COMMAND") {
			t.Errorf("%q", text)
		}
	}
}

// The address no longer leads to what is on show once that has changed, however it is looked at.
func TestLinksAreLeft(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Follow("privacy.epsilon=4&run=3")
	d.step(ui.Input{Outside: true})
	d.Model.Clock.Seek(30)
	d.SetDark(false)
	if d.step(ui.Input{Outside: true}); d.LeftLink() {
		t.Error("another moment leaves the link")
	}
	d.Model.SetEpsilon(2)
	if d.step(ui.Input{Outside: true}); !d.LeftLink() || d.LeftLink() {
		t.Error("another epsilon does not leave the link, or leaves it twice")
	}
	d.do("link")
	if d.step(ui.Input{Outside: true}); d.LeftLink() {
		t.Error("a link that was just copied is left")
	}
	d.Model.Select(7)
	if d.step(ui.Input{Outside: true}); !d.LeftLink() {
		t.Error("another run does not leave the link that was copied")
	}
}

// A link of an older viewer opens: what the viewer no longer has is left out, and one notice says so.
func TestLinksOfOlderViewersOpen(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Follow("privacy.epsilon=0.4&run=3&moved=3:1,2,3&out=7&brush=km:14,22&arrows=on&" +
		"also=impact_time&loop=4,9&follow=on&" +
		"map=private&folded=settings,surface&kept=privacy.epsilon%3D4")
	d.step(ui.Input{Outside: true})
	m := d.Model
	if m.Config.Privacy.Epsilon != 0.4 || m.RunNumber != 3 || d.Heat != answer.HeatOff || m.Pair == nil ||
		d.Folded.String() != "settings" {
		t.Errorf("shown are epsilon %v, run %d, map %v, folded %v, %+v", m.Config.Privacy.Epsilon, m.RunNumber, d.Heat,
			d.Folded, m.Pair)
	}
	for _, part := range []string{"also=impact_time", "arrows=on", "brush=km:14,22", "folded=settings,surface",
		"follow=on",
		"loop=4,9", "map=private", "moved=3:1,2,3", "out=7"} {
		if !strings.Contains(m.Message.Text, part) {
			t.Errorf("it says %q, not %q", m.Message.Text, part)
		}
	}
	if link := d.Link(); strings.Contains(link, "moved") || strings.Contains(link, "map=") {
		t.Errorf("the link on is %s", link)
	}
	if d.Follow("run=2"); m.Message.Text != "" {
		t.Errorf("of a link that has all it says %q", m.Message.Text)
	}
}
