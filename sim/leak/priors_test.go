package leak_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

// fewGoals is the paper's world with goals on some columns of the row of its own, the own one first, and of some
// weights.
func fewGoals(t testing.TB, weights []float64, columns ...int) *leak.World {
	t.Helper()
	setting, err := setup.Leak(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	var states []int
	for _, column := range columns {
		states = append(states, 11*20+column)
	}
	w, err := leak.NewWorld(context.Background(), setting, states, weights, 1, ignore)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The prior counts once, however many flights are seen. Geometry either rules a goal out or not, so that of flights
// which are all the same those after the first tell it nothing, and what it has left is known in closed form.
func TestThePriorCountsOnceOverSeveralFlights(t *testing.T) {
	weights := []float64{8, 1, 4, 3}
	w := fewGoals(t, weights, 16, 15, 17, 8)
	s := leak.Releases{Study: leak.Study{Ways: leak.Ways([]float64{leak.Unprivate}, leak.Way{World: w}),
		Observers: observers("geometry"),
		OwnGoal:   true, Flights: 2, Seed: 3}, Counts: []int{1, 2, 5}}
	rows, err := s.Fly(context.Background(), ignore)
	if err != nil {
		t.Fatal(err)
	}
	const rounding = 1e-9
	// Before its hand-over a flight comes within the distance of no goal that is farther along than its own.
	possible := []float64{}
	for subset := range 1 << (len(weights) - 1) {
		sum := weights[0]
		for i := range len(weights) - 1 {
			if subset>>i&1 == 1 {
				sum += weights[i+1]
			}
		}
		possible = append(possible, -math.Log2(weights[0]/sum))
	}
	first := rows[0].Fresh.Mean
	if !slices.ContainsFunc(possible, func(bits float64) bool { return math.Abs(bits-first) < rounding && bits > 0.1 }) {
		t.Errorf("%v bits left after a flight, want one of %v", first, possible)
	}
	for _, row := range rows {
		if math.Abs(row.Fresh.Mean-first) > rounding {
			t.Errorf("%v bits left after %d flights that are the same, want %v", row.Fresh.Mean, row.Flights, first)
		}
	}
}

// The mission's own goal lies where its target is, also off the lattice; every other lies at its cell, as high as that.
func TestTargetsOfGoals(t *testing.T) {
	target := [3]float64{3, -4, 1}
	w := world(t, 150, func(c *configs.Config) { c.TargetKm = target })
	if w.Own < 0 || w.Goals[w.Own].TargetKm != (r3.Vec{X: 3, Y: -4, Z: 1}) {
		t.Fatalf("own goal %d", w.Own)
	}
	for i, g := range w.Goals {
		// The lattice of 12.5 km starts at (-200, -50) in column 0 and row 7.
		want := r3.Vec{X: -200 + 12.5*float64(g.State%20), Y: -50 + 12.5*float64(g.State/20-7), Z: 1}
		if i == w.Own {
			continue
		}
		if r3.Norm(r3.Sub(g.TargetKm, want)) > 1e-9 {
			t.Errorf("goal of state %d lies at %v, want %v", g.State, g.TargetKm, want)
		}
	}
}

// What a trial shows is decided by so many standard errors that all looks of all trials together err as rarely as is
// said; just above that margin a mean is met, just below it is not decided.
func TestATrialIsDecidedByItsMargin(t *testing.T) {
	w := fewGoals(t, nil, 16, 13, 10, 19, 6, 15)
	const confidence = 0.9
	for _, c := range []struct{ flights, most, looks int }{{100, 100, 1}, {2, 150, 2}, {110, 439, 3}} {
		// Both ends are tried, and halving the steps of ratio 1.5 or less between them: ceil(ln 8/ln 1.5) = 6 of them.
		trials := 2 + math.Ceil(math.Log2(6+1))
		first := max(c.flights, 100)
		quantile := distuv.StudentsT{Sigma: 1, Nu: float64(first - 1)}.Quantile(1 - (1-confidence)/(float64(c.looks)*trials))
		s := leak.Search{Way: leak.Ways([]float64{0}, leak.Way{World: w})[0], Observer: observers("moves")[0], Low: 0.5,
			High:       4,
			Resolution: 0.5, Confidence: confidence, Flights: c.flights, MostRuns: c.most, Seed: 3, Progress: ignore}
		try := func(bits float64) leak.Trial {
			t.Helper()
			s.Demand = leak.Demand{Bits: bits, FlownKm: 60}
			answer, err := s.Find(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			return answer.Trials[0]
		}
		known := try(100)
		margin := quantile * known.StandardError
		if known.Runs != first || known.Decision != study.Met || !(margin > 0.01) {
			t.Fatalf("a limit of 100 bits: %+v", known)
		}
		const beside = 1e-6
		for limit, want := range map[float64]study.Decision{
			known.Mean + margin*(1+beside): study.Met, known.Mean + margin*(1-beside): study.Undecided,
			known.Mean - margin*(1-beside): study.Undecided, known.Mean - margin*(1+beside): study.NotMet,
		} {
			trial := try(limit)
			if decided := trial.Runs == first && trial.Decision != study.Undecided; decided != (want != study.Undecided) ||
				decided && trial.Decision != want {
				t.Errorf("%d to %d flights, a limit of %v: %+v, want %s", c.flights, c.most, limit, trial, want)
			}
			if trial.Runs > c.most || trial.Decision == study.Undecided && 2*trial.Runs <= c.most {
				t.Errorf("%d to %d flights: %d of them", c.flights, c.most, trial.Runs)
			}
		}
	}
}

// The quantity demanded is what the study of the same flights tells: the bits learned, or the distance of recognition
// by the rule asked for.
func TestATrialTellsWhatAStudyTells(t *testing.T) {
	w := fewGoals(t, nil, 16, 13, 10, 19, 6, 15)
	flown := func(own bool) *leak.Result {
		return fly(t, leak.Study{Ways: leak.Ways([]float64{2}, leak.Way{World: w}), Observers: observers("moves"),
			OwnGoal: own, InARow: 3,
			Flights: 100, FlownKm: []float64{60}, RadiiKm: []float64{25}, Seed: 3})
	}
	row, recognised := flown(false).Rows()[0], flown(true).Recognitions()[0]
	for _, c := range []struct {
		demand leak.Demand
		want   privacy.SampleMean
	}{
		{leak.Demand{Bits: 1, FlownKm: 60}, privacy.SampleMean{Mean: math.Log2(6) - row.BitsLeft,
			StandardError: row.StandardError}},
		{leak.Demand{HiddenUntilKm: 100, RadiusKm: 25, Rule: adversary.Stays}, recognised.Distance.SampleMean},
		{leak.Demand{HiddenUntilKm: 100, RadiusKm: 25, Rule: 3}, recognised.InARow.SampleMean},
	} {
		s := leak.Search{Way: leak.Ways([]float64{0}, leak.Way{World: w})[0], Observer: observers("moves")[0],
			Demand: c.demand, Low: 2, High: 2.1,
			Resolution: 0.5, Confidence: 0.9, Flights: 100, MostRuns: 100, Seed: 3, Progress: ignore}
		answer, err := s.Find(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := answer.Trials[0]
		const rounding = 1e-12
		if math.Abs(got.Mean-c.want.Mean) > rounding || math.Abs(got.StandardError-c.want.StandardError) > rounding ||
			!(c.want.StandardError > 0) {
			t.Errorf("%+v: %+v, want %+v", c.demand, got, c.want)
		}
	}
}

// Few flights decide nothing: two that are alike by chance would seem to know the mean exactly. At a limit that lies
// below the truth a search says that it is met no more often than it owns up to.
func TestFewFlightsDoNotDecide(t *testing.T) {
	w := fewGoals(t, nil, 16, 13, 10, 19, 6, 15)
	// 0.976 bits are learned at epsilon 2, with a standard error of 0.007 over 20,000 flights.
	const limit, searches = 0.955, 20
	wrong := 0
	for seed := range uint64(searches) {
		s := leak.Search{Way: leak.Ways([]float64{0}, leak.Way{World: w})[0], Observer: observers("moves")[0],
			Demand: leak.Demand{Bits: limit, FlownKm: 60}, Low: 2, High: 2.01, Resolution: 0.5, Confidence: 0.9, Flights: 2,
			MostRuns: 100,
			Seed:     seed, Progress: ignore}
		answer, err := s.Find(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if answer.Epsilon > 0 {
			wrong++
		}
	}
	// Each is wrong with a probability of a 30th at most, so more than three come in one case of 200.
	if wrong > 3 {
		t.Errorf("%d of %d searches say that the demand is met", wrong, searches)
	}
}
