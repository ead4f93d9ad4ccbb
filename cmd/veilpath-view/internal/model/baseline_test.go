package model

import (
	"math"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/sim/study"
	"veilpath/sim/vary"
)

// drawsHeadings has every run draw its heading.
func drawsHeadings(m *Model) {
	m.change(func(c *configs.Config) {
		c.Vary = configs.Varied{{Key: "vehicle.heading",
			Distribution: vary.Distribution{Name: "uniform", Numbers: []float64{-180, 180}}}}
	})
}

// drawsRadii has every run draw the radius by which it is judged.
func drawsRadii(m *Model) {
	m.change(func(c *configs.Config) {
		c.Vary = configs.Varied{{Key: vary.RadiusKm,
			Distribution: vary.Distribution{Name: "uniform", Numbers: []float64{0.2, 5}}}}
	})
}

// hasWall has cells that are kept out of in the way of the direct flight.
func hasWall(m *Model) {
	m.change(func(c *configs.Config) { c.Planner.KeepOut = [][]int{{8, 0, 8, 15}} })
}

// The planned flight on show is that of the run on show, at every radius, and the exported settings name the command
// that flies it.
func TestPlannedFlightIsThatOfTheRun(t *testing.T) {
	for name, set := range map[string]func(*Model){"nothing drawn": func(*Model) {}, "headings drawn": drawsHeadings,
		"radii drawn": drawsRadii, "a wall": hasWall} {
		t.Run(name, func(t *testing.T) {
			m := newModelOf(t, 0, 1)
			set(m)
			different := map[float64]bool{}
			for _, run := range []int{3, 4} {
				m.Select(run)
				m.SetShown(ShowPlanned)
				for _, radius := range []float64{0.7, 3} {
					m.SetRadius(radius)
					e, err := direct.within(m.Config)
					if err != nil {
						t.Fatal(err)
					}
					flyer, err := e.NewFlyer()
					if err != nil {
						t.Fatal(err)
					}
					want := made(flyer.Fly(m.draw(run, study.None()), 0))
					got := m.Flight().Run
					got.Run = run // where nothing is drawn it is that of every run
					if !got.Same(want) || m.Private.Run.PlannedKm != want.DetectionKm {
						t.Errorf("run %d, radius %v: shown is\n%+v, without noise the run is\n%+v; the private flight is held against "+
							"%v km",
							run, radius, got, want, m.Private.Run.PlannedKm)
					}
					different[got.DetectionKm] = true
				}
			}
			if name == "headings drawn" && len(different) < 4 {
				t.Errorf("%d different distances of two runs at two radii", len(different))
			}
			if text := string(m.ExportYAML("x.yaml", "")); !strings.Contains(text,
				"veilpath run --config x.yaml --epsilon none --run 4   the flight on show") {
				t.Errorf("exported is %.200s", text)
			}
		})
	}
}

// A model that is kept to be compared with has the planned flight of the run on show too.
func TestPlannedFlightOfKeptSettings(t *testing.T) {
	m := newModelOf(t, 0, 1)
	drawsHeadings(m)
	m.KeepWorld()
	m.Select(4)
	m.SetShown(ShowPlanned)
	if kept := m.Pair.Flight(ShowPlanned); kept.Run != m.Flight().Run || kept.DurationS() != m.Flight().DurationS() {
		t.Errorf("kept is %+v, in force %+v", kept.Run, m.Flight().Run)
	}
}

// A study that lists the plan without noise opens at an epsilon that it lists, or with none other on the planned
// flight, and its row is there.
func TestOpenStudyWithoutNoise(t *testing.T) {
	for name, c := range map[string]struct {
		epsilons []float64
		at       float64
		shown    Shown
	}{
		"first":      {[]float64{study.None(), 0.4, 2}, 0.4, ShowPrivate},
		"beside 1":   {[]float64{study.None(), 1}, 1, ShowPrivate},
		"none other": {[]float64{study.None()}, configs.Default().Privacy.Epsilon, ShowPlanned},
	} {
		t.Run(name, func(t *testing.T) {
			config := settings()
			config.Study.Epsilons, config.Study.Axis = c.epsilons, configs.Axis{}
			m := newModel(t, 0)
			if err := m.Open("out", recorded(t, config, "study", nil)); err != nil {
				t.Fatal(err)
			}
			finish(t, m)
			if m.Config.Privacy.Epsilon != c.at || m.Show != c.shown {
				t.Errorf("opened at epsilon %v, shown is %v; want %v, %v", m.Config.Privacy.Epsilon, m.Show, c.at, c.shown)
			}
			row, ok := m.Recorded(study.None())
			if !ok || math.Abs(row.MeanKm-m.Planned.Run.DetectionKm) > 0.005 || row.Runs != fewRuns {
				t.Errorf("recorded without noise is %+v (%v), the planned flight is recognised at %v km", row, ok,
					m.Planned.Run.DetectionKm)
			}
		})
	}
}

// A recorded flight without noise, settings without noise and a link to them show the planned flight.
func TestOpenWithoutNoise(t *testing.T) {
	c := settings()
	c.Privacy.Epsilon = study.None()
	run := 5
	for name, open := range map[string]func(*Model) error{
		"flight":   func(m *Model) error { return m.Open("out", recorded(t, c, "run", &run)) },
		"settings": func(m *Model) error { m.Select(run); return m.OpenConfig("x.yaml", c.YAML()) },
		"link":     func(m *Model) error { return m.OpenFragment("privacy.epsilon=none&run=5") },
		"own link": func(m *Model) error {
			m.Select(run)
			m.SetShown(ShowPlanned)
			fragment := m.Fragment()
			m.Select(0)
			return m.OpenFragment(fragment)
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModelOf(t, 0, 1)
			if err := open(m); err != nil {
				t.Fatal(err)
			}
			if m.Show != ShowPlanned || m.RunNumber != run || m.Config.Privacy.Epsilon != configs.Default().Privacy.Epsilon {
				t.Errorf("shown is %v of run %d, at epsilon %v", m.Show, m.RunNumber, m.Config.Privacy.Epsilon)
			}
		})
	}
}
