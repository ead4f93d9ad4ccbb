package sim_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// testdata/reference.csv holds flights of reference.c, a second implementation of the whole closed loop
// that shares no code or method with this one. Every row is planned, flown and observed here too.

// referenceRow is a row of the table: a setting and what the second implementation made of it. A run of
// -1 is the nominal flight.
type referenceRow struct {
	name                                           string
	run                                            int
	lambda, radius, slip, step, steepening, genexN float64
	sigma                                          float64
	consecutive                                    int
	result                                         referenceResult
}

type referenceResult struct {
	detectionKm, handoverKm, headingErrorDeg, flightTimeS float64
	transitions                                           int
	fallback                                              bool
	costOfPrivacy                                         float64
}

// Tolerances, absolute, each some ten times or more what the roundings of the two programs come to. Both
// take the same decisions at the same steps, so nothing else differs.
const (
	referenceKm      = 1e-11 // a rounding of 200 km is 3e-14, and a flight has 1,300 steps
	referenceLostKm  = 1e-8  // a flight that has fallen back may circle 25 times on the way, in 30,000 steps
	referenceDegrees = 1e-10
	referenceSeconds = 1e-9  // the number of steps is the same; their product with the step is rounded
	referenceCost    = 1e-11 // the second implementation iterates until changes are below 1e-12
)

func readReference(t *testing.T) []referenceRow {
	t.Helper()
	file, err := os.Open("testdata/reference.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := make(map[string]int)
	for i, name := range records[0] {
		column[name] = i
	}
	var rows []referenceRow
	for line, record := range records[1:] {
		number := func(name string) float64 {
			i, ok := column[name]
			if !ok {
				t.Fatalf("reference.csv has no column %q", name)
			}
			x, err := strconv.ParseFloat(record[i], 64)
			if err != nil {
				t.Fatalf("reference.csv, line %d, %s: %v", line+2, name, err)
			}
			return x
		}
		rows = append(rows, referenceRow{
			name: record[column["case"]], run: int(number("run")),
			lambda: number("lambda_per_s"), radius: number("radius_km"), slip: number("slip"), step: number("step_s"),
			steepening: number("steepening_deg"), genexN: number("genex_n"), sigma: number("sigma"),
			consecutive: int(number("consecutive")),
			result: referenceResult{
				detectionKm: number("detection_km"), handoverKm: number("handover_km"),
				headingErrorDeg: number("heading_error_deg"), flightTimeS: number("flight_time_s"),
				transitions: int(number("transitions")), fallback: number("fallback") != 0,
				costOfPrivacy: number("cost_of_privacy"),
			},
		})
	}
	return rows
}

// referenceNoise fills z with the reference's normals: splitmix64 seeded with the run, and sums of 12
// uniforms less 6 (Irwin-Hall), which are the same numbers in every language.
func referenceNoise(run int, z []float64) {
	state := uint64(run)
	for i := range z {
		sum := 0.0
		for range 12 {
			state += 0x9e3779b97f4a7c15
			x := state
			x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
			x = (x ^ x>>27) * 0x94d049bb133111eb
			sum += float64((x^x>>31)>>11) * 0x1p-53
		}
		z[i] = sum - 6
	}
}

// closedLoop plans, flies and observes as a row's setting says, sharing missions between rows.
type closedLoop struct {
	planners map[float64]*planner.Planner // by slip
	missions map[float64]*planner.Mission
	history  sim.History
	errors   adversary.PredictionErrors
	curve    adversary.Curve
}

func (l *closedLoop) planner(t *testing.T, slip float64, s *sim.Scenario) (*planner.Mission, *planner.Planner) {
	t.Helper()
	if l.planners == nil {
		l.planners, l.missions = make(map[float64]*planner.Planner), make(map[float64]*planner.Mission)
	}
	if l.planners[slip] == nil {
		mission, err := planner.NewMission(planner.Spec{
			Columns: 20, Rows: 20, SpacingKm: 12.5, StartCell: planner.Cell{Row: 7},
			RewardWeight: 2, Discount: 0.95, Slip: slip, Tolerance: 1e-10,
		}, s.Start, s.Target)
		if err != nil {
			t.Fatal(err)
		}
		if l.planners[slip], err = planner.NewPlanner(mission.Solved, privacy.InputPerturbation{}); err != nil {
			t.Fatal(err)
		}
		l.missions[slip] = mission
	}
	return l.missions[slip], l.planners[slip]
}

func (l *closedLoop) run(t *testing.T, row referenceRow) referenceResult {
	t.Helper()
	s := paperScenario()
	s.MaxTimeS = 20000 // the reference's 200,000 steps; the longest flight takes 3,000 s
	s.StepS, s.GenexN, s.SteepeningRad = row.step, row.genexN, row.steepening*math.Pi/180
	var route sim.Route
	var result referenceResult
	if row.run >= 0 {
		mission, p := l.planner(t, row.slip, s)
		z := make([]float64, len(mission.Rewards.Joint))
		referenceNoise(row.run, z)
		plan := p.Plan(p.Privatize(row.sigma, z))
		result.costOfPrivacy = p.CostOfPrivacy(plan.Policy)
		route = planner.Route{Grid: mission.Grid, Policy: plan.Policy}
	}
	outcome := s.Fly(route, &l.history)
	result.handoverKm, result.headingErrorDeg = outcome.HandoverKm, outcome.HeadingErrorRad*180/math.Pi
	result.flightTimeS, result.transitions, result.fallback = outcome.FlightTimeS, outcome.Transitions, outcome.Fallback
	l.errors.Fill(adversary.NewBallisticObserver(row.lambda), &l.history, s.Target)
	l.curve.Fill(&l.errors, adversary.InARow(row.consecutive), outcome.HandoverSample)
	result.detectionKm = l.curve.Detect(row.radius).DistanceKm
	return result
}

func TestClosedLoopAgreesWithASecondImplementation(t *testing.T) {
	rows := readReference(t)
	if len(rows) < 100 {
		t.Fatalf("only %d rows", len(rows))
	}
	var loop closedLoop
	for _, row := range rows {
		t.Run(fmt.Sprintf("%s/%d", row.name, row.run), func(t *testing.T) {
			got, want := loop.run(t, row), row.result
			km := referenceKm
			if want.fallback {
				km = referenceLostKm
			}
			for _, c := range []struct {
				name      string
				got, want float64
				tolerance float64
			}{
				{"detection, km", got.detectionKm, want.detectionKm, km},
				{"hand-over, km", got.handoverKm, want.handoverKm, km},
				{"heading error, deg", got.headingErrorDeg, want.headingErrorDeg, referenceDegrees},
				{"flight time, s", got.flightTimeS, want.flightTimeS, referenceSeconds},
				{"cost of privacy", got.costOfPrivacy, want.costOfPrivacy, referenceCost},
			} {
				if !(math.Abs(c.got-c.want) <= c.tolerance) {
					t.Errorf("%s: %.15g, the reference says %.15g, %.2g apart", c.name, c.got, c.want, c.got-c.want)
				}
			}
			if got.transitions != want.transitions || got.fallback != want.fallback {
				t.Errorf("%d transitions, fallback %t; the reference says %d, %t", got.transitions, got.fallback, want.transitions,
					want.fallback)
			}
		})
	}
}

// The direct flight is recognised where the paper says.
func TestNominalDetectionDistance(t *testing.T) {
	s := paperScenario()
	var loop closedLoop
	got := loop.run(t, referenceRow{run: -1, lambda: 0.1, radius: 0.7, step: s.StepS, steepening: 1.38, consecutive: 3})
	const published, publishedTolerance = 101.5, 0.5 // km; read off the paper's text, rounded to a digit
	if !(math.Abs(got.detectionKm-published) <= publishedTolerance) {
		t.Errorf("recognised at %.2f km, published %.1f km", got.detectionKm, published)
	}
}
