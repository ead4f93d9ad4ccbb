package reward

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// names numbers names in the order in which they appear.
type names struct {
	list   []string
	places []place // where each was first found
	at     map[string]int32
}

// number returns the number of a name, and adds the name if it is new.
func (n *names) number(name string, where place) int32 {
	if n.at == nil {
		n.at = map[string]int32{}
	}
	i, known := n.at[name]
	if !known {
		i = int32(len(n.list))
		name = strings.Clone(name) // the name would keep its whole row in memory
		n.at[name] = i
		n.list, n.places = append(n.list, name), append(n.places, where)
	}
	return i
}

// add numbers a name that must be new.
func (n *names) add(name string, where place) error {
	before := len(n.list)
	if i := n.number(name, where); int(i) < before {
		return cellError(where, fmt.Sprintf("the name repeats row %d; want every state once", n.places[i].row))
	}
	return nil
}

// sorted lists the numbers of the names in the order of the names.
func (n *names) sorted() []int {
	order := identity(len(n.list))
	slices.SortFunc(order, func(a, b int) int { return CompareNames(n.list[a], n.list[b]) })
	return order
}

// CompareNames orders names as text, but runs of digits as numbers: cell 9 before cell 10.
func CompareNames(a, b string) int {
	whole, other := a, b
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		if m > 0 && n > 0 {
			x, y := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
			if len(x) != len(y) {
				return len(x) - len(y)
			}
			if c := strings.Compare(x, y); c != 0 {
				return c
			}
			a, b = a[m:], b[n:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(whole, other) // such as 1 and 01
}

// digits returns the number of digits at the beginning of a text.
func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// identity returns the numbers from 0 to n-1.
func identity(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// pick returns the elements with the given indices.
func pick[T any](from []T, order []int) []T { return pickTable(from, order, []int{0}) }

// pickTable returns the rows and the columns of a table with the given indices.
func pickTable[T any](from []T, rows, columns []int) []T {
	picked := make([]T, 0, len(from))
	for _, row := range rows {
		for _, column := range columns {
			picked = append(picked, from[row*len(columns)+column])
		}
	}
	return picked
}

// The columns of the long layout.
const (
	agentColumn = iota
	stateColumn
	actionColumn
	rewardColumn
	longColumns
)

var longHeadings = [longColumns]string{"agent", "state", "action", "reward"}

// longHeader finds the columns; the column of agents is -1 if there is none.
func longHeader(r *rows, header, headings []string) (columns [longColumns]int, err error) {
	for i, heading := range headings {
		if !slices.Contains(longHeadings[:], heading) {
			name := ""
			if isWord(header[i]) {
				name = ", " + header[i] + ","
			}
			return columns,
				fmt.Errorf("row %d, column %d%s is not state, action, reward or agent; remove it from the file", r.row, i+1,
					name)
		}
	}
	for i, heading := range longHeadings {
		columns[i] = slices.Index(headings, heading)
		if columns[i] < 0 && i != agentColumn {
			return columns, fmt.Errorf("the header has no column %s; want state, action and reward, and agent if there are "+
				"several", heading)
		}
		if columns[i] >= 0 && slices.Contains(headings[columns[i]+1:], heading) {
			return columns, fmt.Errorf("two columns are headed %s; want one", heading)
		}
	}
	return columns, nil
}

// entry is a row of the long layout. Agent, state and action are indices of names.
type entry struct {
	agent, state, action int32
	place                place
	reward               float64
}

func readLong(r *rows, header, headings []string) (*Table, error) {
	columns, err := longHeader(r, header, headings)
	if err != nil {
		return nil, err
	}
	long := longTable{named: columns[agentColumn] >= 0}
	for {
		cells, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := long.add(r, cells, columns); err != nil {
			return nil, err
		}
	}
	if len(long.entries) == 0 {
		return nil, errNoRows
	}
	return long.table()
}

// longTable collects the rows of the long layout.
type longTable struct {
	named   bool // agents have names
	agents  names
	states  names
	actions []names // of every agent
	entries []entry
}

func (l *longTable) add(r *rows, cells []string, columns [longColumns]int) error {
	e := entry{place: r.at(columns[rewardColumn])}
	agent := ""
	for i, column := range columns[:rewardColumn] {
		if column >= 0 && cells[column] == "" {
			return cellError(r.at(column), "the "+longHeadings[i]+" has no name")
		}
	}
	if l.named {
		agent = cells[columns[agentColumn]]
	}
	e.agent = l.agents.number(agent, r.at(columns[agentColumn]))
	if int(e.agent) == len(l.actions) {
		l.actions = append(l.actions, names{})
	}
	e.state = l.states.number(cells[columns[stateColumn]], r.at(columns[stateColumn]))
	e.action = l.actions[e.agent].number(cells[columns[actionColumn]], r.at(columns[actionColumn]))
	var err error
	if e.reward, err = parse(e.place, cells[columns[rewardColumn]]); err != nil {
		return err
	}
	l.entries = append(l.entries, e)
	return nil
}

// table sorts the rewards into a Table.
func (l *longTable) table() (*Table, error) {
	if err := l.checkComplete(); err != nil { // before allocating a table that may be far larger than the file
		return nil, err
	}
	agents, states := l.agents.sorted(), l.states.sorted()
	t := &Table{
		Agents: pick(l.agents.list, agents), States: pick(l.states.list, states),
		layout: layout{long: true, header: true, agents: l.named},
	}
	agentAt, stateAt := inverse(agents), inverse(states)
	actionAt := make([][]int, len(agents))
	var found [][]int32 // row of every entry, by agent
	for _, i := range agents {
		actions := l.actions[i].sorted()
		actionAt[i] = inverse(actions)
		t.Names = append(t.Names, pick(l.actions[i].list, actions))
		t.Values = append(t.Values, make([]float64, len(states)*len(actions)))
		found = append(found, make([]int32, len(states)*len(actions)))
	}
	for _, e := range l.entries {
		agent := agentAt[e.agent]
		at := stateAt[e.state]*len(t.Names[agent]) + actionAt[e.agent][e.action]
		if first := found[agent][at]; first > 0 {
			return nil, fmt.Errorf("row %d repeats row %d; want every entry once", e.place.row, first)
		}
		found[agent][at], t.Values[agent][at] = e.place.row, e.reward
	}
	return t, nil
}

// checkComplete checks that every agent has at least as many rows as entries. If it has too few, some state
// lacks an action. If it has enough and an entry is missing, another one is repeated, which table reports.
func (l *longTable) checkComplete() error {
	rows := make([]int, len(l.actions))
	for _, e := range l.entries {
		rows[e.agent]++
	}
	for agent := range l.actions {
		if rows[agent] < len(l.states.list)*len(l.actions[agent].list) {
			return l.missing(int32(agent))
		}
	}
	return nil
}

// missing is the error for a missing entry of an agent.
func (l *longTable) missing(agent int32) error {
	actions := &l.actions[agent]
	rows := make([]int, len(l.states.list))
	for _, e := range l.entries {
		if e.agent == agent {
			rows[e.state]++
		}
	}
	state := slices.IndexFunc(rows, func(n int) bool { return n < len(actions.list) })
	known := make([]bool, len(actions.list))
	for _, e := range l.entries {
		if e.agent == agent && int(e.state) == state {
			known[e.action] = true
		}
	}
	action := slices.Index(known, false)
	return fmt.Errorf("no row for the state of row %d and the action of row %d; every agent needs a reward for every "+
		"state and each of its actions", l.states.places[state].row, actions.places[action].row)
}

// inverse returns the position of each index in an order.
func inverse(order []int) []int {
	at := make([]int, len(order))
	for i, n := range order {
		at[n] = i
	}
	return at
}
