package privacy

import (
	"fmt"
	"math"
)

// Rewards is what the agents of a team earn. It is immutable and safe for
// concurrent use.
type Rewards struct {
	Shape
	// Tables holds every agent's table, of AgentEntries entries, state-major. An entry is -Inf
	// where the state does not have the action, which is public; no noise changes that.
	Tables [][]float64
	// Joint is the mean of theirs, the reward that the team is planned for:
	// JointEntries entries. A single agent's is its own table.
	Joint []float64
}

// NewRewards checks the agents' tables and forms their joint reward. The tables
// are kept and must not be changed.
func NewRewards(s Shape, agents [][]float64) (*Rewards, error) {
	if err := s.checkRewards(agents); err != nil {
		return nil, err
	}
	r := &Rewards{Shape: s, Tables: agents}
	if len(agents) == 1 {
		r.Joint = agents[0]
		return r, nil
	}
	r.Joint = make([]float64, s.JointEntries())
	s.join(r.Joint, agents, 0, nil)
	return r, nil
}

// join writes the joint reward r(s, a) = mean over i of r^i(s, a^i) to dst, of
// length JointEntries, with sigma z added to the agents' rewards, agent by agent,
// unless z is nil.
func (s Shape) join(dst []float64, agents [][]float64, sigma float64, z []float64) {
	for state := range s.states {
		block := dst[state*s.jointActions : (state+1)*s.jointActions]
		block[0] = 0
		filled, first := 1, 0
		for i, m := range s.actions {
			local := agents[i][state*m : (state+1)*m]
			var noise []float64
			if z != nil {
				noise = z[first+state*m : first+(state+1)*m]
				first += s.states * m
			}
			// Backwards, so that no sum is overwritten before its last use.
			for a := filled - 1; a >= 0; a-- {
				sum := block[a]
				for d := m - 1; d >= 0; d-- {
					r := local[d]
					if noise != nil {
						r += float64(sigma * noise[d])
					}
					block[a*m+d] = sum + r
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
		return fmt.Errorf("privacy: rewards of %d agents given; the shape has %d", len(rewards), s.Agents())
	}
	for i, r := range rewards {
		if len(r) != s.AgentEntries(i) {
			return fmt.Errorf("privacy: agent %d has %d rewards; %d states and %d actions need %d", i, len(r), s.states, s.actions[i], s.AgentEntries(i))
		}
		for entry, v := range r {
			if math.IsNaN(v) || math.IsInf(v, 1) {
				return fmt.Errorf("agent %d: privacy: reward has %g at entry %d; every entry must be finite, or -Inf where the state lacks the action", i, v, entry)
			}
		}
	}
	return nil
}

// largestAbsolute returns R_max = max_{s,a} |r(s, a)| of the joint reward without
// forming it; rewards holds one table per agent, of the shape's lengths.
func (s Shape) largestAbsolute(rewards [][]float64) float64 {
	local := make([]float64, s.sumActions())
	largest := 0.0
	for state := range s.states {
		low, high := s.extremeSums(s.gather(local, rewards, state))
		largest = max(largest, high, -low)
	}
	return largest / float64(s.Agents())
}

// LargestAbsolute returns R_max, the largest absolute joint reward of an action that a state has.
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
