package problem

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Write writes the problem of one agent as gymnasium's dictionary in JSON, which Read reads back. A terminal state
// is written without actions. Write returns what the dictionary cannot hold.
func Write(p *Problem, to io.Writer) (omitted []string, err error) {
	if p.Members != nil || len(p.Rewards) > 1 {
		return nil, errors.New("a team is not written; write its agents' problems one by one")
	}
	w := bufio.NewWriterSize(to, 1<<16)
	terminal := p.terminals()
	for s := range p.listed() {
		separator := "{"
		if s > 0 {
			separator = ",\n "
		}
		fmt.Fprintf(w, `%s"%d": {`, separator, s)
		separator = ""
		for a := range p.Law.Actions() {
			if terminal[s] || !p.has(s, a) {
				continue
			}
			fmt.Fprintf(w, `%s"%d": [`, separator, a)
			p.writeOutcomes(w, s, a)
			w.WriteByte(']')
			separator = ", "
		}
		w.WriteByte('}')
	}
	w.WriteString("}\n")
	if !p.States.fromZero() || !p.Actions.fromZero() {
		omitted = append(omitted, "the names of states and actions, which become numbers from 0")
	}
	if p.Discount != 0 {
		omitted = append(omitted, fmt.Sprintf("the discount, %v", p.Discount))
	}
	if p.Start != 0 {
		omitted = append(omitted, "the start, state "+p.States.Of(p.Start))
	}
	return omitted, w.Flush()
}

// writeOutcomes writes the outcomes of an action. One that leads to an added terminal state ends the episode, in a
// next state that does not matter.
func (p *Problem) writeOutcomes(w *bufio.Writer, state, action int) {
	reward := p.Rewards[0][state*p.Law.Actions()+action]
	for i, o := range p.Law.AppendOutcomes(nil, state, action) {
		separator, next, ends := "", o.State, o.State >= p.listed()
		if i > 0 {
			separator = ", "
		}
		if ends {
			next = state
		}
		fmt.Fprintf(w, "%s[%s, %d, %s, %t]", separator, decimal(o.Probability), next, decimal(reward), ends)
	}
}

// decimal returns the shortest text that is read back as the same number.
func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
