package screen

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
	"veilpath/internal/external/commandtest"
	"veilpath/sim/campaign"
)

// The test binary is also the commands of the tests.
func TestMain(m *testing.M) { commandtest.Main(m) }

// commandedStudy flies a small study with a mechanism and an observer that are commands, and returns its files.
func commandedStudy(t *testing.T) fstest.MapFS {
	t.Helper()
	folder := t.TempDir()
	sets := append(strings.Split(small, "&"), "study.epsilons=0.5,2", "study.workers=2")
	sets = append(sets, commandtest.Settings(t, folder)...)
	p := new(campaign.Program)
	defer p.Close()
	study := filepath.Join(folder, "study")
	request := campaign.Request{Settings: configs.Request{Sets: sets}}
	if _, err := p.Fly(context.Background(), request, study); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(study)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(study, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = &fstest.MapFile{Data: text}
	}
	return files
}

// The commands of the flights that are open stand in the lists by what they call themselves, and an epsilon that is not
// recorded is refused.
func TestCommandsAreOnOffer(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Open("commanded", commandedStudy(t))
	d.step(ui.Input{Outside: true})
	var offered []string
	for _, it := range append(d.watcherItems(), d.missionItems()...) {
		if it.On {
			offered = append(offered, it.Text)
		}
	}
	if text := strings.Join(offered, "; "); !strings.Contains(text, "seer: is a command") ||
		!strings.Contains(text, "Mechanism cells: is a command") {
		t.Errorf("on are %s", text)
	}
	if text := d.Model.Unasked("mechanism"); !strings.Contains(text, "choose another observer") ||
		d.Model.Unasked("moves") != "" {
		t.Errorf("of what observers believe it says %q", text)
	}
	if err := d.Operate("epsilon", "1"); err != nil || !strings.Contains(d.Model.Message.Text, "at epsilon 0.5 and 2") ||
		!strings.Contains(d.NoCurve(), "recorded at epsilon 0.5 and 2 only") {
		t.Errorf("%v: it says %q and %q", err, d.Model.Message.Text, d.NoCurve())
	}
}
