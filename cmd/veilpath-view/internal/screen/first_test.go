package screen

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"veilpath/cmd/veilpath-view/internal/ui"
)

var update = flag.Bool("update", false, "write the first pictures anew")

// What the page shows while its program is on the way is what the program shows first.
func TestFirstPictures(t *testing.T) {
	for name, dark := range map[string]bool{"dark": true, "light": false} {
		d := newDesk(t, 1280, 800)
		d.SetDark(dark)
		d.Unsigned = true
		d.Model.SetRuns(20)
		d.Heat, d.ShowHead = HeatOff, false
		d.step(ui.Input{Outside: true})
		got := d.svg("map")
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
		if most := 120_000; len(got) > most {
			t.Errorf("%s has %d bytes", file, len(got))
		}
	}
}
