package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"veilpath/planner"
	"veilpath/planner/problem"
	"veilpath/planner/reward"
)

// Rewards are the further rewards besides the distance to the goal; the zero value is none.
type Rewards struct {
	reward.Map
	Columns int // columns of the grid of Values

	name string // name of the file, until fitRewards reads its rewards
	file []byte
}

// Equal reports whether both are the same rewards from the same file.
func (r Rewards) Equal(other Rewards) bool {
	return r.Columns == other.Columns && r.Actions == other.Actions && slices.Equal(r.Values, other.Values) &&
		r.name == other.name && bytes.Equal(r.file, other.file)
}

const (
	rewardsKey = "planner.rewards"
	maxRewards = 200_000 // limit for a record of the settings
)

// MarshalYAML writes none, or a list of the rows from north to south, of numbers or lists of them; or the name
// of a file whose rewards fitRewards has not read yet.
func (r Rewards) MarshalYAML() (any, error) {
	if r.name != "" {
		return r.name, nil
	}
	if len(r.Values) == 0 {
		return none, nil
	}
	var rows []any
	for row := range slices.Chunk(r.Values, r.Columns*r.Actions) {
		if r.Actions == 1 {
			rows = append(rows, row)
		} else {
			rows = append(rows, slices.Collect(slices.Chunk(row, r.Actions)))
		}
	}
	slices.Reverse(rows)
	return rows, nil
}

// rewardMap accepts maps of rewards: none, the name of a file, or the numbers.
var rewardMap = domain{parse: parseRewards, allowed: "none, FILE.csv, or a list of the rows of cells " +
	"from north to south, each a list of numbers or of one number for every move"}

func parseRewards(n *yaml.Node) (any, string) {
	if n.Kind == yaml.SequenceNode {
		return parseRows(n.Content)
	}
	text, wrong := wordText(n)
	if wrong != "" || text == none {
		return Rewards{}, wrong
	}
	if err := problem.Removed(strings.TrimRight(text, " -+.0123456789")); err != nil { // 'FILE.png LOW..HIGH'
		return nil, err.Error()
	}
	return Rewards{name: text}, ""
}

// parseRows reads the lists of numbers.
func parseRows(rows []*yaml.Node) (any, string) {
	r := Rewards{Map: reward.Map{Actions: 1}}
	number := between(-largestReward, largestReward)
	for i := len(rows) - 1; i >= 0; i-- {
		row := rows[i].Content
		if rows[i].Kind != yaml.SequenceNode || len(row) == 0 || r.Columns != 0 && len(row) != r.Columns {
			return nil, fmt.Sprintf("row %d is not a list as long as the others", i+1)
		}
		if r.Columns == 0 && row[0].Kind == yaml.SequenceNode {
			r.Actions = len(row[0].Content)
		}
		r.Columns = len(row)
		for k, cell := range row {
			entries := []*yaml.Node{cell}
			if cell.Kind == yaml.SequenceNode {
				entries = cell.Content
			}
			if len(entries) != r.Actions {
				return nil, fmt.Sprintf("row %d, cell %d does not hold as many numbers as the others", i+1, k+1)
			}
			for _, entry := range entries {
				value, problem := number.parse(entry)
				if problem != "" {
					return nil, fmt.Sprintf("row %d, cell %d is %s", i+1, k+1, problem)
				}
				r.Values = append(r.Values, value.(float64))
			}
		}
	}
	return r, ""
}

// fileReader reads a file that a value names; nil if files cannot be read.
type fileReader func(path string) ([]byte, error)

// from returns a reader that takes relative paths from the folder of the file of settings.
func (read fileReader) from(folder string) fileReader {
	if read == nil {
		return nil
	}
	return func(path string) ([]byte, error) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		return read(path)
	}
}

// withFile returns the rewards with the content of the file that they name, or the error.
func (r Rewards) withFile(read fileReader, at *Error) (Rewards, *Error) {
	at.Value = shortenedPath(r.name)
	wrong := func(problem, fix string) (Rewards, *Error) { return r, at.because(problem, rewardMap.allowed, fix) }
	if read == nil {
		return wrong("names a file, but files are not read here", "give the numbers, as 'veilpath config show' does")
	}
	const fix = "name a file that can be read"
	text, err := read(r.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wrong("no such file", fix)
	case err != nil:
		at.cause = err
		return wrong("not readable, "+reason(err), fix)
	case len(text) > LargestFile:
		return wrong("longer than 1 MiB", fix)
	}
	r.file = append([]byte{}, text...)
	return r, nil
}

// fitRewards reads the rewards of a file as rewards of the grid's cells, and checks that rewards fit the grid.
func (c *Config) fitRewards() (found findings) {
	p := &c.Planner
	r, moves := p.Rewards, planner.Moves(p.Moves)
	wrong := func(problem string) findings {
		found.add(true, rewardsKey+" planner.columns planner.rows planner.moves", problem,
			fmt.Sprintf("rewards of %d x %d cells, one each or one for each of their %d moves", p.Columns, p.Rows,
				moves.Count()), "write it for this grid, or set planner.columns and planner.rows to its size")
		return found
	}
	if r.file != nil {
		read, err := reward.ReadMap(r.file, p.Columns, p.Rows, moves.Names())
		if errors.Is(err, reward.ErrSize) {
			return wrong(r.name + ": " + err.Error())
		}
		for _, v := range read.Values {
			if err == nil && math.Abs(v) > largestReward {
				err = fmt.Errorf("the reward %g is too large; rewards go from -%g to %g", v, largestReward, largestReward)
			}
		}
		if err != nil {
			found.add(true, rewardsKey, r.name+": "+err.Error(), "finite numbers, for cells of the grid and moves that it has",
				"correct the file there")
			return found
		}
		r = Rewards{Map: read, Columns: p.Columns}
	}
	switch {
	case len(r.Values) == 0 && p.RewardWeight == 0:
		found.add(true, "planner.reward_weight "+rewardsKey, "all rewards are 0, so there is nothing to plan",
			"a number above 0 without planner.rewards", "raise planner.reward_weight, or set planner.rewards")
		return found
	case len(r.Values) > maxRewards:
		return wrong(fmt.Sprintf("%d rewards, more than the %d that a record of the settings holds", len(r.Values),
			maxRewards))
	case len(r.Values) > 0 && (r.Columns != p.Columns || len(r.Values) != p.Columns*p.Rows*r.Actions ||
		r.Actions != 1 && r.Actions != moves.Count()):
		return wrong(fmt.Sprintf("%d columns of cells, %d rewards per cell and %d in total do not fit the grid",
			r.Columns, r.Actions, len(r.Values)))
	}
	p.Rewards = r
	return nil
}
