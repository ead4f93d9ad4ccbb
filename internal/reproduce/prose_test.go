package reproduce

import (
	"slices"
	"strings"
	"testing"
)

// Lines are joined to paragraphs, and conditions leave text out.
func TestProseIsParagraphs(t *testing.T) {
	data := map[string]any{"Setting": "p = 0.9", "RMS": 1.25, "StatedRMS": 2.0, "Agreeing": 3, "Numbers": 4}
	want := []string{"Of the settings that were tried, p = 0.9 is nearest to the four curves together, with a " +
		"root-mean-square difference of 1.2 points; " +
		"3 of 4 numbers lie within sampling error. With the stated b = 2 the difference is 2.0 points."}
	if got := prose("example2", data); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	unprinted := []Row{{Quantity: "input σ, ε = 1", Published: 2.5, Computed: 2.52446},
		{Quantity: "output σ, ε = 1", Published: 5, Computed: 5.04}}
	if got := prose("table1", unprinted)[0]; !strings.HasSuffix(got, "is printed as 5 and computed as 5.04.") {
		t.Errorf("got %q", got)
	}
	if got := prose("table1", []Row(nil))[0]; !strings.HasSuffix(got, "in every printed digit.") {
		t.Errorf("got %q", got)
	}
}
