package screen

import (
	"bytes"
	"cmp"
	"flag"
	"os"
	"slices"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/sim/study"
)

var update = flag.Bool("update", false, "write the first pictures anew")

// firstPicture is the private flight and the direct one among the ensemble, where the map has them. It has no words:
// their outlines would take a software renderer longer than the flights.
func (d *desk) firstPicture() []byte {
	list := draw.NewList(d.Atlas())
	graphic := list.NewSVG()
	list.Reset(d.Layout.Map, 1)
	m, w := d.plan.Shown(), &d.Model.World
	m.DrawFan(list, d.plan.Fan.Tracks)
	m.Path(list, &w.Nominal, len(w.Nominal.Samples), 1.6, m.DirectInk())
	m.Path(list, &w.Private, len(w.Private.Samples), 6.5, d.Theme().Background)
	m.Path(list, &w.Private, len(w.Private.Samples), 2.6, m.ShownInk())
	return graphic.Bytes(d.Layout.Map, "A private flight to its target, among those that other noise leads to", "veilpath")
}

// What the page shows while its program is on the way is what the program shows first.
func TestFirstPictures(t *testing.T) {
	for name, dark := range map[string]bool{"dark": true, "light": false} {
		d := newDesk(t, 1280, 800)
		d.SetDark(dark)
		d.Model.SetRuns(20)
		d.Heat, d.plan.ShowHead = answer.HeatOff, false
		d.step(ui.Input{Outside: true})
		got := d.firstPicture()
		file := "../../../../assets/viewer/first-" + name + ".svg"
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is of another look; go test ./cmd/veilpath-view/internal/screen -run FirstPictures -update draws it "+
				"anew", file)
		}
		if most := 20_000; len(got) > most {
			t.Errorf("%s has %d bytes", file, len(got))
		}
	}
}

// The extreme flights are found by what they are: those recognised closest to the target and farthest from it.
func TestShowExtreme(t *testing.T) {
	d := newDeskOf(t, 1280, 800, 0)
	d.Model.SetRuns(60)
	d.settled()
	runs := d.flown()
	for words, compare := range map[string]func(a, b study.Run) int{
		"closest":  func(a, b study.Run) int { return cmp.Compare(a.DetectionKm, b.DetectionKm) },
		"farthest": func(a, b study.Run) int { return cmp.Compare(b.DetectionKm, a.DetectionKm) },
	} {
		d.press("/")
		for _, letter := range words {
			d.press(ui.Key(letter))
		}
		d.press(ui.Enter)
		want := slices.MinFunc(runs, compare)
		if got := d.Model.Private.Run; len(runs) != 60 || got.DetectionKm != want.DetectionKm {
			t.Errorf("%s of %d flights: run %d at %v km, want run %d at %v", words, len(runs), got.Run, got.DetectionKm,
				want.Run, want.DetectionKm)
		}
	}
}
