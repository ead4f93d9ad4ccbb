package costs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/job"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/campaign"
	"veilpath/sim/cost"
)

// costing is the work on a study of costs of a few runs. The problem is worth nothing, so that there is no figure,
// which takes long.
type costing struct {
	disk   *recordtest.Disk
	seed   int
	runs   int
	resume bool
	stop   int // interrupted after so many runs of this session, 0 for never

	remarks []string // of this session
}

// Progress implements Events.
func (c *costing) Progress(campaign.Work, int, int) {}

// Remark implements Events.
func (c *costing) Remark(text string) { c.remarks = append(c.remarks, text) }

func (c *costing) request() (Request, error) {
	problem := `{"0": {"0": [[1, 0, 0, false]], "1": [[1, 1, -1, false]]}, ` +
		`"1": {"0": [[1, 1, -3, false]], "1": [[1, 0, -1, false]]}}`
	source := setup.Source{
		Open: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(problem)), nil },
		Load: func(string) (*configs.Loaded, error) {
			return configs.Load(configs.Request{Overrides: []configs.Override{
				{Key: "study.runs", Flag: "runs", Value: fmt.Sprint(c.runs)},
				{Key: "study.epsilons", Flag: "epsilons", Value: "1"},
				{Key: "study.seed", Flag: "seed", Value: fmt.Sprint(c.seed)},
				{Key: "study.workers", Flag: "workers", Value: "1"}}})
		},
	}
	given, err := source.Problem("p.json", setup.Choice{Discount: 0.9})
	return Request{Given: given, Mechanisms: []planner.Mechanism{planner.OnReward(privacy.InputPerturbation{})}}, err
}

// keeping is a keeper that interrupts after so many results.
type keeping struct {
	*Costs
	costing *costing
}

// Do implements campaign.Resumable.
func (k keeping) Do(ctx context.Context, keeper pool.Keeper) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return k.Costs.Do(ctx, &stopping{keeper, k.costing.stop, cancel})
}

// stopping is a keeper that interrupts the work after so many results, 0 for never.
type stopping struct {
	pool.Keeper
	left   int
	cancel func()
}

// Keep implements pool.Keeper.
func (s *stopping) Keep(result any) error {
	if s.left--; s.left == 0 {
		s.cancel()
	}
	return s.Keeper.Keep(result)
}

// do does it as the command line does.
func (c *costing) do(t *testing.T) (err error) {
	t.Helper()
	p := &campaign.Program{Version: "test", Disk: c.disk, Events: c}
	request, err := c.request()
	if err != nil {
		return err
	}
	s, err := New(p, request)
	if err != nil {
		return err
	}
	j, err := p.Job(keeping{s, c}, campaign.Part{})
	if err != nil {
		return err
	}
	state := job.New
	if c.resume {
		if state, err = p.Jobs().State("out", j); err != nil {
			return err
		}
	}
	folder, err := record.ReopenFolder(c.disk, "out", "cost")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	folder.Supersede("")
	if state == job.New {
		if err := folder.Restart(); err != nil {
			return err
		}
	}
	return p.Jobs().Run(t.Context(), folder, j)
}

// together is how many runs of so small a problem are kept together.
const together = 64

// answerOf is what a disk holds of an answer: its files but the manifest, whose time differs.
func answerOf(disk *recordtest.Disk) map[string]string {
	files := disk.Files("out")
	delete(files, record.ManifestName)
	return files
}

// More runs go on from fewer, finished or interrupted, to the files of all at once. Fewer are refused.
func TestCostsGoOnFromFewerRuns(t *testing.T) {
	whole := &costing{disk: &recordtest.Disk{}, seed: 1, runs: 8 * together}
	if err := whole.do(t); err != nil {
		t.Fatal(err)
	}
	want := answerOf(whole.disk)
	for name, sessions := range map[string][]costing{
		"finished":    {{runs: 3 * together}, {runs: 8 * together, resume: true}},
		"interrupted": {{runs: 8 * together, stop: 3}, {runs: 8 * together, resume: true}},
		"interrupted later": {{runs: 3 * together}, {runs: 8 * together, resume: true, stop: 2},
			{runs: 8 * together, resume: true}},
		"over another": {{runs: 2 * together, seed: 9}, {runs: 8 * together, stop: 3},
			{runs: 8 * together, resume: true}},
	} {
		disk := &recordtest.Disk{}
		for i, c := range sessions {
			c.disk = disk
			if c.seed == 0 {
				c.seed = 1
			}
			if err := c.do(t); (err != nil) != (c.stop > 0) {
				t.Fatalf("%s, session %d: %v", name, i+1, err)
			}
			if c.resume && len(c.remarks) == 0 {
				t.Errorf("%s, session %d goes on from nothing", name, i+1)
			}
		}
		if got := answerOf(disk); !maps.Equal(got, want) {
			t.Errorf("%s: it holds %q, want %q", name, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
	// Another number of runs than an interrupted study is of is refused, and its journal stays.
	stopped := &costing{disk: &recordtest.Disk{}, seed: 1, runs: 8 * together, stop: 5}
	if err := stopped.do(t); err == nil {
		t.Fatal("it was not interrupted")
	}
	journal := stopped.disk.Files("out")[record.JournalName]
	for _, runs := range []int{3, 9} {
		other := costing{disk: stopped.disk, seed: 1, runs: runs * together, resume: true}
		if err := other.do(t); !errors.Is(err, job.ErrOther) || !strings.Contains(err.Error(), "with 512 runs") ||
			stopped.disk.Files("out")[record.JournalName] != journal {
			t.Errorf("%d runs after an interruption: %v", runs, err)
		}
	}
	rest := costing{disk: stopped.disk, seed: 1, runs: 8 * together, resume: true}
	if err := rest.do(t); err != nil || !maps.Equal(answerOf(stopped.disk), want) {
		t.Errorf("the rest: %v", err)
	}
	fewer := costing{disk: whole.disk, seed: 1, runs: 7 * together, resume: true}
	if err := fewer.do(t); err == nil || !strings.Contains(err.Error(), "out has 512 runs, and fewer would delete") {
		t.Errorf("fewer runs: %v", err)
	}
	other := costing{disk: whole.disk, seed: 2, runs: 8 * together, resume: true}
	if err := other.do(t); !errors.Is(err, job.ErrOther) {
		t.Errorf("another seed: %v", err)
	}
	if got := answerOf(whole.disk); !maps.Equal(got, want) {
		t.Error("what was refused changed the answer")
	}
}

// Work that ends before its first run keeps nothing, and does not say that it does.
func TestNothingIsKeptBeforeTheFirstRun(t *testing.T) {
	var kept []any
	k := &headed{keepFunc(func(result any) error { kept = append(kept, result); return nil }), &costSession{Most: 3}}
	if len(kept) != 0 {
		t.Errorf("%v is kept before a run", kept)
	}
	for run := range 2 {
		if err := k.Keep(run); err != nil {
			t.Fatal(err)
		}
	}
	if want := []any{costSession{Most: 3}, 0, 1}; !slices.Equal(kept, want) {
		t.Errorf("kept %v, want %v", kept, want)
	}
}

// keepFunc is a keeper that has nothing yet.
type keepFunc func(result any) error

func (k keepFunc) Kept(any) (bool, error) { return false, nil }
func (k keepFunc) Keep(result any) error  { return k(result) }

// Where runs leave open whether the mechanism with the least mean is the cheapest, the sentence says so.
func TestTheCheapestMechanismIsNotClaimed(t *testing.T) {
	summary := func(mechanism string, epsilon, low, mean, high float64) cost.Summary {
		return cost.Summary{Mechanism: mechanism, Epsilon: epsilon, Mean: mean, Low: low, High: high}
	}
	for _, shown := range []bool{true, false} {
		dearer := func(first, second string, epsilon float64) bool {
			return first == "laplace" && second == "input" && (shown || epsilon == 4)
		}
		got := cheapest([]cost.Summary{summary("input", 1, 0.09, 0.1, 0.12), summary("laplace", 1, 0.115, 0.2, 0.3),
			summary("input", 4, 0.01, 0.02, 0.03), summary("laplace", 4, 0.04, 0.05, 0.06)}, dearer)
		want := "rivacy costs least with input: 10.00 % (9.00 .. 12.00) of the value at epsilon 1 and 2.00 % " +
			"(1.00 .. 3.00) of the value at epsilon 4."
		if shown {
			want = "P" + want
		} else {
			want = "In these runs p" + want + " They do not show that input costs less than laplace at epsilon 1."
		}
		if got != want {
			t.Errorf("shown %t: %q, want %q", shown, got, want)
		}
	}
	// Where each of two mechanisms costs least at one end, no mechanism is compared with itself.
	got := cheapest([]cost.Summary{summary("input", 1, 0.4, 0.5, 0.6), summary("laplace", 1, 0.5, 0.6, 0.7),
		summary("input", 4, 0.02, 0.03, 0.04), summary("laplace", 4, 0.01, 0.02, 0.03)},
		func(string, string, float64) bool { return false })
	if want := "In these runs privacy costs least at epsilon 1 with input, 50.00 % (40.00 .. 60.00) of the value, " +
		"and at epsilon 4 with laplace, 2.00 % (1.00 .. 3.00) of the value. They do not show that input costs less than " +
		"laplace at epsilon 1, or that laplace costs less than input at epsilon 4."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// An answer names the delta of every epsilon in it: laplace has a delta of 0, whatever was asked for.
func TestCostsNameTheirDeltas(t *testing.T) {
	for mechanisms, want := range map[string]string{"input": "delta 0.1", "laplace": "delta 0",
		"input laplace bounded": "delta 0.1 (0 of laplace and bounded)"} {
		if got := deltas(strings.Fields(mechanisms), 0.1); got != want {
			t.Errorf("%s: %q, want %q", mechanisms, got, want)
		}
	}
}

// The title of a figure has the costs of the answer's first sentence, of the cheapest mechanism.
func TestCostTitlesAgreeWithTheAnswer(t *testing.T) {
	summary := func(mechanism string, epsilon, mean float64) cost.Summary {
		return cost.Summary{Mechanism: mechanism, Epsilon: epsilon, Mean: mean, Low: mean / 2, High: 2 * mean}
	}
	input := []cost.Summary{summary("input", 0.2, 0.25), summary("input", 4, 0.012)}
	for want, all := range map[string][]cost.Summary{
		"At ε = 0.2 privacy costs 25 % (12.5–50) of the value (input)":                              input[:1],
		"Privacy costs 25 % (12.5–50) of the value at ε = 0.2 and 1.2 % (0.6–2.4) at ε = 4 (input)": input,
		"Privacy costs 20 % (10–40) of the value at ε = 0.2 and 1.2 % (0.6–2.4) at ε = 4 " +
			"(cheapest: laplace and input)": slices.Concat(input,
			[]cost.Summary{summary("laplace", 0.2, 0.2), summary("laplace", 4, 0.02)}),
		"Privacy costs 20 % (10–40) of the value at ε = 0.2 and 1 % (0.5–2) at ε = 4 (cheapest: laplace)": slices.Concat(
			input, []cost.Summary{summary("laplace", 0.2, 0.2), summary("laplace", 4, 0.01)}),
		// the same mechanism under two names, except for rounding
		"Privacy costs 25 % (12.5–50) of the value at ε = 0.2 and 1.2 % (0.6–2.4) at ε = 4 (input and output)": slices.
			Concat(input, []cost.Summary{summary("output", 0.2, 0.25), summary("output", 4, 0.012*(1-1e-15))}),
		// alike only at the weakest privacy
		"Privacy costs 20 % (10–40) of the value at ε = 0.2 and 1.2 % (0.6–2.4) at ε = 4 (cheapest: laplace)": slices.
			Concat(input, []cost.Summary{summary("laplace", 0.2, 0.2), summary("laplace", 4, 0.012)}),
		"At ε = 4 privacy costs 0 % (0–1.29) of the value (input)": {{Mechanism: "input", Epsilon: 4, High: 0.0129}},
		"At ε = 4 privacy costs 2 % of the value (input)": {{Mechanism: "input", Epsilon: 4, Mean: 0.02, Low: math.NaN(),
			High: math.NaN()}},
	} {
		if got := costTitle(all); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
