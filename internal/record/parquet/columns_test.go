package parquet

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

var update = flag.Bool("update", false, "rewrite ../columns.md")

// section documents the columns of some files.
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

// told returns what is told of the columns of a table of flights.
func told(columns []column[flown]) []table.Column[flown] {
	var all []table.Column[flown]
	for _, c := range columns {
		all = append(all, table.Column[flown]{Name: c.name, Unit: c.unit, Meaning: c.meaning})
	}
	return all
}

// What is documented of files are the columns that they have. A new metric or statistic documents itself.
func TestColumnsAreDocumented(t *testing.T) {
	want := "# Columns of the files\n\n" +
		"Written by `go test ./internal/record/parquet -update` from the tables that the files are written by.\n" +
		section("`runs.parquet`: a row a flight, after the swept settings; of a tuning, a row for every radius of an "+
			"observer, too, which is swept", told(runColumns(record.Sweep{}))) +
		section("`axis.parquet`: a row for every run and piece of the range of epsilon, after the swept settings",
			told(axisColumns(record.Sweep{}))) +
		section("`axis.parquet` of costs (`cost --epsilons 0.2..4`): a row for every mechanism, named first, run and piece",
			costNumbers()) +
		section("`curves.parquet`: a row a step of the detection curve of a flight (`study --curves`)",
			record.CurveColumns()) +
		section("Further columns of both for every observer after the first, where several watch (`study --observer "+
			"a,OBSERVER`)", told(watchedColumns([]string{"a", "OBSERVER"}))) +
		section("`summary.csv` of a study: a row for every epsilon", study.SummaryColumns()) +
		section("`surface.parquet`, `summary.csv` of a tuning: a row for every epsilon and radius", study.SurfaceColumns()) +
		section("`trajectory.csv`, `trajectory.parquet`: a row a step of a flight", record.TrajectoryColumns())
	for _, sheet := range leak.NewSheets(&leak.Result{Study: new(leak.Study)}).All() {
		var columns []table.Column[study.Run]
		for _, c := range sheet.Columns {
			columns = append(columns, table.Column[study.Run]{Name: c.Name, Unit: c.Unit, Meaning: c.Meaning})
		}
		want += section("`"+sheet.Name+".csv`, `"+sheet.Name+".parquet` of what observers learn", columns)
	}
	if *update {
		if err := os.WriteFile("../columns.md", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("../columns.md"); err != nil || string(got) != want {
		t.Errorf("columns.md is not what the tables say (%v); rewrite it with -update and look at the difference", err)
	}
}
