package sim_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/guidance"
	"veilpath/sim"
)

// course is a route through given waypoints: state i commands i+1, and the last one commands back the
// state it names.
type course struct {
	at   []r3.Vec
	last int
}

func (c *course) First() int { return 0 }
func (c *course) Next(_, state int) int {
	if state == len(c.at)-1 {
		return c.last
	}
	return state + 1
}
func (c *course) Position(state int) r3.Vec { return c.at[state] }

// staircase is a course as the paper's planner commands them, on a grid of 12.5 km, into the hand-over
// circle of 80 km.
func staircase() *course {
	c := &course{}
	for _, p := range [][2]float64{
		{-200, -50}, {-187.5, -50}, {-175, -37.5}, {-175, -25}, {-162.5, -25}, {-150, -25}, {-137.5, -12.5},
		{-125, -12.5}, {-112.5, -25}, {-100, -25}, {-87.5, -12.5}, {-75, -12.5}, {-62.5, 0},
	} {
		c.at = append(c.at, r3.Vec{X: p[0], Y: p[1], Z: 10})
	}
	c.last = len(c.at) - 1
	return c
}

// triangle is a course far from the target that never comes nearer.
func triangle() *course {
	return &course{at: []r3.Vec{{X: -200, Y: -50, Z: 10}, {X: -200, Y: -25, Z: 10}, {X: -220, Y: -40, Z: 10}}}
}

// namedRoute is a flight of the paper's scenario; no route is the nominal flight.
type namedRoute struct {
	name  string
	route sim.Route
}

func someRoutes() []namedRoute {
	return []namedRoute{{"nominal", nil}, {"staircase", staircase()}, {"triangle", triangle()}}
}

func fly(t *testing.T, s *sim.Scenario, route sim.Route) (*sim.History, sim.Outcome) {
	t.Helper()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	history := new(sim.History)
	return history, s.Fly(route, history)
}

func distance(s *sim.Scenario, r r3.Vec) float64 { return r3.Norm(r3.Sub(r, s.Target)) }

// rounding is relative: a few operations in float64.
const rounding = 8 * 0x1p-52

func TestSpeedIsConstantAndAccelerationLateral(t *testing.T) {
	for _, c := range someRoutes() {
		s := paperScenario()
		history, _ := fly(t, s, c.route)
		for i, x := range history.Samples {
			if off := math.Abs(r3.Norm(x.V) - s.SpeedKmS); off > rounding*s.SpeedKmS {
				t.Fatalf("%s, sample %d: speed %.17g km/s", c.name, i, r3.Norm(x.V))
			}
			if !(r3.Norm(x.A) <= s.AccelLimitKmS2*(1+rounding)) {
				t.Fatalf("%s, sample %d: acceleration %.17g over the limit", c.name, i, r3.Norm(x.A))
			}
			// The command before the projection may be longer than what is left of it.
			const lateral = 1e-12 // km^2/s^3, absolute
			if along := math.Abs(r3.Dot(x.A, x.V)); along > lateral {
				t.Fatalf("%s, sample %d: acceleration has %.3g along the velocity", c.name, i, along)
			}
		}
	}
}

// commandTolerance is absolute, km/s^2, on commands cut to 0.2: before the projection they may be some
// hundred times longer.
const commandTolerance = 1e-12

// Every sample holds the published law of its moment, projected and limited: the leg to the waypoint that
// was commanded last, and GENEX from the hand-over on, with the arrival of that moment.
func TestSamplesHoldTheLawInForce(t *testing.T) {
	for _, c := range someRoutes() {
		for _, n := range []float64{0, 1.5} {
			s := paperScenario()
			s.GenexN = n
			history, outcome := fly(t, s, c.route)
			leg := guidance.NewLeg(s.WaypointGain, s.SpeedKmS, s.WaypointMinTgoS)
			at := history.Samples[outcome.HandoverSample].R
			pitch := -math.Asin(at.Z/r3.Norm(at)) - s.SteepeningRad
			arrival := r3.Scale(s.SpeedKmS, guidance.Direction(math.Atan2(-at.Y, -at.X), pitch))
			visit := -1
			for i, x := range history.Samples {
				for visit+1 < len(history.Visits) && history.Visits[visit+1].Sample == i {
					visit++
				}
				var a r3.Vec
				if i >= outcome.HandoverSample {
					tgo := max(distance(s, x.R)/s.SpeedKmS, s.GenexMinTgoS)
					a = guidance.ExplicitCommand(n, r3.Sub(s.Target, x.R), x.V, arrival, tgo)
				} else {
					a = leg.Command(x.R, x.V, c.route.Position(history.Visits[visit].Commanded))
				}
				want := guidance.Limit(guidance.Perpendicular(a, x.V), s.AccelLimitKmS2)
				if off := r3.Norm(r3.Sub(x.A, want)); off > commandTolerance {
					t.Fatalf("%s, n %g, sample %d of %d: flies %v, the law is %v", c.name, n, i, len(history.Samples), x.A, want)
				}
			}
		}
	}
}

// Hand-over is at the first sample inside the circle, whatever the waypoints do.
func TestHandover(t *testing.T) {
	for _, handover := range []float64{0, 20, 80, 120.5, 200, 300} {
		s := paperScenario()
		s.HandoverKm = handover
		route := staircase()
		route.at = append(route.at, r3.Vec{X: -30, Z: 10}, r3.Vec{Z: 10})
		route.last = len(route.at) - 1
		if handover == 0 {
			s.MaxTimeS = 120 // it never comes
		}
		history, outcome := fly(t, s, route)
		first := -1
		for i, x := range history.Samples {
			if distance(s, x.R) < handover {
				first = i
				break
			}
		}
		if first < 0 {
			if outcome.HandoverKm != 0 || outcome.HandoverSample != len(history.Samples) || !outcome.TimedOut {
				t.Errorf("hand-over %g km never comes, but the outcome is %+v", handover, outcome)
			}
			continue
		}
		x := history.Samples[first]
		if outcome.HandoverSample != first || !(math.Abs(outcome.HandoverKm-distance(s, x.R)) <= rounding*300) {
			t.Errorf("hand-over %g km at sample %d, %g km; the first inside is %d at %g km",
				handover, outcome.HandoverSample, outcome.HandoverKm, first, distance(s, x.R))
		}
		if outcome.Fallback {
			t.Errorf("hand-over %g km is called a fallback", handover)
		}
		v, los := r3.Vec{X: x.V.X, Y: x.V.Y}, r3.Vec{X: -x.R.X, Y: -x.R.Y}
		const angleTolerance = 1e-7 // rad; the arc cosine near 1 halves the digits
		if want := math.Acos(min(1, r3.Cos(v, los))); !(math.Abs(outcome.HeadingErrorRad-want) <= angleTolerance) {
			t.Errorf("hand-over %g km: heading error %g, want %g", handover, outcome.HeadingErrorRad, want)
		}
	}
}

// The hand-over test comes before the waypoint test: where both hold, no transition is counted.
func TestHandoverPrecedesTheWaypointTest(t *testing.T) {
	s := paperScenario()
	s.HandoverKm = 300
	stay := &course{at: []r3.Vec{s.Start}}
	history, outcome := fly(t, s, stay)
	if outcome.Transitions != 0 || outcome.HandoverSample != 0 || outcome.Fallback || len(history.Visits) != 1 {
		t.Errorf("%+v with %d visits, want a hand-over at once and no transition", outcome, len(history.Visits))
	}
}

// nearerInPlane is the transition rule of the model.
func nearerInPlane(r, a, b r3.Vec) bool {
	return math.Hypot(a.X-r.X, a.Y-r.Y) < math.Hypot(b.X-r.X, b.Y-r.Y)
}

// As near to the next waypoint as to the last is not nearer: two states in one place never change over.
func TestATieIsNoTransition(t *testing.T) {
	s := paperScenario()
	s.MaxTimeS = 20
	place := r3.Add(s.Start, r3.Vec{X: 5, Y: 20})
	if _, outcome := fly(t, s, &course{at: []r3.Vec{place, place}}); outcome.Transitions != 0 {
		t.Errorf("%d transitions between two states in one place", outcome.Transitions)
	}
}

// A command to stay is a transition in every step. This course moves once and then stays.
func TestStayingCountsOneTransitionPerStep(t *testing.T) {
	s := paperScenario()
	s.MaxTransitions = 12
	c := &course{at: []r3.Vec{s.Start, r3.Add(s.Start, r3.Vec{X: 12.5})}, last: 1}
	history, outcome := fly(t, s, c)
	entered := history.Visits[1].Sample
	if outcome.Transitions != 12 || !outcome.Fallback || outcome.HandoverSample != entered+11 {
		t.Fatalf("%+v; entered at sample %d, want the other 11 transitions in the steps after", outcome, entered)
	}
	for i, visit := range history.Visits[1:] {
		if visit != (sim.Visit{Sample: entered + i, State: 1, Commanded: 1}) {
			t.Errorf("visit %d is %+v, want one per step from sample %d", i+1, visit, entered)
		}
	}
}

func TestFallbackIsFlaggedAndFliesOn(t *testing.T) {
	for _, limit := range []int{1, 7, 100} {
		s := paperScenario()
		s.MaxTransitions = limit
		history, outcome := fly(t, s, triangle())
		if !outcome.Fallback || outcome.TimedOut || outcome.Transitions != limit {
			t.Fatalf("limit %d: %+v", limit, outcome)
		}
		last := history.Visits[len(history.Visits)-1]
		if last.Sample != outcome.HandoverSample || outcome.HandoverKm < s.HandoverKm {
			t.Errorf("limit %d: hands over at sample %d, %g km, the last transition was %+v", limit, outcome.HandoverSample,
				outcome.HandoverKm, last)
		}
		if end := distance(s, history.Samples[len(history.Samples)-1].R); end > 2*s.SpeedKmS*s.StepS {
			t.Errorf("limit %d: ends %g km from the target", limit, end)
		}
	}
	s := paperScenario()
	if _, outcome := fly(t, s, staircase()); outcome.Fallback {
		t.Errorf("a flight that hands over in time is flagged: %+v", outcome)
	}
}

// ballistic is a scenario in which nothing steers, so the flight is a straight line that passes the
// target at missKm, 10 km from the start.
func ballistic(missKm float64) *sim.Scenario {
	s := paperScenario()
	s.Start, s.HeadingRad, s.AccelLimitKmS2 = r3.Vec{X: -10}, math.Asin(missKm/10), 1e-15
	return s
}

func TestClosestApproachEndsTheFlight(t *testing.T) {
	const miss = 1.0
	s := ballistic(miss)
	s.CaptureKm = 1.5
	history, outcome := fly(t, s, nil)
	along := math.Sqrt(100-miss*miss) / (s.SpeedKmS * s.StepS) // steps to the closest approach
	want := int(math.Round(along)) + 1                         // the first sample that is farther than its predecessor
	if got := len(history.Samples) - 1; got != want || outcome.TimedOut {
		t.Errorf("ends at sample %d, %+v, want %d, closest approach is after %.3f steps", got, outcome, want, along)
	}
	nearest := math.Hypot(miss, (float64(want-1)-along)*0.17)
	if got := distance(s, history.Samples[want-1].R); !(math.Abs(got-nearest) <= 1e-9) {
		t.Errorf("the nearest sample is %g km from the target", got)
	}
}

// What counts is the nearest sample, not the one after it at which the flight ends.
func TestCaptureIsJudgedAtTheNearestSample(t *testing.T) {
	s := ballistic(1)
	s.CaptureKm, s.MaxTimeS = 1.5, 30
	history, _ := fly(t, s, nil)
	end := len(history.Samples) - 1
	nearest, after := distance(s, history.Samples[end-1].R), distance(s, history.Samples[end].R)
	for _, c := range []struct {
		captureKm float64
		ends      bool
	}{{(nearest + after) / 2, true}, {nearest - (after-nearest)/2, false}} {
		s.CaptureKm = c.captureKm
		history, outcome := fly(t, s, nil)
		if ended := len(history.Samples)-1 == end; ended != c.ends || outcome.TimedOut == c.ends {
			t.Errorf("capture within %.6f km, nearest %.6f, then %.6f: %d samples, %+v", c.captureKm, nearest, after,
				len(history.Samples), outcome)
		}
	}
}

// Passing outside the capture distance does not end a flight; time does, and it is flagged.
func TestTimeOutIsFlagged(t *testing.T) {
	s := ballistic(1)
	s.CaptureKm, s.MaxTimeS = 0.9, 30
	history, outcome := fly(t, s, nil)
	if !outcome.TimedOut || len(history.Samples) != 301 || outcome.FlightTimeS != history.Duration() ||
		!(math.Abs(outcome.FlightTimeS-30) <= 1e-9) {
		t.Errorf("%+v after %d samples, want 301 and a time-out", outcome, len(history.Samples))
	}
	s = paperScenario()
	s.MaxTimeS = s.StepS
	if history, outcome := fly(t, s, staircase()); !outcome.TimedOut || len(history.Samples) != 2 ||
		outcome.FlightTimeS != s.StepS {
		t.Errorf("%+v after %d samples, want one step", outcome, len(history.Samples))
	}
}

// The nominal flight is nearly the cubic that the n = 0 law flies: slopes s0 and s1 against the line of
// sight at its ends make a cubic of chord L longer by L (4 s0^2 - 2 s0 s1 + 4 s1^2)/60.
func TestNominalFlight(t *testing.T) {
	s := paperScenario()
	history, outcome := fly(t, s, nil)
	chord := r3.Norm(s.Start)
	descent := math.Asin(s.Start.Z / chord)
	s0, s1 := math.Tan(descent), -math.Tan(s.SteepeningRad)
	want := chord * (1 + (4*s0*s0-2*s0*s1+4*s1*s1)/60)

	end := history.Samples[len(history.Samples)-1]
	length := s.SpeedKmS*history.Duration() + distance(s, end.R)
	// The excess, 49 m, is right to the next power of the slopes, squares of 0.05, and to the fixed
	// speed along a curve: some percent.
	if excess, wanted := length-chord, want-chord; !(math.Abs(excess-wanted) <= 0.05*wanted) {
		t.Errorf("flies %.4f km, %.4f more than the line of sight, want %.4f", length, excess, wanted)
	}
	if distance(s, end.R) >= s.SpeedKmS*s.StepS*1.01 {
		t.Errorf("ends %.4f km from the target, want within a step", distance(s, end.R))
	}
	pitch := -math.Asin(end.V.Z / s.SpeedKmS)
	const pitchTolerance = 2e-3 // rad; the floor of the time-to-go leaves the last 0.3 s unfinished
	if !(math.Abs(pitch-descent-s.SteepeningRad) <= pitchTolerance) {
		t.Errorf("arrives at %.5f rad below the horizon, want %.5f", pitch, descent+s.SteepeningRad)
	}
	if outcome.HandoverSample != 0 || outcome.Transitions != 0 || outcome.Fallback || outcome.TimedOut ||
		len(history.Visits) != 0 {
		t.Errorf("%+v with %d visits, want GENEX from the start", outcome, len(history.Visits))
	}
	if outcome.HandoverKm != chord || outcome.HeadingErrorRad > rounding || outcome.FlightTimeS != history.Duration() {
		t.Errorf("%+v, want hand-over at %g km along the line of sight", outcome, chord)
	}
}

func TestGivenHeading(t *testing.T) {
	s := paperScenario()
	s.HeadingRad = 2.5
	history, _ := fly(t, s, nil)
	want := r3.Scale(1.7, r3.Vec{X: math.Cos(2.5), Y: math.Sin(2.5)})
	if got := history.Samples[0]; got.R != s.Start || !(r3.Norm(r3.Sub(got.V, want)) <= rounding) {
		t.Errorf("starts at %v with %v, want %v", got.R, got.V, want)
	}
}

// The law of a leg gives no turn to a waypoint straight behind. The flight turns left and reaches it, soon and near.
func TestAWaypointStraightBehindIsTurnedTo(t *testing.T) {
	for _, heading := range []float64{0, 0.5, math.Pi / 2, 2, math.Pi, -math.Pi / 2, -3} {
		for _, km := range []float64{0.5, 12.5, 60, 300} {
			for _, off := range []float64{0, 1e-15, -1e-15, 1e-8} {
				s := paperScenario()
				s.HeadingRad, s.HandoverKm, s.MaxTimeS = heading, 0, 600
				back := r3.Scale(-km, guidance.Direction(heading+off, 0))
				next := r3.Add(s.Start, back)
				history, outcome := fly(t, s, &course{at: []r3.Vec{s.Start, next, next}, last: 1})
				if len(history.Visits) < 2 {
					t.Fatalf("heading %g, waypoint %g km behind: %+v after %d visits", heading, km, outcome, len(history.Visits))
				}
				left := r3.Cross(history.Samples[0].V, history.Samples[1].V).Z
				// A turn of 14.45 km radius or, far away, of a third of the distance, and half of the way back.
				if most := 2*math.Pi*max(14.45, km/3) + km; left <= 0 ||
					float64(history.Visits[1].Sample)*s.StepS*s.SpeedKmS > most {
					t.Errorf("heading %g, waypoint %g km behind: nearer after %d steps, turn %g", heading, km,
						history.Visits[1].Sample, left)
				}
			}
		}
	}
}

// A flight from the start along its first leg, and one that is not exactly away from it, follow the law alone.
func TestOnlyWaypointsStraightBehindAreTurnedTo(t *testing.T) {
	for _, angle := range []float64{0, 1, 3, math.Pi - 1e-6, math.Pi + 1e-6} {
		s := paperScenario()
		s.HeadingRad, s.MaxTimeS = angle, 1
		history, _ := fly(t, s, &course{at: []r3.Vec{s.Start, {X: -187.5, Y: -50, Z: 10}}, last: 1})
		leg := guidance.NewLeg(s.WaypointGain, s.SpeedKmS, s.WaypointMinTgoS)
		first := history.Samples[0]
		law := guidance.Limit(guidance.Perpendicular(leg.Command(first.R, first.V, r3.Vec{X: -187.5, Y: -50, Z: 10}),
			first.V), s.AccelLimitKmS2)
		if !(r3.Norm(r3.Sub(first.A, law)) <= rounding) {
			t.Errorf("angle %g: %v, want the law's %v", angle, first.A, law)
		}
	}
}

// checkSame compares histories to the bit.
func checkSame(t *testing.T, what string, want, got *sim.History) {
	t.Helper()
	if got.StepS != want.StepS || len(got.Samples) != len(want.Samples) {
		t.Fatalf("%s: %d samples of %g s, want %d of %g s", what, len(got.Samples), got.StepS, len(want.Samples), want.StepS)
	}
	for i, x := range want.Samples {
		if got.Samples[i] != x {
			t.Fatalf("%s: sample %d is %+v, want %+v", what, i, got.Samples[i], x)
		}
	}
	if !slices.Equal(want.Visits, got.Visits) {
		t.Fatalf("%s: visits (-want +got):\n%s", what, cmp.Diff(want.Visits, got.Visits))
	}
}

// A flight depends on nothing but its scenario and route: not on what its history held before.
func TestFlightsRepeat(t *testing.T) {
	reused := new(sim.History)
	for _, c := range someRoutes() {
		for _, step := range []float64{0.1, 0.25} {
			s := paperScenario()
			s.StepS = step
			fresh, first := fly(t, s, c.route)
			second := s.Fly(c.route, reused)
			if first != second {
				t.Errorf("%s: %+v, then %+v", c.name, first, second)
			}
			checkSame(t, c.name+", flown again", fresh, reused)
		}
	}
}

// Flights side by side are the flights alone, whichever ends first and however many there are.
func TestFlyLanesIsFly(t *testing.T) {
	s := paperScenario()
	type flight struct {
		history *sim.History
		outcome sim.Outcome
	}
	var alone []flight
	for _, r := range someRoutes() {
		history, outcome := fly(t, s, r.route)
		alone = append(alone, flight{history, outcome})
	}
	var histories [sim.Lanes]sim.History
	for first := range someRoutes() {
		for count := range 3 * sim.Lanes {
			var routes []sim.Route
			for i := range count {
				routes = append(routes, someRoutes()[(first+i*i)%len(someRoutes())].route)
			}
			done := make([]int, count)
			sim.FlyLanes(each(s, routes), &histories, func(i int, h *sim.History, got sim.Outcome) {
				done[i]++
				want := alone[(first+i*i)%len(alone)]
				if got != want.outcome {
					t.Errorf("%d, flight %d of %d side by side is %+v, alone %+v", first, i, count, got, want.outcome)
				}
				checkSame(t, fmt.Sprintf("%d, flight %d of %d side by side", first, i, count), want.history, h)
			}, nil)
			for i, n := range done {
				if n != 1 {
					t.Errorf("%d, flight %d of %d was passed on %d times", first, i, count, n)
				}
			}
		}
	}
}

// Routes that begin alike are flown in one lane each exactly as alone, wherever they part, and what they have in common
// is not flown again: a mark that is left there stays.
func TestRoutesThatBeginAlikeShareTheirBeginning(t *testing.T) {
	one, several, late := paperScenario(), paperScenario(), paperScenario()
	several.Others = []r3.Vec{{X: -150, Y: 60}, {X: -40, Y: -90}}
	late.MaxTransitions = 9
	trunk := staircase()
	// A flight ends at a visit, since it is abeam of a target just before.
	passing := paperScenario()
	passing.HeadingRad, passing.HandoverKm, passing.CaptureKm = 0.25, 1, 20
	through, _ := fly(t, passing, trunk)
	abeam := through.Samples[through.Visits[6].Sample-1]
	passing.Others = []r3.Vec{r3.Add(abeam.R, r3.Scale(10/passing.SpeedKmS, r3.Vec{X: -abeam.V.Y, Y: abeam.V.X}))}
	for _, s := range []*sim.Scenario{one, several, late, passing} {
		whole, _ := fly(t, s, trunk)
		for from := range trunk.at {
			branch := &course{at: slices.Clone(trunk.at), last: trunk.last}
			for i := range branch.at[from:] {
				branch.at[from+i].Y += 12.5 // other waypoints of the same numbers
			}
			stay := &course{at: trunk.at[:max(from, 1)], last: max(from, 1) - 1}
			moved := &course{at: slices.Clone(trunk.at), last: trunk.last}
			moved.at[0].Y += 13 // so that the next waypoint is nearer at the start
			aside := &course{at: append(slices.Clone(moved.at[:1]), branch.at[1:]...), last: trunk.last}
			routes := []sim.Route{trunk, branch, trunk, trunk, moved, aside, trunk, stay, trunk, nil, branch}
			var histories [sim.Lanes]sim.History
			sim.FlyLanes(inLane(0, s, routes), &histories, func(i int, h *sim.History, got sim.Outcome) {
				mark := len(h.Visits) > 0 && h.Samples[0].A.Z == -1
				if again := i == 3; again != mark {
					t.Errorf("route %d: the beginning of the flight before is there %v, want %v", i, mark, again)
				}
				if i == 2 {
					h.Samples[0].A.Z = -1
					return
				}
				want, outcome := fly(t, s, routes[i])
				if mark {
					h.Samples[0].A = want.Samples[0].A
				}
				if got != outcome || h.Handover != want.Handover || h.GaveUp != want.GaveUp {
					t.Errorf("parting at %d, route %d: %+v, want %+v", from, i, got, outcome)
				}
				checkSame(t, fmt.Sprintf("parting at %d, route %d", from, i), want, h)
			}, nil)
		}
		if len(whole.Visits) < 5 {
			t.Errorf("%d visits, want some to part at", len(whole.Visits))
		}
	}
}

// each returns routes one by one, for any lane.
func each(s *sim.Scenario, routes []sim.Route) func(lane int) (*sim.Scenario, sim.Route) {
	launched := 0
	return func(int) (*sim.Scenario, sim.Route) {
		if launched == len(routes) {
			return nil, nil
		}
		launched++
		return s, routes[launched-1]
	}
}

// inLane returns routes one by one for one lane.
func inLane(number int, s *sim.Scenario, routes []sim.Route) func(lane int) (*sim.Scenario, sim.Route) {
	next := each(s, routes)
	return func(lane int) (*sim.Scenario, sim.Route) {
		if lane != number {
			return nil, nil
		}
		return next(lane)
	}
}

// Trimmed lanes have room for one long flight, not one each.
func TestTrimmedLanesHaveRoomForOneLongFlight(t *testing.T) {
	s := paperScenario()
	s.MaxTransitions, s.MaxTimeS = 1000, 5000
	var long []sim.Route
	for range 2 * sim.Lanes {
		long = append(long, triangle())
	}
	var histories [sim.Lanes]sim.History
	longest := 0
	sim.FlyLanes(each(s, long), &histories, func(_ int, h *sim.History,
		_ sim.Outcome) {
		longest = max(longest, cap(h.Samples))
	}, nil)
	sim.Trim(&histories)
	room := 0
	for i := range histories {
		room += cap(histories[i].Samples)
	}
	if usual := 1 << 12; longest < 3*usual || room > longest+(sim.Lanes-1)*usual {
		t.Errorf("there is room for %d samples after flights of up to %d, want for one such flight", room, longest)
	}
}

// Anyone who has one thread for many things gets it back every thousand steps, however long the flights are, and after
// each of them, since what is made of it takes long too; and finds them as they were.
func TestFlightsPause(t *testing.T) {
	s := paperScenario()
	s.MaxTransitions, s.MaxTimeS = 1000, 5000
	var histories [sim.Lanes]sim.History
	pauses, steps := 0, 0
	sim.FlyLanes(each(s, []sim.Route{triangle(), triangle()}), &histories, func(i int, h *sim.History, got sim.Outcome) {
		steps = max(steps, len(h.Samples))
		want, outcome := fly(t, s, triangle())
		if got != outcome {
			t.Errorf("flight %d is %+v with pauses, %+v without", i, got, outcome)
		}
		checkSame(t, fmt.Sprintf("flight %d with pauses", i), want, h)
	}, func() { pauses++ })
	if want := steps/1000 + 2; pauses != want || steps < 1000 {
		t.Errorf("%d pauses in %d steps of two flights, want %d", pauses, steps, want)
	}
}

func TestFlyAllocatesNothingInSteadyState(t *testing.T) {
	s := paperScenario()
	history := new(sim.History)
	var histories [sim.Lanes]sim.History
	routes := someRoutes()
	pair := []sim.Route{routes[0].route, routes[1].route}
	all := func() {
		for _, c := range routes {
			s.Fly(c.route, history)
		}
		sim.FlyLanes(each(s, pair), &histories, func(int, *sim.History, sim.Outcome) {}, nil)
	}
	all()
	if allocations := testing.AllocsPerRun(10, all); allocations != 0 {
		t.Errorf("%g allocations in %d flights", allocations, len(routes))
	}
}

func ExampleScenario_Fly() {
	s := sim.Scenario{
		SpeedKmS: 1.7, AccelLimitKmS2: 0.2, Start: r3.Vec{X: -200, Y: -50, Z: 10}, HeadingRad: math.NaN(),
		HandoverKm: 80, WaypointGain: 3, WaypointMinTgoS: 2, GenexMinTgoS: 0.3, SteepeningRad: 0.024,
		MaxTransitions: 100, StepS: 0.1, CaptureKm: 5, MaxTimeS: 600,
	}
	if err := s.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	var history sim.History
	nominal := s.Fly(nil, &history)
	fmt.Printf("nominal: %.1f s, %d samples\n", nominal.FlightTimeS, len(history.Samples))
	private := s.Fly(staircase(), &history)
	fmt.Printf("private: %.1f s, %d transitions, hand-over at %.1f km\n", private.FlightTimeS, private.Transitions,
		private.HandoverKm)
	// Output:
	// nominal: 121.4 s, 1215 samples
	// private: 133.0 s, 11 transitions, hand-over at 79.9 km
}

// The target counts as reached within 1.01 of a step's travel. The flight is straight, so the distances after
// every step are known.
func TestReachIsAHairMoreThanAStep(t *testing.T) {
	for _, c := range []struct {
		left  float64 // steps' travel left after ten steps
		steps int     // until the end
	}{{1.005, 10}, {1.015, 11}, {0.995, 10}} {
		s := paperScenario()
		travel := s.SpeedKmS * s.StepS
		s.Start, s.SteepeningRad, s.CaptureKm = r3.Vec{X: -(10 + c.left) * travel}, 0, 0
		var h sim.History
		s.Fly(nil, &h)
		if got := len(h.Samples) - 1; got != c.steps {
			t.Errorf("with %g steps' travel left after ten, the flight took %d steps, want %d", c.left, got, c.steps)
		}
	}
}

// Of several targets a flight ends at the one that it is handed over to, exactly as if that were the only one.
func TestSeveralTargets(t *testing.T) {
	for _, c := range someRoutes() {
		alone := paperScenario()
		want, wantOutcome := fly(t, alone, c.route)
		several := paperScenario()
		several.HeadingRad = math.Atan2(50, 200) // along the line of sight to the target at the origin
		several.Target, several.Others = r3.Vec{X: 150, Y: 300}, []r3.Vec{{X: -150, Y: -400}, alone.Target}
		got, outcome := fly(t, several, c.route)
		if diff := cmp.Diff(wantOutcome, outcome); diff != "" || outcome.Target != alone.Target {
			t.Errorf("%s: ends at %v: %s", c.name, outcome.Target, diff)
		}
		if diff := cmp.Diff(want.Samples, got.Samples); diff != "" {
			t.Errorf("%s: another flight: %s", c.name, diff)
		}
	}
	if s := paperScenario(); s.TargetFrom(r3.Vec{X: 1e4}) != s.Target {
		t.Error("a single target is not the nearest")
	}
	s := paperScenario()
	s.Others = []r3.Vec{{X: math.NaN()}}
	if s.Validate() == nil {
		t.Error("a target at NaN was accepted")
	}
}

// Flights of other scenarios side by side are the flights alone, and none begins with the flight before it in its lane.
func TestFlyLanesFliesEveryRouteInItsScenario(t *testing.T) {
	fast, weak, turned := *paperScenario(), *paperScenario(), *paperScenario()
	fast.SpeedKmS *= 1.2
	weak.AccelLimitKmS2, weak.WaypointGain, weak.GenexN, weak.HandoverKm = weak.AccelLimitKmS2/2, 2, 0.5, 60
	turned.HeadingRad, turned.StepS, turned.Target.X = 1, 0.25, turned.Target.X+5
	scenarios := []*sim.Scenario{paperScenario(), &fast, &weak, &turned}
	for _, lanes := range []int{1, sim.Lanes} {
		launched := 0
		next := func(lane int) (*sim.Scenario, sim.Route) {
			if launched == 9 || lane >= lanes {
				return nil, nil
			}
			launched++
			return scenarios[(launched-1)%len(scenarios)], staircase()
		}
		var histories [sim.Lanes]sim.History
		sim.FlyLanes(next, &histories, func(i int, h *sim.History, got sim.Outcome) {
			want, outcome := fly(t, scenarios[i%len(scenarios)], staircase())
			if got != outcome {
				t.Errorf("flight %d in %d lanes is %+v, alone %+v", i, lanes, got, outcome)
			}
			checkSame(t, fmt.Sprintf("flight %d in %d lanes", i, lanes), want, h)
		}, nil)
		if launched != 9 {
			t.Errorf("%d flights in %d lanes, want 9", launched, lanes)
		}
	}
}
