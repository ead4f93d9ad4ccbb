package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
)

var nan = math.NaN()

// planFlags are the flags of plan that are not configuration keys.
type planFlags struct {
	problemFlags
	epsilons  string
	mechanism string
	write     string
}

// problemKeys are the flags that stand for keys in the verbs that take a problem and several epsilons.
var problemKeys = map[string]string{"delta": "privacy.delta", "adjacency": "privacy.adjacency", "calibration": "privacy.calibration"}

func (a *app) planCommand() *cobra.Command {
	var flags planFlags
	cmd := &cobra.Command{
		Use:   "plan PROBLEM",
		Short: "Find the optimal policy of a problem, and a private one",
		Long: `plan finds the policy that is optimal for a problem, its value in every state, and a bound that certifies it: both the
optimal value and that of the policy are within it. With --epsilon it also plans for a private reward, made by one draw
of noise, and says what that policy costs: its regret is what it loses in a state, judged on the true reward.

It writes policy.csv (state, action, value and, with one epsilon, private_action and regret; with several a pair of
those for each), reward.csv (the true reward and, for study only, the private), route.csv for missions, and
manifest.json. reward.csv is not private.

` + problemHelp,
		Example: `  veilpath plan lake.json --discount 0.99
  veilpath plan model.tra --discount 0.95 --epsilon 0.5,1,4 --out out/model
  veilpath plan paper --epsilon 1 --seed 7 --format json
  veilpath plan lake.json --write lake.drn`,
		Args: oneProblem,
		RunE: func(cmd *cobra.Command, args []string) error { return a.planProblem(cmd, args[0], flags) },
	}
	addNoiseFlags(cmd)
	addProblemFlags(cmd, &flags.problemFlags)
	f := cmd.Flags()
	f.StringVar(&flags.epsilons, "epsilon", "", "plan privately too: `epsilon`, or several as start:stop:step or 0.2,1,4")
	f.StringVar(&flags.mechanism, "mechanism", "input", "that makes the reward private: input, output or output-l1")
	f.StringVar(&flags.write, "write", "", "write the problem to this `file`, in the format that its ending names")
	return cmd
}

// privatePlan is a plan for a private reward.
type privatePlan struct {
	epsilon, sigma float64
	policy         []int32
	reward         []float64
	regret         []float64
	regretBound    float64
	cost           planner.Cost
}

// made is what plan has made.
type made struct {
	*given
	solved  *planner.Solved
	private []privatePlan
}

func (a *app) planProblem(cmd *cobra.Command, name string, flags planFlags) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	var epsilons []float64
	var err error
	if flags.epsilons != "" {
		if epsilons, err = configs.ParseRange(flags.epsilons); err != nil {
			return usageError{fmt.Errorf("--epsilon: %w", err)}
		}
	}
	mechanism, err := privacy.ParseMechanism(flags.mechanism)
	if err != nil {
		return usageError{fmt.Errorf("--mechanism: %w", err)}
	}
	start := time.Now()
	g, err := a.given(cmd, name, flags.problemFlags, problemKeys)
	if err != nil {
		return err
	}
	if flags.write != "" {
		if err := a.writeProblem(g, flags.write); err != nil {
			return err
		}
	}
	if n := g.planned.Law.States(); n > 100_000 {
		a.remark("read in %.1f s: solving %d states x %d actions", time.Since(start).Seconds(), n, g.planned.Law.Actions())
	}
	m := &made{given: g}
	err = terminal.Interruptible(cmd.Context(), func() error {
		if m.solved, err = g.planned.Solve(g.tolerance, g.tolerance); err != nil {
			return usageError{err}
		}
		return m.planPrivately(mechanism, epsilons)
	})
	if err != nil {
		return err
	}
	folder, err := a.resultFolder("plan")
	if err != nil {
		return err
	}
	if folder != nil {
		defer folder.Close()
		if err := a.writePlan(folder, m, time.Since(start)); err != nil {
			return err
		}
	}
	if err := a.printPlan(m); err != nil {
		return err
	}
	a.remark("planned in %.1f s%s", time.Since(start).Seconds(), written(folder))
	return nil
}

// purposePlan tells the noise of plans from all other.
const purposePlan = 300

// planPrivately plans for the private rewards of one draw of noise.
func (m *made) planPrivately(mechanism privacy.Mechanism, epsilons []float64) error {
	if len(epsilons) == 0 {
		return nil
	}
	p, err := planner.NewPlanner(m.solved, mechanism)
	if err != nil {
		return err
	}
	evaluator, err := mdp.NewEvaluator(m.solved.Law, m.solved.Discount)
	if err != nil {
		return err
	}
	settings := m.loaded.Privacy
	guarantee := privacy.Guarantee{Delta: settings.Delta, Adjacency: settings.Adjacency, Calibration: privacy.Calibration(settings.Calibration)}
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: m.loaded.Study.Seed, Purpose: purposePlan})
	z := make([]float64, p.Normals())
	noise.Normals(z)
	for _, epsilon := range epsilons {
		guarantee.Epsilon = epsilon
		sigma, err := guarantee.SigmaOf(mechanism, m.solved.Rewards.Shape)
		if err != nil {
			return usageError{err}
		}
		plan := privatePlan{epsilon: epsilon, sigma: sigma}
		private := p.Privatize(sigma, z)
		plan.policy = append(plan.policy, p.Plan(private).Policy...)
		plan.reward = append(plan.reward, private...)
		value := evaluator.Evaluate(plan.policy, m.solved.Rewards.Joint, m.tolerance)
		plan.regretBound = value.Bound + m.solved.Optimal.Bound
		for s, v := range m.solved.Optimal.Value {
			plan.regret = append(plan.regret, max(v-value.Value[s], 0))
		}
		plan.cost = p.Cost(plan.policy)
		m.private = append(m.private, plan)
	}
	return nil
}

// writeProblem writes the problem in another format.
func (a *app) writeProblem(g *given, path string) error {
	p := g.file
	if p == nil {
		p = &problem.Problem{Law: g.planned.Law, Rewards: g.planned.Rewards.Tables, Terminal: g.planned.Terminal, States: g.states, Actions: g.actions}
	} else {
		copied := *p
		p = &copied
	}
	p.Discount, p.Start = g.planned.Discount, g.planned.Start
	lost, err := problem.Write(p, a.createFile, path)
	if err != nil {
		return usageError{fmt.Errorf("--write %w", err)}
	}
	a.remark("written to %s", path)
	for _, what := range lost {
		a.remark("%s does not hold %s", path, what)
	}
	return nil
}

// createFile writes a file whole, or not at all. It replaces none.
func (a *app) createFile(path string, write func(io.Writer) error) error {
	if _, err := a.disk.Stat(path); err == nil && !a.force {
		return fmt.Errorf("%s is there already; name another file, or add --force", path)
	}
	folder, err := record.OpenFolder(a.disk, filepath.Dir(path), "plan --write", true)
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := folder.Write(filepath.Base(path), write); err != nil {
		return err
	}
	return folder.Publish()
}

// The files of plan.
const (
	policyName = "policy.csv"
	rewardName = "reward.csv"
	routeName  = "route.csv"
)

func (a *app) writePlan(folder *record.Folder, m *made, wall time.Duration) error {
	files := map[string]func(io.Writer) error{policyName: m.writePolicy, rewardName: m.writeRewards}
	if m.grid != nil {
		files[routeName] = m.writeRoute
	}
	program, _ := a.program()
	return program.Write(folder, campaign.Results{Verb: "plan", Settings: m.loaded, Files: files, Wall: wall})
}

// csvName is a name as a cell of CSV.
func csvName(to []byte, names problem.Names, i int) []byte {
	if names.Numeric() {
		return names.Append(to, i)
	}
	return appendCell(to, names.Of(i))
}

func appendCell(to []byte, text string) []byte {
	for i := range len(text) {
		switch text[i] {
		case ',', '"', '\n', '\r':
			to = append(to, '"')
			for k := range len(text) {
				if text[k] == '"' {
					to = append(to, '"')
				}
				to = append(to, text[k])
			}
			return append(to, '"')
		}
	}
	return append(to, text...)
}

func appendNumber(to []byte, x float64) []byte { return strconv.AppendFloat(to, x, 'g', -1, 64) }

// writePolicy writes a row a state.
func (m *made) writePolicy(to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	w.WriteString("state,action,value")
	for _, p := range m.private {
		of := ""
		if len(m.private) > 1 {
			of = fmt.Sprintf("_%g", p.epsilon)
		}
		fmt.Fprintf(w, ",private_action%s,regret%s", of, of)
	}
	w.WriteByte('\n')
	var line []byte
	for s := range m.listed {
		line = append(csvName(line[:0], m.states, s), ',')
		line = append(csvName(line, m.actions, int(m.solved.Optimal.Policy[s])), ',')
		line = appendNumber(line, m.solved.Optimal.Value[s])
		for _, p := range m.private {
			line = append(csvName(append(line, ','), m.actions, int(p.policy[s])), ',')
			line = appendNumber(line, p.regret[s])
		}
		w.Write(append(line, '\n'))
	}
	return w.Flush()
}

// writeRewards writes a row for every state and action that it has.
func (m *made) writeRewards(to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	w.WriteString("state,action,reward")
	for _, p := range m.private {
		w.WriteString(",private_reward")
		if len(m.private) > 1 {
			fmt.Fprintf(w, "_%g", p.epsilon)
		}
	}
	w.WriteByte('\n')
	joint, actions := m.solved.Rewards.Joint, m.solved.Law.Actions()
	var line []byte
	for s := range m.listed {
		for action := range actions {
			at := s*actions + action
			if math.IsInf(joint[at], -1) {
				continue
			}
			line = append(csvName(line[:0], m.states, s), ',')
			line = append(csvName(line, m.actions, action), ',')
			line = appendNumber(line, joint[at])
			for _, p := range m.private {
				line = appendNumber(append(line, ','), p.reward[at])
			}
			w.Write(append(line, '\n'))
		}
	}
	return w.Flush()
}

// writeRoute writes the waypoints that the policies command from the start, up to where they stay or turn back.
func (m *made) writeRoute(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintln(w, "policy,step,state,column,row,east_km,north_km,action")
	write := func(name string, policy []int32) {
		route := planner.Route{Grid: m.grid, Policy: policy}
		seen := map[int]bool{}
		at := route.First()
		for step := 0; ; step++ {
			cell, position := m.grid.Cell(at), route.Position(at)
			fmt.Fprintf(w, "%s,%d,%d,%d,%d,%g,%g,%s\n", name, step, at, cell.Column, cell.Row, position.X, position.Y, m.actions.Of(int(policy[at])))
			if seen[at] {
				return
			}
			seen[at] = true
			next := route.Next(at)
			if next == at {
				return
			}
			at = next
		}
	}
	write("optimal", m.solved.Optimal.Policy)
	for _, p := range m.private {
		write(fmt.Sprintf("epsilon %g", p.epsilon), p.policy)
	}
	return w.Flush()
}
