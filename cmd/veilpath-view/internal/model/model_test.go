package model

import (
	"context"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// fewRuns keeps the tests short; the statistics are of any number alike.
const fewRuns = 40

func settings() configs.Config {
	c := configs.Default()
	c.Study.Runs = fewRuns
	return c
}

// Models share experiments and the flights that they remember.
func newModel(t testing.TB, goroutines int) *Model {
	t.Helper()
	return newModelOf(t, goroutines, 0)
}

// newModelOf finds the axis of so many runs, 0 for all.
func newModelOf(t testing.TB, goroutines, axisRuns int) *Model {
	t.Helper()
	return worked(t, Workers{Goroutines: goroutines, AxisRuns: axisRuns, InferencePolicies: 5,
		Experiment: flown.experiment})
}

// worked returns a model that works as told.
func worked(t testing.TB, workers Workers) *Model {
	t.Helper()
	m, err := New(settings(), workers, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// experiments are those of several models or studies, by their settings.
type experiments struct{ made sync.Map }

// flown are those of the models, and direct those of the studies that they are compared with.
var flown, direct experiments

// experiment returns the experiment of settings, whatever the epsilon and the radius in force.
func (e *experiments) experiment(c configs.Config) (*study.Experiment, error) {
	c.Adversary.RadiusKm = settings().Adversary.RadiusKm
	return e.within(c)
}

// within returns the experiment of settings, whatever the epsilon in force.
func (e *experiments) within(c configs.Config) (*study.Experiment, error) {
	plain := c
	plain.Study, plain.Privacy.Epsilon = configs.Study{}, 0
	made, _ := e.made.LoadOrStore(string(plain.YAML()),
		sync.OnceValues(func() (*study.Experiment, error) { return setup.Experiment(c) }))
	return made.(func() (*study.Experiment, error))()
}

// finish steps until the ensemble is complete.
func finish(t testing.TB, m *Model) {
	t.Helper()
	for start := time.Now(); !m.Ensemble.Complete(); {
		m.Work()
		m.Advance(0)
		if time.Since(start) > time.Minute {
			t.Fatalf("%d of %d flights after a minute", m.Ensemble.Fresh, m.Runs())
		}
	}
}

// complete steps until the axis of all runs is there.
func complete(t testing.TB, m *Model) {
	t.Helper()
	for start := time.Now(); !m.AxisComplete(); {
		m.Work()
		m.Advance(0)
		if time.Since(start) > time.Minute {
			t.Fatal("the axis is not there after a minute")
		}
	}
}

// studied flies the study that the settings in force describe, as the command line does.
func studied(t testing.TB, c configs.Config) study.Summary {
	t.Helper()
	e, err := direct.within(c)
	if err != nil {
		t.Fatal(err)
	}
	c.Study.Epsilons, c.Study.Axis = []float64{c.Privacy.Epsilon}, configs.Axis{}
	s := setup.Study(c, e)
	tally, err := s.NewTally()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Do(context.Background(), func(r []study.Run) error { tally.Add(r); return nil }); err != nil {
		t.Fatal(err)
	}
	return tally.Summaries()[0]
}

// The ensemble on screen is the study of the same settings, to the bit, however it came about.
func TestEnsembleIsTheStudy(t *testing.T) {
	const few, all = 1, 0 // runs whose axis is found
	tests := []struct {
		name     string
		axisRuns int
		do       func(*Model)
	}{
		{"as it begins", few, func(*Model) {}},
		{"another epsilon", few, func(m *Model) { m.SetEpsilon(0.4) }},
		{"epsilon dragged while flying", all, func(m *Model) {
			for _, e := range []float64{3, 2, 1, 0.5, 0.3} {
				m.SetEpsilon(e)
				m.Advance(0.01)
				m.Work()
			}
		}},
		{"another radius, nothing flown", all, func(m *Model) { finish(t, m); m.SetRadius(2.5) }},
		{"a radius larger than can be chosen", few, func(m *Model) { finish(t, m); m.SetRadius(2 * MaxRadius) }},
		{"one on the axis, and a larger one", all, func(m *Model) {
			complete(t, m)
			m.change(func(c *configs.Config) { c.Adversary.RadiusKm = 2 * MaxRadius })
			m.SetRadius(3 * MaxRadius)
			m.SetEpsilon(2)
		}},
		{"a radius so small that some are never seen", few, func(m *Model) { m.SetEpsilon(0.2); m.SetRadius(0.05) }},
		{"another decay, in an experiment of its own", few, func(m *Model) {
			m.workers.Experiment = nil
			m.change(func(c *configs.Config) { c.Adversary.LambdaPerS = 0.03 })
		}},
		{"the exact calibration", few, func(m *Model) {
			m.change(func(c *configs.Config) { c.Privacy.Calibration = configs.Analytic })
		}},
		{"a new sample", few, func(m *Model) { m.NewSample() }},
		{"independent noise, which has no axis", few, func(m *Model) {
			m.change(func(c *configs.Config) { c.Study.Noise = configs.Independent })
			m.SetEpsilon(0.7)
		}},
		{"epsilon dragged over the axis", all, func(m *Model) {
			complete(t, m)
			m.SetEpsilon(2.5)
			m.SetRadius(0.3)
			m.SetEpsilon(0.31)
		}},
		{"fewer flights", all, func(m *Model) { finish(t, m); m.SetRuns(25) }},
		{"more flights", few, func(m *Model) { m.SetRuns(70) }},
		{"headings drawn, another radius", few, func(m *Model) { drawsHeadings(m); finish(t, m); m.SetRadius(3) }},
		{"headings drawn, on the axis", all, func(m *Model) {
			drawsHeadings(m)
			complete(t, m)
			m.SetEpsilon(2.5)
			m.SetRadius(3)
		}},
		{"radii drawn, on the axis", all, func(m *Model) { drawsRadii(m); complete(t, m); m.SetEpsilon(2.5); m.SetRadius(3) }},
		{"a wall, another radius", all, func(m *Model) { hasWall(m); complete(t, m); m.SetEpsilon(0.5); m.SetRadius(3) }},
	}
	for _, test := range tests {
		var flown configs.Config
		var want study.Summary
		for _, goroutines := range []int{2, 0} {
			t.Run(test.name, func(t *testing.T) {
				m := newModelOf(t, goroutines, test.axisRuns)
				test.do(m)
				finish(t, m)
				if !cmp.Equal(m.Config, flown, cmpopts.EquateNaNs()) {
					flown, want = m.Config, studied(t, m.Config)
				}
				if diff := cmp.Diff(want, m.Ensemble.Summary(), cmpopts.EquateNaNs()); diff != "" {
					t.Errorf("%d goroutines: study and screen differ (-study +screen):\n%s", goroutines, diff)
				}
			})
		}
	}
}

// The flight on show is member of the ensemble, and judged alike at every radius.
func TestShownFlightIsTheMember(t *testing.T) {
	m := newModelOf(t, 0, 1)
	finish(t, m)
	for _, run := range []int{0, 7, fewRuns - 1} {
		m.Select(run)
		for _, radius := range []float64{0.1, 0.7, 3, MaxRadius} {
			m.SetRadius(radius)
			if diff := cmp.Diff(m.Ensemble.Members[run].Run, m.Private.Run); diff != "" {
				t.Errorf("run %d, radius %v: member and flight differ:\n%s", run, radius, diff)
			}
			f := &m.Private
			if f.Run.Detected && f.Errors.DistanceKm[f.Detection.Sample] != f.Run.DetectionKm {
				t.Errorf("run %d, radius %v: the marker is at %v km, the record says %v", run, radius,
					f.Errors.DistanceKm[f.Detection.Sample], f.Run.DetectionKm)
			}
		}
	}
}

// The hand-over sample that the model finds is where the distance first falls below the setting.
func TestHandoverSample(t *testing.T) {
	m := newModelOf(t, 0, 1)
	f, limit := &m.Private, m.Config.Privacy.HandoverKm
	if f.Errors.DistanceKm[f.HandoverSample] >= limit || f.Errors.DistanceKm[f.HandoverSample-1] < limit {
		t.Errorf("sample %d lies at %v km after %v", f.HandoverSample, f.Errors.DistanceKm[f.HandoverSample],
			f.Errors.DistanceKm[f.HandoverSample-1])
	}
	if m.Nominal.HandoverSample != 0 {
		t.Errorf("the direct flight hands over at sample %d, want 0", m.Nominal.HandoverSample)
	}
}

// Frames of any length give the same time.
func TestClockIsIndependentOfFrames(t *testing.T) {
	for _, frames := range []int{1, 7, 600} {
		c := Clock{EndS: 100, Playing: true, Speed: 4}
		for range frames {
			c.Advance(5 / float64(frames))
		}
		const rounding = 1e-9 // s
		if math.Abs(c.TimeS-20) > rounding {
			t.Errorf("%d frames: %v s, want 20", frames, c.TimeS)
		}
	}
	c := Clock{EndS: 10, Playing: true, Speed: 64}
	c.Advance(1)
	if c.TimeS != 10 || c.Playing {
		t.Errorf("past the end: %+v", c)
	}
	c.Toggle()
	if c.TimeS != 0 || !c.Playing {
		t.Errorf("played again from the end: %+v", c)
	}
}

// A thinned path stays near the flight, and is short even of one that goes in rounds.
func TestThinnedPathIsFaithful(t *testing.T) {
	m := newModelOf(t, 0, 1)
	for _, test := range []struct {
		epsilon     float64
		run, least  int     // samples, so that it goes in rounds
		most        int     // places
		toleranceKm float64 // 0.01 are a thirtieth of a pixel at the first view
	}{{1, 0, 1000, 100, 0.01}, {0.06, 0, 20000, 1500, 0.15}, {0.06, 1, 20000, 1500, 0.15}, {0.07, 8, 0, 200, 0.01}} {
		m.Select(test.run)
		m.SetEpsilon(test.epsilon)
		path, worst := pathOf(m.Private.Samples), 0.0
		for i := 0; i < len(m.Private.Samples); i += 7 {
			r := m.Private.Samples[i].R
			near := math.Inf(1)
			for k := 1; k < len(path); k++ {
				near = math.Min(near, draw.Point{X: r.X, Y: r.Y}.Away(path[k-1], path[k]))
			}
			worst = math.Max(worst, near)
		}
		if worst > test.toleranceKm || len(path) > test.most || len(m.Private.Samples) < test.least {
			t.Errorf("epsilon %v: %d of %d samples; the flight leaves the path by %v km", test.epsilon, len(path),
				len(m.Private.Samples), worst)
		}
	}
}

func TestRounding(t *testing.T) {
	for value, want := range map[float64]float64{0.123456: 0.123, 1.0049: 1, 19.96: 20} {
		if got := Rounded(value); got != want {
			t.Errorf("Rounded(%v) = %v, want %v", value, got, want)
		}
	}
}

// BenchmarkEnsemble200 is what a user waits for after a change of epsilon where no axis has been found: the flight on
// show (first-ms) and 200 flights with their summary. Nothing but the flights at the epsilon before is remembered.
func BenchmarkEnsemble200(b *testing.B) {
	for _, way := range []struct {
		name    string
		workers Workers
	}{
		{"slices", Workers{}}, {"1goroutine", Workers{Goroutines: 1}}, {"2goroutines", Workers{Goroutines: 2}},
		// without its frames, which take turns with the flights
		{"page", Workers{Goroutines: 1, Pace: 12 * time.Millisecond}},
	} {
		b.Run(way.name, func(b *testing.B) {
			m := worked(b, way.workers)
			m.SetRuns(200)
			var first time.Duration
			for b.Loop() {
				b.StopTimer()
				forget(b, m)
				b.StartTimer()
				start := time.Now()
				m.SetEpsilon(0.4)
				first += time.Since(start)
				for !m.Ensemble.Complete() {
					m.Work()
					m.Advance(1. / 60)
					if way.workers.Goroutines > 0 {
						time.Sleep(time.Millisecond)
					}
				}
				m.Ensemble.Summary()
			}
			b.ReportMetric(float64(first.Microseconds())/1000/float64(b.N), "first-ms/op")
		})
	}
}

// moveTarget has the mission at another place of the plane, km.
func moveTarget(m *Model, x, y float64) {
	m.change(func(c *configs.Config) { c.TargetKm[0], c.TargetKm[1] = x, y })
}

// forget leaves a model with the flights of another epsilon alone: it has no axis, and looks for none.
func forget(b *testing.B, m *Model) {
	m.pool.assign(axisJob, nil)
	m.Axis.clear()
	m.Experiment.Forget()
	m.SetEpsilon(1)
	finish(b, m)
}

// BenchmarkDragAxis200 is a step of epsilon with all 200 flights and their summary where the axis is there.
func BenchmarkDragAxis200(b *testing.B) {
	m := newModel(b, 0)
	m.SetRuns(200)
	finish(b, m)
	complete(b, m)
	epsilon := 0.2
	for b.Loop() {
		if epsilon *= 1.02; epsilon > 4 {
			epsilon = 0.2
		}
		m.SetEpsilon(Rounded(epsilon))
		if !m.Ensemble.Complete() {
			b.Fatal("flights are missing")
		}
		m.Ensemble.Summary()
	}
}

func BenchmarkDragRadius200(b *testing.B) {
	m := newModel(b, 0)
	m.SetRuns(200)
	finish(b, m)
	radii := [2]float64{0.7, 0.71}
	i := 0
	for b.Loop() {
		i++
		m.SetRadius(radii[i%2])
		m.Ensemble.Summary()
	}
}
