package model

import "testing"

// A tune says what it was asked, what it found, how sure that is and on which axis.
func TestTuned(t *testing.T) {
	const answer = `{"in_words": "epsilon 0.8686 keeps the mean at or below 56 km. It is the largest.", "confidence": 0.95,
		"between": [0.01, 100], "hidden_until_km": 56, "met_epsilons": [[0.01, 0.8686]],
		"demands": [{"demand": "mean detection distance in km", "limit": 56}]}`
	got := tunedOf([]byte(answer))
	if got == nil {
		t.Fatal("there is no answer")
	}
	want := Tuned{Question: "Which ε keeps the mean detection distance in km at most 56?", HiddenUntilKm: 56,
		Answer: "epsilon 0.8686 keeps the mean at or below 56 km. Shown for ε 0.01 to 0.8686, with 95 % confidence on the " +
			"axis from ε 0.01 to 100."}
	if *got != want {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
	for text, answer := range map[string]string{
		"Shown for no ε, with 90 % confidence on the axis from ε 0.1 to 10.": `{"confidence": 0.9, "between": [0.1, 10],
			"demands": [{"demand": "a", "limit": 1}]}`,
		"Shown for ε 1 to 2 and 3 to 4, with 90 % confidence on the axis from ε 0.1 to 10.": `{"confidence": 0.9,
			"between": [0.1, 10], "met_epsilons": [[1, 2], [3, 4]], "demands": [{"demand": "a", "limit": 1}]}`,
	} {
		if got := tunedOf([]byte(answer)); got == nil || got.Answer != text || got.HiddenUntilKm != 0 {
			t.Errorf("%+v, want %q", got, text)
		}
	}
	for _, none := range []string{"", "{}", "[1]"} {
		if got := tunedOf([]byte(none)); got != nil {
			t.Errorf("%q is %+v", none, got)
		}
	}
}
