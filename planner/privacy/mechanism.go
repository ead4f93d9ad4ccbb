package privacy

import "slices"

// Mechanism makes the joint reward of a team private. It is safe for concurrent use.
//
// A mechanism on rounded real numbers is for studies: the guarantee holds for the mathematics, not for the
// program. Use Release for rewards to be published.
type Mechanism interface {
	// Name is the mechanism's name in settings.
	Name() string
	// Meaning says in one sentence what the mechanism perturbs.
	Meaning() string
	// Privatize writes a private joint reward with a guarantee to dst, of length JointEntries. It draws all
	// random numbers from noise, which starts at the beginning of the run's stream: the same arguments always
	// give the same reward. An entry of -Inf, an action that the state lacks, stays -Inf. It returns an error if
	// the mechanism cannot give the guarantee.
	Privatize(dst []float64, r *Rewards, g Guarantee, noise *Noise) error
}

// Linear is a mechanism whose private joint reward is the true one plus sigma times a fixed linear image of
// standard normals z, so that one draw of z serves every sigma. Its sensitivity determines the noise for a
// guarantee (see Guarantee.SigmaOf).
type Linear interface {
	Mechanism // Privatize is PrivatizeLinear
	// Sensitivity returns the L2 sensitivity of the perturbed numbers to a change of one entry of one agent's
	// reward by at most the adjacency, above 0.
	Sensitivity(s Shape, adjacency float64) (float64, error)
	// Normals returns how many standard normals a private reward takes.
	Normals(s Shape) int
	// Perturb writes the private joint reward to dst, of length JointEntries, from Normals standard normals z.
	// Rewards of an agent that has ended are publicly 0 and get no noise. It does not allocate.
	Perturb(dst []float64, r *Rewards, sigma float64, z []float64)
}

// PrivatizeLinear is Mechanism.Privatize for a linear mechanism: it perturbs with the sigma of the guarantee
// and the next normals of the noise. The error is that of Guarantee.SigmaOf.
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

// mechanisms lists the mechanisms that settings can name. To add one, write a type beside these and a line here.
var mechanisms = []Mechanism{
	InputPerturbation{},
	OutputPerturbation{ExactL2},
	OutputPerturbation{L1Bound},
	Laplace{},
	Laplace{Output: true},
	BoundedGaussian{},
	BoundedGaussian{Output: true},
}

// Mechanisms returns the mechanisms on rewards that settings can name.
func Mechanisms() []Mechanism { return slices.Clone(mechanisms) }

// SigmaOf returns the standard deviation of the Gaussian noise with which a
// linear mechanism gives rewards of a shape the guarantee.
func (g Guarantee) SigmaOf(m Linear, s Shape) (float64, error) {
	sensitivity, err := m.Sensitivity(s, g.Adjacency)
	if err != nil {
		return 0, err
	}
	return g.Calibration.Sigma(g.Epsilon, g.Delta, sensitivity)
}

// EpsilonOf returns the smallest epsilon for which SigmaOf returns at most sigma; it ignores the guarantee's
// own epsilon. It is 0 if sigma is enough for every epsilon, which only the exact calibration finds.
func (g Guarantee) EpsilonOf(m Linear, s Shape, sigma float64) (float64, error) {
	sensitivity, err := m.Sensitivity(s, g.Adjacency)
	if err != nil {
		return 0, err
	}
	return g.Calibration.Epsilon(g.Delta, sigma, sensitivity)
}

// InputPerturbation is Algorithm 1 up to the synthesis of the policy: every agent perturbs its own reward, and
// the aggregator forms the joint reward of the private rewards. (The paper's aggregator line prints r^i for the
// private reward; taken literally it would not be private.)
type InputPerturbation struct{}

func (InputPerturbation) Name() string { return "input" }

func (InputPerturbation) Meaning() string {
	return "every agent perturbs its own reward (Algorithm 1)"
}

// Sensitivity implements Linear: an agent's own reward moves by the adjacency.
func (InputPerturbation) Sensitivity(_ Shape, adjacency float64) (float64, error) {
	return adjacency, checkPositive("adjacency", adjacency)
}

// Normals implements Linear: one for every entry of every agent, in the order of agents.
func (InputPerturbation) Normals(s Shape) int { return s.states * s.sumActions() }

func (InputPerturbation) Perturb(dst []float64, r *Rewards, sigma float64, z []float64) {
	if r.Agents() == 1 {
		perturbWith(dst, r.Joint, sigma, z)
		r.clearOver(dst)
		return
	}
	r.join(dst, sigma, z)
}

func (m InputPerturbation) Privatize(dst []float64, r *Rewards, g Guarantee, noise *Noise) error {
	return PrivatizeLinear(m, dst, r, g, noise)
}

// OutputPerturbation is Algorithm 2 up to the synthesis of the policy: the aggregator forms the joint reward of
// the true rewards and perturbs it.
type OutputPerturbation struct {
	Norm Norm // how the sensitivity of the joint reward is measured
}

func (p OutputPerturbation) Name() string {
	if p.Norm == L1Bound {
		return "output-l1"
	}
	return "output"
}

func (p OutputPerturbation) Meaning() string {
	if p.Norm == L1Bound {
		return "the aggregator perturbs the joint reward (Algorithm 2), with the noise of Theorem 2's bound"
	}
	return "the aggregator perturbs the joint reward (Algorithm 2)"
}

func (p OutputPerturbation) Sensitivity(s Shape, adjacency float64) (float64, error) {
	return s.OutputSensitivity(adjacency, p.Norm)
}

// Normals implements Linear: one for every joint entry.
func (OutputPerturbation) Normals(s Shape) int { return s.JointEntries() }

// Perturb implements Linear. Noise on the joint reward must hide the rewards of all agents that have not ended,
// so only states in which all have ended have none.
func (OutputPerturbation) Perturb(dst []float64, r *Rewards, sigma float64, z []float64) {
	perturbWith(dst, r.Joint, sigma, z)
	r.clearOver(dst)
}

func (p OutputPerturbation) Privatize(dst []float64, r *Rewards, g Guarantee, noise *Noise) error {
	return PrivatizeLinear(p, dst, r, g, noise)
}

// perturbWith writes values + sigma z to dst.
func perturbWith(dst, values []float64, sigma float64, z []float64) {
	dst, z = dst[:len(values)], z[:len(values)]
	for i, v := range values {
		// The conversion keeps the product from fusing into the sum, which would give other machines other digits.
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
