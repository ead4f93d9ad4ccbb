package privacy

import (
	"fmt"
	"math"
)

// Rewards holds the rewards of the agents of a team. It is immutable and safe for concurrent use.
type Rewards struct {
	Shape
	// Tables holds every agent's table, of AgentEntries entries, state-major. An entry is -Inf where the state
	// lacks the action, which is public and which noise does not change.
	Tables [][]float64
	// Joint is the mean of the agents' rewards, the reward that the team is planned for: JointEntries entries. A
	// single agent's joint reward is its own table.
	Joint []float64
	// Ended says, by agent and state, where the agent has ended: its reward there is publicly 0, so it has no
	// noise. An agent's list is nil if it never ends; Ended is nil if no agent ends.
	Ended [][]bool
	over  []int // states in which every agent has ended
}

// NewRewards checks the agents' tables and forms their joint reward. ended is as in Rewards. The slices
// are kept and must not be changed.
func NewRewards(s Shape, agents [][]float64, ended [][]bool) (*Rewards, error) {
	if err := s.checkRewards(agents); err != nil {
		return nil, err
	}
	if err := s.checkEnded(agents, ended); err != nil {
		return nil, err
	}
	r := &Rewards{Shape: s, Tables: agents, Ended: ended}
	for state := range s.states {
		if countActive(ended, len(agents), state) == 0 {
			r.over = append(r.over, state)
		}
	}
	if len(agents) == 1 {
		r.Joint = agents[0]
		return r, nil
	}
	r.Joint = make([]float64, s.JointEntries())
	r.join(r.Joint, 0, nil)
	return r, nil
}

// HasEnded reports whether an agent has ended in a state.
func (r *Rewards) HasEnded(agent, state int) bool { return hasEnded(r.Ended, agent, state) }

// Over returns the states in which every agent has ended, ascending.
func (r *Rewards) Over() []int { return r.over }

func hasEnded(ended [][]bool, agent, state int) bool {
	return ended != nil && ended[agent] != nil && ended[agent][state]
}

// countActive returns how many of some agents have not ended in a state.
func countActive(ended [][]bool, agents, state int) int {
	active := 0
	for i := range agents {
		if !hasEnded(ended, i, state) {
			active++
		}
	}
	return active
}

// clearOver sets the joint entries to 0 where every agent has ended.
func (r *Rewards) clearOver(joint []float64) {
	for _, state := range r.over {
		clear(joint[state*r.jointActions : (state+1)*r.jointActions])
	}
}

// join writes the joint reward r(s, a) = mean over i of r^i(s, a^i) to dst, of length JointEntries. It adds
// sigma z to the agents' rewards, in the order of agents, unless z is nil or the agent has ended.
func (r *Rewards) join(dst []float64, sigma float64, z []float64) {
	s, agents := r.Shape, r.Tables
	for state := range s.states {
		block := dst[state*s.jointActions : (state+1)*s.jointActions]
		block[0] = 0
		filled, first := 1, 0
		for i, m := range s.actions {
			local := agents[i][state*m : (state+1)*m]
			var noise []float64
			if z != nil {
				if !r.HasEnded(i, state) {
					noise = z[first+state*m : first+(state+1)*m]
				}
				first += s.states * m
			}
			// Backwards, so that no sum is overwritten before its last use.
			for a := filled - 1; a >= 0; a-- {
				sum := block[a]
				for d := m - 1; d >= 0; d-- {
					own := local[d]
					if noise != nil {
						own += float64(sigma * noise[d])
					}
					block[a*m+d] = sum + own
				}
			}
			filled *= m
		}
		for a := range block {
			block[a] /= float64(len(s.actions))
		}
	}
}

func (s Shape) checkRewards(rewards [][]float64) error {
	if len(rewards) != s.Agents() {
		return fmt.Errorf("privacy: rewards of %d agents; the shape has %d", len(rewards), s.Agents())
	}
	for i, r := range rewards {
		if len(r) != s.AgentEntries(i) {
			return fmt.Errorf("privacy: agent %d has %d rewards; %d states and %d actions need %d", i, len(r), s.states,
				s.actions[i], s.AgentEntries(i))
		}
		for entry, v := range r {
			if math.IsNaN(v) || math.IsInf(v, 1) {
				return fmt.Errorf("agent %d: privacy: reward has %g at entry %d; every entry must be finite, or -Inf where the "+
					"state lacks the action", i, v, entry)
			}
		}
	}
	return nil
}

// checkEnded refuses rewards other than 0 after an agent's end.
func (s Shape) checkEnded(agents [][]float64, ended [][]bool) error {
	if ended != nil && len(ended) != s.Agents() {
		return fmt.Errorf("privacy: ends of %d agents; the shape has %d", len(ended), s.Agents())
	}
	for i, in := range ended {
		if in != nil && len(in) != s.states {
			return fmt.Errorf("privacy: agent %d has ends for %d states; the shape has %d", i, len(in), s.states)
		}
		m := s.actions[i]
		for state, has := range in {
			for action, reward := range agents[i][state*m : (state+1)*m] {
				if has && reward != 0 {
					return fmt.Errorf("privacy: agent %d has ended in state %d, but its reward for action %d is not 0", i,
						state, action)
				}
			}
		}
	}
	return nil
}

// largestAbsolute returns R_max = max_{s,a} |r(s, a)| of the joint reward without forming it; rewards holds one
// table per agent, of the shape's lengths.
func (s Shape) largestAbsolute(rewards [][]float64) float64 {
	local := make([]float64, s.sumActions())
	largest := 0.0
	for state := range s.states {
		low, high := s.extremeSums(s.gather(local, rewards, state))
		largest = max(largest, high, -low)
	}
	return largest / float64(s.Agents())
}

// LargestAbsolute returns R_max, the largest absolute joint reward of the actions that states have.
func (r *Rewards) LargestAbsolute() float64 { return largestAbsolute(r.Joint) }

// largestAbsolute is the largest absolute entry of a table.
func largestAbsolute(values []float64) float64 {
	largest := 0.0
	for _, v := range values {
		if v >= -math.MaxFloat64 {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}
