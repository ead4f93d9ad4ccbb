package comparison

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/study"
)

// Comparison holds the differences of two studies, costs or tunes at every place.
type Comparison struct {
	A, B     Compared
	Verb     string            // of both
	Settings []campaign.Change // settings that differ
	// Paired means that runs with the same number have the same noise at every place, and are compared with each
	// other.
	Paired       bool
	Places       []Place // places that both have, in the order of A
	OnlyA, OnlyB int     // number of places that only one side has

	radiusKm float64 // of the observer of A
	decimals int     // of distances in km, see campaign.Decimals; those of A
	turns    [2]bool // whether the direct flights of A and B turn, see report.DirectName

	sameNoise bool // runs with the same number have the same noise
}

// Compared is one side of a comparison.
type Compared struct {
	Folder   string
	Manifest record.Manifest
}

// Place is a point of the settings at which two sides are compared.
type Place struct {
	Labels       []Label // swept keys, a mechanism or a radius, which with epsilon identify the place
	Epsilon      float64
	RunsA, RunsB int // runs in the contrasts, 0 if unknown
	HeldA, HeldB int // runs in the folders; paired contrasts use the runs that both have
	Paired       bool
	Contrasts    []study.Contrast

	// without are the differences of the mean detection distances without the flights that some limits ended, 0 for
	// limits that ended none.
	without [study.AllLimits + 1]study.Effect
	many    study.Limits // the limits that ended flights, if these are at least manyFallbacks of all
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
	request  []byte // problem and guarantee of a cost, JSON
	places   []sample
}

// sample is the data of a folder at a place: the runs of a study or tune, the values of a cost's runs, or numbers
// with intervals. Numbers are compared only if the runs do not give the quantity.
type sample struct {
	labels  []Label
	epsilon float64
	runs    []study.Run
	values  []measured
	of      []int // runs of the values, ascending
	numbers []bounded
}

// measured holds the values of a quantity by run.
type measured struct {
	name, unit, meaning string
	values              []float64
}

// bounded is a number with its interval: value, low, high.
type bounded struct {
	name, unit, meaning string
	value               [3]float64
}

func (s *sample) key() string {
	p := Place{Labels: s.labels, Epsilon: s.epsilon}
	return p.Name()
}

// size returns the number of runs, 0 if it is unknown.
func (s *sample) size() int {
	if len(s.values) > 0 {
		return len(s.of)
	}
	return len(s.runs)
}

// run returns the number of the i-th run.
func (s *sample) run(i int) int {
	if len(s.values) > 0 {
		return s.of[i]
	}
	return s.runs[i].Run
}

// only returns the sample with the runs at some indices.
func (s *sample) only(indices []int) *sample {
	some := &sample{labels: s.labels, epsilon: s.epsilon, numbers: s.numbers}
	for _, q := range s.values {
		chosen := q
		chosen.values = nil
		for _, i := range indices {
			chosen.values = append(chosen.values, q.values[i])
		}
		some.values = append(some.values, chosen)
	}
	for _, i := range indices {
		if len(s.values) > 0 {
			some.of = append(some.of, s.of[i])
		} else {
			some.runs = append(some.runs, s.runs[i])
		}
	}
	return some
}

// common returns the indices, in each sample, of the runs that both have.
func common(a, b *sample) (inA, inB []int) {
	for i, k := 0, 0; i < a.size() && k < b.size(); {
		switch x, y := a.run(i), b.run(k); {
		case x < y:
			i++
		case x > y:
			k++
		default:
			inA, inB = append(inA, i), append(inB, k)
			i, k = i+1, k+1
		}
	}
	return inA, inB
}

// mostCompared is the maximum number of flights of a side, which are held in memory.
const mostCompared = 10_000_000

// Compare computes the differences B - A of two folders. Both must have the same verb: finished studies, costs or
// tunes.
func Compare(ctx context.Context, p *campaign.Program, a, b string) (*Comparison, error) {
	left, err := readSide(ctx, p, a)
	if err != nil {
		return nil, err
	}
	right, err := readSide(ctx, p, b)
	if err != nil {
		return nil, err
	}
	c := &Comparison{A: left.Compared, B: right.Compared, Verb: left.Manifest.Verb,
		radiusKm: left.settings.Adversary.RadiusKm, decimals: campaign.Decimals(left.settings.Config),
		turns: [2]bool{!left.settings.Vehicle.Heading.LineOfSight,
			!right.settings.Vehicle.Heading.LineOfSight}}
	if right.Manifest.Verb != c.Verb {
		return nil, campaign.RequestErrorf("%s contains %s and %s contains %s; compare two results of the same verb", a,
			campaign.WithArticle(c.Verb), b, campaign.WithArticle(right.Manifest.Verb))
	}
	c.Settings = append(campaign.Changes(left.Manifest.Config, right.Manifest.Config),
		otherParts(&left.Manifest, &right.Manifest)...)
	if c.Verb == "cost" {
		c.Settings = append(c.Settings, campaign.Changes(left.request, right.request)...)
	}
	x, y := left.settings.Study, right.settings.Study
	c.sameNoise = x.Seed == y.Seed && x.Noise == y.Noise
	how := study.Pairing{Paired: c.sameNoise, Same: c.oneExperiment(), SameFlights: c.sameFlights(),
		FarthestKm: max(left.settings.Privacy.FarthestHandoverKm(), right.settings.Privacy.FarthestHandoverKm())}
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
		return nil, campaign.RequestErrorf("%s and %s have no place in common: the first has %s, the second %s; repeat one "+
			"with the "+apart(left.places, right.places)+" of the other", a, b, placesOf(left.places),
			placesOf(right.places))
	}
	return c, nil
}

// oneExperiment reports whether both sides have the same experiment: only the number of runs differs.
func (c *Comparison) oneExperiment() bool {
	return !slices.ContainsFunc(c.Settings, func(s campaign.Change) bool { return s.Key != campaign.RunsKey }) &&
		c.A.Manifest.Version == c.B.Manifest.Version
}

// sameFlights reports whether both sides fly the same flights: only the observer or the number of runs differs.
func (c *Comparison) sameFlights() bool {
	return !slices.ContainsFunc(c.Settings, func(s campaign.Change) bool {
		return s.Key != campaign.RunsKey && !strings.HasPrefix(s.Key, "adversary.")
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
func otherParts(a, b *record.Manifest) (all []campaign.Change) {
	for _, c := range []campaign.Change{
		{Key: ownKey, A: a.Own, B: b.Own},
		{Key: commandsKey, A: strings.Join(a.Commands, ", "), B: strings.Join(b.Commands, ", ")},
		{Key: programsKey, A: strings.Join(a.Programs, ", "), B: strings.Join(b.Programs, ", ")},
	} {
		if c.A != c.B {
			all = append(all, campaign.Change{Key: c.Key, A: cmp.Or(c.A, "none"), B: cmp.Or(c.B, "none")})
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
	p := Place{Labels: a.labels, Epsilon: a.epsilon, HeldA: a.size(), HeldB: b.size()}
	inA, inB := common(a, b)
	if how.Paired = how.Paired && len(inA) > 0; how.Paired {
		p.Paired = true
		a, b = a.only(inA), b.only(inB)
	}
	p.RunsA, p.RunsB = a.size(), b.size()
	if len(a.runs) > 0 && len(b.runs) > 0 {
		p.Contrasts = study.Contrasts(a.runs, b.runs, how, study.Confidence)
		p.compareWithout(a.runs, b.runs, how)
	}
	if len(a.values) > 0 && len(b.values) > 0 {
		for i, q := range a.values {
			p.Contrasts = append(p.Contrasts, study.ContrastOf(q.name, q.unit, q.meaning, q.values, b.values[i].values,
				p.Paired,
				study.Confidence))
		}
	}
	for _, n := range a.numbers {
		known := slices.ContainsFunc(p.Contrasts, func(d study.Contrast) bool { return d.Name == n.name })
		if k := slices.IndexFunc(b.numbers, func(m bounded) bool { return m.name == n.name }); k >= 0 && !known {
			d := study.JoinedContrast(n.name, n.value, b.numbers[k].value)
			d.Unit, d.Meaning = n.unit, n.meaning
			p.Contrasts = append(p.Contrasts, d)
		}
	}
	return p
}

// compareWithout compares two sets of runs without the flights that limits ended.
func (p *Place) compareWithout(a, b []study.Run, how study.Pairing) {
	ended, by := 0, study.Limits(0)
	for _, runs := range [][]study.Run{a, b} {
		for i := range runs {
			if limits := runs[i].Limits(); limits != 0 {
				by |= limits
				ended++
			}
		}
	}
	for limits := range p.without {
		if study.Limits(limits)&by != 0 {
			p.without[limits] = study.ContrastWithout(study.Limits(limits), a, b, how, study.Confidence)
		}
	}
	if float64(ended) >= campaign.ManyFallbacks*float64(len(a)+len(b)) {
		p.many = by
	}
}

// readSide reads a folder.
func readSide(ctx context.Context, p *campaign.Program, folder string) (*side, error) {
	m, err := p.ReadManifest(folder)
	if err != nil {
		return nil, campaign.RequestErrorf("%w; name a folder with a study, a cost or a tune", err)
	}
	s := &side{Compared: Compared{folder, m}}
	if s.settings, err = p.RecordedSettings(folder, m); err != nil {
		return nil, err
	}
	switch {
	case !m.Complete:
		return nil, campaign.RequestErrorf("%s: the %s is unfinished; finish it first", folder, m.Verb)
	case m.Shard != nil && m.Files[record.PartName] != "":
		return nil, campaign.RequestErrorf("%s contains part %s of %s; join the parts with veilpath merge first", folder,
			m.Shard, campaign.WithArticle(m.Verb))
	case m.Flights > mostCompared:
		return nil, campaign.RequestErrorf("%s: %d flights, more than the maximum of %d in memory; fly it with fewer "+
			"{runs}", folder,
			m.Flights, mostCompared)
	case m.Verb == "study":
		s.places, err = flightsOf(ctx, p, folder, m)
	case m.Verb == "cost":
		if s.places, err = costsOf(ctx, p, folder, m); err == nil {
			s.request, err = requestOf(ctx, p, folder, m)
		}
	case m.Verb == "tune":
		if s.places, err = numbersOf(ctx, p, folder, m); err == nil {
			err = addFlights(ctx, p, s)
		}
	default:
		return nil, campaign.RequestErrorf("%s contains %s; name a folder with a study, a cost or a tune", folder,
			campaign.WithArticle(m.Verb))
	}
	return s, err
}

// flightsOf reads the runs of a study at its listed epsilons.
func flightsOf(ctx context.Context, p *campaign.Program, folder string, m record.Manifest) ([]sample, error) {
	var all []sample
	var points []study.Study
	begin := func(plan *campaign.Plan, sweep *study.Sweep) {
		points = campaign.SeenOf(sweep)
		swept := plan.Sweep.Keys()
		for point := range points {
			var labels []Label
			for i, v := range record.PointValues(swept, point) {
				labels = append(labels, Label{swept[i].Key, table.Text(v)})
			}
			for _, epsilon := range points[point].Epsilons {
				all = append(all, sample{labels: labels, epsilon: epsilon})
			}
		}
	}
	var listed []study.Run
	err := p.ReadRows(ctx, folder, m, begin, func(point int, seen [][]study.Run) error {
		for observer, records := range seen {
			place := point*len(seen) + observer
			epsilons := points[place].Epsilons
			listed = points[place].Listed(records, listed[:0])
			for _, r := range listed {
				at := &all[place*len(epsilons)+slices.Index(epsilons, r.Epsilon)]
				at.runs = append(at.runs, r)
			}
		}
		return nil
	})
	return slices.DeleteFunc(all, func(s sample) bool { return len(s.runs) == 0 }), err // a part may lack places
}

// Row is a contrast and its place.
type Row struct {
	Place *Place
	*study.Contrast
}

// mainQuantities are the quantities in printed tables.
var mainQuantities = []string{"mean_km", "median_km", "cost_of_privacy", "path_overhead"}

// Main returns the contrasts of the main quantities, ordered by quantity. For two tunes it returns the contrasts
// of one radius of the observer, see mainRadius.
func (c *Comparison) Main() []Row {
	var rows []Row
	radius := c.mainRadius()
	for _, name := range mainQuantities {
		for i := range c.Places {
			if c.Places[i].radius() != radius {
				continue
			}
			for k := range c.Places[i].Contrasts {
				if d := &c.Places[i].Contrasts[k]; d.Name == name {
					rows = append(rows, Row{&c.Places[i], d})
				}
			}
		}
	}
	return rows
}

// radiusLabel is the label of the radii of a tune.
const radiusLabel = "radius_km"

// radius returns the radius of a place of a tune, as text; empty for other verbs.
func (p *Place) radius() string {
	for _, l := range p.Labels {
		if l.Key == radiusLabel {
			return l.Value
		}
	}
	return ""
}

// mainRadius returns the radius of the main contrasts: the observer's radius in A, or the first if B does not have
// that.
func (c *Comparison) mainRadius() string {
	own := c.Places[0].radius()
	for i := range c.Places {
		if km, err := strconv.ParseFloat(c.Places[i].radius(), 64); err == nil && km == c.radiusKm {
			own = c.Places[i].radius()
		}
	}
	return own
}

// OtherRadii returns the number of radii that the main contrasts leave out.
func (c *Comparison) OtherRadii() int {
	radii := map[string]bool{}
	for i := range c.Places {
		radii[c.Places[i].radius()] = true
	}
	return len(radii) - 1
}
