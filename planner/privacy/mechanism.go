package privacy

import (
	"fmt"
	"math"
)

// Perturb is the Gaussian mechanism (Lemma 1): it writes values + sigma z to
// dst, z the next standard normals of noise. dst may be values itself; it must
// have the same length. sigma 0 copies. It does not allocate.
func Perturb(dst, values []float64, sigma float64, noise *Noise) error {
	if err := checkNonNegative("sigma", sigma); err != nil {
		return err
	}
	if err := checkFinite("reward", values); err != nil {
		return err
	}
	if len(dst) != len(values) {
		return fmt.Errorf("privacy: destination has %d entries; it must have the reward's %d", len(dst), len(values))
	}
	perturb(dst, values, sigma, noise)
	return nil
}

func perturb(dst, values []float64, sigma float64, noise *Noise) {
	var z [128]float64
	for from := 0; from < len(dst); from += len(z) {
		block := z[:min(len(z), len(dst)-from)]
		noise.Normals(block)
		for i, normal := range block {
			// The conversion keeps the product from fusing into the sum, which
			// would give other machines other digits.
			dst[from+i] = values[from+i] + float64(sigma*normal)
		}
	}
}

// Joint writes the joint reward r(s, a) = mean over i of r^i(s, a^i) to dst, of
// length JointEntries; rewards holds one table per agent. It does not allocate.
func (s Shape) Joint(dst []float64, rewards [][]float64) error {
	if err := s.checkRewards(rewards); err != nil {
		return err
	}
	return s.join(dst, rewards)
}

func (s Shape) join(dst []float64, rewards [][]float64) error {
	if len(dst) != s.JointEntries() {
		return fmt.Errorf("privacy: destination has %d entries; the joint reward has %d", len(dst), s.JointEntries())
	}
	for state := range s.states {
		block := dst[state*s.jointActions : (state+1)*s.jointActions]
		block[0] = 0
		filled := 1
		for i, m := range s.actions {
			local := rewards[i][state*m : (state+1)*m]
			// Backwards, so that no sum is overwritten before its last use.
			for a := filled - 1; a >= 0; a-- {
				sum := block[a]
				for d := m - 1; d >= 0; d-- {
					block[a*m+d] = sum + local[d]
				}
			}
			filled *= m
		}
		for a := range block {
			block[a] /= float64(len(s.actions))
		}
	}
	return nil
}

func (s Shape) checkRewards(rewards [][]float64) error {
	if len(rewards) != s.Agents() {
		return fmt.Errorf("privacy: rewards of %d agents given; the shape has %d", len(rewards), s.Agents())
	}
	for i, r := range rewards {
		if len(r) != s.AgentEntries(i) {
			return fmt.Errorf("privacy: agent %d has %d rewards; %d states and %d actions need %d", i, len(r), s.states, s.actions[i], s.AgentEntries(i))
		}
		if err := checkFinite("reward", r); err != nil {
			return fmt.Errorf("agent %d: %w", i, err)
		}
	}
	return nil
}

// InputPerturbation is Algorithm 1 up to the synthesis of the policy: every
// agent perturbs its own reward, into private, and the aggregator forms the
// joint reward of the private ones, into joint. sigma comes from a
// Calibration at sensitivity b. (The paper's aggregator line prints r^i for the
// private reward; taken literally it would not be private.)
//
// private holds one table per agent of the length of rewards' and may be
// rewards itself. Agents with different sigma call Perturb and Joint.
func (s Shape) InputPerturbation(joint []float64, private, rewards [][]float64, sigma float64, noise *Noise) error {
	if len(private) != len(rewards) {
		return fmt.Errorf("privacy: private tables of %d agents given; the rewards have %d", len(private), len(rewards))
	}
	if err := s.checkRewards(rewards); err != nil {
		return err
	}
	for i := range rewards {
		if err := Perturb(private[i], rewards[i], sigma, noise); err != nil {
			return fmt.Errorf("agent %d: %w", i, err)
		}
	}
	return s.join(joint, private)
}

// OutputPerturbation is Algorithm 2 up to the synthesis of the policy: the
// aggregator forms the joint reward of the true ones and perturbs that, into
// joint. sigma comes from a Calibration at OutputSensitivity.
func (s Shape) OutputPerturbation(joint []float64, rewards [][]float64, sigma float64, noise *Noise) error {
	if err := s.Joint(joint, rewards); err != nil {
		return err
	}
	return Perturb(joint, joint, sigma, noise)
}

// LargestAbsolute returns R_max = max_{s,a} |r(s, a)| of the joint reward without
// forming it; rewards holds one table per agent, of the shape's lengths.
func (s Shape) LargestAbsolute(rewards [][]float64) float64 {
	local := make([]float64, s.sumActions())
	largest := 0.0
	for state := range s.states {
		low, high := s.extremeSums(s.gather(local, rewards, state))
		largest = max(largest, high, -low)
	}
	return largest / float64(s.Agents())
}

// largestAbsolute is the same of a table.
func largestAbsolute(values []float64) float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	return largest
}
