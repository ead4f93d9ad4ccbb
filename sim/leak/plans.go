package leak

import (
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// plans makes the private plans of one mission by the mechanism of its world. It serves one goroutine.
type plans struct {
	world   *World
	mission *planner.Mission
	linear  privacy.Linear // nil where the mechanism is none
	planner *planner.Planner
	noise   privacy.Noise
	z       []float64       // of a linear mechanism
	at      privacy.Address // of z
	drawn   bool
	first   []int32 // actions
}

// newPlans returns the plans of a mission of the world.
func (w *World) newPlans(m *planner.Mission) (*plans, error) {
	linear := planner.LinearOf(w.Mechanism)
	p, err := planner.NewPlanner(m.Solved, linear)
	if err != nil {
		return nil, err
	}
	p.LimitCores(1)
	return &plans{world: w, mission: m, linear: linear, planner: p}, nil
}

// plan returns the private plan at an epsilon, and the sigma of that, from the noise of an address. Without noise it is
// the mission's own. It holds until the next.
func (p *plans) plan(epsilon, sigma float64, from privacy.Address) (planner.Plan, error) {
	if math.IsInf(epsilon, 1) {
		return p.mission.Optimal, nil
	}
	if p.linear == nil {
		p.noise.Seek(from)
		return p.planner.PlanBy(p.world.Mechanism, p.world.Guarantee.At(epsilon), &p.noise)
	}
	plan := p.planner.Replan // which is akin to the last on the same noise
	if !p.drawn || p.at != from {
		p.z = slices.Grow(p.z[:0], p.planner.Normals())[:p.planner.Normals()]
		p.noise.Seek(from)
		p.noise.Normals(p.z)
		p.at, p.drawn, plan = from, true, p.planner.Plan
	}
	return plan(p.planner.Privatize(sigma, p.z)), nil
}

// policy returns the action of every state on its first visit under the private plan. It holds until the next.
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
