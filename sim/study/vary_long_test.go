//go:build long

package study_test

import "testing"

// Five thousand runs of four missions are those of the settings that they draw.
func TestManyVariedRunsAreThoseOfTheirSettings(t *testing.T) {
	for name, r := range variedMissions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkVariedRuns(t, r, 1250)
		})
	}
}
