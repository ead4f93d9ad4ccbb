package study

import (
	"strings"
	"testing"
)

func TestRunsWithoutNoiseAreWrittenAsNone(t *testing.T) {
	var out strings.Builder
	if err := WriteRuns(&out, []Run{{Epsilon: 0.5, Run: 3}, {Epsilon: None(), Run: 4}}); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(out.String(), "\n")
	if !strings.HasPrefix(rows[1], "0.5,3,") || !strings.HasPrefix(rows[2], "none,4,") {
		t.Errorf("rows %q", rows[1:])
	}
}
