package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/adversary"
	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/sim/campaign"
	"veilpath/sim/leak"
)

// leakFlags are the flags of leak that are not configuration keys.
type leakFlags struct {
	campaign.LeakRequest
	goal            string
	countermeasures bool
	workFlags
}

// leakKeys are the flags of leak that stand for configuration keys.
var leakKeys = map[string]string{"candidates": "adversary.candidates", "prior": "adversary.prior",
	"policies": "adversary.policies", "mechanism": "privacy.mechanism"}

func (a *app) leakCommand() *cobra.Command {
	var flags leakFlags
	cmd := verb("leak", noArguments, func(cmd *cobra.Command, _ []string) error {
		switch flags.goal {
		case "prior":
		case "paper", "own":
			flags.OwnGoal = true
		default:
			return usageError{fmt.Errorf("--goal %s: no such choice; want prior, to draw a goal for every flight, or paper, "+
				"for the mission's goal", flags.goal)}
		}
		if flags.countermeasures {
			flags.Against = append(flags.Against, campaign.Countermeasures()...)
		}
		return a.leak(cmd, flags.LeakRequest, flags.workFlags)
	}, terminal.GoalObservers(), countermeasuresText(), terminal.Headings(leak.Columns()),
		fmt.Sprint(leak.TrainingFlights))
	f := cmd.Flags()
	cmd.AddCommand(a.leakMechanismsCommand(), a.leakReleasesCommand(), a.leakRewardsCommand())
	f.StringVar(&flags.Observers, "observers", strings.Join(adversary.GoalNames(), ","),
		"`names`, exec:COMMAND at the end (default: all)")
	f.Lookup("observers").DefValue = "" // it is long
	f.String("mechanism", "", mechanismFlag)
	f.StringVar(&flags.Epsilons, "epsilons", "0.2,1,4", "a list; none: no noise")
	f.VarP(terminal.Whole(&flags.Flights, 400, 2, mostFlights), "flights", "n", "flights per epsilon, at least 2")
	f.StringVar(&flags.At, "at", "", "report beliefs after these `km` "+defaultAt)
	f.StringVar(&flags.goal, "goal", "prior", "prior: flights draw goals; paper: the mission's")
	f.StringVar(&flags.Radii, "radii", "", "radii of recognition, `km` (default 0.7,12.5,25; less on short ways)")
	f.StringArrayVar(&flags.Against, "against", nil, "also hide the goals in another way: `key=value` (repeatable)")
	f.BoolVar(&flags.countermeasures, "countermeasures", false, "also evaluate the built-in countermeasures")
	f.String("candidates", "", "possible goals (adversary.candidates)")
	f.String("prior", "", "probabilities of the possible goals: uniform, or weights (adversary.prior)")
	f.String("policies", "", "private policies per goal that observers know")
	addWorkFlags(cmd, &flags.workFlags)
	for name := range strings.FieldsSeq("against at goal radii prior policies shard") {
		terminal.InGroup(f.Lookup(name), terminal.FurtherFlags)
	}
	return cmd
}

// defaultAt describes the default of a distance flown.
const defaultAt = "(default 50km; less on short ways)"

func (a *app) leakMechanismsCommand() *cobra.Command {
	request := campaign.LeakRequest{Observers: "mechanism"}
	var flags workFlags
	cmd := verb("mechanisms", noArguments, func(cmd *cobra.Command, _ []string) error {
		return a.leak(cmd, request, flags)
	}, terminal.Mechanisms(), terminal.Ways())
	f := cmd.Flags()
	addWorkFlags(cmd, &flags)
	const mechanisms = "reward:0.2,reward:1,reward:4,goal:0.1,goal:0.2,goal:0.5,goal:1,goal:2,parameter:1,parameter:16," +
		"parameter:64"
	f.StringVar(&request.Mechanisms, "mechanisms", mechanisms, "ways of hiding, a list of `NAME:EPSILON`, "+
		"exec:COMMAND:EPSILON at its end (default: reward at 0.2 to 4, goal at 0.1 to 2, parameter at 1 to 64)")
	f.Lookup("mechanisms").DefValue = "" // hide the long default in the help
	f.VarP(terminal.Whole(&request.Flights, 400, 2, mostFlights), "flights", "n", "flights of every way, at least 2")
	f.StringVar(&request.At, "at", "", "report the belief after these `km` "+defaultAt)
	f.String("policies", "", "private policies of every goal that the observer of reward knows (adversary.policies)")
	return cmd
}

// leakReleasesCommand returns the verb for what several flights to one goal reveal.
func (a *app) leakReleasesCommand() *cobra.Command {
	var request campaign.LeakRequest
	var flags workFlags
	cmd := verb("releases", noArguments, func(cmd *cobra.Command, _ []string) error {
		return a.leak(cmd, request, flags)
	}, fmt.Sprint(leak.PoliciesPerFlight), fmt.Sprint(leak.FewestPolicies), fmt.Sprint(leak.MostPolicies))
	f := cmd.Flags()
	addWorkFlags(cmd, &flags)
	f.StringVar(&request.Counts, "counts", "1,2,4,8", "numbers of flights to one goal: a list")
	f.StringVar(&request.Observers, "observers", "mechanism", "observers of the goal, a list of `names`")
	f.String("mechanism", "", mechanismFlag)
	f.StringVar(&request.Epsilons, "epsilons", "0.2,1", "strengths of privacy of every release: start:stop:step or a list")
	f.VarP(terminal.Whole(&request.Flights, 100, 2, mostFlights), "goals", "n", "number of drawn goals, at least 2")
	f.String("candidates", "", "possible goals (adversary.candidates)")
	f.String("policies", "", "private policies of every goal that observers know (adversary.policies; "+
		"more for more flights)")
	return cmd
}

// leakRewardsCommand returns the verb for what observers find out about the reward.
func (a *app) leakRewardsCommand() *cobra.Command {
	var request campaign.RewardsRequest
	var problem problemFlags
	cmd := verb("rewards", problemOrNone, func(cmd *cobra.Command, args []string) (err error) {
		name := append(args, configs.DefaultPreset)[0]
		if request.Given, err = a.readInput(cmd, name, problem, leakKeys); err != nil {
			return err
		}
		program := a.program()
		q, err := campaign.RewardsQuestion(program, request)
		if err != nil {
			return err
		}
		return a.do(cmd, program, q)
	}, problemHelp, terminal.Headings(leak.NewRewardsSheet(nil).Columns))
	addProblemFlags(cmd, &problem)
	f := cmd.Flags()
	f.String("mechanism", "", mechanismFlag)
	f.StringVar(&request.Epsilons, "epsilons", "0.2,1,4", "a list; none: no noise")
	f.VarP(terminal.Whole(&request.Draws, 5, 2, mostDraws), "draws", "n", "draws per epsilon, at least 2")
	f.StringVar(&request.Family, "family", "", "what the observer knows of rewards: table, nothing; mission, that they "+
		"are distances to goals and costs of cells (default: mission for one)")
	return cmd
}

// leak computes what observers learn and reports the answer.
func (a *app) leak(cmd *cobra.Command, request campaign.LeakRequest, flags workFlags) error {
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
	program := a.program()
	l, err := campaign.NewLeak(cmd.Context(), program, request)
	if err != nil {
		return err
	}
	return a.ask(cmd, flags, program, l)
}

// countermeasuresText returns the countermeasures as text for the help; the last is all others together.
func countermeasuresText() string {
	each := campaign.Countermeasures()
	return strings.Join(each[:len(each)-1], ", ") + ", each alone, and all together"
}
