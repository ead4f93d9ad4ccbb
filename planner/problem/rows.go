package problem

import (
	"fmt"
	"math"
	"slices"

	"veilpath/planner/mdp"
)

// The largest absolute differences between 1 and the sum of a row of probabilities.
const (
	// roundedSum is left as it is: it comes from adding up numbers of 53 bits.
	roundedSum = 1e-12
	// textTolerance allows for probabilities of six digits, as Storm writes them, and of five.
	textTolerance = 1e-5
	// arrayTolerance allows for the rounding of a row that was computed in float32, whose last bit is 6e-8.
	arrayTolerance = 1e-6
)

// outcome is one outcome of an action in a file.
type outcome struct {
	state, action, next int32
	line                int32 // in the file; 0 if it has no lines
	probability, reward float64
}

// rows collects the outcomes of states and actions, in the order of the file.
type rows struct {
	path      string
	tolerance float64     // rows that miss 1 by more are refused, others are divided by their sum
	blocks    [][]outcome // of at most blockLength, so that no block is copied to make room
}

const blockLength = 1 << 15

// add adds an outcome.
func (r *rows) add(o outcome) {
	last := len(r.blocks) - 1
	switch {
	case last < 0:
		r.blocks, last = append(r.blocks, nil), 0
	case len(r.blocks[last]) == blockLength:
		r.blocks, last = append(r.blocks, make([]outcome, 0, blockLength)), last+1
	}
	r.blocks[last] = append(r.blocks[last], o)
}

// all yields all outcomes, which may be changed.
func (r *rows) all(yield func(*outcome) bool) {
	for _, block := range r.blocks {
		for i := range block {
			if !yield(&block[i]) {
				return
			}
		}
	}
}

// renumber changes the numbers of states and actions: state i becomes states[i], action i becomes actions[i]. Either
// may be nil, for no change.
func (r *rows) renumber(states, actions []int32) {
	for o := range r.all {
		if states != nil {
			o.state, o.next = states[o.state], states[o.next]
		}
		if actions != nil {
			o.action = actions[o.action]
		}
	}
}

// entry is an outcome of a state and an action.
type entry struct {
	next                int32
	probability, reward float64
}

// problem returns the problem of the rows. States without rows are terminal. An action that a state lacks leads back
// to the state and has the reward -Inf.
func (r *rows) problem(states, actions Names) (*Problem, error) {
	n, m, count := states.count, actions.count, 0
	for _, block := range r.blocks {
		count += len(block)
	}
	switch {
	case count == 0:
		return nil, fmt.Errorf("%s: it has no outcomes", r.path)
	case n > maxStates || m > maxPairs/n:
		return nil, fmt.Errorf("%s: %d states x %d actions are too many", r.path, n, m)
	case n*m > 1<<16 && count < n*m/64:
		return nil, fmt.Errorf("%s: only %d outcomes of %d states x %d actions; number the states and the actions of "+
			"every state from 0 on", r.path, count, n, m)
	}
	entries, ends, lines := r.sorted(n*m, m, count)
	p := &Problem{States: states, Actions: actions, Rewards: [][]float64{make([]float64, n*m)}}
	starts := make([]int, 1, n*m+1)
	next, probability := make([]int32, 0, count), make([]float64, 0, count)
	from := 0
	for state := range n {
		missing := math.Inf(-1) // reward of an action that the state lacks
		if first := state * m; from == ends[first+m-1] {
			missing = 0
			p.Terminal = append(p.Terminal, int32(state))
		}
		for action := range m {
			row := state*m + action
			own := entries[from:ends[row]]
			from = ends[row]
			if len(own) == 0 {
				p.Rewards[0][row] = missing
				next, probability = append(next, int32(state)), append(probability, 1)
			} else {
				sum, reward, err := r.sum(own, states)
				if err != nil {
					where := r.path
					if lines[row] > 0 {
						where = fmt.Sprintf("%s:%d", r.path, lines[row])
					}
					return nil, fmt.Errorf("%s: state %s, action %s: %w", where, states.Of(state), actions.Of(action), err)
				}
				if off := math.Abs(sum - 1); off > roundedSum {
					p.normalised++
					p.maxSumError = max(p.maxSumError, off)
				} else {
					sum = 1
				}
				p.Rewards[0][row] = reward
				next, probability = appendRow(next, probability, own, sum)
			}
			starts = append(starts, len(next))
		}
	}
	law, err := mdp.NewModelRows(n, m, starts, next, probability)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.path, err)
	}
	p.Law = law
	return p, nil
}

// sorted returns the outcomes sorted by state and action, and in the order of the file otherwise. Those of
// row = state*actions+action end at ends[row], and the first of them is on line lines[row] of the file. It empties r.
func (r *rows) sorted(rows, actions, count int) (entries []entry, ends []int, lines []int32) {
	entries, ends, lines = make([]entry, count), make([]int, rows+1), make([]int32, rows)
	for o := range r.all {
		row := int(o.state)*actions + int(o.action)
		if ends[row+1]++; ends[row+1] == 1 {
			lines[row] = o.line
		}
	}
	for row := range rows {
		ends[row+1] += ends[row]
	}
	for o := range r.all { // ends[row] is where row begins, and moves to its end
		row := int(o.state)*actions + int(o.action)
		entries[ends[row]] = entry{o.next, o.probability, o.reward}
		ends[row]++
	}
	r.blocks = nil
	return entries, ends, lines
}

// sum checks the outcomes of a state and an action. It returns the sum of their probabilities and their expected
// reward, which is their common reward to the bit.
func (r *rows) sum(own []entry, states Names) (sum, expected float64, err error) {
	common, same := math.NaN(), true
	for _, o := range own {
		if !(o.probability >= 0 && o.probability <= 1+r.tolerance) {
			return 0, 0, fmt.Errorf("probability %v of next state %s is outside [0, 1]", o.probability, states.Of(int(o.next)))
		}
		if o.probability == 0 {
			continue
		}
		same = same && (common != common || o.reward == common)
		common = o.reward
		sum += o.probability
		expected += float64(o.probability * o.reward)
	}
	if off := math.Abs(sum - 1); !(off <= r.tolerance) {
		return 0, 0, fmt.Errorf("the probabilities sum to %v; want 1 within %g", sum, r.tolerance)
	}
	if same {
		expected = common
	} else if math.Abs(sum-1) > roundedSum {
		expected /= sum
	}
	if math.IsNaN(expected) || math.IsInf(expected, 0) {
		return 0, 0, fmt.Errorf("the expected reward is %v; the rewards are too large to be added", expected)
	}
	return sum, expected + 0, nil // -0 becomes 0
}

// appendRow appends the outcomes of a state and an action in the order of their next states, each once, with
// probabilities divided by their sum.
func appendRow(next []int32, probability []float64, own []entry, sum float64) ([]int32, []float64) {
	slices.SortStableFunc(own, func(a, b entry) int { return int(a.next) - int(b.next) })
	from := len(next)
	for _, o := range own {
		switch last := len(next) - 1; {
		case o.probability == 0:
		case last >= from && next[last] == o.next:
			probability[last] += o.probability / sum
		default:
			next, probability = append(next, o.next), append(probability, o.probability/sum)
		}
	}
	return next, probability
}
