package problem

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"veilpath/planner/mdp"
)

// rowTolerance is the largest absolute difference between 1 and the sum of a row of probabilities. It allows
// for the rounding of decimals and of their sums.
const rowTolerance = 1e-9

// rows collects the outcomes of states and actions, in the order of the file.
type rows struct {
	path string

	// A piece is consecutive outcomes of one state and action.
	pieces  []piece
	next    []int32
	chance  []float64
	ordered bool // pieces ascend, so that each piece is a row

	times func() float64 // estimated size of the whole file over the part read so far; may be nil
}

// foreseen is the number of outcomes after which memory for the whole file is reserved.
const foreseen = 1 << 16

type piece struct {
	state, action, line int32
	mixed               bool    // rewards differ between the outcomes
	end                 int     // end index of its outcomes
	reward              float64 // of every outcome, or the sum weighted by probability
}

func newRows(path string) *rows { return &rows{path: path, ordered: true} }

// reserve reserves memory for the numbers of rows and outcomes that a header states, up to a limit.
func (r *rows) reserve(pieces, outcomes int) {
	const most = 1 << 24
	r.pieces = slices.Grow(r.pieces, min(pieces, most))
	r.next, r.chance = slices.Grow(r.next, min(outcomes, most)), slices.Grow(r.chance, min(outcomes, most))
}

// add adds an outcome.
func (r *rows) add(state, action, next int, chance, reward float64, line int) {
	if n := len(r.pieces); n > 0 && r.pieces[n-1].state == int32(state) && r.pieces[n-1].action == int32(action) {
		last := &r.pieces[n-1]
		if reward != last.reward || last.mixed {
			r.mix(last)
			last.reward += float64(chance * reward)
		}
		last.end++
	} else {
		if n > 0 {
			last := &r.pieces[n-1]
			r.ordered = r.ordered && (last.state < int32(state) || last.state == int32(state) && last.action < int32(action))
		}
		r.pieces = append(r.pieces, piece{state: int32(state), action: int32(action), line: int32(min(line, math.MaxInt32)),
			end: len(r.next) + 1, reward: reward})
	}
	r.next, r.chance = append(r.next, int32(next)), append(r.chance, chance)
	if len(r.next) == foreseen && r.times != nil {
		times := r.times()
		r.reserve(int(times*float64(len(r.pieces))), int(times*float64(len(r.next))))
	}
}

// mix replaces the common reward of the last piece by the sum weighted by probability.
func (r *rows) mix(p *piece) {
	if p.mixed {
		return
	}
	p.reward, p.mixed = p.reward*r.sum(r.start(len(r.pieces)-1), p.end), true
}

// start is the index of the first outcome of a piece.
func (r *rows) start(i int) int {
	if i == 0 {
		return 0
	}
	return r.pieces[i-1].end
}

func (r *rows) sum(from, to int) float64 {
	sum := 0.0
	for _, p := range r.chance[from:to] {
		sum += p
	}
	return sum
}

// renumber changes the numbers of states and actions: state i becomes states[i], action i becomes actions[i].
// Either may be nil.
func (r *rows) renumber(states, actions []int32) {
	for i := range r.pieces {
		p := &r.pieces[i]
		if states != nil {
			p.state = states[p.state]
		}
		if actions != nil {
			p.action = actions[p.action]
		}
		if i > 0 {
			last := r.pieces[i-1]
			r.ordered = (i == 1 || r.ordered) && (last.state < p.state || last.state == p.state && last.action < p.action)
		}
	}
	if states != nil {
		for i, n := range r.next {
			r.next[i] = states[n]
		}
	}
}

// order sorts the pieces by state and action and joins the pieces of one row.
func (r *rows) order() {
	if r.ordered {
		return
	}
	places := make([]int32, len(r.pieces))
	for i := range places {
		places[i] = int32(i)
	}
	slices.SortStableFunc(places, func(a, b int32) int {
		p, q := &r.pieces[a], &r.pieces[b]
		if p.state != q.state {
			return int(p.state) - int(q.state)
		}
		return int(p.action) - int(q.action)
	})
	sorted := rows{path: r.path, ordered: true, next: make([]int32, 0, len(r.next)),
		chance: make([]float64, 0, len(r.next))}
	for _, at := range places {
		p := r.pieces[at]
		from := r.start(int(at))
		sorted.next = append(sorted.next, r.next[from:p.end]...)
		sorted.chance = append(sorted.chance, r.chance[from:p.end]...)
		length := p.end - from
		p.end = len(sorted.next)
		if n := len(sorted.pieces); n > 0 && sorted.pieces[n-1].state == p.state && sorted.pieces[n-1].action == p.action {
			last := &sorted.pieces[n-1]
			if last.mixed || p.mixed || last.reward != p.reward {
				sorted.mix(last)
				if !p.mixed {
					p.reward *= sorted.sum(p.end-length, p.end)
				}
				last.reward += p.reward
			}
			last.end = p.end
			continue
		}
		sorted.pieces = append(sorted.pieces, p)
	}
	*r = sorted
}

// canonical checks the probabilities, sorts the outcomes of every row by next state, and adds up outcomes with
// the same next state.
func (r *rows) canonical(states, actions Names) error {
	to, from := 0, 0
	for i := range r.pieces {
		p := &r.pieces[i]
		sum := 0.0
		for k := from; k < p.end; k++ {
			if c := r.chance[k]; !(c >= 0 && c <= 1+rowTolerance) {
				return r.fail(p, states, actions, "probability %v of next state %s is outside [0, 1]", c, states.Of(int(r.next[k])))
			}
			sum += r.chance[k]
		}
		if !(math.Abs(sum-1) <= rowTolerance) {
			return r.fail(p, states, actions, "the probabilities sum to %v; want 1 within %g", sum, rowTolerance)
		}
		if math.IsNaN(p.reward) || math.IsInf(p.reward, 0) {
			return r.fail(p, states, actions, "the expected reward is %v; the rewards are too large to be "+
				"added", p.reward)
		}
		r.sortRow(from, p.end)
		begin := to
		for k := from; k < p.end; k++ {
			switch n, c := r.next[k], r.chance[k]; {
			case c == 0:
			case to > begin && r.next[to-1] == n:
				r.chance[to-1] += c
			default:
				r.next[to], r.chance[to] = n, c
				to++
			}
		}
		from, p.end = p.end, to
	}
	r.next, r.chance = r.next[:to], r.chance[:to]
	return nil
}

// sortRow sorts outcomes by next state; the sort is stable.
func (r *rows) sortRow(from, to int) {
	next, chance := r.next[from:to], r.chance[from:to]
	if slices.IsSorted(next) {
		return
	}
	if len(next) > 64 {
		order := make([]int32, len(next))
		for i := range order {
			order[i] = int32(i)
		}
		slices.SortStableFunc(order, func(a, b int32) int { return int(next[a]) - int(next[b]) })
		n, c := slices.Clone(next), slices.Clone(chance)
		for i, at := range order {
			next[i], chance[i] = n[at], c[at]
		}
		return
	}
	for i := 1; i < len(next); i++ {
		for k := i; k > 0 && next[k-1] > next[k]; k-- {
			next[k-1], next[k] = next[k], next[k-1]
			chance[k-1], chance[k] = chance[k], chance[k-1]
		}
	}
}

func (r *rows) fail(p *piece, states, actions Names, problem string, args ...any) error {
	return fmt.Errorf("%s:%d: state %s, action %s: %s", r.path, p.line, states.Of(int(p.state)), actions.Of(int(p.action)),
		fmt.Sprintf(problem, args...))
}

// problem returns the problem of the rows. States without rows are terminal.
func (r *rows) problem(states, actions Names) (*Problem, error) {
	n, m := states.count, actions.count
	switch {
	case n < 1 || m < 1 || len(r.pieces) == 0:
		return nil, fmt.Errorf("%s: it has no outcomes", r.path)
	case n > mostStates || m > mostPairs/n:
		return nil, fmt.Errorf("%s: %d states x %d actions are too many", r.path, n, m)
	case n*m > 1<<16 && len(r.pieces) < n*m/64:
		return nil, fmt.Errorf("%s: only %d of %d states x %d actions have outcomes; number the states and the actions of "+
			"every state from 0 on", r.path, len(r.pieces), n, m)
	}
	r.order()
	if err := r.canonical(states, actions); err != nil {
		return nil, err
	}
	p := &Problem{States: states, Actions: actions, Rewards: [][]float64{make([]float64, n*m)}}
	rewards := p.Rewards[0]
	starts := make([]int, n*m+1)
	p.Terminal = r.fill(n, m, rewards, starts)
	law, err := mdp.NewModelRows(n, m, starts, r.next, r.chance)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.path, err)
	}
	p.Law = law
	if len(r.pieces) > manyPieces {
		r.pieces = nil
		runtime.GC()
	}
	return p, nil
}

// manyPieces is the number of pieces above which they are freed at once, before a planner needs as much memory
// again.
const manyPieces = 1 << 20

// fill sets the rewards and the starts of the rows, and inserts missing rows: an action that a state lacks
// leads back to the state. It returns the states without any row.
func (r *rows) fill(n, m int, rewards []float64, starts []int) (terminal []int32) {
	missing := n*m - len(r.pieces)
	old := len(r.next)
	r.next = append(r.next, make([]int32, missing)...)
	r.chance = append(r.chance, make([]float64, missing)...)
	to, last := len(r.next), len(r.pieces)-1
	starts[n*m] = to
	for state := n - 1; state >= 0; state-- {
		lacks := last < 0 || int(r.pieces[last].state) != state
		if lacks {
			terminal = append(terminal, int32(state))
		}
		for action := m - 1; action >= 0; action-- {
			row := state*m + action
			if last >= 0 && int(r.pieces[last].state) == state && int(r.pieces[last].action) == action {
				from := r.start(last)
				to -= old - from
				copy(r.next[to:], r.next[from:old])
				copy(r.chance[to:], r.chance[from:old])
				rewards[row] = r.pieces[last].reward + 0 // -0 becomes 0
				old = from
				last--
			} else {
				to--
				r.next[to], r.chance[to] = int32(state), 1
				if !lacks {
					rewards[row] = math.Inf(-1)
				}
			}
			starts[row] = to
		}
	}
	slices.Reverse(terminal)
	return terminal
}
