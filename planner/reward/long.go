package reward

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// names numbers names in the order in which they come.
type names struct {
	list []string
	at   map[string]int
}

func (n *names) number(name string) int {
	if n.at == nil {
		n.at = map[string]int{}
	}
	i, known := n.at[name]
	if !known {
		i = len(n.list)
		n.at[name], n.list = i, append(n.list, name)
	}
	return i
}

// column returns where the header has a name, -1 where it has not.
func (t *Table) column(name string) (int, error) {
	at := slices.Index(t.header, name)
	if at >= 0 && slices.Contains(t.header[at+1:], name) {
		return 0, fmt.Errorf("two columns are headed %s; want one", name)
	}
	return at, nil
}

func (t *Table) readLong() error {
	var columns [4]int
	for i, name := range []string{"agent", "state", "action", "reward"} {
		at, err := t.column(name)
		if err != nil {
			return err
		}
		if at < 0 && name != "agent" {
			return fmt.Errorf("the header %s has no %s; want the columns state, action and reward, and agent where there are several", strings.Join(t.header, ","), name)
		}
		columns[i] = at
	}
	return t.place(columns)
}

// place numbers agents, states and actions, and puts the rewards where they belong.
func (t *Table) place(columns [4]int) error {
	var agents, states names
	var actions []names
	type entry struct{ agent, state, action int }
	entries := make([]entry, len(t.rows))
	firstRow := make(map[entry]int, len(t.rows))
	for row, fields := range t.rows {
		agent := ""
		if columns[0] >= 0 {
			agent = fields[columns[0]]
		}
		e := entry{agent: agents.number(agent), state: states.number(fields[columns[1]])}
		if e.agent == len(actions) {
			actions = append(actions, names{})
		}
		e.action = actions[e.agent].number(fields[columns[2]])
		if first, twice := firstRow[e]; twice {
			return fmt.Errorf("row %d repeats row %d: %s; want every entry once", t.line(row), t.line(first), describe(agent, fields[columns[1]], fields[columns[2]]))
		}
		firstRow[e], entries[row] = row, e
	}
	t.Agents, t.States = agents.list, states.list
	for i := range actions {
		t.Names = append(t.Names, actions[i].list)
		for s := range states.list {
			for a := range actions[i].list {
				if _, known := firstRow[entry{i, s, a}]; !known {
					return fmt.Errorf("no row for %s; every agent needs a reward for every state and each of its actions", describe(agents.list[i], states.list[s], actions[i].list[a]))
				}
			}
		}
		t.Values = append(t.Values, make([]float64, len(states.list)*len(actions[i].list)))
	}
	for row, e := range entries {
		v, err := t.parse(row, columns[3])
		if err != nil {
			return err
		}
		at := e.state*len(t.Names[e.agent]) + e.action
		t.Values[e.agent][at] = v
		t.cells = append(t.cells, cell{row, columns[3], e.agent, at})
	}
	return nil
}

func describe(agent, state, action string) string {
	text := "state " + strconv.Quote(state) + ", action " + strconv.Quote(action)
	if agent != "" {
		text = "agent " + strconv.Quote(agent) + ", " + text
	}
	return text
}
