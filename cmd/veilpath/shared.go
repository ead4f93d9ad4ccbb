package main

import (
	"strings"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/internal/reproduce"
)

// sharedFlags lists the shared flags of every verb.
var sharedFlags = map[string]string{
	"veilpath study":           "config set vary seed workers allow-commands out force report full format quiet",
	"veilpath run":             "config set vary seed allow-commands out force full format quiet",
	"veilpath compare":         "out force report full format quiet",
	"veilpath merge":           "workers allow-commands out force report full format quiet",
	"veilpath tune":            "config set vary seed workers allow-commands out force report full format quiet",
	"veilpath config":          "config set vary seed workers format quiet",
	"veilpath config show":     "config set vary seed workers format quiet",
	"veilpath config check":    "config set vary seed workers quiet",
	"veilpath config presets":  "format",
	"veilpath plan":            "set seed workers allow-commands out force full format quiet",
	"veilpath cost":            "set seed workers allow-commands out force report full format quiet",
	"veilpath design":          "config set full format quiet",
	"veilpath audit":           "config set seed workers allow-commands out force report full format quiet",
	"veilpath leak":            "config set vary seed workers allow-commands out force report full format quiet",
	"veilpath leak mechanisms": "config set vary seed workers allow-commands out force report full format quiet",
	"veilpath leak releases":   "config set seed workers allow-commands out force report full format quiet",
	"veilpath leak rewards":    "set seed workers allow-commands out force report full format quiet",
	"veilpath privatize":       "config set out force full format quiet",
	"veilpath reproduce":       "set seed workers out force full format quiet",
	"veilpath benchmark":       "seed workers allow-commands out force full format quiet",
	"veilpath view":            "quiet",
	"veilpath completion":      "",
	"veilpath version":         "",
	"veilpath help":            "",
}

// refusals says why a verb does not have a flag or a verb below it, unless it is obvious.
var refusals = map[string]string{
	"study radius":   "set the radius with --set adversary.radius_km=1",
	"study curves":   "it is gone; veilpath tune finds the largest epsilon at every radius of the observer",
	"tune leak":      "it is gone; veilpath leak --epsilons 0.1,0.2,0.5,1 has the bits at every epsilon",
	"tune quantile":  "it is gone; --share 90% demands the distance for that share of the flights",
	"design between": "it is gone; veilpath design PROBLEM compares the goal with the most similar one",
	"audit entry":    "it is gone; the entry that the publication reveals most is audited, and --tables tests all",
	"leak goals":     "it is gone; veilpath design PROBLEM compares the goal with the most similar one",
	"view story":     "it is gone; the page has its own story of five steps",
	"merge config":   "merge takes the settings from the parts; leave it out",
	"merge set":      "merge takes the settings from the parts; leave it out",
	"merge seed":     "merge takes the settings from the parts; leave it out",
	"privatize seed": "a release cannot have a seed (study.seed), because anyone who knows it can remove the noise; " +
		"leave it out, or use veilpath study for repeatable noise",
	"benchmark check":  diffRows,
	"benchmark row":    diffRows,
	"compare fail-if":  jqCondition,
	"compare sure":     jqCondition,
	"benchmark submit": "it is gone; the rows are in rows.json of --out",
	"benchmark allow":  "it is gone; add --allow-commands",
	"merge allow":      "it is gone; add --allow-commands",
	"reproduce config": "reproduce reads the presets paper, example1 and example2; change a key with --set",
	"run from":         "it is gone; --config FOLDER flies a run with the settings of the study in it",
	"run workers":      "one flight has one worker",
}

// diffRows replaces measuring the rows of a file again.
const diffRows = "it is gone; run the suite again with the same seed, and diff A/rows.csv B/rows.csv"

// jqCondition replaces conditions on a comparison, of the ends of an interval as of the difference.
const jqCondition = "it is gone; veilpath compare A B --format json | " +
	"jq -e 'all(.places[].quantities.mean_km; .difference <= 5)' exits with 1 if a difference is larger"

// outDefaults says where a verb writes without --out. Other verbs write to the next free folder, or nowhere if csv
// or json goes into a pipe.
var outDefaults = map[string]string{
	"run":       "nothing is written",
	"privatize": "next free out/privatize-NNN",
}

// share adds shared flags to a verb and to the verbs below it.
func (a *app) share(cmd *cobra.Command) {
	names, listed := sharedFlags[cmd.CommandPath()]
	if !listed && cmd.HasParent() {
		panic("veilpath: " + cmd.CommandPath() + " does not say which shared flags it reads")
	}
	for name := range strings.FieldsSeq(names) {
		a.addShared(cmd, name)
	}
	a.completeOwn(cmd)
	for _, below := range cmd.Commands() {
		a.share(below)
	}
}

// addShared adds a shared flag to a verb.
func (a *app) addShared(cmd *cobra.Command, name string) {
	flags := cmd.Flags()
	var complete cobra.CompletionFunc
	switch name {
	case "config":
		flags.StringVar(&a.config, name, configs.DefaultPreset, "`preset`, file or folder of results")
		complete = terminal.CompletePresets
	case "set":
		flags.StringArrayVar(&a.sets, name, nil, "set a setting: `key=value` (repeatable)")
		complete = terminal.CompleteAssignment
	case "vary":
		flags.StringArrayVar(&a.varied, name, nil, "draw a setting for every run: `key=normal(1.7,0.05)` (repeatable)")
		complete = terminal.CompleteVariations
	case "seed":
		flags.String(name, "", "random seed, a whole `number` (study.seed)")
	case "workers":
		flags.String(name, "", "`number` of goroutines, 0: one per core (study.workers)")
	case "allow-commands":
		flags.BoolVar(&a.allowCommands, name, false, "run exec:COMMAND of settings, suites and folders")
	case "out":
		where, special := outDefaults[cmd.Name()]
		if !special {
			where = "next free out/" + strings.Fields(cmd.CommandPath())[1] + "-NNN"
		}
		flags.StringVarP(&a.out, name, "o", "", "`folder` of the files (default: "+where+")")
		complete = terminal.CompleteFolders
	case "force":
		flags.BoolVarP(&a.force, name, "f", false, "replace results, and remove unfinished work")
	case "report":
		what := "also write report.html, with all figures and tables"
		if strings.HasPrefix(cmd.CommandPath(), "veilpath leak") { // which always has it among its files
			what = "write files also if csv or json is piped"
		}
		flags.BoolVar(&a.report, name, false, what)
	case "format":
		flags.StringVar(&a.format, name, "table", "table, csv or json")
		complete = cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp)
	case "full":
		flags.BoolVar(&a.full, name, false, "print all tables, columns and rows")
	case "quiet":
		flags.BoolVarP(&a.quiet, name, "q", false, "print only results and errors")
	default:
		panic("veilpath: no shared flag is called " + name)
	}
	group := terminal.OutputFlags
	if strings.Contains("config set vary seed workers allow-commands", name) {
		group = terminal.SettingsFlags
	}
	terminal.InGroup(flags.Lookup(name), group)
	a.complete(cmd, name, complete)
}

// complete sets the completion of a flag's value, if a shell requested completion. Package cobra keeps
// completions, and with them the whole command line, as long as the process runs.
func (a *app) complete(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if !a.completing {
		return
	}
	if complete == nil {
		complete = cobra.NoFileCompletions
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic("veilpath: " + err.Error()) // the flag was just added
	}
}

// completeOwn sets the completion of a verb's arguments and of its flags that set keys.
func (a *app) completeOwn(cmd *cobra.Command) {
	arguments := map[string]cobra.CompletionFunc{
		"veilpath reproduce":   completeItems,
		"veilpath config show": cobra.FixedCompletions(configs.Groups(), cobra.ShellCompDirectiveNoFileComp),
		"veilpath merge":       terminal.CompleteFolders,
		"veilpath compare":     terminal.CompleteFolders,
		"veilpath view":        terminal.CompleteFolders,
		"veilpath privatize":   cobra.FixedCompletions([]string{"csv"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	if complete := arguments[cmd.CommandPath()]; complete != nil {
		cmd.ValidArgsFunction = complete
	} else if cmd.Runnable() && !cmd.HasSubCommands() && cmd.ValidArgs == nil {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for flag, complete := range map[string]cobra.CompletionFunc{
		"sweep":    terminal.CompleteKeys,
		"against":  terminal.CompleteAssignment,
		"noise":    terminal.CompleteChoices("study.noise"),
		"observer": terminal.CompleteChoices("adversary.observer"),
		"from":     terminal.CompleteFolders,
	} {
		if cmd.Flags().Lookup(flag) != nil {
			a.complete(cmd, flag, complete)
		}
	}
}

func completeItems(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	found := []cobra.Completion{cobra.CompletionWithDesc("all", "every item")}
	for _, item := range reproduce.Items() {
		found = append(found, cobra.CompletionWithDesc(item.Name, item.Title))
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}
