package leak

import (
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// plans makes private plans of one mission with the mechanism of its world. It is for one goroutine.
type plans struct {
	world   *World
	mission *planner.Mission
	linear  privacy.Linear // nil if the mechanism is not linear
	planner *planner.Planner
	noise   privacy.Noise
	z       []float64       // normals of a linear mechanism
	at      privacy.Address // from which z was drawn
	drawn   bool            // whether z was drawn
	first   []int32         // actions on first visits
}

// newPlans returns the maker of plans for a mission of the world.
func (w *World) newPlans(m *planner.Mission) (*plans, error) {
	linear := planner.LinearOf(w.Mechanism)
	p, err := planner.NewPlanner(m.Solved, linear)
	if err != nil {
		return nil, err
	}
	p.LimitCores(1)
	return &plans{world: w, mission: m, linear: linear, planner: p}, nil
}

// plan returns the private plan at an epsilon, whose sigma is given, with the noise of an address. Without
// noise it is the optimal plan of the mission. The result is valid until the next call.
func (p *plans) plan(epsilon, sigma float64, from privacy.Address) (planner.Plan, error) {
	if math.IsInf(epsilon, 1) {
		return p.mission.Optimal, nil
	}
	if p.linear == nil {
		p.noise.Seek(from)
		return p.planner.PlanBy(p.world.Mechanism, p.world.Guarantee.At(epsilon), &p.noise)
	}
	plan := p.planner.Replan // faster after a plan for the same z
	if !p.drawn || p.at != from {
		p.z = slices.Grow(p.z[:0], p.planner.Normals())[:p.planner.Normals()]
		p.noise.Seek(from)
		p.noise.Normals(p.z)
		p.at, p.drawn, plan = from, true, p.planner.Plan
	}
	return plan(p.planner.Privatize(sigma, p.z)), nil
}

// policy returns the action of every state on its first visit under the private plan. The result is valid until
// the next call.
func (p *plans) policy(epsilon, sigma float64, from privacy.Address) ([]int32, error) {
	plan, err := p.plan(epsilon, sigma, from)
	if err != nil || plan.Stochastic == nil && plan.Path == nil {
		return plan.Policy, err
	}
	from.Purpose ^= drawActions
	p.noise.Seek(from)
	p.first = plan.FirstActions(p.first[:0], p.mission, &p.noise)
	return p.first, nil
}
