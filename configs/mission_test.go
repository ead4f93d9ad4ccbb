package configs

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rewardRows is a list of rows of cells that all earn the same.
func rewardRows(columns, rows int, reward string) string {
	row := "[" + strings.Repeat(reward+",", columns-1) + reward + "]"
	return "[" + strings.Repeat(row+",", rows-1) + row + "]"
}

// files is a disk of a few files.
func files(of map[string]string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		text, ok := of[filepath.ToSlash(path)]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}
}

// small is a grid of 3 x 2 cells, with the start in the south-west and the target in the north-east.
const small = "vehicle: {start_km: [0, 0, 10]}\ntarget_km: [20, 10, 0]\nplanner: {columns: 3, rows: 2, spacing_km: " +
	"10, start_cell: [0, 0], %}\nprivacy: {handover_km: 11}\n"

// Rewards come from numbers and lists alike, with the north above; what was read is part of the settings,
// which read back without the file.
func TestRewardsAreReadFromFiles(t *testing.T) {
	want := []float64{-1, 0, -0.5, 0, 0, 7}
	for value, file := range map[string]string{
		"[[0, 0, 7], [-1, 0, -0.5]]": "",
		"map.csv":                    "0,0,7\n-1, 0 ,-0.5\n",
		"list.csv":                   "Row,column,reward\n0,0,-1\n0,2,-0.5\n1,2,7\n",
	} {
		text := strings.Replace(small, "%", "rewards: "+value, 1)
		loaded, err := Load(Request{Config: "maps/my.yaml",
			ReadFile: files(map[string]string{"maps/my.yaml": text, "maps/" + value: file})})
		if err != nil {
			t.Errorf("%s: %v", value, err)
			continue
		}
		got := loaded.Planner.Rewards
		if !slices.Equal(got.Values, want) || got.Actions != 1 || got.Columns != 3 {
			t.Errorf("%s: %+v, want %v", value, got, want)
		}
		again, err := Load(Request{Config: "again.yaml",
			ReadFile: files(map[string]string{"again.yaml": string(loaded.YAML())})})
		if err != nil || cmp.Diff(loaded.Config, again.Config) != "" || again.SHA256() != loaded.SHA256() {
			t.Errorf("%s: the settings do not read back: %v", value, err)
		}
	}
}

// Rewards of moves stand in the order of the moves.
func TestRewardsOfMoves(t *testing.T) {
	text := strings.Replace(small, "%", "moves: 8, rewards: moves.csv", 1)
	loaded, err := Load(Request{Config: "my.yaml",
		ReadFile: files(map[string]string{"my.yaml": text,
			"moves.csv": "column,row,action,reward\n2,1,north-west,3\n0,0,north,-4\n"})})
	if err != nil {
		t.Fatal(err)
	}
	r := loaded.Planner.Rewards
	if r.Actions != 8 || len(r.Values) != 48 || r.Values[0] != -4 || r.Values[47] != 3 {
		t.Errorf("%+v, want -4 first and 3 last of 48", r)
	}
	again, err := Load(Request{Config: "again.yaml",
		ReadFile: files(map[string]string{"again.yaml": string(loaded.YAML())})})
	if err != nil || !again.Planner.Rewards.Equal(r) {
		t.Errorf("the settings do not read back: %v", err)
	}
}

// What is wrong with a mission is told with the key, the file, the line and what to do.
func TestBadMissions(t *testing.T) {
	for sets, says := range map[string]string{
		"planner.keep_out=[[3,4],[5,6,7]]": "planner.keep_out = [[3, 4], [5, 6, 7]] (flag --set): " +
			"[5, 6, 7] (value 2) is neither a cell nor two corners",
		"planner.goals=[[2]]":                                "[2] (value 1) is a list of length 1",
		"planner.moves=king":                                 "allowed: paper or 8",
		"planner.rewards=nowhere.csv":                        "planner.rewards = nowhere.csv (flag --set): no such file",
		"planner.rewards=" + many("a folder/", 9) + "no.csv": "/a folder/no.csv (flag --set): no such file",
		"planner.rewards=words.csv":                          "words.csv: line 1: want numbers, or the headings",
		"planner.rewards=short.csv": "planner.rewards = short.csv (flag --set): short.csv: " +
			"line 1: want 20 lines of 20 numbers",
		"planner.rewards=huge.csv":   "huge.csv: the reward -1e+10 is too large",
		"planner.rewards=twice.csv":  "twice.csv: line 3: the cell occurs twice",
		"planner.rewards=secret.csv": "secret.csv: line 2: not a finite number",
		"planner.rewards=far.csv": "far.csv: line 2: no such cell among columns 0 to 19 and " +
			"rows 0 to 19",
		"planner.rewards=up.csv": "up.csv: line 2: no such action; want one of north, " +
			"south, east, west, to_target",
		"planner.rewards=map.png":                                "map.png: .png files are not read; write CSV with a line",
		"planner.rewards=my map.PNG -3..0":                       ".png files are not read",
		"planner.rewards=[[1,2],[3]]":                            "row 1 is not a list as long as the others",
		"planner.rewards=[[1,2],[3,4]]":                          "do not fit the grid; allowed: rewards of 20 x 20 cells",
		"planner.reward_weight=0":                                "all rewards are 0",
		"planner.rewards=" + rewardRows(20, 20, "[1,2]"):         "2 rewards per cell",
		"planner.rewards=" + rewardRows(20, 20, "[1,2,3,4,5,6]"): "6 rewards per cell",
	} {
		disk := map[string]string{
			"huge.csv":  "column,row,reward\n3,1,-1e10\n",
			"words.csv": "a,b\n1,2\n", "short.csv": "1,2\n", "twice.csv": "column,row,reward\n1,1,2\n1,1,3\n",
			"secret.csv": "column,row,reward\n1,1,NaN\n",
			"far.csv":    "column,row,reward\n20,1,2\n", "up.csv": "column,row,action,reward\n2,1,up,2\n",
		}
		_, err := Load(Request{Sets: []string{sets}, ReadFile: files(disk)})
		var wrong *Error
		if err == nil || !strings.Contains(err.Error(), says) || !errors.As(err, &wrong) || wrong.Fix == "" ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s:\n got %v\nwant %s, and what to do, on one line", shortened(sets), err, says)
		}
	}
	if _, err := Load(Request{Sets: []string{"planner.rewards=map.csv"}}); err == nil ||
		!strings.Contains(err.Error(), "files are not read here") {
		t.Errorf("a file where none is read: %v", err)
	}
}
