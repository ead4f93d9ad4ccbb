package mdp

import (
	"fmt"
	"math"
)

// sweeper is the shared part of the iterative solvers: a law's kernel, its tables, and the certificate that
// turns a backup into bounds on the optimal value.
type sweeper struct {
	law      Law
	discount float64
	kernel   kernel
	plan     *schedule
	tables

	direct *bandSolver // nil unless policies are evaluated by elimination
	sweeps int
	checks int // backups that certified checked since the solve or evaluation began
	limit  int // checks after which only rounding is left

	phase    phase // of the current sweep
	backward bool
	part     []progress // per block
	block    func(b int)
}

type phase int

const (
	preparing phase = iota
	backingUp
	adopting
	relaxing
	applying
)

func newSweeper(law Law, discount float64) (*sweeper, error) {
	if err := CheckDiscount(discount); err != nil {
		return nil, err
	}
	k := law.kernel(discount)
	if discount*(1+k.defect()) >= 1 {
		return nil, fmt.Errorf("mdp: discount %v is too close to 1 for probabilities that sum to 1 within %.3g; "+
			"use a smaller discount or more accurate probabilities", discount, k.defect())
	}
	n := law.States()
	s := &sweeper{law: law, discount: discount, kernel: k, plan: k.blocks()}
	s.v, s.out, s.policy = make([]float64, n), make([]float64, n), make([]int32, n)
	s.part = make([]progress, len(s.plan.all))
	s.block = s.sweepBlock
	// Between two checks the error shrinks at least by the discount, and double precision holds 53 binary digits
	// of it. The limit is twice that, because modified policy iteration may change its policy.
	s.limit = 100 + 2*int(math.Min((64*math.Ln2+math.Log(2/(1-discount)))/-math.Log(discount), 1<<40))
	return s, nil
}

// LimitCores sets the number of cores for sweeps of large problems; the default is all. Results do not depend
// on it. Solve several problems at once on one core each, and a single large problem on many.
func (s *sweeper) LimitCores(n int) { s.plan.workers = max(1, n) }

// exhausted reports whether further sweeps are useless.
func (s *sweeper) exhausted() bool { return s.checks >= s.limit }

// load starts a solve and clears everything of earlier solves that could affect its result.
func (s *sweeper) load(rewards, guess []float64) {
	mustFit(rewards, s.law.States(), s.law.Actions())
	s.rewards, s.sweeps, s.checks = rewards, 0, 0
	if guess == nil {
		clear(s.v)
	} else if len(guess) == len(s.v) {
		copy(s.v, guess)
	} else {
		panic(fmt.Sprintf("mdp: a guess of %d values for %d states", len(guess), len(s.v)))
	}
	for i := range s.policy {
		s.policy[i] = -1
	}
}

func mustFit(rewards []float64, states, actions int) {
	if len(rewards) != states*actions {
		panic(fmt.Sprintf("mdp: %d rewards for %d states x %d actions", len(rewards), states, actions))
	}
}

func (s *sweeper) sweepBlock(b int) {
	from, to := s.plan.bounds[b], s.plan.bounds[b+1]
	switch s.phase {
	case preparing:
		s.kernel.prepare(&s.tables, from, to)
	case backingUp:
		s.part[b] = s.kernel.backup(&s.tables, from, to)
	case adopting:
		s.kernel.adopt(&s.tables, from, to)
	case relaxing:
		s.kernel.relax(s.v, from, to, s.backward)
	case applying:
		s.part[b] = s.kernel.apply(s.v, s.out, from, to)
	}
}

func (s *sweeper) parallel(p phase) progress {
	s.phase = p
	s.plan.parallel(s.block)
	total := noProgress
	for _, part := range s.part {
		total = total.merge(part)
	}
	return total
}

// backup writes T v to out and the greedy policy to policy.
func (s *sweeper) backup() progress {
	s.sweeps++
	s.parallel(preparing)
	return s.parallel(backingUp)
}

// adopt fixes the policy that relax and apply use.
func (s *sweeper) adopt() { s.parallel(adopting) }

// relax relaxes v in place under the adopted policy.
func (s *sweeper) relax(backward bool) {
	s.sweeps++
	s.phase, s.backward = relaxing, backward
	s.plan.byColour(s.block, backward)
}

// apply writes the backup of v under the adopted policy to out.
func (s *sweeper) apply() progress {
	s.sweeps++
	return s.parallel(applying)
}

// advance makes the backed-up value the current one.
func (s *sweeper) advance() { s.v, s.out = s.out, s.v }

// newton changes v by the adopted policy's solution of the residual that a backup left in out. If the policy is
// the one that the backup chose, v becomes exactly the policy's value.
func (s *sweeper) newton() {
	for i, v := range s.v {
		s.out[i] -= v
	}
	s.direct.solve(s.out)
	for i, d := range s.out {
		s.v[i] += d
	}
}

// certificate returns, for the backup T v in out, the shift that centres it between its bounds, and the two
// parts of the distance to either bound: from the spread of the residual, and from rounding.
//
// If l <= T v - v <= h in every state, then T v + g l <= v* <= T v + g h for g = discount/(1 - discount)
// (MacQueen 1966; Puterman 1994, Theorem 6.6.12), and the same holds for the value of the policy that attains T
// v. Rounding changes T v by at most e in a state, and so l and h; rows whose sums differ from 1 by d change
// the discount in g by the factor 1 +- d.
func (s *sweeper) certificate(p progress, adopted bool) (shift, spread, noise float64) {
	g := s.discount / (1 - s.discount)
	shift = g * (p.lowest + p.highest) / 2
	spread = g * p.span() / 2
	const unit = 0x1p-53
	largest := 0.0
	for i, v := range s.v {
		largest = max(largest, math.Abs(v), math.Abs(s.out[i]))
	}
	e := s.kernel.rounding(adopted) * unit * largest
	d := s.kernel.defect()
	size := max(math.Abs(p.lowest), math.Abs(p.highest))
	e += unit * size // of the subtraction T v - v
	noise = g*e + e + 2*unit*(largest+math.Abs(shift)) + g*size*d/(1-s.discount*(1+d))
	return shift, spread, noise * (1 + 0x1p-20) // second-order terms
}

// roundingInterval is the number of backups between two checks of the rounding error.
const roundingInterval = 8

// certified reports whether a backup certifies the tolerance, or the part of it that rounding allows: a spread
// of half the rounding error, which sweeps still reach.
func (s *sweeper) certified(p progress, tolerance float64, adopted bool) bool {
	s.checks++
	spread := s.discount / (1 - s.discount) * p.span() / 2
	if spread > tolerance && s.checks%roundingInterval != 0 && !s.exhausted() {
		return false
	}
	_, spread, noise := s.certificate(p, adopted)
	return spread <= max(tolerance-noise, noise/2) || s.exhausted()
}

// solution certifies the last backup and centres it.
func (s *sweeper) solution(p progress, adopted bool) Solution {
	shift, spread, noise := s.certificate(p, adopted)
	for i := range s.out {
		s.out[i] += shift
	}
	return Solution{Policy: s.policy, Value: s.out, Sweeps: s.sweeps, Bound: (spread + noise) * (1 + 0x1p-50)}
}
