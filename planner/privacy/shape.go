package privacy

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// Shape is the size of a multi-agent MDP's rewards: n joint states and m_i local actions for each of N agents.
//
// Agent i's reward r^i(s, a^i) is a table R^i of n m_i numbers, state-major: entry s m_i + a^i (the paper's equation
// for R^i). The joint reward r(s, a) is a table of n m numbers, entry s m + a, where m is the product of the m_i and
// the joint action a has the local actions as digits, agent 0 the most significant: a = (...(a^0 m_1 + a^1) m_2 + ...)
// + a^(N-1).
type Shape struct {
	states       int
	actions      []int
	jointActions int
	mu           int
}

// NewShape checks that the joint reward of n states and m_i actions per agent can be indexed. Sizes must be at least 1.
func NewShape(states int, actions []int) (Shape, error) {
	if err := checkAtLeast("number of joint states", states, 1); err != nil {
		return Shape{}, err
	}
	if err := checkAtLeast("number of agents", len(actions), 1); err != nil {
		return Shape{}, err
	}
	joint, fewest, overflow := 1, math.MaxInt, false
	for i, m := range actions {
		if m < 1 {
			return Shape{}, fmt.Errorf("privacy: agent %d has %d actions; it must have at least 1", i, m)
		}
		fewest = min(fewest, m)
		joint, overflow = multiply(joint, m, overflow)
	}
	if _, overflow = multiply(joint, states, overflow); overflow {
		return Shape{}, tooLarge(states, actions)
	}
	return Shape{states: states, actions: append([]int(nil), actions...), jointActions: joint, mu: joint / fewest}, nil
}

// multiply is a*b for positive a and b, and whether this or an earlier product exceeds the 64-bit int as a
// number of bytes of 8-byte numbers.
func multiply(a, b int, overflowed bool) (product int, overflow bool) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if overflowed || high != 0 || low > math.MaxInt/8 {
		return 1, true
	}
	return int(low), false
}

// tooLarge reports how much memory the joint reward would need.
func tooLarge(states int, actions []int) error {
	entries := big.NewFloat(float64(states))
	for _, m := range actions {
		entries.Mul(entries, big.NewFloat(float64(m)))
	}
	entries.Mul(entries, big.NewFloat(8))
	return fmt.Errorf("privacy: the joint reward of %d agents would need %.3g bytes; reduce the agents, actions or states",
		len(actions), entries)
}

// Agents is N.
func (s Shape) Agents() int { return len(s.actions) }

// States is n, the number of joint states.
func (s Shape) States() int { return s.states }

// Actions is m_i, the number of local actions of agent i.
func (s Shape) Actions(i int) int { return s.actions[i] }

// AgentEntries is n m_i, the length of agent i's reward table.
func (s Shape) AgentEntries(i int) int { return s.states * s.actions[i] }

// JointActions is m, the product of the m_i.
func (s Shape) JointActions() int { return s.jointActions }

// JointEntries is n m, the length of the joint reward table.
func (s Shape) JointEntries() int { return s.states * s.jointActions }

// Mu is the largest number of joint actions that share one local action, max_j prod_{l != j} m_l: how many joint
// rewards one local reward enters. The paper takes the maximum over j in [n]; it is meant over the agents, [N].
func (s Shape) Mu() int { return s.mu }

// Norm names how the sensitivity of the joint reward is measured.
type Norm string

const (
	// L1Bound is the paper's Theorem 2, which bounds the L2 norm by the L1 norm.
	L1Bound Norm = "l1"
	// ExactL2 is the L2 norm itself, sqrt(mu) times smaller.
	ExactL2 Norm = "l2"
)

func (n Norm) check() error {
	if n != L1Bound && n != ExactL2 {
		return fmt.Errorf("privacy: norm is %q; it must be %q or %q", string(n), L1Bound, ExactL2)
	}
	return nil
}

// OutputSensitivity returns the L2 sensitivity of the joint reward to a change of one entry of one agent's reward by at
// most the adjacency b > 0. Such a change moves mu joint rewards by b/N each: (b/N) sqrt(mu) in L2, and (b/N) mu by the
// L1 bound of Theorem 2.
func (s Shape) OutputSensitivity(adjacency float64, norm Norm) (float64, error) {
	if err := checkPositive("adjacency", adjacency); err != nil {
		return 0, err
	}
	if err := norm.check(); err != nil {
		return 0, err
	}
	each, moved := adjacency/float64(s.Agents()), float64(s.mu)
	if norm == ExactL2 {
		return each * math.Sqrt(moved), nil
	}
	return each * moved, nil
}
