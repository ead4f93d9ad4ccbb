package campaign

import (
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

// mean returns a mean of bits whose 95 % interval ends half away from it.
func mean(bits, half float64) privacy.SampleMean {
	return privacy.SampleMean{Mean: bits, StandardError: half / 1.96}
}

func TestSentencesOfLeakage(t *testing.T) {
	three := []float64{0.2, 1, 4}
	for _, c := range []struct {
		found leakFinding
		want  []string
	}{
		{leakFinding{FlownKm: 50, PriorBits: 8.362, Epsilons: three, Strongest: "heading",
			Bits: []privacy.SampleMean{mean(7.94, 0.08), mean(7.98, 0.07), mean(7.98, 0.07)}, Knower: "mechanism", At: 1,
			KnowerBits: mean(4.27, 0.29), FromReward: mean(0.31, 0.11), RewardsHidden: true},
			[]string{`An observer who knows how flights start ("heading") knows the goal after 50 km, at every epsilon: 7.94 ` +
				`to 7.98 of 8.36 bits.`, `One who knows the policy ("mechanism") has 4.27 (3.98 .. 4.56) bits at epsilon 1; ` +
				`0.31 (0.20 .. 0.42) of them come from the reward, which is what privacy protects.`}},
		{leakFinding{FlownKm: 25, PriorBits: 4, Epsilons: three, Strongest: "mechanism",
			Bits: []privacy.SampleMean{mean(1, 0.2), mean(2, 0.2), mean(3, 0.2)}, Knower: "mechanism", At: 1,
			KnowerBits: mean(2, 0.2), FromReward: mean(0.1, 0.2)},
			[]string{`An observer who knows the policy ("mechanism") has 1.00 (0.80 .. 1.20) of 4.00 bits after 25 km at ` +
				`epsilon 0.2 and 3.00 (2.80 .. 3.20) at epsilon 4.`,
				`At epsilon 1, none of them is shown to come from the reward (-0.10 .. 0.30).`}},
		{leakFinding{FlownKm: 50, PriorBits: 4, Epsilons: []float64{leak.Unprivate}, Strongest: "bearing",
			Bits: []privacy.SampleMean{mean(2, 0.2)}, FromReward: mean(math.NaN(), math.NaN())},
			[]string{`The observer "bearing" has 2.00 (1.80 .. 2.20) of 4.00 bits after 50 km without noise.`}},
		{leakFinding{FlownKm: 50, PriorBits: 4, Epsilons: []float64{1}, Strongest: "learned",
			Bits: []privacy.SampleMean{mean(3.8, 0.2)}, Knower: "progress", At: 1, KnowerBits: mean(1, 0.2),
			FromReward: mean(math.NaN(), math.NaN())},
			[]string{`An observer who knows earlier flights ("learned") knows the goal after 50 km at epsilon 1: 3.80 ` +
				`(3.60 .. 4.00) of 4.00 bits.`,
				`One who knows policy and progress ("progress") has 1.00 (0.80 .. 1.20) bits at epsilon 1.`}},
		{leakFinding{FlownKm: 50, PriorBits: 1, Epsilons: []float64{1}, Strongest: "geometry",
			Bits: []privacy.SampleMean{mean(1, 0)}, FromReward: mean(math.NaN(), math.NaN())},
			[]string{`An observer who knows where waypoints end ("geometry") knows the goal after 50 km at epsilon 1: ` +
				`1.00 of 1.00 bits.`}},
		{leakFinding{FlownKm: 50, PriorBits: 4, Epsilons: []float64{1}, Strongest: "moves", Knower: "mechanism", At: 1,
			Bits: []privacy.SampleMean{mean(math.Inf(-1), math.NaN())}, KnowerBits: mean(math.Inf(-1), math.NaN()),
			FromReward: mean(math.NaN(), math.NaN())},
			[]string{`An observer who knows the grid's moves ("moves") has no finite mean of 4.00 bits after 50 km ` +
				`at epsilon 1.`}},
	} {
		if got := c.found.sentences(); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestSentencesOfWaysToHide(t *testing.T) {
	way := func(name, observer string, kind kind, bits, lost, givesUp float64) hiding {
		return hiding{Name: name + " at epsilon 1", Observer: observer, Bits: mean(bits, 0.5), Kind: kind,
			Outcome: leak.Outcome{Way: name, Cost: privacy.SampleMean{Mean: lost}, Fallback: givesUp}}
	}
	for _, c := range []struct {
		ways []hiding
		base string
		want []string
	}{
		{[]hiding{way("reward", "mechanism", practical, 4.25, 0.2, 0), way("noise", "mechanism", practical, 5, 0.1, 0),
			way("parameter", "mechanism", impractical, 1.15, 5.08, 0.74)}, "",
			[]string{`Of 3 ways, reward at epsilon 1 hides best: an observer who knows the policy ("mechanism") has 4.25 ` +
				`(3.75 .. 4.75) of 8.36 bits after 50 km, for 20 % of the value.`,
				`Not practical: parameter at epsilon 1 hides more: 1.15 (0.65 .. 1.65) bits, for 508 % of the value; ` +
					`74 % of the flights give up.`}},
		{[]hiding{way("moves=8", "moves", practical, 3, 0.2, 0), way("as set", "heading", practical, 8, 0.3, 0)}, "as set",
			[]string{`Of 2 ways, moves=8 at epsilon 1 hides best: an observer who knows the grid's moves ("moves") has ` +
				`3.00 (2.50 .. 3.50) of 8.36 bits after 50 km, for 20 % of the value.`,
				`As set at epsilon 1: an observer who knows how flights start ("heading") has 8.00 (7.50 .. 8.50) bits, ` +
					`for 30 % of the value.`}},
		{[]hiding{way("goal", "mechanism", impractical, 1, 2, 0)}, "",
			[]string{`Not practical: of 1 way, goal at epsilon 1 hides best: an observer who knows the policy ("mechanism") ` +
				`has 1.00 (0.50 .. 1.50) of 8.36 bits after 50 km, for 200 % of the value.`}},
	} {
		if got := hidingWords(c.ways, c.base, 8.362, 50); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// The answer on several flights has the bits learned, and the guarantee rounded to the safe side.
func TestSentencesOfReleases(t *testing.T) {
	left := func(bits float64) leak.Mean { return leak.Mean{SampleMean: mean(bits, 0.4)} }
	row := leak.ReleasesRow{Observer: "mechanism", Epsilon: 1, Flights: 8, Fresh: left(3.07), Reused: left(4.14),
		ComposedEpsilon: 2.7042}
	const want = `After 8 flights at epsilon 1 (delta 0.01) each, an observer who knows the policy ("mechanism") has ` +
		`5.29 (4.89 .. 5.69) of 8.36 bits if every flight has new noise, and 4.22 (3.82 .. 4.62) if all reuse one release.`
	for _, c := range []struct {
		together   float64
		drawn      int
		says, note string
		cells      []string
	}{
		{2.7042, 100, want + " The new noise guarantees epsilon 2.71 for one entry of the releases together.",
			"100 goals drawn from 329; bits are known to +-0.40.", []string{"mechanism", "1", "8", "5.29", "4.22", "2.71"}},
		{math.NaN(), 99, want, "Of intervals from only 99 goals less than 95 % hold the truth; use at least 100.",
			[]string{"mechanism", "1", "8", "5.29", "4.22", "-"}},
	} {
		row.ComposedEpsilon = c.together
		got := releasesScreen([]leak.ReleasesRow{row}, c.drawn, 329, 8.362, " (delta 0.01)")
		if !slices.Equal(got.Words, []string{c.says}) || !slices.Equal(got.Notes, []string{c.note}) ||
			!slices.Equal(got.Table.(table.Plain).Rows[0], c.cells) {
			t.Errorf("%+v, want %+v", got, c)
		}
	}
}

// Every observer of the goal is named by what it knows, in at most three words that leave room for the bits.
func TestObserversAreNamedByWhatTheyKnow(t *testing.T) {
	for _, name := range adversary.GoalNames() {
		if what := knowledge[name]; what == "" || len(strings.Fields(what)) > 3 || len(what) > 19 {
			t.Errorf("%s knows %q", name, what)
		}
	}
	if len(knowledge) != len(adversary.GoalNames()) {
		t.Errorf("%d observers, want %d", len(knowledge), len(adversary.GoalNames()))
	}
}

// What is said of a reward follows the interval of its distance from the true one.
func TestWordsOfRewards(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{{0, 0, "nearly everything"}, {0.13, 0.25, "nearly everything"}, {0.251, 0.5, "much"}, {0.6, 0.64, "a part"},
		{0.66, 0.8, "almost nothing"}, {0.2, 0.3, "much to nearly everything"}, {0.64, 0.66, "almost nothing to a part"},
		{-0.1, 0.9, "almost nothing to nearly everything"}} {
		if got := findsOut(leak.Interval{Mean: (c.low + c.high) / 2, Low: c.low, High: c.high}); got != c.want {
			t.Errorf("%v: %q, want %q", c, got, c.want)
		}
	}
	nan := leak.Interval{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
	var rows []leak.RewardsRow
	for i, s := range leak.Sightings() {
		d := float64(i) / 5
		rows = append(rows, leak.RewardsRow{Epsilon: 1, Seen: s.Name, Told: nan, ToldMost: math.NaN(),
			Lost:     leak.Interval{Mean: d, Low: d - 0.01, High: d + 0.02},
			Distance: leak.Interval{Mean: d, Low: d - 0.012, High: d + 0.012}})
	}
	rows[0].ToldMost, rows[1].Distance = 0.58, nan
	given := &setup.Input{Name: "paper", Settings: &configs.Loaded{Config: configs.Default()},
		Mission: new(study.Experiment)}
	a := rewardsAnswer(RewardsRequest{Given: given, Family: "table", Draws: 5}, rows)
	want := []string{"At epsilon 1 the released reward gives away nearly everything of the reward (EPIC distance " +
		"0.000, -0.012 .. 0.012), the route much (EPIC distance 0.400, 0.388 .. 0.412).",
		"Planning with what an observer rebuilds from 100 routes loses 80.0 % (79.0 .. 82.0) of the value."}
	if !slices.Equal(a.Words, want) {
		t.Errorf("%q, want %q", a.Words, want)
	}
	if got := a.Table.(table.Plain).Rows; len(got) != 5 ||
		!slices.Equal(got[1], []string{"whole policy", "-", "20 %", "-"}) ||
		!strings.Contains(a.Notes[0], "5 draws") || !strings.Contains(a.Notes[1], "at most 58 %") {
		t.Errorf("%q, %q", got, a.Notes)
	}
	rows[0].Epsilon = math.NaN()
	given.Settings.Privacy.Mechanism = "soft"
	if a = rewardsAnswer(RewardsRequest{Given: given}, rows); !strings.HasPrefix(a.Words[0], "With soft the ") {
		t.Errorf("%q", a.Words)
	}
}
