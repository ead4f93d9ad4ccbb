package campaign

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
	"veilpath/sim/vary"
)

// Comparison holds the differences of two studies at every place.
type Comparison struct {
	A, B         Compared
	Settings     []Change // settings that differ
	Paired       bool     // at every place, see Place.Paired
	Places       []Place  // places that both have, in the order of A
	OnlyA, OnlyB int      // number of places that only one side has

	sameNoise bool    // runs with the same number have the same noise
	observer  string  // who watches, if it is the same one in both and the only one; otherwise empty
	radiusKm  float64 // of that observer
}

// Compared is one side of a comparison.
type Compared struct {
	Folder   string
	Manifest record.Manifest
}

// Place is a point of the settings at which two studies are compared.
type Place struct {
	Labels       []Label // swept keys, which with epsilon identify the place
	Epsilon      float64
	RunsA, RunsB int  // runs in the contrasts
	Paired       bool // the contrasts are of the runs that both studies have, run by run
	Contrasts    []study.Contrast
}

// Label is a name and a value.
type Label struct{ Key, Value string }

// Name returns the labels and epsilon of the place.
func (p *Place) Name() string {
	parts := make([]string, 0, len(p.Labels)+1)
	for _, l := range p.Labels {
		parts = append(parts, l.Key+" "+l.Value)
	}
	return strings.Join(append(parts, "epsilon "+configs.EpsilonText(p.Epsilon)), ", ")
}

// side is a folder with its samples.
type side struct {
	Compared
	settings *configs.Loaded
	places   []sample
}

// sample holds the runs of a study at a place, in ascending order.
type sample struct {
	labels  []Label
	epsilon float64
	runs    []study.Run
}

func (s *sample) key() string {
	p := Place{Labels: s.labels, Epsilon: s.epsilon}
	return p.Name()
}

// common returns the runs of two samples that both have.
func common(a, b []study.Run) (inA, inB []study.Run) {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i].Run < b[k].Run:
			i++
		case a[i].Run > b[k].Run:
			k++
		default:
			inA, inB = append(inA, a[i]), append(inB, b[k])
			i, k = i+1, k+1
		}
	}
	return inA, inB
}

// mostCompared is the maximum number of flights of a side, which are held in memory.
const mostCompared = 10_000_000

// Compare computes the differences B - A of two finished studies.
func Compare(ctx context.Context, p *Program, a, b string) (*Comparison, error) {
	left, err := readSide(ctx, p, a)
	if err != nil {
		return nil, err
	}
	right, err := readSide(ctx, p, b)
	if err != nil {
		return nil, err
	}
	c := &Comparison{A: left.Compared, B: right.Compared}
	c.Settings = append(Changes(left.Manifest.Config, right.Manifest.Config),
		otherParts(&left.Manifest, &right.Manifest)...)
	x, y := left.settings.Study, right.settings.Study
	c.sameNoise = x.Seed == y.Seed && x.Noise == y.Noise
	how := study.Pairing{Paired: c.sameNoise, Same: c.oneExperiment(), SameFlights: c.sameFlights(),
		FarthestKm: max(left.settings.FarthestHandoverKm(), right.settings.FarthestHandoverKm())}
	if l, r := &left.settings.Adversary, &right.settings.Adversary; l.Observer == r.Observer && l.RadiusKm == r.RadiusKm &&
		len(left.Manifest.Sweep.Observers) == 0 && !vary.Has(left.settings.Vary, vary.RadiusKm) &&
		!vary.Has(right.settings.Vary, vary.RadiusKm) {
		c.observer, c.radiusKm = l.Observer, l.RadiusKm
	}
	others := map[string]*sample{}
	for i := range right.places {
		others[right.places[i].key()] = &right.places[i]
	}
	c.OnlyB = len(others)
	for i := range left.places {
		one := &left.places[i]
		other := others[one.key()]
		if other == nil {
			c.OnlyA++
			continue
		}
		c.OnlyB--
		c.Places = append(c.Places, place(one, other, how))
	}
	c.Paired = !slices.ContainsFunc(c.Places, func(p Place) bool { return !p.Paired })
	if len(c.Places) == 0 {
		return nil, RequestErrorf("%s and %s have no epsilon in common: the first has %s, the second %s; repeat "+
			"one with the "+apart(left.places, right.places)+" of the other", a, b, placesOf(left.places),
			placesOf(right.places))
	}
	return c, nil
}

// oneExperiment reports whether both sides have the same experiment: only the number of runs differs.
func (c *Comparison) oneExperiment() bool {
	return !slices.ContainsFunc(c.Settings, func(s Change) bool { return s.Key != RunsKey }) &&
		c.A.Manifest.Version == c.B.Manifest.Version
}

// sameFlights reports whether both sides fly the same flights: only the observer or the number of runs differs.
func (c *Comparison) sameFlights() bool {
	return !slices.ContainsFunc(c.Settings, func(s Change) bool {
		return s.Key != RunsKey && !strings.HasPrefix(s.Key, "adversary.")
	}) && c.A.Manifest.Version == c.B.Manifest.Version
}

// Keys of differences that no setting names.
const (
	ownKey      = "parts of the program" // its own mechanism and observers
	commandsKey = "commands"
	programsKey = "programs of commands"
)

// otherParts lists mechanisms and observers that differ although no setting names them: those of a program, and what
// commands are.
func otherParts(a, b *record.Manifest) (all []Change) {
	for _, c := range []Change{
		{Key: ownKey, A: a.Own, B: b.Own},
		{Key: commandsKey, A: strings.Join(a.Commands, ", "), B: strings.Join(b.Commands, ", ")},
		{Key: programsKey, A: strings.Join(a.Programs, ", "), B: strings.Join(b.Programs, ", ")},
	} {
		if c.A != c.B {
			all = append(all, Change{Key: c.Key, A: cmp.Or(c.A, "none"), B: cmp.Or(c.B, "none")})
		}
	}
	return all
}

// placesOf names the first places.
func placesOf(all []sample) string {
	var names []string
	for i := range all[:min(3, len(all))] {
		names = append(names, all[i].key())
	}
	if len(all) > len(names) {
		names = append(names, "...")
	}
	return strings.Join(names, "; ")
}

// apart names the options in which all places of two folders differ, for the format of an error: the epsilons, unless
// they share one.
func apart(a, b []sample) string {
	for i := range a {
		if slices.ContainsFunc(b, func(other sample) bool { return other.epsilon == a[i].epsilon }) {
			return "{observer} and {sweep}"
		}
	}
	return "{epsilons}"
}

// place compares two samples. It pairs the runs that both have, if there are any and how requests it.
func place(a, b *sample, how study.Pairing) Place {
	p := Place{Labels: a.labels, Epsilon: a.epsilon}
	runsA, runsB := a.runs, b.runs
	inA, inB := common(runsA, runsB)
	if how.Paired = how.Paired && len(inA) > 0; how.Paired {
		p.Paired, runsA, runsB = true, inA, inB
	}
	p.RunsA, p.RunsB = len(runsA), len(runsB)
	p.Contrasts = study.Contrasts(runsA, runsB, how, study.Confidence)
	return p
}

// readSide reads a folder.
func readSide(ctx context.Context, p *Program, folder string) (*side, error) {
	m, err := p.finishedStudy(folder)
	if err != nil {
		return nil, err
	}
	s := &side{Compared: Compared{folder, m}}
	if s.settings, err = configs.Load(RecordedRequest(folder, m)); err != nil {
		return nil, err
	}
	if m.Flights > mostCompared {
		return nil, RequestErrorf("%s: %d flights, more than the maximum of %d in memory; fly it with fewer "+
			"{runs}", folder, m.Flights, mostCompared)
	}
	s.places, err = flightsOf(ctx, p, folder, m)
	return s, err
}

// flightsOf reads the runs of a study at its listed epsilons.
func flightsOf(ctx context.Context, p *Program, folder string, m record.Manifest) ([]sample, error) {
	if err := p.check(ctx, folder, m); err != nil {
		return nil, err
	}
	s, err := p.unsolved(folder, m)
	if err != nil {
		return nil, err
	}
	var all []sample
	points, swept := seenOf(s.sweep), s.swept.Keys()
	for point := range points {
		var labels []Label
		for i, v := range record.PointValues(swept, point) {
			labels = append(labels, Label{swept[i].Key, table.Text(v)})
		}
		for _, epsilon := range points[point].Epsilons {
			all = append(all, sample{labels: labels, epsilon: epsilon})
		}
	}
	var listed []study.Run
	err = s.readRecorded(ctx, func(b study.Batch, seen [][]study.Run) error {
		for observer, records := range seen {
			place := b.Point*len(seen) + observer
			epsilons := points[place].Epsilons
			listed = points[place].Listed(records, listed[:0])
			for _, r := range listed {
				at := &all[place*len(epsilons)+slices.Index(epsilons, r.Epsilon)]
				at.runs = append(at.runs, r)
			}
		}
		return nil
	})
	return all, err
}
