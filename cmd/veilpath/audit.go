package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"veilpath/sim/campaign"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner/audit"
	"veilpath/planner/reward"
)

// auditFlags are the flags of audit that are not configuration keys.
type auditFlags struct {
	of          string
	samples     int
	tables      int
	falseAlarms float64
	workFlags

	from    string // file of releases of an external mechanism
	command string // command that makes releases
	sigma   float64
	rewards string // file of the table for the command
	table   *reward.Table
	header  bool
}

func (a *app) auditCommand() *cobra.Command {
	var flags auditFlags
	cmd := verb("audit", noArguments, func(cmd *cobra.Command, _ []string) error { return a.audit(cmd, flags) })
	addGuaranteeFlags(cmd)
	addWorkFlags(cmd, &flags.workFlags)
	f := cmd.Flags()
	f.StringVar(&flags.of, "of", string(audit.Reward), "`reward`, policy or route")
	f.Var(terminal.Whole(&flags.samples, 100_000, audit.LeastSamples, mostSamples), "samples",
		"releases of each table")
	f.Var(terminal.Whole(&flags.tables, 100, 0, mostTables), "tables", "releases of whole tables")
	f.Var(terminal.Number(&flags.falseAlarms, 0.01, terminal.Share), "false-alarms",
		"probability of a false alarm")
	f.String("mechanism", "", "a mechanism's `name`, or exec:COMMAND")
	f.StringVar(&flags.from, "from", "", "`file` of releases of another mechanism")
	f.StringVar(&flags.command, "command", "", "`command` that reads a table and releases it")
	f.StringVar(&flags.rewards, "rewards", "", "CSV `file` of the reward table of --command")
	addHeaderFlag(cmd, &flags.header)
	f.Var(terminal.Number(&flags.sigma, math.NaN(), terminal.Positive), "sigma",
		"promised deviation of external noise")
	return cmd
}

// Limits for numbers of releases. More would take days, or more memory than a machine has.
const (
	mostSamples = 100_000_000
	mostTables  = 10_000
)

// checkAuditFlags returns an error for flags that exclude each other.
func checkAuditFlags(cmd *cobra.Command, f auditFlags) error {
	external := f.from != "" || f.command != ""
	switch {
	case !slices.Contains(audit.Publications(), audit.Publication(f.of)):
		return fmt.Errorf("--of %s: want reward, policy or route", f.of)
	case f.tables > 0 && f.tables < audit.LeastReleases:
		return fmt.Errorf("--tables %d: want 0, or at least %d releases", f.tables, audit.LeastReleases)
	case f.from != "" && f.command != "":
		return errors.New("--from and --command each name a mechanism; leave one out")
	}
	for _, c := range []struct {
		refused      bool
		flags, where string
	}{
		{f.from != "", "of tables calibration samples rewards header resume shard",
			"has no effect on existing releases; leave it out"},
		{f.command != "", "of tables calibration shard",
			"is for the built-in mechanism; leave it out with --command"},
		{!external, "sigma rewards header", "is for external mechanisms; add --from FILE or --command COMMAND"},
	} {
		if err := terminal.Refuse(cmd, c.flags, c.where); c.refused && err != nil {
			return err
		}
	}
	if f.command != "" && f.rewards == "" {
		return errors.New("--command needs a table to release; add --rewards FILE")
	}
	for _, name := range []string{"epsilons", "delta", "adjacency"} {
		if external && !cmd.Flag(name).Changed {
			return fmt.Errorf("--%s is missing: it is part of the promise of an external mechanism; add --%[1]s", name)
		}
	}
	return nil
}

// auditKeys are the flags of audit that stand for configuration keys.
var auditKeys = map[string]string{"mechanism": "privacy.mechanism", "epsilons": "privacy.epsilon",
	"delta": "privacy.delta", "adjacency": "privacy.adjacency", "calibration": "privacy.calibration"}

func (a *app) audit(cmd *cobra.Command, flags auditFlags) error {
	if err := checkAuditFlags(cmd, flags); err != nil {
		return usageError{err}
	}
	loaded, err := a.load(cmd, auditKeys)
	if err == nil && flags.command != "" {
		flags.table, err = a.readTable(cmd.Context(), flags.rewards, flags.header)
	}
	if err != nil {
		return err
	}
	if _, is := configs.CommandOf(loaded.Privacy.Mechanism); is && flags.from == "" && flags.command == "" {
		err := terminal.Refuse(cmd, "tables", "is for built-in mechanisms; an audit of a command makes as many releases of "+
			"whole tables as --samples takes")
		if err != nil {
			return usageError{err}
		}
	}
	if flags.command != "" && !cmd.Flag("samples").Changed {
		flags.samples = commandSamples
	}
	program := a.program()
	work, err := campaign.NewAudit(program, campaign.AuditRequest{Settings: loaded, Of: audit.Publication(flags.of),
		Samples: flags.samples, Tables: flags.tables, FalseAlarms: flags.falseAlarms, From: flags.from,
		Command: flags.command, Sigma: orZero(flags.sigma), Table: flags.table})
	if err != nil {
		return err
	}
	return a.ask(cmd, flags.workFlags, program, work)
}

// commandSamples is the default number of releases of each kind by a command, which takes long to start.
const commandSamples = 10_000
