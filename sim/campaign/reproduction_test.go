package campaign

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/reproduce"
)

// reproductionSettings loads the three presets.
func reproductionSettings(t *testing.T) (waypoints *configs.Loaded, examples [2]configs.Config) {
	t.Helper()
	var all [3]*configs.Loaded
	for i, preset := range []string{configs.DefaultPreset, configs.TwoState, configs.Gridworld} {
		var err error
		if all[i], err = configs.Load(configs.Request{Config: preset, Sets: []string{"study.runs=4"}}); err != nil {
			t.Fatal(err)
		}
	}
	return all[0], [2]configs.Config{all[1].Config, all[2].Config}
}

// reproductionOf prepares items by their names.
func reproductionOf(t *testing.T, p *Program, names ...string) *Reproduction {
	t.Helper()
	items, err := reproduce.Select(names)
	if err != nil {
		t.Fatal(err)
	}
	loaded, examples := reproductionSettings(t)
	r, err := NewReproduction(p, items, loaded, examples)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Closed forms are judged at once, in the order of the paper, and written with the figure of each.
func TestClosedFormsAreJudgedAndWritten(t *testing.T) {
	p, folder := &Program{Version: "1"}, filepath.Join(t.TempDir(), "out")
	r := reproductionOf(t, p, "thm5", "table1b")
	if err := p.Do(t.Context(), r, folder); err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 2 || r.Results[0].Item.Name != "table1b" || r.Results[1].Item.Name != "thm5" {
		t.Fatalf("%d results", len(r.Results))
	}
	text, err := os.ReadFile(filepath.Join(folder, reproduce.ComparisonName))
	if err != nil {
		t.Fatal(err)
	}
	// The paper prints 2.524 and 5.049 at epsilon 1.
	judged := strings.Count(string(text), "\n") - 1
	if r.answer().Effort != strconv.Itoa(judged)+" numbers judged" || judged <= 8 ||
		!strings.Contains(string(text), `table1b,"input σ, ε = 1",2.524,2.5244`) ||
		!strings.Contains(string(text), `table1b,"output σ, ε = 1",5.049,5.0488`) {
		t.Errorf("%s:\n%s", r.answer().Effort, text)
	}
	again := reproductionOf(t, p, "table1b", "thm5")
	if err := p.Do(t.Context(), again, folder); err != nil || again.Results != nil {
		t.Errorf("a finished reproduction is done again: %v", err)
	}
	other := reproductionOf(t, p, "thm3")
	if err := p.Do(t.Context(), other, folder); err == nil {
		t.Error("other items are taken for those in the folder")
	}
}

// The whole reproduction of a part has the items and examples that the part records.
func TestPartsRecordTheirItems(t *testing.T) {
	p := new(Program)
	r := reproductionOf(t, p, "example1", "scalars")
	q := r.Question()
	q.Part = Part{Index: 2, Of: 3}
	part, err := p.Job(q)
	if err != nil {
		t.Fatal(err)
	}
	loaded, _ := reproductionSettings(t)
	whole, err := joiners["reproduce"](t.Context(), p, loaded, part.Manifest.Asked)
	if err != nil {
		t.Fatal(err)
	}
	joined, err := p.Job(whole)
	if err != nil || joined.Manifest.Identity() != part.Manifest.Whole().Identity() {
		t.Errorf("the whole is other work than its part: %v", err)
	}
	for _, asked := range []string{"{", `{"Items": ["thm7"], "Examples": [{}, {}]}`, `{"Examples": [1, 2]}`} {
		if _, err := joiners["reproduce"](t.Context(), p, loaded, json.RawMessage(asked)); err == nil {
			t.Errorf("%s is joined", asked)
		}
	}
}
