package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"veilpath/configs"
	"veilpath/sim/record"
	"veilpath/sim/setup"
	"veilpath/sim/study"
)

// studyFlags are the flags of study that are not configuration keys.
type studyFlags struct {
	resume bool
	shard  string
	sweeps []string
	until  string
}

// order is a study as asked for: the settings of every point, and what part of it to fly until when.
type order struct {
	loaded  *configs.Loaded // of the first point, with the keys swept at their first value
	points  []*configs.Loaded
	sweep   []record.Swept
	untilKm float64       // 0 for a fixed number of runs
	shard   *record.Shard // nil for all
}

// studyKeys are the flags of study that stand for configuration keys.
var studyKeys = map[string]string{"epsilons": "study.epsilons", "runs": "study.runs", "noise": "study.noise"}

// newOrder reads the order from the flags.
func (a *app) newOrder(cmd *cobra.Command, flags studyFlags) (*order, error) {
	base, err := a.load(cmd, studyKeys)
	if err != nil {
		return nil, err
	}
	untilKm, err := parseUntil(flags.until)
	if err != nil {
		return nil, err
	}
	if untilKm > 0 && flags.shard != "" {
		return nil, usageError{errors.New("--until and --shard exclude each other: when to stop is decided from all flights; give --runs instead of --until")}
	}
	o := &order{untilKm: untilKm}
	if o.sweep, o.points, err = sweepPoints(base, a.request(cmd, studyKeys), flags.sweeps); err != nil {
		return nil, err
	}
	if o.loaded = o.points[0]; untilKm > 0 && !base.Given("study.runs") {
		for _, p := range o.points {
			p.Study.Runs = mostRuns
		}
	}
	o.shard, err = parseShard(flags.shard, len(o.points)*o.loaded.Study.Runs)
	return o, err
}

// mostRuns is how many runs of one epsilon --until may take when the user does not say.
const mostRuns = 1_000_000

// recordedOrder reads the order back from the manifest of a study in a folder. Only the workers, on which
// nothing recorded depends, come from elsewhere.
func (a *app) recordedOrder(cmd *cobra.Command, folder string, m record.Manifest) (*order, error) {
	request := recordedRequest(folder, m)
	request.Environ, request.Sets = only(a.environ, "VEILPATH_STUDY_WORKERS"), only(a.sets, workersKey)
	if f := cmd.Flag("workers"); f != nil && f.Changed {
		request.Overrides = []configs.Override{{Key: workersKey, Flag: "--workers", Value: f.Value.String()}}
	}
	base, err := configs.Load(request)
	if err != nil {
		return nil, err
	}
	o := &order{untilKm: m.UntilKm, shard: m.Shard, sweep: m.Sweep}
	o.points, err = loadPoints(base, request, m.Sweep)
	if err != nil {
		return nil, err
	}
	o.loaded = o.points[0]
	return o, nil
}

// workersKey is the one key that does not change what a study comes to.
const workersKey = "study.workers"

// sittingFlags do not change what a study comes to, only how this sitting goes.
var sittingFlags = map[string]bool{"resume": true, "out": true, "force": true, "workers": true, "quiet": true, "format": true, "help": true}

// asked returns the names of the flags on the command line that say what to fly.
func asked(cmd *cobra.Command) (names []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !sittingFlags[f.Name] && !setsWorkers(f) {
			names = append(names, f.Name)
		}
	})
	return names
}

// setsWorkers reports whether a flag is --set, given for the workers alone.
func setsWorkers(f *pflag.Flag) bool {
	if f.Name != "set" {
		return false
	}
	sets := f.Value.(pflag.SliceValue).GetSlice()
	return len(only(sets, workersKey)) == len(sets)
}

// only returns the assignments name=value of one name.
func only(assignments []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(assignments), func(assignment string) bool {
		assigned, _, _ := strings.Cut(assignment, "=")
		return strings.TrimSpace(assigned) != name
	})
}

// manifest returns the manifest of the order with nothing done.
func (o *order) manifest() (record.Manifest, error) {
	m, err := newManifest("study", o.loaded)
	m.Sweep, m.UntilKm, m.Shard, m.Complete = o.sweep, o.untilKm, o.shard, false
	return m, err
}

// campaign builds the experiments of the points.
func (o *order) campaign() (*study.Sweep, error) {
	c := &study.Sweep{Workers: o.loaded.Study.Workers}
	for i, p := range o.points {
		e, err := setup.Experiment(p.Config)
		if err != nil {
			return nil, fmt.Errorf("point %d of the sweep: %w", i+1, err)
		}
		c.Points = append(c.Points, setup.Study(p.Config, e))
	}
	return c, nil
}

// parseShard reads i/n and finds the slots it stands for; empty means all of them.
func parseShard(text string, slots int) (*record.Shard, error) {
	if text == "" {
		return nil, nil
	}
	index, of, _ := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	switch {
	case err1 != nil || err2 != nil || n < 1 || i < 1 || i > n:
		return nil, usageError{fmt.Errorf("--shard %s: not a part; want i/n with i from 1 to n, such as 1/8", text)}
	case n > slots:
		return nil, usageError{fmt.Errorf("--shard %s: the study has only %s to share out; take at most that many parts", text, count(slots, "run"))}
	}
	return record.NewShard(i, n, slots), nil
}

// parseUntil reads a half-width such as 0.5km.
func parseUntil(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	km, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "km")), 64)
	if err != nil || !(km > 0) || km > 1e5 {
		return 0, usageError{fmt.Errorf("--until %s: not a half-width; want a number of km above 0, such as 0.5km", text)}
	}
	return km, nil
}

// differences names what two manifests of one folder do not agree on.
func differences(recorded, asked record.Manifest) string {
	switch {
	case recorded.Verb != asked.Verb:
		return fmt.Sprintf("it holds a %s, not a %s", recorded.Verb, asked.Verb)
	case recorded.Version != asked.Version || recorded.GoVersion != asked.GoVersion || recorded.Arch != asked.Arch:
		return fmt.Sprintf("veilpath %s (%s, %s) began it, this is %s (%s, %s)",
			recorded.Version, recorded.GoVersion, recorded.Arch, asked.Version, asked.GoVersion, asked.Arch)
	}
	if key, was, is := differentKey(recorded.Config, asked.Config); key != "" {
		return fmt.Sprintf("%s was %s, now it is %s", key, was, is)
	}
	shard := func(m record.Manifest) string {
		if m.Shard == nil {
			return "none"
		}
		return m.Shard.String()
	}
	if shard(recorded) != shard(asked) {
		return fmt.Sprintf("--shard was %s, now it is %s", shard(recorded), shard(asked))
	}
	if recorded.UntilKm != asked.UntilKm {
		return fmt.Sprintf("--until was %g km, now it is %g km", recorded.UntilKm, asked.UntilKm)
	}
	return "--sweep was another"
}
