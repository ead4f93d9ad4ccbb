package model

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// The difference of two settings is that of the same runs, one by one, whatever else happens.
func TestPairedDifference(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Model)
	}{
		{"nothing", func(*Model) {}},
		{"epsilon", func(m *Model) { m.SetEpsilon(0.3) }},
		{"calibration, and another sample", func(m *Model) {
			m.change(func(c *configs.Config) { c.Privacy.Calibration = configs.Analytic })
			m.NewSample()
		}},
		{"observer, and more runs", func(m *Model) {
			m.SetObserver("constant_velocity")
			m.SetRuns(55)
		}},
		{"mechanism", func(m *Model) { m.SetMechanism(privacy.GoalMechanisms()[0].Name()) }},
		{"mission", func(m *Model) { moveTarget(m, m.Config.TargetKm[0]-30, m.Config.TargetKm[1]-30) }},
		{"radius, and another run", func(m *Model) { m.SetRadius(2); m.Select(5) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := newModelOf(t, 0, 1)
			m.SetEpsilon(1.5)
			finish(t, m)
			m.KeepWorld()
			test.change(m)
			finish(t, m)
			if !m.Pair.Ensemble.Complete() {
				t.Fatalf("%d of %d kept flights are there", m.Pair.Ensemble.Fresh, len(m.Pair.Ensemble.Members))
			}
			kept := m.Pair.Config
			kept.Study = m.Config.Study
			want := m.Ensemble.Summary().MeanKm - studied(t, kept).MeanKm
			d := m.Pair.Difference(&m.World)
			const summation = 1e-9 // km
			if d.Runs != m.Runs() || math.Abs(d.MeanKm-want) > summation {
				t.Errorf("%v km over %d runs, want %v over %d", d.MeanKm, d.Runs, want, m.Runs())
			}
			mean := contrastOfMeans(m)
			if d.LowKm != mean.Low || d.HighKm != mean.High {
				t.Errorf("the interval is %v to %v, that of a comparison of two studies %v to %v", d.LowKm, d.HighKm,
					mean.Low, mean.High)
			}
			if !(d.LowKm <= d.MeanKm && d.MeanKm <= d.HighKm) {
				t.Errorf("%v is not between %v and %v", d.MeanKm, d.LowKm, d.HighKm)
			}
			if m.Pair.Private.Run.DetectionKm != m.Pair.Ensemble.Members[m.RunNumber].Run.DetectionKm ||
				m.Pair.Private.Run.Run != m.RunNumber {
				t.Errorf("shown is run %d at %v km", m.Pair.Private.Run.Run, m.Pair.Private.Run.DetectionKm)
			}
			same := func(a, b *Member) bool { return a.Run.DetectionKm == b.Run.DetectionKm }
			if test.name == "nothing" && !slices.EqualFunc(m.Ensemble.Members, m.Pair.Ensemble.Members, same) {
				t.Error("flights differ from themselves")
			}
		})
	}
}

// contrastOfMeans compares the means of the kept flights and those in force as those of two studies are.
func contrastOfMeans(m *Model) study.Contrast {
	var runs [2][]study.Run
	for i, e := range []*Ensemble{&m.Pair.Ensemble, &m.Ensemble} {
		for _, member := range e.Members {
			runs[i] = append(runs[i], member.Run)
		}
	}
	how := study.Pairing{Paired: true, FarthestKm: m.Config.Privacy.HandoverKm}
	contrasts := study.Contrasts(runs[0], runs[1], how, study.Confidence)
	return contrasts[slices.IndexFunc(contrasts, func(c study.Contrast) bool { return c.Name == "mean_km" })]
}

// Settings that are the usual ones are kept as others are.
func TestUsualSettingsAreKept(t *testing.T) {
	m := newModelOf(t, 0, 1)
	if err := m.apply(configs.Default()); err != nil {
		t.Fatal(err)
	}
	m.KeepWorld()
	kept, err := ParseKept(m.KeptFragment())
	if err != nil || kept == nil || kept.SHA256() != m.Pair.Config.SHA256() {
		t.Errorf("kept is %v by %q (%v)", kept, m.KeptFragment(), err)
	}
}

// A link names the mission whose settings it differs from least, and leads to the same settings.
func TestLinksNameTheirMission(t *testing.T) {
	three := Missions()[2].of(configs.Default())
	walled := three
	walled.Planner.KeepOut = [][]int{{5, 8}}
	for _, test := range []struct {
		c    configs.Config
		want string
		most int // characters
	}{{configs.Default(), "", 0}, {three, "mission=three-goals", 200}, {walled, "mission=three-goals", 240}} {
		values := differing(test.c)
		link := values.Encode()
		if !strings.Contains(link, test.want) || len(link) > test.most {
			t.Errorf("the link is %s of %d characters, want %s and at most %d", link, len(link), test.want, test.most)
		}
		c, err := settingsOf(values)
		if c.Study = test.c.Study; err != nil || c.SHA256() != test.c.SHA256() { // what a study is of need not be said
			t.Errorf("%s leads to other settings (%v)", link, err)
		}
	}
	_, err := settingsOf(url.Values{missionKey: {"four-goals"}})
	if err == nil || !strings.Contains(err.Error(), "four-goals") {
		t.Errorf("a mission that there is not: %v", err)
	}
}
