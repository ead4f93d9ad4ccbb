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
	"veilpath/sim/campaign"
)

// cells plans for a cell that the seed says, and seer expects all flights to end at the target.
const (
	cells = `while read -r line; do
case "$line" in
*'"hello"'*) echo '{"hello":{"protocol":1,"name":"cells"}}';;
*'"mission"'*) ;;
*) seed=${line#*'"seed":"'}; seed=${seed%%'"'*}; echo '{"goal":['${seed#"${seed%?}"}',4]}';;
esac
done`
	seer = `while read -r line; do
case "$line" in
*'"hello"'*) echo '{"hello":{"protocol":1,"name":"seer","every":100000}}';;
*'"mission"'*) ;;
*) echo '{"points":[[0,0,0]]}';;
esac
done`
)

// commandedStudy flies a small study with a mechanism and an observer that are commands, and returns its files.
func commandedStudy(t *testing.T) fstest.MapFS {
	t.Helper()
	folder := t.TempDir()
	sets := append(strings.Split(small, "&"), "study.epsilons=0.5,2", "study.workers=2")
	for key, text := range map[string]string{"privacy.mechanism": cells, "adversary.observer": seer} {
		script := filepath.Join(folder, key)
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sets = append(sets, key+"=exec:exec sh '"+script+"'")
	}
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
		!strings.Contains(d.noCurve(), "recorded at epsilon 0.5 and 2 only") {
		t.Errorf("%v: it says %q and %q", err, d.Model.Message.Text, d.noCurve())
	}
}
