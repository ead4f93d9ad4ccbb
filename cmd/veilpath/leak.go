package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veilpath/adversary"
	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/sim/leak"
	"veilpath/sim/setup"
)

// leakFlags are the flags of leak that are not configuration keys.
type leakFlags struct {
	observers  string
	epsilons   string
	flights    int
	at         string
	goal       string
	candidates string
	beyond     string
	radii      string
	policies   int
	knows      []string
}

func (a *app) leakCommand() *cobra.Command {
	var flags leakFlags
	cmd := &cobra.Command{
		Use:   "leak",
		Short: "Say how many bits about the goal observers learn from a flight",
		Long: `leak flies missions whose goal is secret and has observers infer it while they watch. It tells what they have
left to learn about the goal, in bits, after so many km flown; what taught them: that waypoints end at the
hand-over distance, which moves the grid has, or the privatized reward; and how far from the target they
recognise it: from there on, at least half of what they believe lies within a radius of it.

The observers:
` + goalObservers() + `

The goal of every flight is drawn from those that are possible, all equally likely: the cells at least as far
from the start as the hand-over distance, unless --beyond or --candidates says otherwise. With --goal paper
every flight has the mission's own goal, which is right for recognition, but no measure of information.
--epsilons may hold none, for flights whose reward gets no noise.

--knows has observers be wrong about rewards or mechanism: --knows privacy.epsilon=1 for one who takes every
epsilon to be 1, --knows planner.discount=0.9 for another planner.

The observer mechanism learns how private policies come out from --policies of them for every goal, which
takes most of the time.

It writes leakage and recognition as CSV and Parquet, the former every 5 km too, leakage.json with all of the
answer, leakage.html with all that people read, figure.png, figure.svg and manifest.json.

The columns of the table:
` + terminal.Headings(leakageColumns) + `
and of recognition:
` + terminal.Headings(recognitionColumns),
		Example: `  veilpath leak
  veilpath leak --observers geometry,mechanism --epsilons 0.2,1,4,none --at 25km,50km
  veilpath leak --epsilons 0.2 --knows privacy.epsilon=4
  veilpath leak --goal paper --flights 300 --radii 1,12.5,25
  veilpath leak --observers mechanism --epsilons 1 --flights 400 --seed 9 --at 50km --format json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.leak(cmd, flags) },
	}
	f := cmd.Flags()
	cmd.AddCommand(a.leakMechanismsCommand())
	f.StringVar(&flags.observers, "observers", strings.Join(adversary.GoalNames(), ","), "observers of the goal, a list of `names`")
	f.StringVar(&flags.epsilons, "epsilons", "0.2,1,4", "strengths of privacy: start:stop:step or a list; none for no noise")
	f.Var(terminal.Whole(&flags.flights, 400, 2, mostFlights), "flights", "flights at every epsilon, at least 2")
	f.StringVar(&flags.at, "at", "50km", "distances flown at which beliefs are told, `km`: a list, or start:stop:step")
	f.StringVar(&flags.goal, "goal", "prior", "prior: every flight draws its goal; paper: all have the mission's own")
	f.StringVar(&flags.candidates, "candidates", "", "cells that are possible goals: all, or a list of `column:row`")
	f.StringVar(&flags.beyond, "beyond", "", "possible goals are the cells at least so many `km` from the start (default: the hand-over distance)")
	f.StringVar(&flags.radii, "radii", "0.7,12.5,25", "radii of recognition, `km`: a list, or start:stop:step")
	f.Var(terminal.Whole(&flags.policies, 100, 1, 1_000_000), "policies", "private policies of every goal that the observer mechanism knows")
	f.StringArrayVar(&flags.knows, "knows", nil, "what observers take a setting to be, which they know as it is otherwise: `key=value` (repeatable)")
	register(cmd, "knows", terminal.CompleteAssignment)
	return cmd
}

// goalObservers lists the observers of the goal for the help.
func goalObservers() string {
	var text strings.Builder
	for _, m := range adversary.GoalModels() {
		fmt.Fprintf(&text, "  %-9s  %s\n", m.Name, m.Meaning)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func (a *app) leak(cmd *cobra.Command, flags leakFlags) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	loaded, err := a.load(cmd, nil)
	if err != nil {
		return err
	}
	study, at, err := newLeakStudy(flags)
	if err != nil {
		return usageError{err}
	}
	loaded.Study.Axis = configs.Axis{}
	loaded.Study.Runs, loaded.Study.Epsilons = flags.flights, slices.DeleteFunc(slices.Clone(study.Epsilons), func(e float64) bool { return math.IsInf(e, 0) })
	study.Seed, study.Workers = loaded.Study.Seed, loaded.Study.Workers
	setting, err := setup.Leak(loaded.Config)
	if err != nil {
		return err
	}
	states, err := possibleGoals(&setting, flags)
	if err != nil {
		return usageError{err}
	}
	if study.World, err = leak.NewWorld(cmd.Context(), setting, states, nil, study.Workers, func(int) {}); err != nil {
		return err
	}
	if len(flags.knows) > 0 {
		if err := a.believe(cmd, flags.knows, study, states); err != nil {
			return err
		}
	}
	if err := study.Check(); err != nil {
		return usageError{err}
	}
	folder, err := a.resultFolder("leak")
	if err != nil {
		return err
	}
	defer folder.Close()
	start := time.Now()
	bar := a.newProgress(study.Work(), "plans")
	result, err := study.Fly(cmd.Context(), bar.Add)
	bar.End()
	if err != nil {
		return err
	}
	answer := leakAnswerOf(result, at)
	answer.Knows = flags.knows
	if folder != nil {
		if err := a.writeLeak(folder, loaded, result, answer, time.Since(start)); err != nil {
			return err
		}
	}
	if err := a.printLeak(result, at, answer); err != nil {
		return err
	}
	a.remark("%s of %s watched in %.1f s%s", terminal.Count(flags.flights*len(study.Epsilons), "flight"), terminal.Count(len(study.World.Goals), "possible goal"), time.Since(start).Seconds(), written(folder))
	return nil
}

// mistakable are the settings that observers may be wrong about. With another grid or another hand-over the true goal
// would seem impossible to them.
var mistakable = []string{
	"planner.reward_weight", "planner.discount", "planner.slip",
	"privacy.epsilon", "privacy.delta", "privacy.adjacency", "privacy.calibration",
}

// believe has observers know settings otherwise than they are.
func (a *app) believe(cmd *cobra.Command, knows []string, study *leak.Study, states []int) error {
	request := a.request(cmd, nil)
	for _, assignment := range knows {
		key, _, _ := strings.Cut(assignment, "=")
		if !slices.Contains(mistakable, key) {
			return usageError{fmt.Errorf("--knows %s: not a setting that observers may be wrong about; they are %s", assignment, strings.Join(mistakable, ", "))}
		}
		request.Sets = append(slices.Clip(request.Sets), assignment)
	}
	believed, err := configs.Load(request)
	if err != nil {
		return err
	}
	setting, err := setup.Leak(believed.Config)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(knows, func(assignment string) bool { return strings.HasPrefix(assignment, "privacy.epsilon=") }) {
		study.BeliefEpsilon = believed.Privacy.Epsilon
	}
	study.Belief, err = leak.NewWorld(cmd.Context(), setting, states, nil, study.Workers, func(int) {})
	return err
}

// curveStepKm is how far apart the points of the curve in the files are.
const curveStepKm = 5

// newLeakStudy reads the flags; at are the distances flown that the answer is about.
func newLeakStudy(flags leakFlags) (s *leak.Study, at []float64, err error) {
	s = &leak.Study{Flights: flags.flights, Policies: flags.policies}
	if s.Observers, err = goalModels(flags.observers); err != nil {
		return nil, nil, fmt.Errorf("--observers: %w", err)
	}
	if s.Epsilons, err = epsilonsOrNone(flags.epsilons); err != nil {
		return nil, nil, fmt.Errorf("--epsilons: %w", err)
	}
	if at, err = kilometres(flags.at); err != nil {
		return nil, nil, fmt.Errorf("--at: %w", err)
	}
	if s.RadiiKm, err = kilometres(flags.radii); err != nil {
		return nil, nil, fmt.Errorf("--radii: %w", err)
	}
	switch flags.goal {
	case "prior":
	case "paper", "own":
		s.OwnGoal = true
	default:
		return nil, nil, fmt.Errorf("--goal %s: no such choice; want prior, for a goal drawn for every flight, or paper, for the mission's own", flags.goal)
	}
	s.FlownKm = slices.Clone(at)
	const curveEndKm = 200
	for km := 0.0; km <= max(curveEndKm, slices.Max(at)); km += curveStepKm {
		s.FlownKm = append(s.FlownKm, km)
	}
	slices.Sort(s.FlownKm)
	s.FlownKm = slices.Compact(s.FlownKm)
	return s, at, nil
}

// goalModels reads names of observers of the goal.
func goalModels(list string) ([]adversary.GoalModel, error) {
	var models []adversary.GoalModel
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		m, err := adversary.FindGoalModel(name)
		if err != nil {
			hint := terminal.Suggestion(name, adversary.GoalNames(), "there are "+strings.Join(adversary.GoalNames(), ", "))
			if slices.Contains(adversary.Names(), name) {
				hint = "it foresees where flights end, and veilpath study --set adversary.observer=" + name + " tells how well; here there are " + strings.Join(adversary.GoalNames(), ", ")
			}
			return nil, fmt.Errorf("no observer of the goal is called %q; %s", name, hint)
		}
		if slices.ContainsFunc(models, func(other adversary.GoalModel) bool { return other.Name == name }) {
			return nil, fmt.Errorf("%s is there twice; leave one out", name)
		}
		models = append(models, m)
	}
	return models, nil
}

// epsilonsOrNone reads epsilons, of which none means that there is no noise.
func epsilonsOrNone(list string) ([]float64, error) {
	var numbers []string
	none := false
	for item := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(item) == "none" {
			none = true
			continue
		}
		numbers = append(numbers, item)
	}
	var epsilons []float64
	if len(numbers) > 0 {
		var err error
		if epsilons, err = configs.ParseRange(strings.Join(numbers, ",")); err != nil {
			return nil, err
		}
	}
	for _, e := range epsilons {
		if !(e >= 1e-9 && e <= 1e9) {
			return nil, fmt.Errorf("%v is out of range; want numbers from 1e-9 to 1e9, or none for no noise", e)
		}
	}
	if none {
		epsilons = append(epsilons, leak.Unprivate)
	}
	return epsilons, nil
}

// kilometres reads distances, each 0 or more, with or without the unit.
func kilometres(list string) ([]float64, error) {
	values, err := configs.ParseRange(strings.ReplaceAll(list, "km", ""))
	if err != nil {
		return nil, err
	}
	const most = 1e6
	for _, v := range values {
		if !(v >= 0 && v <= most) {
			return nil, fmt.Errorf("%v km is out of range; want 0 to %g km", v, most)
		}
	}
	return values, nil
}

// possibleGoals returns the cells that are possible goals.
func possibleGoals(s *leak.Setting, flags leakFlags) ([]int, error) {
	beyondKm := s.Scenario.HandoverKm
	switch {
	case flags.candidates != "" && flags.beyond != "":
		return nil, errors.New("--candidates and --beyond each say which goals are possible; leave one out")
	case flags.candidates == "all":
		beyondKm = 0
	case flags.candidates != "":
		return cellsOf(s, flags.candidates)
	case flags.beyond != "":
		km, err := kilometres(flags.beyond)
		if err != nil || len(km) != 1 {
			return nil, fmt.Errorf("--beyond %s: want one distance in km, 0 or more", flags.beyond)
		}
		beyondKm = km[0]
	}
	cells, err := s.Cells(beyondKm)
	if err == nil && len(cells) < 2 {
		err = fmt.Errorf("%s at least %g km from the start; name others with --beyond or --candidates", terminal.Count(len(cells), "cell"), beyondKm)
	}
	return cells, err
}

// cellsOf reads cells of the grid.
func cellsOf(s *leak.Setting, list string) ([]int, error) {
	var states []int
	for item := range strings.SplitSeq(list, ",") {
		var column, row int
		var rest string
		if n, _ := fmt.Sscanf(strings.TrimSpace(item)+" .", "%d:%d %s", &column, &row, &rest); n != 3 || rest != "." ||
			column < 0 || column >= s.Spec.Columns || row < 0 || row >= s.Spec.Rows {
			return nil, fmt.Errorf("--candidates %s: %q is not a cell; want all, or column:row with columns 0 to %d and rows 0 to %d, as in 16:11,3:4", list, item, s.Spec.Columns-1, s.Spec.Rows-1)
		}
		state := row*s.Spec.Columns + column
		if slices.Contains(states, state) {
			return nil, fmt.Errorf("--candidates: cell %d:%d is there twice; leave one out", column, row)
		}
		states = append(states, state)
	}
	if len(states) < 2 {
		return nil, errors.New("--candidates: one goal is no secret; name at least two cells")
	}
	return states, nil
}
