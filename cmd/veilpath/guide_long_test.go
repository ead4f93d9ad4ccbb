//go:build long

package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"veilpath/internal/phrase"
)

// A new user's way from a problem to an epsilon is that of the guide: what fails names the flag that it goes on with,
// and its answers are those it quotes.
func TestTheGuideTellsTheWayToAnEpsilon(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../assets/guide/epsilon.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := strings.Join(strings.Fields(string(text)), " ")
	says := func(format string, numbers ...any) {
		if want := fmt.Sprintf(format, numbers...); !strings.Contains(guide, want) {
			t.Errorf("the guide does not say %q", want)
		}
	}
	exceeds := func(sigma any) float64 { // P(log likelihood ratio > 1), a normal of mean mu^2/2 and deviation mu
		mu := 1 / sigma.(float64)
		return math.Erfc((1/mu-mu/2)/math.Sqrt2) / 2
	}
	noise := answerOf[map[string]any](t, "design", "--epsilons", "1", "--delta", "0.01", "--adjacency", "1")
	says("as likely for one reward as for the other with probability %.3f. With the classical noise that "+
		"probability is %.3f.", exceeds(noise["sigma_analytic"]), exceeds(noise["sigma_classical"]))
	type sets struct {
		Epsilon float64
		Met     [][2]float64 `json:"met_epsilons"`
		NotMet  [][2]float64 `json:"not_met_epsilons"`
	}
	wall := answerOf[sets](t, "tune", "--set", "planner.keep_out=[[8,0,8,15]]", "--hidden-until", "30", "--epsilons", "1",
		"--runs", "1")
	if len(wall.Met) != 2 || len(wall.NotMet) != 1 {
		t.Fatalf("with the wall: %+v", wall)
	}
	says("at most 30 km for epsilons %g .. %g and %g .. %g, and more than 30 km for %g .. %g; the rest is undecided. "+
		"`tune` chooses epsilon %g.",
		wall.Met[0][0], wall.Met[0][1], wall.Met[1][0], wall.Met[1][1], wall.NotMet[0][0], wall.NotMet[0][1], wall.Epsilon)
	type radii struct {
		Radii []struct {
			Epsilon float64
			Hidden  float64 `json:"hidden_until"`
			Cost    float64 `json:"cost_of_privacy"`
		}
	}
	mean := answerOf[radii](t, "tune", "--hidden-until", "56", "--epsilons", "1", "--runs", "1").Radii
	says("The answer: epsilon %s or less;", phrase.EpsilonAtMost(mean[1].Epsilon))
	says("at epsilon %s only %s of the flights stay hidden until 56 km", phrase.EpsilonAtMost(mean[1].Epsilon),
		phrase.Percent(mean[1].Hidden))
	says("allows epsilon %s, one of twice the radius %s, which costs %s.", phrase.EpsilonAtMost(mean[0].Epsilon),
		phrase.EpsilonAtMost(mean[2].Epsilon), phrase.Percent(mean[2].Cost))
	share := answerOf[radii](t, "tune", "--hidden-until", "56", "--share", "60%", "--radius", "0.35", "--epsilons", "1",
		"--runs", "1", "--radii", "0.35").Radii[0]
	says("takes epsilon %s or less, and %s of the value.", phrase.EpsilonAtMost(share.Epsilon), phrase.Percent(share.Cost))
	ask := strings.Fields("../../assets/guide/lake.json --discount 0.99")
	tune := append([]string{"tune", "--max-cost", "20%"}, ask...)
	r := veilpath(t, append(tune, "--format", "json")...)
	_, cure, _ := strings.Cut(strings.TrimSpace(r.stderr), "as with ")
	if r.code != exitFailed || !strings.HasPrefix(cure, "--between ") {
		t.Fatalf("exit %d, %s", r.code, r.stderr)
	}
	says("veilpath tune assets/guide/lake.json --discount 0.99 --max-cost 20%% %s --out", cure)
	type answer struct{ Epsilon float64 }
	says("answers epsilon %g,", answerOf[answer](t, append(tune, strings.Fields(cure)...)...).Epsilon)
	says("and epsilon %g costs at most 20", answerOf[answer](t, append(tune, "--adjacency", "0.01")...).Epsilon)
	type worth struct {
		Start float64 `json:"start_value"`
	}
	says("The value at the start is %.3f.", answerOf[worth](t, append([]string{"plan"}, ask...)...).Start)
}

// attributed is what moves recognition at an epsilon, as the guide's tables have it.
type attributed struct {
	Observer     string `json:"adversary.observer"`
	Epsilon      float64
	Direct       *float64 `json:"direct_km"`
	HandoverOnly *float64 `json:"handover_only_km"`
	Planned      float64  `json:"planned_km"`
	Noise        float64  `json:"noise_km"`
	Low          float64  `json:"noise_ci_low_km"`
	High         float64  `json:"noise_ci_high_km"`
	Mean         float64  `json:"mean_km"`
}

// row writes a row of a table of the guide from the results of a mission at every epsilon.
func row(name string, epsilons []attributed) string {
	straight := "-"
	if epsilons[0].Direct != nil {
		straight = fmt.Sprintf("%.2f", *epsilons[0].Direct)
	}
	text := fmt.Sprintf("| %s | %s | %.2f |", name, straight, epsilons[0].Planned)
	for _, a := range epsilons {
		if a.Noise < 0 {
			text += fmt.Sprintf(" %.2f nearer (%.2f .. %.2f) |", -a.Noise, -a.High, -a.Low)
		} else {
			text += fmt.Sprintf(" %.2f farther (%.2f .. %.2f) |", a.Noise, a.Low, a.High)
		}
	}
	return text
}

// The tables of the guide to what hides the destination are those of the commands that it names.
func TestTheGuideTellsWhatHidesTheDestination(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../assets/guide/observers.md")
	if err != nil {
		t.Fatal(err)
	}
	says := func(row string) {
		if !strings.Contains(string(text), row) {
			t.Errorf("the guide does not have\n%s", row)
		}
	}
	rows := func(args ...string) []attributed {
		return answerOf[struct{ Summary []attributed }](t,
			append([]string{"study", "--epsilons", "0.2,1,4"}, args...)...).Summary
	}
	for _, m := range []struct{ name, flag, value string }{
		{"`paper`", "--config", "paper"},
		{"`passage`", "--config", "passage"},
		{"`three-goals`", "--config", "three-goals"},
		{"southern wall", "--set", "planner.keep_out=[[8, 0, 8, 15]]"},
		{"northern wall", "--set", "planner.keep_out=[[8, 5, 8, 19]]"},
	} {
		says(row(m.name, rows(m.flag, m.value, "--runs", "3000")))
	}
	seen := map[string]bool{}
	for _, a := range rows("--observer", "ballistic,mechanism,heading", "--runs", "300") {
		seen[a.Observer] = true
		if hidden := a.High < 0; hidden != (a.Observer == "ballistic") {
			t.Errorf("%s at epsilon %g: noise %g .. %g", a.Observer, a.Epsilon, a.Low, a.High)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d observers", len(seen))
	}
}
