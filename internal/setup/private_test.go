package setup

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
)

// filed is a source of files in memory that counts the open ones.
type filed struct {
	files  map[string]string
	opened []string
	open   int
}

// counted is an open file.
type counted struct {
	io.Reader
	of     *filed
	closed bool
}

func (c *counted) Close() error {
	if !c.closed {
		c.of.open--
	}
	c.closed = true
	return nil
}

func (f *filed) source() Source {
	return Source{
		Open: func(path string) (io.ReadCloser, error) {
			text, found := f.files[path]
			if !found {
				return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
			}
			f.opened = append(f.opened, path)
			f.open++
			return &counted{Reader: strings.NewReader(text), of: f}, nil
		},
		Whole: func(path string) ([]byte, error) { return []byte(f.files[path]), nil },
		Load: func(config string) (*configs.Loaded, error) {
			return configs.Load(configs.Request{Config: config,
				ReadFile: func(path string) ([]byte, error) { return []byte(f.files[path]), nil }})
		},
	}
}

const (
	tableText    = "state,go,stay\naway,0.5,-1\nhome,-1,5\n"
	outcomesText = "state,action,next,probability,reward\n0,0,1,1,0.5\n0,1,0,1,-1\n1,0,1,1,2\n1,1,1,1,3\n"
)

// A CSV file is a problem if its header names outcomes, and otherwise a table of rewards. It is opened only once,
// because it may be a pipe, and closed.
func TestPrivateDistinguishesTablesFromProblems(t *testing.T) {
	for _, c := range []struct {
		name, text string
		problem    bool
		entries    int
	}{
		{"table.csv", tableText, false, 4},
		{"TABLE.CSV", tableText, false, 4},
		{"pipe", tableText, false, 4},
		{"outcomes.csv", outcomesText, true, 4},
	} {
		f := &filed{files: map[string]string{c.name: c.text}}
		p, err := f.source().Private(c.name, false, Choice{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		r, err := p.Rewards()
		if err != nil || (p.Input != nil) != c.problem || (p.Table != nil) == c.problem ||
			r.Shape.JointEntries() != c.entries || r.Name != c.name {
			t.Errorf("%s: a problem: %v, rewards %+v, %v", c.name, p.Input != nil, r, err)
		}
		if !slices.Equal(f.opened, []string{c.name}) || f.open != 0 {
			t.Errorf("%s: opened %v, %d still open", c.name, f.opened, f.open)
		}
	}
}

// The argument header makes the first row a header even if it has no known names.
func TestPrivateAcceptsAnyHeader(t *testing.T) {
	f := &filed{files: map[string]string{"t.csv": "go,stay\n1,2\n"}}
	if _, err := f.source().Private("t.csv", false, Choice{}); err == nil || !strings.Contains(err.Error(), "add header") {
		t.Errorf("without --header: %v", err)
	}
	p, err := f.source().Private("t.csv", true, Choice{})
	if err != nil || !slices.Equal(p.Table.Names[0], []string{"go", "stay"}) {
		t.Errorf("with it: %+v, %v", p, err)
	}
}

// An error about the contents of a file may reveal rewards. Errors about a missing file and settings reveal none.
func TestPrivateMarksErrorsThatMayRevealRewards(t *testing.T) {
	const secret = "31.4159"
	f := &filed{files: map[string]string{
		"bad.csv":     "state,action,next,probability,reward\n0,0,1,0.7," + secret + "x\n",
		"table.csv":   "state,go\naway," + secret + "x\n",
		"cut.drn":     "@type: MDP\n",
		"wrong.yaml":  "planner:\n  columns: -1\n",
		"unknown.yml": "plannner: {}\n",
	}}
	for _, c := range []struct {
		name          string
		unpublishable bool
	}{{"bad.csv", true}, {"cut.drn", true}, {"table.csv", true}, {"absent.csv", false}, {"absent.drn", false},
		{"old.tra", false},
		{"wrong.yaml", false}, {"unknown.yml", false}} {
		_, err := f.source().Private(c.name, false, Choice{})
		var unpublishable *Unpublishable
		if err == nil || errors.As(err, &unpublishable) != c.unpublishable {
			t.Errorf("%s: %v is Unpublishable: %v, want %v", c.name, err, unpublishable != nil, c.unpublishable)
		}
		if err != nil && !c.unpublishable && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v reveals a reward", c.name, err)
		}
		if f.open != 0 {
			t.Errorf("%s: %d files are still open", c.name, f.open)
		}
	}
}

// A reward model is chosen only of what has some.
func TestRewardModelsAreOfFiles(t *testing.T) {
	f := &filed{files: map[string]string{"t.csv": "state,go\na,1\n", "outcomes.csv": outcomesText}}
	for _, name := range []string{"t.csv", "outcomes.csv", "paper"} {
		if _, err := f.source().Private(name, false, Choice{RewardModel: "x"}); err == nil ||
			!strings.Contains(err.Error(), "are in DRN files alone") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// If the settings are wrong, the problem's file is closed unread.
func TestPrivateClosesWhatWrongSettingsLeaveUnread(t *testing.T) {
	wrong := errors.New("settings that are wrong")
	f := &filed{files: map[string]string{"outcomes.csv": outcomesText}}
	source := f.source()
	source.Load = func(string) (*configs.Loaded, error) { return nil, wrong }
	if _, err := source.Private("outcomes.csv", false, Choice{}); !errors.Is(err, wrong) || len(f.opened) != 1 ||
		f.open != 0 {
		t.Errorf("%v: opened %v, %d still open", err, f.opened, f.open)
	}
}

// The rewards of presets are named after the paper's examples, and those of a mission list its possible goals.
func TestPrivateNamesThePapersProblems(t *testing.T) {
	for _, c := range []struct {
		preset, name string
		choice       Choice
		mission      bool
	}{
		{"paper", "Example 3, 20 x 20 waypoints", Choice{}, true},
		{"example1", "Example 1, 2 agents", Choice{}, false},
		{"example1", "Example 1, 3 agents", Choice{Agents: 3}, false},
		{"example2", "Example 2, 2 agents, reward 5 at the goal", Choice{GoalReward: 5}, false},
	} {
		f := &filed{}
		p, err := f.source().Private(c.preset, false, c.choice)
		if err != nil {
			t.Errorf("%s: %v", c.preset, err)
			continue
		}
		r, err := p.Rewards()
		if err != nil || r.Name != c.name || (r.Mission != nil) != c.mission {
			t.Errorf("%s: %q, of a mission: %v, %v", c.preset, r.Name, r.Mission != nil, err)
		}
		if c.mission && (len(r.Mission.Candidates) == 0 || !slices.Contains(r.Mission.Candidates, r.Mission.Grid.Goal)) {
			t.Errorf("%s: the possible goals are %v", c.preset, r.Mission.Candidates)
		}
	}
}
