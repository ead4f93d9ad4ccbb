package screen

import (
	"flag"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/model"
	"veilpath/cmd/veilpath-view/ui"
	"veilpath/configs"
)

var _ = flag.Bool

// shell keeps what the screen saves.
type shell struct {
	saved  map[string][]byte
	frames []string
	link   string
	fail   error
}

func (s *shell) Save(name string, data []byte) (string, error) {
	if s.saved == nil {
		s.saved = map[string][]byte{}
	}
	s.saved[name] = data
	return name, s.fail
}
func (s *shell) SaveFrame(name string) { s.frames = append(s.frames, name) }
func (s *shell) Share(fragment string) (bool, error) {
	s.link = fragment
	return true, s.fail
}

func newScreen(t testing.TB) (*Screen, *shell) {
	m, err := model.New(configs.Default(), 0, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	sh := &shell{}
	s, err := New(m, sh, true, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return s, sh
}

func BenchmarkStepPlaying(b *testing.B) {
	s, _ := newScreen(b)
	for !s.Model.Ensemble.Complete() || s.Model.Survey.Flights() < s.Model.SurveyRuns() {
		s.Step(ui.Input{ElapsedS: 0.1}, 1280, 800, 1)
	}
	s.Model.Clock.Playing = true
	for b.Loop() {
		if !s.Model.Clock.Playing {
			s.Model.Clock.Toggle()
		}
		s.Step(ui.Input{ElapsedS: 1. / 60}, 1280, 800, 1)
	}
}
