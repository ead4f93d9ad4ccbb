package problem

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// toy is a toy-text environment of gymnasium: what every state and action leads to, as env.unwrapped.P has it.
type toy struct {
	states, actions int
	outcomes        func(state, action int) []step
}

// json writes the dictionary as Python's json.dump does.
func (e toy) json() string {
	var b strings.Builder
	b.WriteString("{")
	for s := range e.states {
		if s > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, `"%d": {`, s)
		for a := range e.actions {
			if a > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, `"%d": [`, a)
			for i, o := range e.outcomes(s, a) {
				if i > 0 {
					b.WriteString(", ")
				}
				fmt.Fprintf(&b, "[%s, %d, %s, %t]", strconv.FormatFloat(o.probability, 'g', -1, 64), o.next,
					strconv.FormatFloat(o.reward, 'g', -1, 64), o.ends)
			}
			b.WriteString("]")
		}
		b.WriteString("}")
	}
	return b.String() + "}"
}

// The maps of FrozenLake-v1: start, frozen, hole, goal.
var (
	lake4 = []string{"SFFF", "FHFH", "FFFH", "HFFG"}
	lake8 = []string{"SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF", "FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG"}
)

// frozenLake is FrozenLake-v1, slippery: a third of the moves go as meant (left, down, right, up), a third to
// either side of it. The goal earns 1; holes and the goal end the episode.
func frozenLake(rows []string) toy {
	height, width := len(rows), len(rows[0])
	letter := func(s int) byte { return rows[s/width][s%width] }
	move := func(s, a int) int {
		row, column := s/width, s%width
		switch a {
		case 0:
			column = max(column-1, 0)
		case 1:
			row = min(row+1, height-1)
		case 2:
			column = min(column+1, width-1)
		case 3:
			row = max(row-1, 0)
		}
		return row*width + column
	}
	return toy{height * width, 4, func(s, a int) (all []step) {
		if l := letter(s); l == 'G' || l == 'H' {
			return []step{{next: s, probability: 1, ends: true}}
		}
		for _, b := range []int{(a + 3) % 4, a, (a + 1) % 4} {
			next := move(s, b)
			o := step{next: next, probability: 1.0 / 3, ends: letter(next) == 'G' || letter(next) == 'H'}
			if letter(next) == 'G' {
				o.reward = 1
			}
			all = append(all, o)
		}
		return all
	}}
}

// cliffWalking is CliffWalking-v0 (up, right, down, left): every step earns -1, one off the cliff -100 and leads back
// to the start; the goal ends the episode.
func cliffWalking() toy {
	const height, width, start = 4, 12, 36
	return toy{height * width, 4, func(s, a int) []step {
		row, column := s/width, s%width
		switch a {
		case 0:
			row = max(row-1, 0)
		case 1:
			column = min(column+1, width-1)
		case 2:
			row = min(row+1, height-1)
		case 3:
			column = max(column-1, 0)
		}
		if row == height-1 && column > 0 && column < width-1 {
			return []step{{next: start, probability: 1, reward: -100}}
		}
		return []step{{next: row*width + column, probability: 1, reward: -1,
			ends: row == height-1 && column == width-1}}
	}}
}

// taxi is Taxi-v3 (south, north, east, west, pick up, drop off): every step earns -1, a wrong pick-up or drop-off -10,
// the right drop-off 20 and the end.
func taxi() toy {
	desc := []string{"+---------+", "|R: | : :G|", "| : | : : |", "| : : : : |", "| | : | : |", "|Y| : |B: |",
		"+---------+"}
	places := [][2]int{{0, 0}, {0, 4}, {4, 0}, {4, 3}}
	encode := func(row, column, passenger, goal int) int {
		return ((row*5+column)*5+passenger)*4 + goal
	}
	return toy{500, 6, func(s, a int) []step {
		row, column, passenger, goal := s/100, s/20%5, s/4%5, s%4
		o := step{probability: 1, reward: -1}
		at := -1
		for i, p := range places {
			if p == [2]int{row, column} {
				at = i
			}
		}
		switch a {
		case 0:
			row = min(row+1, 4)
		case 1:
			row = max(row-1, 0)
		case 2:
			if desc[1+row][2*column+2] == ':' {
				column = min(column+1, 4)
			}
		case 3:
			if desc[1+row][2*column] == ':' {
				column = max(column-1, 0)
			}
		case 4:
			if passenger < 4 && passenger == at {
				passenger = 4
			} else {
				o.reward = -10
			}
		case 5:
			switch {
			case passenger == 4 && at == goal:
				passenger, o.ends, o.reward = goal, true, 20
			case passenger == 4 && at >= 0:
				passenger = at
			default:
				o.reward = -10
			}
		}
		o.next = encode(row, column, passenger, goal)
		return []step{o}
	}}
}

// The lake of the guides is gymnasium's.
func TestLakeOfTheGuides(t *testing.T) {
	text, err := os.ReadFile("../../assets/guide/lake.json")
	if err != nil || string(text) != frozenLake(lake4).json()+"\n" {
		t.Errorf("assets/guide/lake.json is not FrozenLake-v1 (%v)", err)
	}
}
