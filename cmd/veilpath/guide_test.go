package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A new user's way from a problem to an epsilon is that of the guide: what fails names the flag that it goes on with, and
// its answers are those it quotes.
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
	type sets struct {
		Epsilon float64
		Met     [][2]float64 `json:"met_epsilons"`
		NotMet  [][2]float64 `json:"not_met_epsilons"`
	}
	wall := answerOf[sets](t, "tune", "--set", "planner.keep_out=[[8,0,8,15]]", "--hidden-until", "30", "--epsilons", "1", "--runs", "1")
	if len(wall.Met) != 2 || len(wall.NotMet) != 1 {
		t.Fatalf("with the wall: %+v", wall)
	}
	says("at most 30 km for epsilons %g .. %g and %g .. %g, and more than that for %g .. %g; the rest is undecided. Epsilon %g is chosen.",
		wall.Met[0][0], wall.Met[0][1], wall.Met[1][0], wall.Met[1][1], wall.NotMet[0][0], wall.NotMet[0][1], wall.Epsilon)
	ask := strings.Fields("../../assets/guide/lake.json --discount 0.99")
	tune := append([]string{"tune", "--max-cost", "20%"}, ask...)
	r := veilpath(t, append(tune, "--format", "json")...)
	_, cure, _ := strings.Cut(strings.TrimSpace(r.stderr), "as with ")
	if r.code != exitFailed || !strings.HasPrefix(cure, "--between ") {
		t.Fatalf("exit %d, %s", r.code, r.stderr)
	}
	says("veilpath tune lake.json --discount 0.99 --max-cost 20%% %s --out", cure)
	type answer struct{ Epsilon float64 }
	says("its answer is epsilon %g.", answerOf[answer](t, append(tune, strings.Fields(cure)...)...).Epsilon)
	says("and epsilon %g does", answerOf[answer](t, append(tune, "--adjacency", "0.01")...).Epsilon)
	type worth struct {
		Start float64 `json:"start_value"`
	}
	says("The start is worth %.3f.", answerOf[worth](t, append([]string{"plan"}, ask...)...).Start)
}
