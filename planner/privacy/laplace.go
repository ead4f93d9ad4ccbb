package privacy

import "math"

// Laplace adds Laplace noise to every reward, with density exp(-|x|/t)/(2t) at scale t (Dwork, McSherry, Nissim
// and Smith 2006): to every agent's own reward as Algorithm 1 does, or to the joint reward as Algorithm 2 does.
//
// It protects one entry of the reward of one agent, which may differ by at most the adjacency b. It is
// (epsilon, 0)-differentially private at scale t = D/epsilon, D the L1 sensitivity of what it perturbs. Proof: a
// neighbour moves the perturbed entries by d with |d| summing to at most D, and by the triangle inequality the
// density of every entry changes by a factor of at most exp(|d|/t), so their product by at most exp(D/t). No
// smaller scale will do: below all entries the factor is exp(D/t).
//
// An agent's own reward has D = b. Of the joint reward of N agents, [Shape.Mu] entries move by b/N each, which is
// the bound of Theorem 2. Neither delta nor the calibration is used.
type Laplace struct {
	Output bool // perturbs the joint reward
}

func (l Laplace) Name() string {
	if l.Output {
		return "laplace-output"
	}
	return "laplace"
}

func (l Laplace) Meaning() string {
	if l.Output {
		return "adds Laplace noise to every entry of the joint reward"
	}
	return "adds Laplace noise to every entry of every agent's own reward"
}

func (l Laplace) Promise() Promise {
	return Promise{Protects: "one entry of one agent's reward", Neighbours: rewardNeighbours,
		Guarantee: "(epsilon, 0)", Pure: true, Aggregator: l.Output,
		Source: "Dwork, McSherry, Nissim and Smith 2006"}
}

// Scale returns the scale of the noise, in reward units; its standard deviation is sqrt(2) times that.
func (l Laplace) Scale(s Shape, g Guarantee) (float64, error) {
	if err := checkEpsilon(g.Epsilon); err != nil {
		return 0, err
	}
	sensitivity, err := g.Adjacency, checkPositive("adjacency", g.Adjacency)
	if l.Output {
		sensitivity, err = s.OutputSensitivity(g.Adjacency, L1Bound)
	}
	if err != nil {
		return 0, err
	}
	return sensitivity / g.Epsilon, checkPositive("scale of the noise", sensitivity/g.Epsilon)
}

func (l Laplace) Privatize(dst []float64, r *Rewards, g Guarantee, noise *Noise) error {
	scale, err := l.Scale(r.Shape, g)
	if err != nil {
		return err
	}
	r.eachEntry(dst, l.Output, func(reward float64) float64 { return reward + float64(scale*noise.Laplace()) })
	return nil
}

func (l Laplace) Law(s Shape, g Guarantee) (func(reward, private float64) float64, error) {
	scale, err := l.Scale(s, g)
	return func(reward, private float64) float64 {
		x := (private - reward) / scale
		if x < 0 {
			return math.Exp(x) / 2
		}
		return 1 - math.Exp(-x)/2
	}, err
}
