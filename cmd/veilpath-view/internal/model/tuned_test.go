package model

import (
	"reflect"
	"testing"

	"veilpath/sim/study"
)

// A tune says what it found in words and in ranges. A demand on a share of the flights is none on their mean.
func TestTuned(t *testing.T) {
	const answer = `{"in_words": "To stay hidden.", "radius_km": 0.7, "hidden_until_km": 56, "quantile": null,
		"met_epsilons": [[0.01, 1.194]], "not_met_epsilons": [[1.38, 100]], "undecided_epsilons": [[1.194, 1.38]],
		"demands": [{"demand": "mean detection distance in km", "limit": 56, "looks": [{"runs": 64}, {"runs": 128}]}]}`
	found := study.Sets{Met: []study.Range{{Low: 0.01, High: 1.194}}, NotMet: []study.Range{{Low: 1.38, High: 100}},
		Undecided: []study.Range{{Low: 1.194, High: 1.38}}}
	want := &Tuned{InWords: "To stay hidden.", RadiusKm: 0.7, HiddenUntilKm: 56, Sought: Sought{found, 128, true}}
	if got := tunedOf([]byte(answer)); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	share := `{"hidden_until_km": 56, "quantile": 0.9, "demands": [{"limit": 0.1}]}`
	if got := tunedOf([]byte(share)); got == nil || got.HiddenUntilKm != 0 {
		t.Errorf("of a share: %+v", got)
	}
	for _, none := range []string{"", "{}", "[1]"} {
		if got := tunedOf([]byte(none)); got != nil {
			t.Errorf("%q is %+v", none, got)
		}
	}
}
