package screen

import (
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// opened returns a table of the outline, open.
func (d *desk) opened(id string) answer.Table {
	d.t.Helper()
	if err := d.Operate("table."+id, "true"); err != nil {
		d.t.Fatal(err)
	}
	tables := d.Outline().Tables
	return tables[slices.IndexFunc(tables, func(t answer.Table) bool { return t.ID == id })]
}

// The outline's tables say what the charts draw, while they are open.
func TestOutlineTellsCharts(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	d.wholeAxis()
	for _, table := range d.Outline().Tables {
		if table.Open || table.Text != "" || len(table.Rows) > 0 {
			t.Errorf("table %s is open from the start, %q", table.ID, table.Text)
		}
	}

	along := d.opened("along")
	breaks := d.Breaks()
	if len(breaks) == 0 || len(along.Rows) != len(breaks)+1 {
		t.Fatalf("%d flights are told, the slider has %d ticks", len(along.Rows), len(breaks))
	}
	for i, row := range along.Rows {
		if len(row) != len(along.Head) || i > 0 && row[0] != answer.Short(breaks[i-1]) || i < len(breaks) &&
			row[1] != answer.Short(breaks[i]) {
			t.Errorf("flight %d is told as %q, the ticks are %v", i, row, breaks)
		}
	}
	if i := slices.IndexFunc(breaks, func(at float64) bool { return at > d.Model.Config.Privacy.Epsilon }); i >= 0 &&
		along.Rows[i][2] != chart.Fixed(d.Model.Private.Run.DetectionKm, 1) {
		t.Errorf("the flight on show, recognised at %v km, is told as %q", d.Model.Private.Run.DetectionKm, along.Rows[i])
	}

	mean := d.opened("mean")
	c := d.Model.MeanAlong(true)
	told := map[string][]string{}
	for _, row := range mean.Rows {
		told[row[0]] = row
	}
	at := answer.PlaceAlong(c.Epsilons, 1)
	less := answer.Signed(c.Mean[at]-d.Model.Planned.Run.DetectionKm, 1)
	if want := []string{"1", chart.Fixed(c.Mean[at], 1), chart.Fixed(c.Low[at], 1), chart.Fixed(c.High[at], 1), less,
		told["1"][5]}; !slices.Equal(told["1"], want) || told["20"] == nil || told["0.4"][5] == "" {
		t.Errorf("at epsilon 1 it tells %q, want %q; of %d rows", told["1"], want, len(mean.Rows))
	}

	d.Model.SetShown(model.ShowDirect)
	if direct := d.opened("along"); len(direct.Rows) > 0 || !strings.Contains(direct.Text, "the same at every epsilon") {
		t.Errorf("of the direct flight it tells %q %q", direct.Text, direct.Rows)
	}
	if err := d.Operate("table.along", "false"); err != nil || d.Outline().Tables[0].Open ||
		d.Operate("table.treasure", "true") == nil {
		t.Errorf("a table does not close, or one that is not there opens: %v", err)
	}
}

// The outline has the help while it is open, and opens it.
func TestOutlineTellsKeys(t *testing.T) {
	d := newDesk(t, 1280, 800)
	help := d.opened("help")
	for i, b := range d.strokes() {
		if !slices.Equal(help.Rows[i], b[:]) {
			t.Errorf("key %d is told as %q, it is %q", i, help.Rows[i], b)
		}
	}
	if !d.Help.Open || !strings.Contains(help.Text, panel.WhatItIs) {
		t.Errorf("the help is shown: %v; %q", d.Help.Open, help.Text)
	}
	d.press(ui.Escape)
	if tables := d.Outline().Tables; tables[len(tables)-1].Open {
		t.Error("it is told when it is closed")
	}
}
