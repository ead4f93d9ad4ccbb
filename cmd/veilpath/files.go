package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"veilpath/cmd/internal/terminal"
	"veilpath/planner/audit"
	"veilpath/sim/campaign"
	"veilpath/sim/publish"
	"veilpath/sim/record"
	"veilpath/sim/reproduce"
)

// ownNames are the files beside the manifest that some verb writes, under names that nothing else has, the promise
// of a release first: without it nothing vouches for the release.
var ownNames = append([]string{
	publish.GuaranteeName,
	record.PlanName, record.JournalName, record.RunsName, record.AxisName, record.SummaryName, campaign.SensitivityName, "figure.png", "figure.svg", // study, merge
	record.TrajectoriesName, campaign.FlightsName + ".png", campaign.FlightsName + ".svg", campaign.ComparisonName, campaign.PageName, // study --trajectories, compare
	record.TrajectoryCSVName, record.TrajectoryParquetName, // run
	record.SurfaceName, campaign.TrialsName, "heatmap.png", "heatmap.svg", "pareto.png", "pareto.svg", // tune
	reproduce.ComparisonName, reproduce.ReportName,
	publish.ReleaseName,                   // privatize
	audit.NumbersName, audit.TradeOffName, // audit
	campaign.PolicyName, campaign.RewardName, campaign.RouteName, // plan, and the policy of privatize
	campaign.CostsTableName, campaign.CostsName, campaign.CostsRequestName, // cost
}, campaign.LeakFiles()...)

// sharedNames are patterns of the files that a verb writes under names that people's own files have too.
// They are the verb's where the manifest says that it wrote to the folder.
var sharedNames = map[string][]string{
	"tune":      {campaign.ChoiceName},
	"reproduce": {"figure-*.png", "figure-*.svg"},
}

// freshFolder opens the output folder of a verb. It refuses a folder that another process works in. Close it.
func (a *app) freshFolder(verb string) (*record.Folder, error) {
	folder, err := a.folder(verb)
	if err != nil {
		return nil, err
	}
	folder.Remedy = "make room there and repeat with --force, or name another folder with --out"
	return a.superseding(folder)
}

// superseding has what an earlier verb wrote to a folder go when the new files are whole, so that no answer stands
// beside that to another question. It closes the folder where that cannot be.
func (a *app) superseding(folder *record.Folder) (*record.Folder, error) {
	names, err := a.writtenNames(folder.Path())
	if err != nil {
		folder.Close()
		return nil, err
	}
	folder.Supersede(names...)
	return folder, nil
}

// resultFolder opens the output folder of a verb whose results can do without one: nil where they are printed
// in full for another program to read and no folder was named.
func (a *app) resultFolder(verb string) (*record.Folder, error) {
	if !a.keeps() {
		return nil, nil
	}
	return a.freshFolder(verb)
}

// keeps reports whether files are left on disk: not where results are printed for another program to read and neither a
// folder was named nor a page asked for.
func (a *app) keeps() bool {
	return a.out != "" || a.report || a.format == "table" || terminal.Interactive(a.stdout)
}

// keep writes results to their folder, if there is one.
func (a *app) keep(folder *record.Folder, r campaign.Results) error {
	if folder == nil {
		return nil
	}
	program, _ := a.program()
	return program.Write(folder, r)
}

// written says where the files are, if there are any.
func written(folder *record.Folder) string {
	if folder == nil {
		return ""
	}
	return ", written to " + folder.Path()
}

// writtenNames lists the files that some verb may have written to a folder, other than those the
// settings were read from.
func (a *app) writtenNames(folder string) ([]string, error) {
	names := slices.Clone(ownNames)
	earlier, err := record.ReadManifest(a.disk, folder)
	if err != nil {
		return names, nil // what others may have written is not touched without its word
	}
	entries, err := a.disk.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, pattern := range sharedNames[earlier.Verb] {
		for _, entry := range entries {
			if shared, _ := path.Match(pattern, entry.Name()); shared && !sameFile(filepath.Join(folder, entry.Name()), a.config) {
				names = append(names, entry.Name())
			}
		}
	}
	return names, nil
}

// sameFile reports whether two paths name one file or folder that exists.
func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
