package model

import (
	"encoding/binary"
	"errors"
	"math"

	"veilpath/adversary"
	"veilpath/sim/study"
)

// What instances of the program tell each other is a list of 64-bit words, little endian: numbers as they are in
// memory, texts and lists after their length.

func appendInt(b []byte, n int) []byte { return binary.LittleEndian.AppendUint64(b, uint64(n)) }

func appendFloat(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}

func appendBool(b []byte, is bool) []byte {
	if is {
		return appendInt(b, 1)
	}
	return appendInt(b, 0)
}

// reader reads the words of a message. Past its end they are 0.
type reader struct {
	rest    []byte
	damaged bool
}

func (r *reader) word() uint64 {
	if len(r.rest) < 8 {
		r.rest, r.damaged = nil, true
		return 0
	}
	word := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return word
}

func (r *reader) int() int       { return int(r.word()) }
func (r *reader) float() float64 { return math.Float64frombits(r.word()) }
func (r *reader) bool() bool     { return r.word() != 0 }

// length reads the length of a list whose items take so many bytes at least.
func (r *reader) length(bytes int) int {
	n := r.word()
	if n > uint64(len(r.rest)/bytes) {
		r.rest, r.damaged = nil, true
		return 0
	}
	return int(n)
}

var errDamaged = errors.New("model: a damaged message")

// end returns an error where the message was not what it was read as.
func (r *reader) end() error {
	if r.damaged || len(r.rest) > 0 {
		return errDamaged
	}
	return nil
}

// message is what a Responder is asked.
type message struct {
	settings string  // of an experiment
	radiusKm float64 // that its flights are judged by at most
	requests []request
}

// appendMessage appends what a Responder is asked.
func appendMessage(b, settings []byte, radiusKm float64, requests []request) []byte {
	b = append(appendInt(b, len(settings)), settings...)
	b = appendFloat(b, radiusKm)
	b = appendInt(b, len(requests))
	for i := range requests {
		b = appendRequest(b, &requests[i])
	}
	return b
}

const requestBytes = 6 * 8

func appendRequest(b []byte, q *request) []byte {
	b = binary.LittleEndian.AppendUint64(b, q.draw.Seed)
	b = appendInt(b, q.draw.Run)
	b = appendBool(b, q.draw.Noise == study.Independent)
	b = appendFloat(b, q.draw.Epsilon)
	b = appendFloat(b, q.sigma)
	return appendFloat(b, q.horizonS)
}

func (r *reader) request() request {
	q := request{draw: study.Draw{Seed: r.word(), Run: r.int(), Noise: study.Common}}
	if r.bool() {
		q.draw.Noise = study.Independent
	}
	q.draw.Epsilon, q.sigma, q.horizonS = r.float(), r.float(), r.float()
	return q
}

// readMessage reads what appendMessage wrote.
func readMessage(b []byte) (message, error) {
	r := reader{rest: b}
	n := r.length(1)
	m := message{settings: string(r.rest[:n])}
	r.rest = r.rest[n:]
	m.radiusKm = r.float()
	m.requests = make([]request, r.length(requestBytes))
	for i := range m.requests {
		m.requests[i] = r.request()
	}
	return m, r.end()
}

// appendAnswer appends the flights of the first requests that were asked for.
func appendAnswer(b []byte, members []*Member) []byte {
	b = appendInt(b, len(members))
	for i, m := range members {
		b = appendRun(b, &m.Run)
		b = appendBool(b, m.UnderWay)
		b = appendBaselines(b, m.baselines)
		same := sameAs(m, members[:i])
		if b = appendInt(b, same); same == i {
			b = appendPath(b, m.Path)
			b = appendCurve(b, &m.curve)
		}
	}
	return b
}

// sameAs returns the first of some members that shares a path and a curve with another, or their number.
func sameAs(m *Member, members []*Member) int {
	for i, other := range members {
		if share(m.Path, other.Path) && share(m.curve.Corners(), other.curve.Corners()) {
			return i
		}
	}
	return len(members)
}

// share reports whether two lists are the same memory.
func share[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// readAnswer returns the results that an answer holds, which are of the first requests.
func readAnswer(answer []byte, requests []request) ([]result, error) {
	r := reader{rest: answer}
	n := r.length(1)
	if n > len(requests) {
		return nil, errDamaged
	}
	members := make([]*Member, n)
	for i := range members {
		m := &Member{Run: r.run(), UnderWay: r.bool(), baselines: r.baselines()}
		switch same := r.int(); {
		case same == i:
			m.Path, m.curve = r.path(), r.curve()
		case same >= 0 && same < i:
			m.Path, m.curve = members[same].Path, members[same].curve
		default:
			return nil, errDamaged
		}
		members[i] = m
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	results := make([]result, 0, n)
	for i, m := range members {
		results = append(results, result{requests[i], m})
	}
	return results, nil
}

func appendRun(b []byte, r *study.Run) []byte {
	for _, x := range []float64{r.Epsilon, r.DetectionKm, r.HandoverKm, r.HeadingErrorDeg, r.CostOfPrivacy, r.FlightTimeS,
		r.PathOverhead,
		r.DirectOverhead, r.DirectKm, r.HandoverOnlyKm, r.PlannedKm, r.LastDeceptiveKm} {
		b = appendFloat(b, x)
	}
	for _, n := range []int{r.Run, r.Transitions, r.Flight} {
		b = appendInt(b, n)
	}
	for _, is := range []bool{r.Detected, r.BeforeHandover, r.Fallback, r.TimedOut} {
		b = appendBool(b, is)
	}
	return b
}

func (r *reader) run() study.Run {
	var run study.Run
	for _, x := range []*float64{&run.Epsilon, &run.DetectionKm, &run.HandoverKm, &run.HeadingErrorDeg, &run.CostOfPrivacy,
		&run.FlightTimeS, &run.PathOverhead,
		&run.DirectOverhead, &run.DirectKm, &run.HandoverOnlyKm, &run.PlannedKm, &run.LastDeceptiveKm} {
		*x = r.float()
	}
	for _, n := range []*int{&run.Run, &run.Transitions, &run.Flight} {
		*n = r.int()
	}
	for _, is := range []*bool{&run.Detected, &run.BeforeHandover, &run.Fallback, &run.TimedOut} {
		*is = r.bool()
	}
	return run
}

func appendBaselines(b []byte, of *study.Baselines) []byte {
	if b = appendBool(b, of != nil); of == nil {
		return b
	}
	for i, run := range []*study.Run{&of.Direct, &of.HandoverOnly, &of.Planned} {
		b = appendCurve(appendRun(b, run), &of.Curves[i])
	}
	return appendBool(appendBool(b, of.DirectBlocked), of.HandoverOnlyBlocked)
}

func (r *reader) baselines() *study.Baselines {
	if !r.bool() {
		return nil
	}
	var of study.Baselines
	for i, run := range []*study.Run{&of.Direct, &of.HandoverOnly, &of.Planned} {
		*run, of.Curves[i] = r.run(), r.curve()
	}
	of.DirectBlocked, of.HandoverOnlyBlocked = r.bool(), r.bool()
	return &of
}

func appendPath(b []byte, p Path) []byte {
	b = appendInt(b, len(p))
	for _, stroke := range p {
		b = appendInt(b, len(stroke))
		for _, place := range stroke {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(place.X))
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(place.Y))
		}
	}
	return b
}

func (r *reader) path() Path {
	n := r.length(8)
	if n == 0 {
		return nil
	}
	p := make(Path, n)
	for i := range p {
		p[i] = make([]Place, r.length(8))
		for k := range p[i] {
			word := r.word()
			p[i][k] = Place{math.Float32frombits(uint32(word)), math.Float32frombits(uint32(word >> 32))}
		}
	}
	return p
}

func appendCurve(b []byte, c *adversary.Curve) []byte {
	corners := c.Corners()
	b = appendInt(b, c.Handover())
	b = appendInt(b, len(corners))
	for _, at := range corners {
		b = appendFloat(b, at.RadiusKm)
		b = appendFloat(b, at.DistanceKm)
		b = appendInt(b, at.Sample)
	}
	return b
}

func (r *reader) curve() adversary.Curve {
	handover := r.int()
	corners := make([]adversary.Corner, r.length(3*8))
	for i := range corners {
		corners[i] = adversary.Corner{RadiusKm: r.float(), DistanceKm: r.float(), Sample: r.int()}
	}
	return adversary.NewCurve(corners, handover)
}
