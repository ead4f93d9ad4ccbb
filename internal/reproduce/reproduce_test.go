package reproduce_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"veilpath/configs"
	"veilpath/internal/figure"
	"veilpath/internal/reproduce"
)

// settings returns the settings of the presets with few samples.
func settings(t *testing.T, samples int) *reproduce.Settings {
	t.Helper()
	s, err := presets(samples)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func presets(samples int) (*reproduce.Settings, error) {
	var loaded [3]*configs.Loaded
	for i, preset := range []string{"example1", "example2", "paper"} {
		var err error
		if loaded[i], err = configs.Load(configs.Request{Config: preset}); err != nil {
			return nil, err
		}
	}
	one, two, three := loaded[0], loaded[1], loaded[2]
	s, err := reproduce.NewSettings(three.Config, one.Config, two.Config)
	if err != nil {
		return nil, err
	}
	s.Example1.Samples, s.Example2.Samples = samples, samples
	s.Example3.Runs = samples
	return s, nil
}

// worked holds the results of items, which several tests use.
type worked struct {
	results         []*reproduce.Result
	announced, done int // units of progress
}

func workOn(s *reproduce.Settings, names []string) (w worked, err error) {
	items, err := reproduce.Select(names)
	if err != nil {
		return w, err
	}
	w.announced = reproduce.Work(items, s)
	w.results, err = reproduce.Run(context.Background(), items, s, nil, func(n int) { w.done += n })
	return w, err
}

// fewSamples computes all items with two samples.
var fewSamples = sync.OnceValues(func() (worked, error) {
	s, err := presets(2)
	if err != nil {
		return worked{}, err
	}
	return workOn(s, nil)
})

// named returns the results of items with few samples; of all items if there is no name.
func named(t *testing.T, names ...string) []*reproduce.Result {
	t.Helper()
	w, err := fewSamples()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(slices.Clone(w.results),
		func(r *reproduce.Result) bool { return len(names) > 0 && !slices.Contains(names, r.Item.Name) })
}

func run(t *testing.T, s *reproduce.Settings, names ...string) []*reproduce.Result {
	t.Helper()
	items, err := reproduce.Select(names)
	if err != nil {
		t.Fatal(err)
	}
	results, err := reproduce.Run(context.Background(), items, s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func comparison(t *testing.T, results []*reproduce.Result) string {
	t.Helper()
	var text bytes.Buffer
	if err := reproduce.WriteComparison(&text, results); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// agreements counts the agreements of each quantity.
func agreements(results []*reproduce.Result) map[string]map[reproduce.Agreement]int {
	found := map[string]map[reproduce.Agreement]int{}
	for _, r := range results {
		for _, j := range r.Judgements {
			key := r.Item.Name + " " + j.Name
			if found[key] == nil {
				found[key] = map[reproduce.Agreement]int{}
			}
			for _, row := range j.Rows {
				found[key][row.Agreement]++
			}
		}
	}
	return found
}

type counts = map[reproduce.Agreement]int

// The rule gives the agreements that a search by hand found.
func TestAgreementsOfTheTheory(t *testing.T) {
	results := named(t, "table1a", "table1b", "thm3", "cor1", "thm5", "thm6a", "thm6b")
	want := map[string]counts{
		"table1a input σ": {reproduce.Digits: 4},
		// 129.3 for 129.25, 66,174 for 66,176
		"table1a output σ": {reproduce.Digits: 2, reproduce.AfterChange: 1, reproduce.NotReproduced: 1},
		"table1b input σ":  {reproduce.Digits: 3, reproduce.NotReproduced: 1}, // 0.6251 for 0.62521
		"table1b output σ": {reproduce.Digits: 4},
		"thm3 bound":       {reproduce.Exact: 100},
		"thm3 “True”":      {reproduce.AfterChange: 100},
		"cor1 smallest ε":  {reproduce.Exact: 91},
		"thm5 bound":       {reproduce.Exact: 40},
		"thm5 “True”":      {reproduce.MonteCarlo: 40},
		"thm6a bound":      {reproduce.AfterChange: 50},
		"thm6a “True”":     {reproduce.AfterChange: 50},
		"thm6b bound":      {reproduce.AfterChange: 50},
		"thm6b “True”":     {reproduce.AfterChange: 50},
	}
	if diff := cmp.Diff(want, agreements(results)); diff != "" {
		t.Error(diff)
	}
	// the paper has up to 16 digits: a closed form must agree to 1e-9, and does to 1e-13
	const published = 2e-13
	for _, r := range results {
		for _, j := range r.Judgements {
			if j.Name != "bound" && j.Name != "smallest ε" {
				continue
			}
			for _, row := range j.Rows {
				if math.Abs(row.Difference()) > published*math.Abs(row.Published) {
					t.Errorf("%s %s: off by %v of %v", r.Item.Name, row.Quantity, row.Difference(), row.Published)
				}
			}
		}
	}
}

// The rule picks the settings that a search by hand found.
func TestReadingsPicked(t *testing.T) {
	for _, r := range named(t, "thm3", "thm5", "thm6a", "thm6b") {
		for _, j := range r.Judgements {
			want := map[string]string{
				"thm3 “True”": "σ/N", "thm5 “True”": "3 entries",
				"thm6a bound": "γ = 0.9 without ceilings", "thm6b bound": "γ = 0.9 without ceilings",
				"thm6a “True”": "the proof's +1", "thm6b “True”": "the proof's +1",
			}[r.Item.Name+" "+j.Name]
			if !strings.Contains(j.Reading().Name, want) {
				t.Errorf("%s %s: %q, want one with %q", r.Item.Name, j.Name, j.Reading().Name, want)
			}
		}
	}
}

func TestScalars(t *testing.T) {
	const enough = 200 // samples that distinguish b = 1 from b = 2 by the mean of the iterations
	got := agreements(run(t, settings(t, enough), "scalars"))
	want := map[string]counts{
		"scalars Theorem 5 in Example 2":                              {reproduce.AfterChange: 4},
		"scalars iterations without privacy":                          {reproduce.NotReproduced: 1},
		"scalars mean iterations with privacy, ε = 1.3":               {reproduce.AfterChange: 1},
		"scalars increase in iterations (%)":                          {reproduce.Digits: 1},
		"scalars Theorem 6 in Example 2 (%)":                          {reproduce.NotReproduced: 1},
		"scalars loss at ε = 1.3, input, R_max = 5 (%)":               {reproduce.Digits: 1},
		"scalars loss at ε = 0.1, input, R_max = 50 (%)":              {reproduce.Contradicted: 1},
		"scalars loss at ε = 0.1, input, R_max = 5 (%)":               {reproduce.Contradicted: 1},
		"scalars ε at which output costs no more than input at ε = 1": {reproduce.Exact: 1},
		"scalars improvement at ε = 0.2 (km)":                         {reproduce.Contradicted: 1},
		"scalars detection at ε = 4, within (km)":                     {reproduce.Exact: 1},
		"scalars increase at ε = 1, at most (%)":                      {reproduce.Exact: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The numbers of the text that the paper's own formulas and figures give, to the digits of another computation.
func TestNumbersOfTheText(t *testing.T) {
	want := map[string][]float64{"Theorem 5 in Example 2": {0.62610, 0.99609, 0.99686, 1},
		"increase in iterations (%)": {0.01647}, "loss at ε = 0.1, input, R_max = 50 (%)": {1.565},
		"loss at ε = 0.1, input, R_max = 5 (%)":               {192.03},
		"ε at which output costs no more than input at ε = 1": {6}, "improvement at ε = 0.2 (km)": {56.0}}
	for _, j := range named(t, "scalars")[0].Judgements {
		for i, number := range want[j.Name] {
			const digits = 5e-4 // relative
			if got := j.Rows[i].Computed; math.Abs(got-number) > digits*number {
				t.Errorf("%s: %v, want %v", j.Rows[i].Quantity, got, number)
			}
		}
	}
}

// Of Example 2's two settings the one with the paper's b has a 25th of the samples, and at least ten where there are so
// many.
func TestSamplesOfExample2(t *testing.T) {
	items, err := reproduce.Select([]string{"example2"})
	if err != nil {
		t.Fatal(err)
	}
	for samples, want := range map[int]int{1000: 2 * (1000 + 40), 100: 2 * (100 + 10), 5: 2 * (5 + 5)} {
		if got := reproduce.Work(items, settings(t, samples)) - 1; got != want {
			t.Errorf("%d samples: %d units, want %d", samples, got, want)
		}
	}
}

// Reference means of Example 1 from another program with 2000 draws, at p = 0.91, gamma = 0.99, b = 2, and the ceiling.
func TestExample1AgainstAnotherProgram(t *testing.T) {
	results := run(t, settings(t, 100), "example1")
	reference := map[string][]float64{
		"input cost (%)":  {16.1, 16.1, 17.3, 19.3, 24.5},
		"output cost (%)": {43.4, 85.2, 115.8, 131.0, 139.5},
	}
	const deviations = 4.5 // for 10 numbers at a probability of 1e-4 in all; the reference has sampling errors too
	for _, j := range results[0].Judgements {
		values := j.Readings[0].Values
		for i, want := range reference[j.Name] {
			if v := values[i]; math.Abs(v.Mean-want) > deviations*1.1*v.SE {
				t.Errorf("%s, N = %d: %.2f ± %.2f, want %v", j.Name, i+2, v.Mean, v.SE, want)
			}
		}
	}
	output := results[0].Judgements[1]
	if last := output.Rows[4]; last.Agreement != reproduce.Contradicted || output.Numbers[4].Limit < 141 ||
		output.Numbers[4].Limit > 142.5 {
		t.Errorf("N = 6: %s, limit %v; want it contradicted by a limit of about 142", last.Agreement, output.Numbers[4].Limit)
	}
}

// The sentence counts what agrees, and says of the rest what the mathematics refutes; the table has that first.
func TestTheSentenceOfAReproduction(t *testing.T) {
	of := func(published ...reproduce.Agreement) *reproduce.Result {
		r := &reproduce.Result{Item: &reproduce.Item{Name: "item"}}
		for _, v := range published {
			r.Judgements = append(r.Judgements, &reproduce.Judgement{Quantity: reproduce.Quantity{Name: string(v)},
				Rows: []reproduce.Row{{Quantity: string(v), Published: 2, Computed: 3, Agreement: v}}})
		}
		return r
	}
	for _, c := range []struct {
		result      *reproduce.Result
		want, table string
	}{
		{of(reproduce.Exact, reproduce.Digits), "2 of 2 numbers of the paper agree.", ""},
		{of(reproduce.MonteCarlo, reproduce.NotReproduced), "1 of 2 numbers of the paper agree; not reproduced: 1.",
			"item not reproduced 2 3 differs"},
		{of(reproduce.AfterChange, reproduce.NotReproduced, reproduce.Contradicted), "1 of 3 numbers of the paper agree, 1 " +
			"of them after a named change of its words. The others differ: 1 refuted by a proof or by another number of the " +
			"paper, 1 not reproduced.", "item contradicted 2 3 refuted,item not reproduced 2 3 differs"},
	} {
		results := []*reproduce.Result{c.result}
		if got := reproduce.Words(results); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		var rows []string
		for _, row := range reproduce.ScreenTable(results).Rows {
			rows = append(rows, strings.Join(row, " "))
		}
		if got := strings.Join(rows, ","); got != c.table {
			t.Errorf("%q, want %q", got, c.table)
		}
	}
}

func TestResultsDoNotDependOnTheWorkers(t *testing.T) {
	texts := map[int]string{}
	for _, workers := range []int{1, 3} {
		s := settings(t, 3)
		s.Workers, s.Example3.Workers = workers, workers
		s.Example1.Agents, s.Example2.Epsilons = []int{2, 3}, []float64{1, 5}
		texts[workers] = comparison(t, run(t, s, "example1", "example2", "example3", "scalars"))
	}
	if diff := cmp.Diff(texts[1], texts[3]); diff != "" {
		t.Error(diff)
	}
}

func TestProgressAddsUp(t *testing.T) {
	w, err := fewSamples()
	if err != nil {
		t.Fatal(err)
	}
	if w.done != w.announced || w.done == 0 {
		t.Errorf("%d units of progress, want %d", w.done, w.announced)
	}
}

func TestInterruption(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	items, err := reproduce.Select([]string{"example1"})
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	_, err = reproduce.Run(ctx, items, settings(t, 1000), nil, func(int) {
		if steps++; steps == 3 {
			cancel()
		}
	})
	if err == nil || steps > 100 {
		t.Errorf("error %v after %d steps", err, steps)
	}
}

func TestSelect(t *testing.T) {
	if items, err := reproduce.Select([]string{"thm5", "table1a"}); err != nil || len(items) != 2 ||
		items[0].Name != "table1a" {
		t.Errorf("%v, %v", items, err)
	}
	if items, err := reproduce.Select([]string{"thm5", "all"}); err != nil || len(items) != len(reproduce.Items()) {
		t.Errorf("%d items, %v", len(items), err)
	}
	if _, err := reproduce.Select([]string{"thm7"}); err == nil || !strings.Contains(err.Error(), "thm6a") {
		t.Errorf("error %v; want one that lists the items", err)
	}
}

// Every item of the paper except the numbers of its text has a figure, with two series a curve.
func TestFigures(t *testing.T) {
	want := map[string]int{"table1a": 4, "table1b": 4, "thm3": 4, "cor1": 2, "thm5": 4, "thm6a": 4, "thm6b": 4,
		"example1": 4, "example2": 8, "example3": 4}
	got := map[string]int{}
	for _, r := range named(t) {
		if drawn := r.Figure(); drawn != nil {
			got[r.Item.Name] = len(drawn.Panels[0].(*figure.Chart).Series)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The sweeps until none changes a value by a threshold: the change falls by 0.99 a sweep, and another program found
// that 1761 sweeps end at thresholds in (9.050e-8, 9.142e-8]. Theorem 4 has (ln(4*5/1e-8) + 2 ln 100)/-ln 0.99 sweeps.
func TestSweepsOfTheUsualStoppingRules(t *testing.T) {
	plain := named(t, "scalars")[0].Judgements[1]
	for i, want := range []float64{1981, 1752, 1522, 2050, 1821, 1820, 3048} {
		if got := plain.Readings[i].Values[0].Mean / 6400; got != want {
			t.Errorf("%s: %v sweeps, want %v", plain.Readings[i].Name, got, want)
		}
	}
}

// The paper drew each share of Theorem 5 100,000 times.
func TestStandardErrorsOfShares(t *testing.T) {
	for _, j := range named(t, "thm5")[0].Judgements {
		for i, v := range j.Reading().Values {
			want := 0.0
			if j.Name == "“True”" {
				want = math.Sqrt(v.Mean * (1 - v.Mean) / 100_000)
			}
			if math.Abs(v.PublishedSE-want) > 1e-15 {
				t.Errorf("%s, point %d: a standard error of %v, want %v", j.Name, i, v.PublishedSE, want)
			}
		}
	}
}

// The standard error of a mean of two flights is ten times that of a mean of the paper's 200.
func TestStandardErrorsOfFlights(t *testing.T) {
	for i, v := range named(t, "example3")[0].Judgements[0].Reading().Values {
		const rounding = 1e-12
		if math.Abs(v.SE-10*v.PublishedSE) > rounding*v.SE || v.SE > 70 {
			t.Errorf("point %d: standard errors %v and %v km", i, v.SE, v.PublishedSE)
		}
	}
}

func TestExample2NeedsItsTwoAgents(t *testing.T) {
	s := settings(t, 2)
	s.Example2.StartCells = []int{0}
	items, err := reproduce.Select([]string{"example2"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reproduce.Run(context.Background(), items, s, nil, nil); err == nil ||
		!strings.Contains(err.Error(), "example2.start_cells") {
		t.Errorf("error %v; want one that names example2.start_cells", err)
	}
}
