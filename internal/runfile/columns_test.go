package runfile

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"veilpath/internal/flightfile"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/cost"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

var update = flag.Bool("update", false, "rewrite columns.md")

// section returns the documentation of the columns of some files.
func section[T any](files string, columns []table.Column[T]) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n## %s\n\n| column | unit | meaning |\n|---|---|---|\n", files)
	for _, c := range columns {
		unit := c.Unit
		if unit == "1" {
			unit = ""
		}
		fmt.Fprintf(&text, "| `%s` | %s | %s |\n", c.Name, unit, c.Meaning)
	}
	return text.String()
}

// columns.md lists exactly the columns of the files, new metrics and statistics included.
func TestColumnsAreDocumented(t *testing.T) {
	want := "# Columns of the files\n\n" +
		"`go test ./internal/runfile -update` writes this file from the columns in the code.\n" +
		section("`runs.parquet`: a row for every flight, and in a tuning for every radius; swept settings come "+
			"first, those that vary last",
			runColumns(record.Sweep{}, Varied{[]string{"SETTING"}, nil})) +
		section("`axis.parquet`: a row for every run and piece of the range of epsilon; swept settings come first",
			axisColumns(record.Sweep{})) +
		section("`axis.parquet` of costs (`cost --epsilons 0.2..4`): a row for every mechanism, run and piece; "+
			"the mechanism comes first",
			cost.PieceColumns(nil)[1:]) +
		section("Further columns of both for every observer after the first (`study --observer a,OBSERVER`)",
			watchedColumns([]string{"a", "OBSERVER"})) +
		section("`summary.csv` of a study: a row for every epsilon", study.SummaryColumns()) +
		section("`varied.csv` of a study in which settings vary: a row for every setting and epsilon",
			study.SensitivityColumns()) +
		section("`surface.parquet`, `summary.csv` of a tuning: a row for every epsilon and radius", study.SurfaceColumns()) +
		section("`trajectory.csv`, `trajectory.parquet`: a row for every step of a flight", flightfile.TrajectoryColumns())
	for _, sheet := range (&leak.Result{Study: new(leak.Study)}).Sheets() {
		want += section("`"+sheet.Name+".csv`, `"+sheet.Name+".parquet` of what observers learn", sheet.Columns)
	}
	want += section("`summary.csv` of what observers find out about rewards (`leak rewards`)",
		leak.NewRewardsSheet(nil).Columns)
	if *update {
		if err := os.WriteFile("columns.md", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("columns.md"); err != nil || string(got) != want {
		t.Errorf("columns.md differs from the tables (%v); rewrite it with -update and look at the difference", err)
	}
}
