package design

import (
	"context"
	"math"
	"strings"
	"testing"

	"veilpath/internal/table"
	"veilpath/planner/privacy"
)

// answered returns the answer for so many releases at epsilon 1 and delta 0.01.
func answered(t *testing.T, releases int) table.List {
	t.Helper()
	q := Question{Guarantee: privacy.Guarantee{Epsilon: 1, Delta: 0.01, Adjacency: 1, Calibration: privacy.Analytic},
		Releases: releases}
	l, err := q.Answer(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// 20 releases need sqrt(20) times the noise of one, and the sentence says which noise is for how many.
func TestWordsSayHowManyReleasesANoiseIsFor(t *testing.T) {
	one, all := Words(answered(t, 1)), Words(answered(t, 20))
	if math.Abs(1.87788*math.Sqrt(20)-8.398) > 5e-4 {
		t.Error("the noise of 20 releases is not that of one times the root of 20")
	}
	const classical = " The classical noise for one release, sigma 2.524, attains epsilon 0.6734."
	if want := "Noise of sigma 1.878 on every reward keeps epsilon 1 at delta 0.01 for rewards that differ by at " +
		"most 1 in one entry (analytic calibration)." + classical; one != want {
		t.Errorf("%q, want %q", one, want)
	}
	if want := "With noise of sigma 8.398 on every reward of each, 20 releases together keep epsilon 1 at delta 0.01 " +
		"for rewards that differ by at most 1 in one entry (analytic calibration). With sigma 1.878, the noise for " +
		"one release, they attain epsilon 7.686 together." + classical; all != want {
		t.Errorf("%q, want %q", all, want)
	}
	damaged := Words(append(answered(t, 20), table.List{{Name: "entry_error", Value: 6.7},
		{Name: "goals", Value: 1}}...))
	if !strings.Contains(damaged, "\nNoise of sigma 8.398 moves a joint reward by 6.7 on average") {
		t.Errorf("the noise of the damage is not that of one of 20 releases: %q", damaged)
	}
}

// Where the classical noise is the one asked for, it is not described as another one.
func TestWordsOfTheClassicalNoise(t *testing.T) {
	l := answered(t, 1)
	for i := range l {
		if l[i].Name == "sigma" {
			l[i].Value = l.Number("sigma_classical")
		}
	}
	if got := Words(l); !strings.HasSuffix(got, " It attains epsilon 0.6734.") {
		t.Error(got)
	}
}
