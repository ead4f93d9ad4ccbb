package configs

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// Guarantee returns the guarantee that the settings give to one release.
func (c Config) Guarantee() privacy.Guarantee {
	p := c.Privacy
	return privacy.Guarantee{Epsilon: p.Epsilon, Delta: p.Delta, Adjacency: p.Adjacency,
		Calibration: privacy.Calibration(p.Calibration), Range: c.rewardRange(),
		Rows: privacy.Rows{Adjacency: p.RowAdjacency, Uniform: p.RowUniform}}
}

// rewardRange returns what all rewards are known to lie in: what is set, or for waypoints what is lost on the farthest
// distance that the grid has. It is empty where the rewards have other parts, or another problem.
func (c Config) rewardRange() privacy.Range {
	p := c.Planner
	switch {
	case len(c.Privacy.RewardRange) == 2:
		return privacy.Range{Low: c.Privacy.RewardRange[0], High: c.Privacy.RewardRange[1]}
	case c.Problem != Waypoints || len(p.Rewards.Values) > 0:
		return privacy.Range{}
	}
	return privacy.Range{Low: -p.RewardWeight * math.Hypot(float64(p.Columns-1), float64(p.Rows-1))}
}

// Timeout returns the time of a request to a command.
func (e Exec) Timeout() time.Duration { return time.Duration(e.TimeoutS * float64(time.Second)) }

// Recognition returns the rule by which predictions recognise the destination.
func (a Adversary) Recognition() adversary.Rule {
	if a.Rule == MustStay {
		return adversary.Stays
	}
	return adversary.InARow(a.ConsecutiveSteps)
}

// Scenario returns the flight scenario of the settings.
func (c Config) Scenario() sim.Scenario {
	heading := math.NaN()
	if h := c.Vehicle.Heading; !h.LineOfSight {
		heading = radians(h.Degrees)
	}
	return sim.Scenario{
		SpeedKmS:        c.Vehicle.SpeedKmS,
		AccelLimitKmS2:  c.Vehicle.AccelLimitKmS2,
		Start:           vector(c.Vehicle.StartKm),
		Target:          vector(c.TargetKm),
		HeadingRad:      heading,
		HandoverKm:      c.Privacy.HandoverKm,
		WaypointGain:    c.Guidance.WaypointGain,
		WaypointMinTgoS: c.Guidance.WaypointMinTgoS,
		GenexN:          c.Guidance.GenexN,
		GenexMinTgoS:    c.Guidance.GenexMinTgoS,
		SteepeningRad:   radians(c.Guidance.TerminalSteepeningDeg),
		MaxTransitions:  c.Planner.MaxTransitions,
		StepS:           c.Sim.StepS,
		CaptureKm:       c.Sim.CaptureKm,
		MaxTimeS:        c.Sim.MaxTimeS,
	}
}

// Mission returns the specification of the mission.
func (c Config) Mission() planner.Spec {
	return planner.Spec{
		Columns:      c.Planner.Columns,
		Rows:         c.Planner.Rows,
		SpacingKm:    c.Planner.SpacingKm,
		StartCell:    planner.Cell{Column: c.Planner.StartCell[0], Row: c.Planner.StartCell[1]},
		Moves:        planner.Moves(c.Planner.Moves),
		KeepOut:      areasOf(c.Planner.KeepOut),
		Goals:        cellsOf(c.Planner.Goals),
		RewardWeight: c.Planner.RewardWeight,
		Rewards:      c.Planner.Rewards.Values,
		Discount:     c.Planner.Discount,
		Slip:         c.Planner.Slip,
		Tolerance:    c.Planner.Tolerance,
	}
}

// cellsOf converts lists of column and row to cells.
func cellsOf(lists [][2]int) []planner.Cell {
	var all []planner.Cell
	for _, c := range lists {
		all = append(all, planner.Cell{Column: c[0], Row: c[1]})
	}
	return all
}

// SameForAll says which randomness of the observer is the same for all flights, so that intervals of means leave it
// out. It is empty for none.
func (a Adversary) SameForAll() string {
	switch m, err := adversary.Find(a.Observer); {
	case err != nil:
		return ""
	case m.Errs && a.NoiseKm > 0:
		return "measures with errors that are the same on all flights of one route"
	case m.Private:
		return fmt.Sprintf("learns from %d policies, the same ones for all flights (adversary.policies)", a.Policies)
	case m.Learns:
		return fmt.Sprintf("learns from %d flights, the same ones for all that it watches (adversary.training)", a.Training)
	}
	return ""
}

// areasOf converts lists of one or two corners to areas.
func areasOf(lists [][]int) []planner.Area {
	var all []planner.Area
	for _, a := range lists {
		from, to := a[:2], a[len(a)-2:]
		all = append(all, planner.Area{From: planner.Cell{Column: from[0], Row: from[1]},
			To: planner.Cell{Column: to[0], Row: to[1]}})
	}
	return all
}

func vector(xyz [3]float64) r3.Vec { return r3.Vec{X: xyz[0], Y: xyz[1], Z: xyz[2]} }

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
