package model

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veilpath/cmd/internal/recording"
	"veilpath/configs"
	"veilpath/internal/external/commandtest"
	"veilpath/sim/campaign"
)

// The test binary is also the commands of the tests.
func TestMain(m *testing.M) { commandtest.Main(m) }

// studiedByCommands flies a study of both commands and returns its folder.
func studiedByCommands(t *testing.T) string {
	t.Helper()
	scripts, folder := t.TempDir(), filepath.Join(t.TempDir(), "study")
	sets := append(commandtest.Settings(t, scripts), "study.epsilons=0.5,2", "study.runs=30", "study.workers=2",
		"planner.columns=10", "planner.rows=8", "planner.spacing_km=22", "planner.start_cell=[0, 4]")
	p := new(campaign.Program)
	defer p.Close()
	if _, err := p.Fly(context.Background(), campaign.Request{Settings: configs.Request{Sets: sets}}, folder); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(scripts); err != nil { // nothing runs them again
		t.Fatal(err)
	}
	return folder
}

// opened returns a model that shows the study in a folder.
func opened(t *testing.T, folder string) *Model {
	t.Helper()
	m, err := New(configs.Default(), Workers{SurveyRuns: 30, AxisRuns: 1, InferencePolicies: 1}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	if err := m.Open("study", os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	return m
}

// Flights that commands made are shown as they were recorded, at every epsilon of the record, without the commands.
// What was not recorded is refused in a sentence, and everything stays as it was.
func TestFlightsOfCommands(t *testing.T) {
	folder := studiedByCommands(t)
	m := opened(t, folder)
	for _, epsilon := range []float64{2, 0.5} {
		m.SetEpsilon(epsilon)
		finish(t, m)
		row, ok := m.Recorded(epsilon)
		now := m.Ensemble.Summary()
		if !ok || row.Runs != 30 || now.Runs != 30 || now.MeanKm != row.MeanKm || row.MeanKm == 0 {
			t.Errorf("epsilon %v: %d flights with mean %v, recorded %d with %v", epsilon, now.Runs, now.MeanKm, row.Runs,
				row.MeanKm)
		}
	}
	if s := &m.Survey; len(s.Epsilons) != 2 || s.Flights() != 30 || s.Problem != "" {
		t.Errorf("the survey has %d epsilons with %d flights, %q", len(s.Epsilons), s.Flights(), s.Problem)
	}
	m.Select(29)
	if m.RunNumber != 29 || m.Private.Run.Run != 29 {
		t.Errorf("run %d is shown, want 29", m.RunNumber)
	}
	shown := m.Config
	for name, c := range map[string]struct {
		do   func()
		want string
	}{
		"another epsilon":  {func() { m.SetEpsilon(1) }, "at epsilon 0.5 and 2 only"},
		"another target":   {func() { m.SetTarget(50, 50) }, "not fly with other settings"},
		"another seed":     {m.NewSample, "not fly with other settings"},
		"another run":      {func() { m.Select(30) }, "run 30 is not recorded"},
		"a moved waypoint": {func() { m.MoveWaypoint(3, 1, 1) }, "what the command makes of a changed flight"},
		"a kept-out cell":  {func() { m.KeepOut(3) }, "what the command makes of a changed flight"},
	} {
		m.Message = Message{}
		c.do()
		if !strings.Contains(m.Message.Text, c.want) || m.RunNumber != 29 || m.Config.SHA256() != shown.SHA256() ||
			m.ChangedByHand() {
			t.Errorf("%s: it says %q, want %q; run %d", name, m.Message.Text, c.want, m.RunNumber)
		}
	}
	m.SetRadius(3)
	m.SetRuns(500)
	m.SetObserver("ballistic")
	finish(t, m)
	if m.Config.Adversary.Observer != "ballistic" || m.Runs() != 30 || m.Ensemble.Summary().MeanKm == 0 {
		t.Errorf("%d flights, watched by %s: %s", m.Runs(), m.Config.Adversary.Observer, m.Message.Text)
	}
	all := m.Observers()
	m.SetObserver(all[len(all)-1].Name)
	if finish(t, m); !strings.HasPrefix(m.Config.Adversary.Observer, "exec:") || m.commanded.answers.Missing() != 0 {
		t.Errorf("watched by %s, %d flights are missing", m.Config.Adversary.Observer, m.commanded.answers.Missing())
	}
	if err := os.Remove(filepath.Join(folder, recording.AnswersName)); err != nil {
		t.Fatal(err)
	}
	if err := m.Open("study", os.DirFS(folder)); err == nil || !strings.Contains(err.Error(), "runs no commands") {
		t.Errorf("without answers: %v", err)
	}
}

// Observers of the goal who do not know the mechanism watch the flights of a command too. The others would have to ask
// it for further plans.
func TestBeliefsAboutFlightsOfCommands(t *testing.T) {
	m, err := New(configs.Default(), Workers{SurveyRuns: 30, AxisRuns: 1, InferencePolicies: 1}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Open("study", os.DirFS(studiedByCommands(t))); err != nil {
		t.Fatal(err)
	}
	m.SetInference(true)
	n := &m.Inference
	for start := time.Now(); len(n.Views) == 0 || !n.Views[len(n.Views)-1].Ready; m.Advance(0) {
		m.Work()
		if n.Problem != "" || time.Since(start) > time.Minute {
			t.Fatalf("%d views after %v: %q", len(n.Views), time.Since(start), n.Problem)
		}
	}
	for _, v := range n.Views {
		if v.model.KnowsNoise() || len(v.Beliefs) == 0 {
			t.Errorf("%s has %d beliefs", v.Name, len(v.Beliefs))
		}
	}
}

// Kept settings of which a command made the flights are compared run by run where these are recorded. A run or a sample
// of which there are none ends the comparison and says so.
func TestComparedWithFlightsOfCommands(t *testing.T) {
	folder := studiedByCommands(t)
	for name, leave := range map[string]func(*Model){
		"another run":    func(m *Model) { m.Select(30) },
		"another sample": (*Model).NewSample,
	} {
		m := opened(t, folder)
		m.KeepWorld()
		m.SetObserver("ballistic")
		m.SetMechanism("reward")
		m.SetRuns(40)
		finish(t, m)
		if d := m.Pair.Difference(&m.World, func(int) bool { return true }); d.Runs != 30 || m.Runs() != 40 {
			t.Errorf("%d of %d flights are compared: %s", d.Runs, m.Runs(), m.Message.Text)
		}
		if leave(m); m.Pair != nil || !strings.Contains(m.Message.Text, "The comparison has ended") {
			t.Errorf("%s: it says %q", name, m.Message.Text)
		}
	}
}
