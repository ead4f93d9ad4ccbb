package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"veilpath/configs"
	"veilpath/planner/privacy"
	"veilpath/sim/record"
	"veilpath/sim/record/recordtest"
	"veilpath/sim/setup"
)

// costing is the work on a study of costs of a few runs, which keeps what is done after every one. The problem is worth
// nothing, so that there is no figure, which takes long.
type costing struct {
	disk   *recordtest.Disk
	seed   int
	resume bool
	stop   int // interrupted after so many runs, 0 for never

	resumed int // runs taken over
}

const costRuns = 4

// Progress implements Events.
func (c *costing) Progress(Work, int, int) {}

// Remark implements Events.
func (c *costing) Remark(string) {}

func (c *costing) request() (CostRequest, error) {
	problem := `{"0": {"0": [[1, 0, 0, false]], "1": [[1, 1, -1, false]]}, ` +
		`"1": {"0": [[1, 1, -3, false]], "1": [[1, 0, -1, false]]}}`
	source := setup.Source{
		Open: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(problem)), nil },
		Load: func(string) (*configs.Loaded, error) {
			return configs.Load(configs.Request{Overrides: []configs.Override{
				{Key: "study.runs", Flag: "--runs", Value: fmt.Sprint(costRuns)},
				{Key: "study.epsilons", Flag: "--epsilons", Value: "1"},
				{Key: "study.seed", Flag: "--seed", Value: fmt.Sprint(c.seed)},
				{Key: "study.workers", Flag: "--workers", Value: "1"}}})
		},
	}
	given, err := source.Problem("p.json", setup.Choice{Discount: 0.9})
	return CostRequest{Given: given, Mechanisms: []privacy.Mechanism{privacy.InputPerturbation{}}}, err
}

func (c *costing) do() (err error) {
	now := time.Unix(0, 0)
	p := &Program{Version: "test", Disk: c.disk, Events: c,
		Now: func() time.Time { now = now.Add(costsInterval); return now }}
	request, err := c.request()
	if err != nil {
		return err
	}
	s, err := p.Costs(request)
	if err != nil {
		return err
	}
	found := false
	if c.resume {
		if found, err = s.Resume("out"); err != nil {
			return err
		}
		c.resumed = s.Runs()
	}
	folder, err := c.open(found)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	if c.stop > 0 {
		s.most = c.stop // as far as it comes
	}
	if err := s.Do(context.Background(), folder); err != nil {
		return err
	}
	return s.Write(folder, c.stop > 0, 0)
}

// open opens the folder as the command line does.
func (c *costing) open(found bool) (*record.Folder, error) {
	if found {
		return record.ReopenFolder(c.disk, "out", "cost --resume")
	}
	folder, err := record.OpenFolder(c.disk, "out", "cost", true)
	if err == nil {
		folder.Supersede(CostsPlanName, CostsJournalName, CostsName, CostsTableName, CostsRequestName)
	}
	return folder, err
}

// holdsCosts reports whether a folder holds the files of an answer, the manifest's time aside.
func holdsCosts(files, answer map[string]string) bool {
	for name, text := range answer {
		if files[name] != text {
			return false
		}
	}
	return true
}

// Wherever a study of costs over another's answer is killed or the power fails, that answer is there or all of the new
// one, what was kept is not done again, and --resume ends with the same files and no others.
func TestCostsStoppedAtAnyOperation(t *testing.T) {
	earlier := &recordtest.Disk{}
	if err := (&costing{disk: earlier, seed: 9}).do(); err != nil {
		t.Fatal(err)
	}
	was := earlier.Files("out")
	disk := earlier.Killed()
	if err := (&costing{disk: disk, seed: 1}).do(); err != nil {
		t.Fatal(err)
	}
	want := disk.Files("out")
	if names := slices.Sorted(maps.Keys(want)); len(names) != len(was) || slices.Contains(names, CostsJournalName) {
		t.Fatalf("it left %q, the other %q", names, slices.Sorted(maps.Keys(was)))
	}
	type world struct {
		after string
		disk  *recordtest.Disk
		least int // runs that are kept
	}
	var worlds []world
	disk, kept := earlier.Killed(), 0
	disk.Watch(func(o recordtest.Operation) {
		for how, found := range map[string]*recordtest.Disk{"killed": disk.Killed(), "power failure": disk.PowerFailure(-1)} {
			worlds = append(worlds, world{how + " before " + o.String(), found, kept})
		}
		if o.Name == "SyncDir" && disk.Files("out")[CostsJournalName] != "" {
			kept = min(kept+1, costRuns) // a save ends with that
		}
	})
	if err := (&costing{disk: disk, seed: 1}).do(); err != nil {
		t.Fatal(err)
	}
	if len(worlds) < 100 {
		t.Errorf("%d worlds; the test is of next to nothing", len(worlds))
	}
	for _, w := range worlds {
		files := w.disk.Files("out")
		whole := slices.Collect(maps.Values(files))
		later := !slices.ContainsFunc(slices.Collect(maps.Values(want)),
			func(text string) bool { return !slices.Contains(whole, text) })
		if !holdsCosts(files, was) && !later {
			t.Fatalf("%s: neither answer is there: %q", w.after, slices.Sorted(maps.Keys(files)))
		}
		again := &costing{disk: w.disk, seed: 1, resume: true}
		err := again.do()
		if files[CostsPlanName] == "" && holdsCosts(files, was) {
			if err == nil || !strings.Contains(err.Error(), "another request") {
				t.Fatalf("%s: resumed, %v; want the other answer kept", w.after, err)
			}
			continue
		}
		if got := w.disk.Files("out"); err != nil || !maps.Equal(got, want) {
			t.Fatalf("%s: resumed, %v, it holds %q, want %q", w.after, err, slices.Sorted(maps.Keys(got)),
				slices.Sorted(maps.Keys(want)))
		}
		if files[CostsJournalName] != "" && again.resumed < w.least {
			t.Fatalf("%s: %d runs are taken over of %d", w.after, again.resumed, w.least)
		}
	}
}

// Interrupted over a finished answer, a study of costs keeps that and what it did; elsewhere it leaves what it did.
func TestCostsInterruptedKeepTheEarlierAnswer(t *testing.T) {
	for name, over := range map[string]bool{"over an answer": true, "alone": false} {
		disk := &recordtest.Disk{}
		if over {
			if err := (&costing{disk: disk, seed: 9}).do(); err != nil {
				t.Fatal(err)
			}
		}
		was := disk.Files("out")
		if err := (&costing{disk: disk, seed: 1, stop: 2}).do(); err != nil {
			t.Fatal(err)
		}
		if files := disk.Files("out"); over && !holdsCosts(files, was) || !over &&
			(files[CostsJournalName] != "" || !strings.Contains(files[record.ManifestName], `"complete": false`)) {
			t.Errorf("%s: it holds %q", name, slices.Sorted(maps.Keys(files)))
		}
		again := &costing{disk: disk, seed: 1, resume: true}
		if err := again.do(); err != nil || again.resumed != 2 {
			t.Errorf("%s: %d runs are taken over, %v", name, again.resumed, err)
		}
		if files := disk.Files("out"); files[CostsPlanName] != "" ||
			!strings.Contains(files[record.ManifestName], `"complete": true`) {
			t.Errorf("%s: in the end it holds %q", name, slices.Sorted(maps.Keys(files)))
		}
	}
}

// Runs of another request that were under way are never taken for one's own, wherever the world stops.
func TestCostsUnderWayAreNotMixed(t *testing.T) {
	other := &recordtest.Disk{}
	for _, c := range []costing{{disk: other, seed: 8}, {disk: other, seed: 9, stop: 2}} {
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
	}
	disk := other.Killed()
	var worlds []*recordtest.Disk
	disk.Watch(func(recordtest.Operation) { worlds = append(worlds, disk.Killed(), disk.PowerFailure(-1)) })
	if err := (&costing{disk: disk, seed: 1}).do(); err != nil {
		t.Fatal(err)
	}
	want, resumed := disk.Files("out"), 0
	for i, world := range worlds {
		err := (&costing{disk: world, seed: 1, resume: true}).do()
		if err != nil && !strings.Contains(err.Error(), "another request") || err == nil &&
			!maps.Equal(world.Files("out"), want) {
			t.Fatalf("world %d: %v, it holds %q", i, err, slices.Sorted(maps.Keys(world.Files("out"))))
		}
		if err == nil {
			resumed++
		}
	}
	if resumed == 0 || resumed == len(worlds) {
		t.Errorf("%d of %d worlds are gone on with", resumed, len(worlds))
	}
}
