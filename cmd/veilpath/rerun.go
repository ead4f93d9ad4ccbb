package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/sim/record"
	"veilpath/sim/study"
)

// rerun repeats a run of a recorded study, checks it against the record, to the bit, and shows it.
func (a *app) rerun(cmd *cobra.Command, from string, run int, written bool) (folder string, err error) {
	start := time.Now()
	for _, name := range []string{"config", "seed"} {
		if cmd.Flag(name).Changed {
			return "", usageError{fmt.Errorf("--%s: --from takes the settings from %s; leave it out", name, from)}
		}
	}
	if sameFile(from, a.out) {
		return "", usageError{fmt.Errorf("--out %s: it holds the study; name another folder for the flight", a.out)}
	}
	m, err := a.readManifest(from)
	switch {
	case err != nil && !errors.Is(err, record.ErrNoManifest):
		return "", err
	case err != nil:
		return "", usageError{fmt.Errorf("--from %w; name the folder of a study", err)}
	case m.Verb != "study":
		return "", usageError{fmt.Errorf("--from %s: it holds a %s; name the folder of a study", from, m.Verb)}
	}
	o, err := a.recordedOrder(cmd, from, m)
	if err != nil {
		return "", err
	}
	point, err := pointOf(o.sweep, a.sets)
	if err != nil {
		return "", usageError{fmt.Errorf("--from %s: %w", from, err)}
	}
	loaded := o.points[point]
	if err := setEpsilon(cmd, loaded); err != nil {
		return "", usageError{fmt.Errorf("--from %s: %w", from, err)}
	}
	s, err := newSitting(o)
	if err != nil {
		return "", err
	}
	experiment := s.campaign.Points[point].Experiment
	flyer, err := experiment.NewFlyer()
	if err != nil {
		return "", err
	}
	recorded, err := a.findRun(cmd.Context(), from, m, s, point, loaded.Privacy.Epsilon, run)
	if err != nil {
		return "", err
	}
	result, flown, err := fly(flyer, experiment, loaded.Config, run, false)
	if err != nil {
		return "", err
	}
	if *flown != recorded {
		return "", fmt.Errorf("%s: run %d at epsilon %g does not come out as recorded: %s", from, run, loaded.Privacy.Epsilon, blame(m))
	}
	a.remark("as recorded in %s, to the bit", from)
	return a.showFlight(flyer, experiment, loaded, result, time.Since(start), written)
}

// blame says why a flight may not come out as recorded and what to do.
func blame(recorded record.Manifest) string {
	if recorded.Version == version && recorded.GoVersion == runtime.Version() && recorded.Arch == runtime.GOARCH {
		return "the record was changed, or another build of veilpath " + version + " made it; fly the study again into another --out"
	}
	return fmt.Sprintf("veilpath %s (%s, %s) recorded it, this is %s (%s, %s); repeat it with that program",
		recorded.Version, recorded.GoVersion, recorded.Arch, version, runtime.Version(), runtime.GOARCH)
}

// pointOf finds the point of a sweep that --set key=value names.
func pointOf(sweep []record.Swept, sets []string) (int, error) {
	given := map[string]string{}
	for _, s := range sets {
		key, value, _ := strings.Cut(s, "=")
		if !slices.ContainsFunc(sweep, func(s record.Swept) bool { return s.Key == key }) {
			return 0, fmt.Errorf("--set %s: the study did not sweep that key, and its settings stand", s)
		}
		if _, twice := given[key]; twice {
			return 0, fmt.Errorf("--set %s is given twice; give one value", key)
		}
		given[key] = value
	}
	point := 0
	for _, s := range sweep {
		text, ok := given[s.Key]
		names := make([]string, len(s.Values))
		for i, v := range s.Values {
			names[i] = record.SweptText(v)
		}
		if !ok {
			return 0, fmt.Errorf("it swept %s; say which point with --set %s=VALUE, one of %s", s.Key, s.Key, strings.Join(names, " "))
		}
		field, _ := configs.Lookup(s.Key)
		value, err := field.Value(text, "--set")
		if err != nil {
			return 0, err
		}
		i := slices.Index(names, record.SweptText(value))
		if i < 0 {
			return 0, fmt.Errorf("--set %s=%s: not one of the values swept, %s", s.Key, text, strings.Join(names, " "))
		}
		point = point*len(s.Values) + i
	}
	return point, nil
}

// setEpsilon takes --epsilon, which must be one of the study's; a study of one epsilon needs none.
func setEpsilon(cmd *cobra.Command, loaded *configs.Loaded) error {
	epsilons := loaded.Study.Epsilons
	if !cmd.Flag("epsilon").Changed {
		if len(epsilons) > 1 {
			return fmt.Errorf("it has %d epsilons, %g to %g; say which with --epsilon", len(epsilons), slices.Min(epsilons), slices.Max(epsilons))
		}
		loaded.Privacy.Epsilon = epsilons[0]
		return nil
	}
	field, _ := configs.Lookup("privacy.epsilon")
	value, err := field.Value(cmd.Flag("epsilon").Value.String(), "--epsilon")
	if err != nil {
		return err
	}
	epsilon := value.(float64)
	if !slices.Contains(epsilons, epsilon) {
		return fmt.Errorf("--epsilon %g: not one of its epsilons, %g", epsilon, epsilons)
	}
	loaded.Privacy.Epsilon = epsilon
	return nil
}

// errFound ends a search.
var errFound = errors.New("found")

// findRun reads one run of a study.
func (a *app) findRun(ctx context.Context, folder string, m record.Manifest, s *sitting, point int, epsilon float64, run int) (study.Run, error) {
	var found study.Run
	recorded := 0 // runs of that epsilon at that point; they are numbered without a gap
	err := a.readRecorded(ctx, folder, m, s.campaign, s.schedule, func(at int, records []study.Run) error {
		for i := range records {
			if at != point || records[i].Epsilon != epsilon {
				continue
			}
			if records[i].Run == run {
				found = records[i]
				return errFound
			}
			recorded++
		}
		return nil
	})
	switch {
	case errors.Is(err, errFound):
		return found, nil
	case !m.Complete && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, record.ErrDamaged)): // killed before its files were whole
		return study.Run{}, fmt.Errorf("%s: the study is unfinished and has no whole %s yet; finish it with: veilpath study --resume --out %s", folder, record.RunsName, folder)
	case err != nil && !errors.Is(err, errTooFew): // an interrupted study has fewer
		return study.Run{}, err
	case recorded == 0:
		return study.Run{}, usageError{fmt.Errorf("%s: no run at epsilon %g is recorded yet", folder, epsilon)}
	}
	return study.Run{}, usageError{fmt.Errorf("%s: --run %d is not among those recorded at epsilon %g; they are 0 to %d", folder, run, epsilon, recorded-1)}
}
