package paper

import "veilpath/planner/mdp"

// repeat returns a team of equal agents.
func repeat(agent *mdp.Model, n int) []*mdp.Model {
	agents := make([]*mdp.Model, max(n, 0))
	for i := range agents {
		agents[i] = agent
	}
	return agents
}

// goalRewards rewards every agent for one local action in one joint state and otherwise alike.
func goalRewards(joint *mdp.Joint, goal, action int, reward, other float64) [][]float64 {
	tables := make([][]float64, joint.Agents())
	for i := range tables {
		m := joint.Agent(i).Actions()
		tables[i] = make([]float64, joint.States()*m)
		for p := range tables[i] {
			tables[i][p] = other
		}
		tables[i][goal*m+action] = reward
	}
	return tables
}
