package publish

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/internal/pieces"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/planner/release"
	"veilpath/planner/reward"
)

// summed returns an entry of which only the guarantee is known.
func summed(epsilon, delta float64) Entry {
	return Entry{Epsilon: epsilon, Delta: delta, Calibration: "analytic"}
}

// together returns the delta of guarantees at an epsilon, each of which is that of randomized response, by enumeration.
func together(epsilon float64, entries []Entry) float64 {
	if len(entries) == 0 {
		return max(0, -math.Expm1(epsilon))
	}
	e := entries[0]
	likely := 1 / (1 + math.Exp(-e.Epsilon))
	return e.Delta + (1-e.Delta)*(likely*together(epsilon-e.Epsilon, entries[1:])+
		(1-likely)*together(epsilon+e.Epsilon, entries[1:]))
}

// Guarantees spend the optimal composition of Kairouz, Oh and Viswanath (2015) at the total delta, or their sums, if
// that is less. The sum of epsilons counts only if the sum of deltas is within the total delta.
func TestGuaranteesKeepToTheTotalDelta(t *testing.T) {
	for _, c := range []struct {
		epsilons, deltas []float64 // releases
		admitted         int
		left             float64 // at least, by the sums, at delta 4e-7
	}{
		{[]float64{0.1, 0.2, 0.3}, []float64{3e-7, 3e-7, 4e-7}, 3, 0},
		{[]float64{0.1, 0.2, 0.3}, []float64{3e-7, 3e-7, 4.1e-7}, 2, 0.7},
		{[]float64{0.6, 0.6}, []float64{1e-7, 1e-7}, 1, 0.4},
		{[]float64{0.5}, []float64{1.1e-6}, 0, 1},
	} {
		l := &Ledger{Epsilon: 1, Delta: 1e-6, Adjacency: 1}
		for i, epsilon := range c.epsilons {
			if err := l.add(summed(epsilon, c.deltas[i])); err != nil && !errors.Is(err, ErrOverspent) {
				t.Fatal(err)
			}
		}
		epsilon, delta := 0.0, 0.0
		for i := range c.admitted {
			epsilon, delta = epsilon+c.epsilons[i], delta+c.deltas[i]
		}
		spent, err := l.Spent()
		if err != nil || spent.BasicEpsilon != epsilon || spent.BasicDelta != delta || len(l.Releases) != c.admitted ||
			spent.Epsilon != min(spent.ComposedEpsilon, epsilon) {
			t.Errorf("%v at %v: spent %+v, %v; want at most epsilon %g at delta %g", c.epsilons, c.deltas, spent, err, epsilon,
				delta)
		}
		if c.admitted == 0 {
			continue
		}
		// The composed epsilon keeps the total delta, and a hundredth less does not.
		const least = 0.01
		if d := together(spent.ComposedEpsilon, l.Releases); d > l.Delta {
			t.Errorf("%v at %v: delta %g at epsilon %g", c.epsilons, c.deltas, d, spent.ComposedEpsilon)
		}
		if d := together(spent.ComposedEpsilon*(1-least), l.Releases); d < l.Delta {
			t.Errorf("%v at %v: delta %g already at epsilon %g", c.epsilons, c.deltas, d, spent.ComposedEpsilon*(1-least))
		}
		const rounding = 1e-12 // in sums of a few decimals
		left, err := l.Left(4e-7, privacy.Analytic)
		if err != nil || left < c.left-rounding {
			t.Errorf("%v at %v: %g left, %v; want at least %g", c.epsilons, c.deltas, left, err, c.left)
		}
		sigma, err := privacy.Analytic.Sigma(left, 4e-7, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, more := range []struct {
			times float64
			fits  bool
		}{{1, true}, {1.03, false}} {
			trial := *l
			err := trial.add(Entry{Epsilon: 9, Delta: 4e-7, Mu: more.times / sigma, Calibration: "analytic"})
			if (err == nil) != more.fits {
				t.Errorf("%v at %v: %g is left, and %g times its mu gives %v", c.epsilons, c.deltas, left, more.times, err)
			}
		}
	}
}

// gaussian returns the delta of normal noise with standard deviation 1/mu at an epsilon: Balle and Wang's equation
// 6.
func gaussian(mu, epsilon float64) float64 {
	tail := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
	return tail(epsilon/mu-mu/2) - math.Exp(epsilon)*tail(epsilon/mu+mu/2)
}

// Gaussian releases spend together what one release spends whose mu is the root of the sum of squares, at the
// ledger's delta, if that is less than the sums.
func TestGaussianReleasesSpendTheirComposition(t *testing.T) {
	for _, mus := range [][]float64{{0.2}, {0.2, 0.1}, {0.1, 0.1, 0.1, 0.1}} {
		l := &Ledger{Epsilon: 5, Delta: 1e-6, Adjacency: 1}
		squares := 0.0
		for _, mu := range mus {
			l.Releases = append(l.Releases, Entry{Epsilon: 2, Delta: 1e-7, Mu: mu})
			squares += mu * mu
		}
		spent, err := l.Spent()
		if err != nil {
			t.Fatal(err)
		}
		delta := gaussian(math.Sqrt(squares), spent.ComposedEpsilon)
		// Increasing epsilon by the fraction 1e-9 decreases delta by about the fraction 1e-9 epsilon/mu^2.
		if math.Abs(delta/1e-6-1) > 1e-6 || spent.Epsilon != spent.ComposedEpsilon || spent.EpsilonDelta != 1e-6 ||
			spent.BasicEpsilon != 2*float64(len(mus)) {
			t.Errorf("mu %v: %+v, of delta %g", mus, spent, delta)
		}
	}
	// With a guarantee (2, 1e-7) as well, the loss of 2 or -2 is added.
	l := &Ledger{Epsilon: 5, Delta: 1e-6, Adjacency: 1, Releases: []Entry{{Epsilon: 2, Delta: 1e-7, Mu: 0.2}, summed(2,
		1e-7)}}
	spent, err := l.Spent()
	if err != nil || spent.Epsilon != spent.ComposedEpsilon || spent.EpsilonDelta != 1e-6 {
		t.Errorf("spent %+v, %v", spent, err)
	}
	likely := 1 / (1 + math.Exp(-2))
	delta := 1e-7 + (1-1e-7)*(likely*gaussian(0.2, spent.Epsilon-2)+(1-likely)*gaussian(0.2, spent.Epsilon+2))
	if math.Abs(delta/1e-6-1) > 1e-4 || delta > 1e-6 {
		t.Errorf("spent %+v, of delta %g", spent, delta)
	}
}

// A release on a coarse grid counts with the loss of its noise: two of them spend less than their sum, and what
// enumeration says.
func TestCoarseReleasesSpendTheirComposition(t *testing.T) {
	o := Rewards(rooms(t, 5))
	r, err := release.New(o, promise, 1, new(privacy.Entropy)) // sigma is 4.2 steps
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	put("a/x", "")
	a := account(t, Terms{Epsilon: 3, First: promise})
	for _, folder := range []string{"one", "two"} {
		out, err := pieces.Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (&Files{Program: "veilpath test", Release: r}).Write(out, a); err != nil {
			t.Fatal(err)
		}
	}
	e := a.Releases[0]
	if e.Mu != 0 || e.Steps != 1 || !(e.Sigma > 4 && e.Sigma < 4.5) || a.Releases[1] != e {
		t.Fatalf("entered as %+v", a.Releases)
	}
	spent, err := a.Spent()
	if err != nil || spent.Epsilon != spent.ComposedEpsilon || spent.Epsilon > 1.5 || spent.BasicEpsilon != 2 {
		t.Errorf("spent %+v, %v", spent, err)
	}
	exact, all := 0.0, 0.0
	for x := -40.0; x <= 40; x++ {
		for y := -40.0; y <= 40; y++ {
			p := math.Exp(-(x*x + y*y) / (2 * e.Sigma * e.Sigma))
			all += p
			exact += p * max(0, -math.Expm1(spent.Epsilon-(x+y+1)/(e.Sigma*e.Sigma)))
		}
	}
	if exact /= all; !(exact <= 1e-6 && exact > 0.99e-6) {
		t.Errorf("spent %+v, of delta %g", spent, exact)
	}
}

// The name of a table in a ledger is its HMAC-SHA256: test case 2 of RFC 4231.
func TestTableIsNamedByAKeyedHash(t *testing.T) {
	l := &Ledger{Key: "Jefe"}
	const want = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	if got := l.named("what do ya want for nothing?"); got != want {
		t.Errorf("named %s, want %s", got, want)
	}
}

// Every ledger has a key of its own, of 32 bytes from the randomness that it is given. Without enough of it there is no
// ledger.
func TestEveryLedgerHasAKey(t *testing.T) {
	t.Chdir(t.TempDir())
	put("a/x", "")
	terms := Terms{Epsilon: 3, First: promise}
	open := func(path string, random string) (*Account, error) {
		return OpenAccount(path, "v", "t", terms, strings.NewReader(random))
	}
	one, err := open("a/one", strings.Repeat("1", 32))
	if err != nil {
		t.Fatal(err)
	}
	other, err := open("a/other", strings.Repeat("2", 32))
	if err != nil || one.Key != strings.Repeat("31", 32) || other.Key != strings.Repeat("32", 32) ||
		one.Table == other.Table {
		t.Errorf("keys %s and %s, tables %s and %s, %v", one.Key, other.Key, one.Table, other.Table, err)
	}
	if _, err := open("a/none", "short"); err == nil {
		t.Error("a ledger without enough randomness is begun")
	}
}

// Left allows for a thousandth of the noise, which the grid may take. A release with the epsilon that is left
// still fits with almost that much less noise, and no longer fits with more than that less.
func TestLeftLeavesRoomForTheGrid(t *testing.T) {
	for _, c := range []struct{ epsilon, delta, one float64 }{{1, 1e-6, 1e-7}, {3, 1e-6, 1e-7}, {0.2, 1e-3, 1e-4}} {
		for _, before := range []float64{0, 0.5} { // fraction of the budget's mu^2 that is spent
			l := &Ledger{Epsilon: c.epsilon, Delta: c.delta, Adjacency: 1}
			if before > 0 {
				mu, err := privacy.MuLeft(c.epsilon, c.delta)
				if err != nil {
					t.Fatal(err)
				}
				l.Releases = []Entry{{Epsilon: 2 * c.epsilon, Delta: c.one, Mu: mu * math.Sqrt(before)}}
			}
			left, err := l.Left(c.one, privacy.Analytic)
			if err != nil || !(left > 0) {
				t.Fatal(left, err)
			}
			sigma, err := privacy.Analytic.Sigma(left, c.one, 1)
			if err != nil {
				t.Fatal(err)
			}
			fits := func(less float64) error {
				trial := *l
				return trial.add(Entry{Epsilon: 10 * c.epsilon, Delta: c.one, Mu: (1 + less) / sigma, Calibration: "analytic"})
			}
			if err := fits(0.99e-3); err != nil {
				t.Errorf("%+v, share %g spent: %g is left, and %v", c, before, left, err)
			}
			if err := fits(1.01e-3); !errors.Is(err, ErrOverspent) {
				t.Errorf("%+v, share %g spent: more than %g is taken, %v", c, before, left, err)
			}
		}
	}
}

// floor keeps three digits and never rounds up.
func TestFloorRoundsDown(t *testing.T) {
	for x, want := range map[float64]float64{0.12399: 0.123, 0.1239999: 0.123, 1.2399: 1.23, 123.99: 123, 1239.9: 1230,
		9.999: 9.99, 0.000456789: 0.000456, 0.5: 0.5, 0: 0, -1: 0} {
		const rounding = 1e-15 // relative
		if got := floor(x); !(math.Abs(got-want) <= rounding*want) {
			t.Errorf("%v is rounded down to %v, want %v", x, got, want)
		}
	}
	if floor(math.NaN()) != 0 {
		t.Error("floor of NaN or a negative number is not 0")
	}
}

// A ledger is refused if its adjacency, total or table differs. Repeating its total is allowed.
func TestOnlyTheSameTermsAgree(t *testing.T) {
	l := Ledger{Key: "k", Epsilon: 3, Delta: 1e-6, Adjacency: 1}
	l.Table = l.named("t")
	first := func(adjacency float64) privacy.Guarantee { return privacy.Guarantee{Adjacency: adjacency} }
	for _, c := range []struct {
		table string
		terms Terms
		want  string // empty if the terms agree
	}{
		{"t", Terms{First: first(1)}, ""},
		{"t", Terms{Epsilon: 3, Delta: 1e-6, First: first(1)}, ""},
		{"t", Terms{First: first(2)}, "adjacency is 1, not 2"},
		{"t", Terms{Epsilon: 4, First: first(1)}, "its total epsilon is 3, not total 4"},
		{"t", Terms{Delta: 1e-7, First: first(1)}, "its total delta is 1e-06, not 1e-07"},
		{"other", Terms{First: first(1)}, "the ledger of another table"},
	} {
		if err := l.agrees(c.table, c.terms); (err == nil) != (c.want == "") ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("table %s, %+v: %v, want %q", c.table, c.terms, err, c.want)
		}
	}
}

// A ledger with impossible numbers is refused even if its seal is right.
func TestLedgerWithImpossibleNumbersIsRefused(t *testing.T) {
	good := func() *Ledger {
		return &Ledger{Program: "veilpath 1", Key: "k", Table: "t", Epsilon: 3, Delta: 0.5, Adjacency: 1,
			Releases: []Entry{{Epsilon: 1, Delta: 0.5, Mu: 0}}}
	}
	parse := func(l *Ledger) (*Ledger, error) {
		text, err := l.encode()
		if err != nil {
			t.Fatal(err)
		}
		return ParseLedger(text)
	}
	want := good()
	if l, err := parse(want); err != nil || fmt.Sprint(l) != fmt.Sprint(want) { // with the seal that encode gave it
		t.Errorf("%+v comes back as %+v, %v", want, l, err)
	}
	for what, spoil := range map[string]func(*Ledger){
		"program":          func(l *Ledger) { l.Program = "other" },
		"no key":           func(l *Ledger) { l.Key = "" },
		"epsilon 0":        func(l *Ledger) { l.Epsilon = 0 },
		"delta 0":          func(l *Ledger) { l.Delta = 0 },
		"delta 1":          func(l *Ledger) { l.Delta = 1 },
		"adjacency 0":      func(l *Ledger) { l.Adjacency = 0 },
		"a free release":   func(l *Ledger) { l.Releases[0].Epsilon = 0 },
		"a delta of 0":     func(l *Ledger) { l.Releases[0].Delta = 0 },
		"a delta of 1":     func(l *Ledger) { l.Releases[0].Delta = 1 },
		"a mu below 0":     func(l *Ledger) { l.Releases[0].Mu = -1 },
		"no steps":         func(l *Ledger) { l.Releases[0].Sigma = 4 },
		"no noise":         func(l *Ledger) { l.Releases[0].Steps = 4 },
		"a negative total": func(l *Ledger) { l.Epsilon = -3 },
	} {
		l := good()
		spoil(l)
		if _, err := parse(l); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
	text, err := good().encode()
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	fields["seal"] = ""
	open, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseLedger(open); err == nil || !strings.Contains(err.Error(), "no seal") {
		t.Errorf("without a seal: %v", err)
	}
}

// The error of a refused release says how much all releases would spend, and what is left.
func TestRefusalSaysWhatIsLeft(t *testing.T) {
	l := &Ledger{Epsilon: 1, Delta: 1e-6, Adjacency: 1}
	for _, c := range []struct {
		e    Entry
		want string // empty if the entry is accepted
	}{
		{summed(0.1, 2e-6),
			"with it 1 release would spend epsilon 0.1 at delta 2e-06 of 1 at delta 1e-06; " +
				"at this delta, a release of epsilon 0.9"},
		{summed(2, 1e-7),
			"with it 1 release would spend epsilon 2 of 1 at delta 1e-06; " +
				"at this delta, a release of epsilon 1.11 still fits"},
		{summed(0.75, 1e-7), ""},
		{summed(0.5, 1e-7),
			"with it 2 releases would spend epsilon 1.25 of 1 at delta 1e-06; " +
				"at this delta, a release of epsilon 0.2"}, // by the sums 0.25
		{summed(0.25, 1e-7), ""},
		{summed(0.25, 1e-7), "nothing is left"},
	} {
		err := l.add(c.e)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrOverspent) || !strings.Contains(err.Error(),
			c.want)) {
			t.Errorf("%+v: %v, want %q", c.e, err, c.want)
		}
	}
}

// account opens a ledger and closes it at the end of the test.
func account(t *testing.T, terms Terms) *Account {
	t.Helper()
	a, err := OpenAccount("a/ledger", "veilpath test", "t", terms, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A new ledger has the given terms. Its total delta is that of the first release if none is given. An existing
// ledger is read back unchanged.
func TestAccountIsReadBack(t *testing.T) {
	t.Chdir(t.TempDir())
	put("a/x", "")
	first := privacy.Guarantee{Epsilon: 1, Delta: 1e-7, Adjacency: 2}
	for _, c := range []struct{ said, total float64 }{{0, 1e-7}, {1e-5, 1e-5}} {
		a := account(t, Terms{Epsilon: 3, Delta: c.said, First: first})
		if a.Program != "veilpath test" || a.Table != a.named("t") || a.Epsilon != 3 || a.Delta != c.total ||
			a.Adjacency != 2 || a.Releases == nil || len(a.Releases) != 0 {
			t.Errorf("begun as %+v", a.Ledger)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	a := account(t, Terms{Epsilon: 3, Delta: 1e-6, First: first})
	for _, e := range []Entry{{SHA256: "1", What: "rewards", Mechanism: "input", Epsilon: 1, Delta: 1e-7,
		Calibration: "analytic", Mu: 0.2}, summed(1, 2e-7)} {
		if err := a.spend(e); err != nil {
			t.Fatal(err)
		}
	}
	left := a.Ledger
	if err := a.spend(summed(2, 1e-7)); !errors.Is(err, ErrOverspent) || !strings.HasPrefix(err.Error(), "a/ledger: ") {
		t.Errorf("overspent: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	again := account(t, Terms{First: first})
	if fmt.Sprint(again.Ledger) != fmt.Sprint(left) || len(left.Releases) != 2 {
		t.Errorf("left as %+v, found as %+v", left, again.Ledger)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// A table has one identity in every layout, in every order of its rows, columns and agents, and with other rewards. The
// name of an agent counts if there are several.
func TestTableOfIsTheSameInEveryLayout(t *testing.T) {
	of := func(text string) string {
		t.Helper()
		table, err := reward.Read(strings.NewReader(text), reward.KnownHeader)
		if err != nil {
			t.Fatal(err)
		}
		return TableOf(release.Table(table))
	}
	for _, same := range [][]string{
		{"state,action,reward\na,go,1\na,wait,2\nb,go,3\nb,wait,4\n",
			"state,action,reward\nb,wait,4\nb,go,3\na,wait,2\na,go,1\n",
			"action,reward,state\nwait,4,b\nwait,2,a\ngo,3,b\ngo,1,a\n", "state,go,wait\na,1,2\nb,3,4\n",
			"State;wait;go\nb;4;-3\na;2;1\n", "agent,state,action,reward\nx,a,go,1\nx,a,wait,2\nx,b,go,3\nx,b,wait,4\n"},
		{"1,2\n3,4\n", "state,action,reward\n1,1,4\n1,0,3\n0,1,2\n0,0,1\n"},
		{"agent,state,action,reward\nx,a,go,1\ny,a,go,2\n", "agent,state,action,reward\ny,a,go,2\nx,a,go,1\n"},
	} {
		for _, text := range same[1:] {
			if of(text) != of(same[0]) {
				t.Errorf("%q and %q have different identities", text, same[0])
			}
		}
	}
	if of("agent,state,action,reward\nx,a,go,1\ny,a,go,2\n") == of("agent,state,action,reward\nx,a,go,1\nz,a,go,2\n") {
		t.Error("teams of different agents have the same identity")
	}
}

// The agents of a team are written, and identified, in the order of their names.
func TestAgentsAreInTheOrderOfTheirNames(t *testing.T) {
	n, turned := team(t), team(t)
	x := problem.Member{Name: "x 9", Actions: problem.Numbered(2)}
	y := problem.Member{Name: "x 10", Actions: problem.Named([]string{"b", "a"})}
	n.Members, turned.Members = []problem.Member{x, y}, []problem.Member{y, x}
	if TableOf(Rewards(n)) != TableOf(Rewards(turned)) {
		t.Error("a team has another identity when its agents are listed in another order")
	}
	var one, other bytes.Buffer
	rewards := [][]float64{{1, 2, 3, 4, 5, 6, 7, 8}, {11, 12, 13, 14, 15, 16, 17, 18}}
	err := errors.Join(Rewards(n).Write(&one, rewards), Rewards(turned).Write(&other, [][]float64{rewards[1], rewards[0]}))
	if err != nil || one.String() != other.String() ||
		!strings.HasPrefix(one.String(), "agent,state,action,reward\nx 9,0,0,1\nx 9,0,1,2\n") {
		t.Errorf("written as %q, and as %q in another order, %v", &one, &other, err)
	}
}

// Among actions whose values differ by less than rounding the first by name is taken; otherwise the better one.
func TestTieGoesToTheFirstByName(t *testing.T) {
	law, err := mdp.NewModel(1, 3, func(int, int) []mdp.Outcome { return []mdp.Outcome{{State: 0, Probability: 1}} })
	if err != nil {
		t.Fatal(err)
	}
	n := rooms(t, 5)
	p := *n.Problem
	p.Law, p.Discount = law, 0.5
	n.Problem, n.Actions = &p, problem.Named([]string{"c", "a", "b"})
	const tie = 1e-9
	for _, c := range []struct {
		rewards []float64 // of c, a and b
		want    int32
	}{
		{[]float64{1, 1, 1}, 1},
		{[]float64{1, 1 - 0.5*tie, 1}, 1},
		{[]float64{1, 1 - 2*tie, 1}, 2},
		{[]float64{1, 1 - 2*tie, 1 - 2*tie}, 0},
		{[]float64{1, math.Inf(-1), 1 - 0.5*tie}, 2},
	} {
		if policy := byName(n, c.rewards, []float64{2}, tie); policy[0] != c.want {
			t.Errorf("rewards %v: action %d, want %d", c.rewards, policy[0], c.want)
		}
	}
}

// publishTeam publishes the policy or the rewards of a team, and returns the ledger's entry, the statement and the
// files. joint selects Algorithm 2.
func publishTeam(t *testing.T, joint, policy bool) (Entry, release.Statement) {
	t.Helper()
	n := team(t)
	original := Rewards(n)
	if joint {
		original = Joint(n)
	}
	r, err := release.New(original, promise, 0, new(privacy.Entropy))
	if err != nil {
		t.Fatal(err)
	}
	f := &Files{Program: "veilpath test", Release: r, Instance: n}
	if policy {
		if f.Policy, err = Plan(n, original, r); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(t.TempDir())
	put("a/x", "")
	a := account(t, Terms{Epsilon: 3, First: promise})
	folder, err := pieces.Open("out")
	if err != nil {
		t.Fatal(err)
	}
	statement, err := f.Write(folder, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(folder.Close(), a.Close()); err != nil {
		t.Fatal(err)
	}
	spent, err := a.Spent()
	if err != nil {
		t.Fatal(err)
	}
	left, err := a.Left(promise.Delta, promise.Calibration)
	if err != nil {
		t.Fatal(err)
	}
	want := release.Place{Number: 1, TotalEpsilon: 3, TotalDelta: promise.Delta, SpentEpsilon: spent.Epsilon,
		SpentDelta: spent.EpsilonDelta, LeftEpsilon: floor(left), Seal: a.Seal}
	if statement.Ledger == nil || *statement.Ledger != want {
		t.Errorf("the place is %+v, want %+v", statement.Ledger, want)
	}
	var written bytes.Buffer
	if err := statement.Write(&written); err != nil {
		t.Fatal(err)
	}
	if text := read(filepath.Join("out", GuaranteeName)); text != written.String() {
		t.Errorf("%s holds %q, want %q", GuaranteeName, text, &written)
	}
	return a.Releases[0], statement
}

// An entry names the mechanism, what was released, the epsilon, and the hash of the released file.
func TestEntryDescribesTheRelease(t *testing.T) {
	for _, c := range []struct {
		joint, policy         bool
		mechanism, what, file string
	}{
		{false, false, "input", "rewards", ReleaseName}, {true, false, "output", "rewards", ReleaseName},
		{false, true, "input", "policy", PolicyName}, {true, true, "output", "policy", PolicyName},
	} {
		e, s := publishTeam(t, c.joint, c.policy)
		want := Entry{SHA256: s.ReleaseSHA256, What: c.what, Mechanism: c.mechanism, Epsilon: 1, Delta: 1e-6,
			Calibration: "analytic", Mu: e.Mu}
		if e != want || !(e.Mu > 0) || s.Release != c.file || s.ReleaseSHA256 != fmt.Sprintf("%x",
			sha256.Sum256([]byte(read(filepath.Join("out", c.file))))) {
			t.Errorf("joint %t, policy %t: entry %+v, statement of %s with %s", c.joint, c.policy, e, s.Release, s.ReleaseSHA256)
		}
		// With a grid of a thousandth of sigma, mu is hardly larger than without a grid at the same epsilon.
		if delta := gaussian(e.Mu, 1); delta > 1.01e-6 || delta < 0.97e-6 {
			t.Errorf("joint %t: mu %g has delta %g at epsilon 1", c.joint, e.Mu, delta)
		}
	}
}

// A failed write spends nothing.
func TestFailedWriteSpendsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	put("a/x", "")
	a := account(t, Terms{Epsilon: 3, Delta: 1e-6, First: privacy.Guarantee{Adjacency: 1}})
	put("a/ledger/in the way", "")
	if err := a.spend(summed(1, 1e-7)); err == nil || len(a.Releases) != 0 {
		t.Errorf("%v, and %d releases", err, len(a.Releases))
	}
	if err := os.RemoveAll("a/ledger"); err != nil {
		t.Fatal(err)
	}
	if err := a.spend(summed(1, 1e-7)); err != nil || len(a.Releases) != 1 {
		t.Errorf("again: %v, and %d releases", err, len(a.Releases))
	}
}

// put writes a file, and the folder that it is in.
func put(name, text string) {
	os.MkdirAll(filepath.Dir(name), 0o777)
	os.WriteFile(name, []byte(text), 0o666)
}

// read returns the text of a file, empty for none.
func read(name string) string {
	text, _ := os.ReadFile(name)
	return string(text)
}
