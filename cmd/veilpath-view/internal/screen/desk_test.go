package screen

import (
	"errors"
	"image/color"
	"strings"
	"sync"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// shell keeps what the screen saves.
type shell struct {
	saved map[string][]byte
	link  string
	fail  error
}

func (s *shell) Save(name string, data []byte) (string, error) {
	if s.saved == nil {
		s.saved = map[string][]byte{}
	}
	s.saved[name] = data
	return name, s.fail
}

func (s *shell) Chooser() func(bool) { return nil }
func (s *shell) Film() func() bool   { return nil }
func (s *shell) Share(fragment string, copied func(bool)) bool {
	s.link = fragment
	copied(true)
	return true
}

var errNoRoom = errors.New("there is no room")

// desk is a screen with somebody in front of it.
type desk struct {
	t testing.TB
	*Screen
	shell                *shell
	width, height, scale float64
	layers               []*Layer
}

// experiments are those of all desks, which fly nothing twice.
var experiments sync.Map

// sharedExperiment returns the experiment of settings, whatever the epsilon and the radius in force.
func sharedExperiment(c configs.Config) (*study.Experiment, error) {
	plain := c
	plain.Study, plain.Privacy.Epsilon, plain.Adversary.RadiusKm = configs.Study{}, 0, 0
	made, _ := experiments.LoadOrStore(string(plain.YAML()),
		sync.OnceValues(func() (*study.Experiment, error) { return setup.Experiment(c) }))
	return made.(func() (*study.Experiment, error))()
}

// newDesk is a screen with sixty flights, all of which are there along epsilon.
func newDesk(t testing.TB, width, height float64) *desk {
	t.Helper()
	c := configs.Default()
	c.Study.Runs = 60
	m, err := model.New(c, model.Workers{InferencePolicies: 3, Experiment: sharedExperiment}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	d := &desk{t: t, shell: &shell{}, width: width, height: height, scale: 1}
	if d.Screen, err = New(m, d.shell, true, time.Now); err != nil {
		t.Fatal(err)
	}
	d.settle()
	return d
}

// settle flies all that is to be flown.
func (d *desk) settle() {
	d.t.Helper()
	for i := 0; ; i++ {
		d.step(ui.Input{Outside: true})
		m := d.Model
		done := m.Ensemble.Complete() && (!m.HasAxis() || m.AxisComplete()) && (m.Pair == nil || m.Pair.Ensemble.Complete())
		if done && i > 2 && !m.Preparing() {
			break
		}
		if i > 400 {
			d.t.Fatal("the flights do not come in")
		}
		m.Work()
	}
	d.step(ui.Input{Outside: true})
}

// step is a frame.
func (d *desk) step(in ui.Input) { d.layers = d.Advance(in, d.width, d.height, d.scale) }

// do does what a control of the table does.
func (d *desk) do(id string, value ...string) {
	d.t.Helper()
	if err := d.Screen.Operate(id, strings.Join(value, "")); err != nil {
		d.t.Fatal(err)
	}
	d.step(ui.Input{Outside: true})
}

// key presses keys, one a frame.
func (d *desk) key(keys ...ui.Key) {
	for _, k := range keys {
		d.step(ui.Input{Outside: true, Keys: []ui.Key{k}})
	}
}

// drag has the pointer go down at a place, move and go up at another.
func (d *desk) drag(from, to draw.Point) {
	d.step(ui.Input{Pointer: from})
	d.step(ui.Input{Pointer: from, Down: true})
	for i := range 5 {
		share := float64(i+1) / 5
		d.step(ui.Input{Down: true, Pointer: draw.Point{X: from.X + share*(to.X-from.X), Y: from.Y + share*(to.Y-from.Y)}})
	}
	d.step(ui.Input{Pointer: to})
	d.step(ui.Input{Pointer: to})
}

// click presses the button at a place.
func (d *desk) click(at draw.Point) { d.drag(at, at) }

// texts are all that is written on the window.
func (d *desk) texts() string {
	var all []string
	for _, layer := range d.layers {
		layer.List.OnText = func(_ draw.Rect, _ color.NRGBA, text string) { all = append(all, text) }
	}
	d.drawn = drawn{}
	d.step(ui.Input{Outside: true})
	d.drawn = drawn{}
	d.step(ui.Input{Outside: true}) // the moving layer has two lists
	return strings.Join(all, "\n")
}
