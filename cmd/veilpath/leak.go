package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/adversary"
	"veilpath/cmd/internal/terminal"
	"veilpath/planner/privacy"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
)

// leakFlags are the flags of leak that are not configuration keys.
type leakFlags struct {
	campaign.LeakRequest
	goal            string
	countermeasures bool
}

// leakKeys are the flags of leak that stand for configuration keys.
var leakKeys = map[string]string{"candidates": "adversary.candidates", "prior": "adversary.prior", "policies": "adversary.policies"}

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

The goal of every flight is drawn from those that are possible, see adversary.candidates and adversary.prior. With
--goal paper every flight has the mission's own goal, which is right for recognition, but no measure of information.
--epsilons may hold none, for flights whose reward gets no noise.

Observers may be wrong: --set adversary.epsilon=1 is one who takes every epsilon to be 1, adversary.reward_weight and
adversary.discount are those they believe in.

--against key=value hides the same goals in another way, on the same noise, and tells what that saves in bits and what it
costs; --countermeasures stands for three: ` + strings.Join(campaign.Countermeasures(), ", ") + `.

The observer mechanism learns how private policies come out from adversary.policies of them for every goal, which
takes most of the time.

It writes its tables as CSV and Parquet, what is told by distance every 5 km too, leakage.json with all of the
answer, leakage.html with all that people read, figure.png, figure.svg and manifest.json.

The columns of the tables:
` + terminal.SheetHeadings(record.LeakColumns()),
		Example: `  veilpath leak
  veilpath leak --observers geometry,mechanism --epsilons 0.2,1,4,none --at 25km,50km
  veilpath leak --epsilons 0.2 --set adversary.epsilon=4
  veilpath leak --goal paper --flights 300 --radii 1,12.5,25
  veilpath leak --countermeasures --epsilons 1
  veilpath leak --against "vehicle.heading=random and privacy.handover_spread_km=40" --candidates "beyond 120"
  veilpath leak --observers mechanism --epsilons 1 --flights 400 --seed 9 --at 50km --format json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch flags.goal {
			case "prior":
			case "paper", "own":
				flags.OwnGoal = true
			default:
				return usageError{fmt.Errorf("--goal %s: no such choice; want prior, for a goal drawn for every flight, or paper, for the mission's own", flags.goal)}
			}
			if flags.countermeasures {
				flags.Against = append(flags.Against, campaign.Countermeasures()...)
			}
			return a.leak(cmd, flags.LeakRequest, newLeak(cmd))
		},
	}
	f := cmd.Flags()
	cmd.AddCommand(a.leakMechanismsCommand(), a.leakReleasesCommand(), a.leakGoalsCommand())
	f.StringVar(&flags.Observers, "observers", strings.Join(adversary.GoalNames(), ","), "observers of the goal, a list of `names`")
	f.StringVar(&flags.Epsilons, "epsilons", "0.2,1,4", "strengths of privacy: start:stop:step or a list; none for no noise")
	f.Var(terminal.Whole(&flags.Flights, 400, 2, mostFlights), "flights", "flights of each, at least 2")
	f.StringVar(&flags.At, "at", "50km", "distances flown at which beliefs are told, `km`: a list, or start:stop:step")
	f.StringVar(&flags.goal, "goal", "prior", "prior: every flight draws its goal; paper: all have the mission's own")
	f.StringVar(&flags.Radii, "radii", "0.7,12.5,25", "radii of recognition, `km`: a list, or start:stop:step")
	f.StringArrayVar(&flags.Against, "against", nil, "hide the goals in another way too: `key=value`, or several with \" and \" between them (repeatable)")
	f.BoolVar(&flags.countermeasures, "countermeasures", false, "have what saves bits beside the settings")
	f.String("candidates", "", "goals that are possible: all, far, beyond KM, within KM, or column:row,... (adversary.candidates)")
	f.String("prior", "", "how likely they are: uniform, or weights (adversary.prior)")
	f.String("policies", "", "private policies of every goal that the observer mechanism knows (adversary.policies)")
	register(cmd, "against", terminal.CompleteAssignment)
	return cmd
}

// newLeak asks for the leakage of flights.
func newLeak(cmd *cobra.Command) func(*campaign.Program, campaign.LeakRequest) (*campaign.Leak, error) {
	return func(p *campaign.Program, r campaign.LeakRequest) (*campaign.Leak, error) {
		return p.NewLeak(cmd.Context(), r)
	}
}

// goalObservers lists the observers of the goal for the help.
func goalObservers() string {
	var text strings.Builder
	for _, m := range adversary.GoalModels() {
		fmt.Fprintf(&text, "  %-9s  %s\n", m.Name, m.Meaning)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func (a *app) leakMechanismsCommand() *cobra.Command {
	request := campaign.LeakRequest{Observers: "mechanism", Radii: "25"}
	cmd := &cobra.Command{
		Use:   "mechanisms",
		Short: "Compare ways of hiding the goal: bits leaked against what they cost",
		Long: `mechanisms flies the same goals, each hidden in several ways, and says of every way what an observer who knows it
learns about the goal after so many km, what it costs and how much longer the flights are.

  reward     Gaussian noise on every entry of the reward: (epsilon, delta) for one entry (the paper's)
` + goalMechanisms() + `

A drawn goal is planned for and flown to until the hand-over at the true one. Epsilons of different mechanisms promise
different things; what they leak and cost is what compares. The observer of reward learns from --policies of private
policies for every goal; those of the others are exact. A flight or study of its own flies them with
--set privacy.mechanism=goal.`,
		Example: `  veilpath leak mechanisms
  veilpath leak mechanisms --mechanisms reward:1,goal:0.1,goal:1 --flights 200 --format json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.leak(cmd, request, newLeak(cmd)) },
	}
	f := cmd.Flags()
	f.StringVar(&request.Mechanisms, "mechanisms", "reward:0.2,reward:1,reward:4,goal:0.1,goal:0.2,goal:0.5,goal:1,goal:2,parameter:1,parameter:16,parameter:64", "ways of hiding, a list of `NAME:EPSILON`")
	f.Var(terminal.Whole(&request.Flights, 400, 2, mostFlights), "flights", "flights of every way, at least 2")
	f.StringVar(&request.At, "at", "50km", "distance flown at which the belief is told, `km`")
	f.String("policies", "", "private policies of every goal that the observer of reward knows (adversary.policies)")
	return cmd
}

// goalMechanisms lists the mechanisms that draw the goal for the help.
func goalMechanisms() string {
	var lines []string
	for _, m := range privacy.GoalMechanisms() {
		lines = append(lines, fmt.Sprintf("  %-9s  %s", m.Name(), m.Meaning()))
	}
	return strings.Join(lines, "\n")
}

// leakReleasesCommand tells what several flights to one goal tell.
func (a *app) leakReleasesCommand() *cobra.Command {
	var request campaign.LeakRequest
	var counts string
	cmd := &cobra.Command{
		Use:   "releases",
		Short: "Say what several flights to one goal tell, with fresh noise and with one release reused",
		Long: `releases flies several flights to each of many goals and says what is left to learn about the goal before the
hand-over of the last: where every flight is planned from a release of its own, and where all are planned from one, so
that all take one route. Beside it stands the guarantee for one entry that so many fresh releases come to, exact. More
than about eight flights take more of adversary.policies.`,
		Example: `  veilpath leak releases
  veilpath leak releases --counts 1,4,16 --epsilons 0.2,1 --goals 200 --policies 400`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.leak(cmd, request, func(p *campaign.Program, r campaign.LeakRequest) (*campaign.Leak, error) {
				return p.NewReleases(cmd.Context(), r, counts)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&counts, "counts", "1,2,4,8", "how many flights to one goal: a list")
	f.StringVar(&request.Observers, "observers", "mechanism", "observers of the goal, a list of `names`")
	f.StringVar(&request.Epsilons, "epsilons", "0.2,1", "strengths of privacy of every release: start:stop:step or a list")
	f.Var(terminal.Whole(&request.Flights, 100, 2, mostFlights), "goals", "goals that are drawn, at least 2")
	f.String("candidates", "", "goals that are possible (adversary.candidates)")
	f.String("policies", "", "private policies of every goal that the observer mechanism knows (adversary.policies)")
	return cmd
}

// leakGoalsCommand tells what a guarantee for one entry means between two goals.
func (a *app) leakGoalsCommand() *cobra.Command {
	var request campaign.LeakRequest
	var draws int
	cmd := &cobra.Command{
		Use:   "goals COLUMN:ROW,COLUMN:ROW",
		Short: "Say what a guarantee for one entry means between two goals",
		Long: `goals compares the rewards of two goals, cells of the grid: how far apart they are in L2, in adjacencies b; the mu and the
epsilon between them that the noise of every epsilon leaves, exact; how surely the best test tells which of the two a
released reward was made from; and how often a released reward names its goal among all candidates.`,
		Example: `  veilpath leak goals 16:11,15:11
  veilpath leak goals 16:11,3:4 --epsilons 0.2,1,4 --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("leak goals takes two cells, as in veilpath leak goals 16:11,3:4")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.leak(cmd, request, func(p *campaign.Program, r campaign.LeakRequest) (*campaign.Leak, error) {
				return p.NewTwoGoals(r, args[0], draws)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&request.Epsilons, "epsilons", "0.2,1,4", "strengths of privacy: start:stop:step or a list")
	f.Var(terminal.Whole(&draws, 200, 2, mostFlights), "draws", "releases of each goal that are drawn, at least 2")
	f.String("candidates", "", "goals that are possible (adversary.candidates)")
	return cmd
}

// leak asks what observers learn and tells the answer.
func (a *app) leak(cmd *cobra.Command, request campaign.LeakRequest, ask func(*campaign.Program, campaign.LeakRequest) (*campaign.Leak, error)) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	keys := map[string]string{}
	for flag, key := range leakKeys {
		if cmd.Flag(flag) != nil {
			keys[flag] = key
		}
	}
	var err error
	if request.Settings, err = a.load(cmd, keys); err != nil {
		return err
	}
	program, events := a.program()
	defer events.end()
	l, err := ask(program, request)
	if err != nil {
		return err
	}
	folder, err := a.resultFolder("leak")
	if err != nil {
		return err
	}
	defer folder.Close()
	err = l.Fly(cmd.Context())
	events.end()
	if err != nil {
		return err
	}
	if folder != nil {
		if err := l.Write(folder); err != nil {
			return err
		}
	}
	if err := a.printLeak(l); err != nil {
		return err
	}
	a.remark("%s in %.1f s%s", l.Summary(), l.Wall.Seconds(), written(folder))
	return nil
}

// printLeak prints the answer in the format asked for.
func (a *app) printLeak(l *campaign.Leak) error {
	switch a.format {
	case "json":
		return terminal.WriteJSON(a.stdout, l)
	case "csv":
		return l.Sheets()[0].WriteCSV(a.stdout)
	}
	for _, line := range l.Words() {
		fmt.Fprintln(a.stdout, line)
	}
	fmt.Fprintln(a.stdout)
	return terminal.WriteSheets(a.stdout, l.Printed()...)
}
