package privacy

import (
	"fmt"
	"strings"
)

// Mechanism makes the joint reward of a team private. It is safe for concurrent use.
//
// A mechanism on real numbers, rounded, is for studies: the guarantee is that of
// the mathematics, not of the program. See Release for rewards to be published.
type Mechanism interface {
	// Name is what settings call the mechanism.
	Name() string
	// Meaning says in a sentence what it perturbs.
	Meaning() string
	// Privatize writes a private joint reward with a guarantee to dst, of length
	// JointEntries. All that is random comes from noise, which stands at the
	// beginning of the run's own stream: the same arguments always give the same
	// reward. An entry of -Inf, an action that the state lacks, stays -Inf. It is an
	// error if the mechanism cannot give the guarantee.
	Privatize(dst []float64, r *Rewards, g Guarantee, noise *Noise) error
}

// Linear is a mechanism whose private joint reward is the true one plus sigma times
// a fixed linear image of standard normals z: one draw of z serves every sigma. It
// says how sensitive what it perturbs is, which sets the noise for a guarantee (see
// Guarantee.SigmaOf), and perturbs it.
type Linear interface {
	Mechanism // whose Privatize is PrivatizeLinear
	// Sensitivity returns the L2 sensitivity of what it perturbs to a change of
	// one entry of one agent's reward by at most the adjacency, above 0.
	Sensitivity(s Shape, adjacency float64) (float64, error)
	// Normals returns how many standard normals a private reward takes.
	Normals(s Shape) int
	// Perturb writes the private joint reward to dst, of length JointEntries,
	// from Normals standard normals z. What an agent that has ended earns, 0 in
	// public, gets no noise. It does not allocate.
	Perturb(dst []float64, r *Rewards, sigma float64, z []float64)
}

// PrivatizeLinear is Mechanism.Privatize of a linear mechanism: it perturbs with the
// sigma of the guarantee and the next normals of the noise. The error is that of
// Guarantee.SigmaOf.
func PrivatizeLinear(m Linear, dst []float64, r *Rewards, g Guarantee, noise *Noise) error {
	sigma, err := g.SigmaOf(m, r.Shape)
	if err != nil {
		return err
	}
	z := make([]float64, m.Normals(r.Shape))
	noise.Normals(z)
	m.Perturb(dst, r, sigma, z)
	return nil
}

// mechanisms are those that settings can name. Another one is a type beside these
// and a line here.
var mechanisms = []Linear{
	InputPerturbation{},
	OutputPerturbation{ExactL2},
	OutputPerturbation{L1Bound},
}

// MechanismNames returns the names that ParseMechanism reads.
func MechanismNames() []string {
	names := make([]string, len(mechanisms))
	for i, m := range mechanisms {
		names[i] = m.Name()
	}
	return names
}

// ParseMechanism returns the mechanism of a name.
func ParseMechanism(name string) (Linear, error) {
	for _, m := range mechanisms {
		if m.Name() == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("privacy: mechanism is %q; it must be one of %s", name, strings.Join(MechanismNames(), ", "))
}

// SigmaOf returns the standard deviation of the Gaussian noise with which a
// linear mechanism gives rewards of a shape the guarantee.
func (g Guarantee) SigmaOf(m Linear, s Shape) (float64, error) {
	sensitivity, err := m.Sensitivity(s, g.Adjacency)
	if err != nil {
		return 0, err
	}
	return g.Calibration.Sigma(g.Epsilon, g.Delta, sensitivity)
}

// EpsilonOf returns the smallest epsilon for which SigmaOf asks for no more than
// sigma; the guarantee's own epsilon is unused. It is 0 if sigma is enough for
// every epsilon, which only the exact calibration finds.
func (g Guarantee) EpsilonOf(m Linear, s Shape, sigma float64) (float64, error) {
	sensitivity, err := m.Sensitivity(s, g.Adjacency)
	if err != nil {
		return 0, err
	}
	return g.Calibration.Epsilon(g.Delta, sigma, sensitivity)
}

// InputPerturbation is Algorithm 1 up to the synthesis of the policy: every agent
// perturbs its own reward, and the aggregator forms the joint reward of the
// private ones. (The paper's aggregator line prints r^i for the private reward;
// taken literally it would not be private.)
type InputPerturbation struct{}

// Name implements Mechanism.
func (InputPerturbation) Name() string { return "input" }

// Meaning implements Mechanism.
func (InputPerturbation) Meaning() string {
	return "every agent perturbs its own reward (Algorithm 1)"
}

// Sensitivity implements Linear: an agent's own reward moves by the adjacency.
func (InputPerturbation) Sensitivity(_ Shape, adjacency float64) (float64, error) {
	return adjacency, checkPositive("adjacency", adjacency)
}

// Normals implements Linear: one for every entry of every agent, agent by agent.
func (InputPerturbation) Normals(s Shape) int { return s.states * s.sumActions() }

// Perturb implements Linear.
func (InputPerturbation) Perturb(dst []float64, r *Rewards, sigma float64, z []float64) {
	if r.Agents() == 1 {
		perturbWith(dst, r.Joint, sigma, z)
		r.silence(dst)
		return
	}
	r.join(dst, sigma, z)
}

// Privatize implements Mechanism.
func (m InputPerturbation) Privatize(dst []float64, r *Rewards, g Guarantee, noise *Noise) error {
	return PrivatizeLinear(m, dst, r, g, noise)
}

// OutputPerturbation is Algorithm 2 up to the synthesis of the policy: the
// aggregator forms the joint reward of the true ones and perturbs that.
type OutputPerturbation struct {
	Norm Norm // how the sensitivity of the joint reward is measured
}

// Name implements Mechanism.
func (p OutputPerturbation) Name() string {
	if p.Norm == L1Bound {
		return "output-l1"
	}
	return "output"
}

// Meaning implements Mechanism.
func (p OutputPerturbation) Meaning() string {
	if p.Norm == L1Bound {
		return "the aggregator perturbs the joint reward (Algorithm 2), with the noise of Theorem 2's bound"
	}
	return "the aggregator perturbs the joint reward (Algorithm 2)"
}

// Sensitivity implements Linear.
func (p OutputPerturbation) Sensitivity(s Shape, adjacency float64) (float64, error) {
	return s.OutputSensitivity(adjacency, p.Norm)
}

// Normals implements Linear: one for every joint entry.
func (OutputPerturbation) Normals(s Shape) int { return s.JointEntries() }

// Perturb implements Linear. The joint reward hides in the noise what any agent earns that goes on, so it is
// silent only where all have ended.
func (OutputPerturbation) Perturb(dst []float64, r *Rewards, sigma float64, z []float64) {
	perturbWith(dst, r.Joint, sigma, z)
	r.silence(dst)
}

// Privatize implements Mechanism.
func (p OutputPerturbation) Privatize(dst []float64, r *Rewards, g Guarantee, noise *Noise) error {
	return PrivatizeLinear(p, dst, r, g, noise)
}

// perturbWith writes values + sigma z to dst.
func perturbWith(dst, values []float64, sigma float64, z []float64) {
	dst, z = dst[:len(values)], z[:len(values)]
	for i, v := range values {
		// The conversion keeps the product from fusing into the sum, which would
		// give other machines other digits.
		dst[i] = v + float64(sigma*z[i])
	}
}

// perturb writes values + sigma z to dst, z the next standard normals of noise.
func perturb(dst, values []float64, sigma float64, noise *Noise) {
	var z [128]float64
	for from := 0; from < len(dst); from += len(z) {
		to := min(from+len(z), len(dst))
		noise.Normals(z[:to-from])
		perturbWith(dst[from:to], values[from:to], sigma, z[:to-from])
	}
}
