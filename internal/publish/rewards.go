package publish

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"

	"veilpath/planner/problem"
	"veilpath/planner/release"
)

// entriesOf returns the indices of an agent's released rewards in the order of the file. Rewards after the agent's
// end are publicly 0, and actions that a state lacks are public too; neither is released.
func entriesOf(n *problem.Instance, agent int) []int {
	return list(n, n.Rewards.Tables[agent], n.Member(agent).Actions,
		func(state int) bool { return n.Rewards.HasEnded(agent, state) })
}

// jointEntries returns the indices of the released joint rewards. It leaves out states in which every agent has
// ended.
func jointEntries(n *problem.Instance) []int {
	over := n.Rewards.Over()
	return list(n, n.Rewards.Joint, n.Actions, func(state int) bool {
		_, found := slices.BinarySearch(over, state)
		return found
	})
}

func list(n *problem.Instance, table []float64, actions problem.Names, ended func(state int) bool) (entries []int) {
	order := actions.Sorted()
	for _, s := range n.States.Sorted() {
		for _, a := range order {
			if at := s*actions.Count() + a; !ended(s) && s < n.Listed && !math.IsInf(table[at], -1) {
				entries = append(entries, at)
			}
		}
	}
	return entries
}

// published is an original whose file has rows of agent, state, action and reward.
type published struct {
	instance *problem.Instance
	members  []problem.Member
	entries  [][]int
}

// agents returns the members' names.
func (p *published) agents() []string {
	list := make([]string, len(p.members))
	for i, member := range p.members {
		list[i] = member.Name
	}
	return list
}

// names returns the state and the action of an entry.
func (p *published) names(agent, entry int) (state, action string) {
	actions, at := p.members[agent].Actions, p.entries[agent][entry]
	return p.instance.States.Of(at / actions.Count()), actions.Of(at % actions.Count())
}

// Rewards returns the rewards of every agent, which Algorithm 1 perturbs.
func Rewards(n *problem.Instance) release.Original {
	p := &published{instance: n}
	var rewards [][]float64
	for i, table := range n.Rewards.Tables {
		entries := entriesOf(n, i)
		p.members, p.entries = append(p.members, n.Member(i)), append(p.entries, entries)
		picked := make([]float64, len(entries))
		for k, at := range entries {
			picked[k] = table[at]
		}
		rewards = append(rewards, picked)
	}
	return release.Original{Rewards: rewards, States: n.Listed, Agents: p.agents(), Names: p.names,
		Write: p.write}
}

// Joint returns the joint reward, which Algorithm 2 perturbs.
func Joint(n *problem.Instance) release.Original {
	team := problem.Member{Actions: n.Actions}
	p := &published{instance: n, members: []problem.Member{team}, entries: [][]int{jointEntries(n)}}
	return release.Original{Joint: &release.Joint{Rewards: n.Rewards, Entries: p.entries[0]}, States: n.Listed,
		Write: p.write}
}

func (p *published) write(to io.Writer, rewards [][]float64) error {
	out := csv.NewWriter(to)
	from := 1
	if len(p.members) > 1 {
		from = 0
	}
	row := []string{"agent", "state", "action", "reward"}
	out.Write(row[from:]) // Error reports its errors
	for _, i := range problem.Named(p.agents()).Sorted() {
		for k := range p.entries[i] {
			row[0] = p.members[i].Name
			row[1], row[2] = p.names(i, k)
			row[3] = strconv.FormatFloat(rewards[i][k], 'g', -1, 64)
			out.Write(row[from:])
		}
	}
	out.Flush()
	return out.Error()
}
