package setup

import (
	"errors"
	"strings"
	"testing"

	"veilpath/configs"
)

// The error of a mission that cannot be solved names the key, the problem and the fix.
func TestUnsolvedMissions(t *testing.T) {
	for name, c := range map[string]struct {
		change       func(*configs.Config)
		key, says    string
		fix, picture string
	}{
		"goal kept out": {func(c *configs.Config) { c.Planner.KeepOut = [][]int{{15, 10, 17, 12}} }, "planner.keep_out",
			"the goal, column 16, row 11, lies in a keep-out area", "make the area smaller",
			strings.Repeat("...............###..\n", 3)},
		"start kept out": {func(c *configs.Config) { c.Planner.KeepOut = [][]int{{0, 7}} }, "planner.keep_out",
			"the start, column 0, row 7, lies in a keep-out area", "make the area smaller",
			"\n#xxxxxxxxxxxxxxxxxxx\n"},
		"cut off": {func(c *configs.Config) { c.Planner.KeepOut = [][]int{{8, 0, 8, 19}} }, "planner.keep_out",
			"no way leads from the start", "open one of the cells between", "S.......#xxxxxxxxxxx"},
		"tolerance": {func(c *configs.Config) { c.Planner.Slip, c.Planner.Discount = 0.15, 0.9999999999 },
			"planner.tolerance",
			"on a grid of 20 x 20 waypoints with these rewards and this discount, rounding allows the values to be certified to",
			"reduce planner.discount", ""},
	} {
		config := configs.Default()
		c.change(&config)
		_, err := Experiment(config)
		var wrong *configs.Error
		if !errors.As(err, &wrong) || wrong.Key != c.key || !strings.Contains(wrong.Problem, c.says) ||
			!strings.Contains(wrong.Fix, c.fix) || !strings.Contains(wrong.Picture, c.picture) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
