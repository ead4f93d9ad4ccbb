package main

import (
	"fmt"
	"strings"
	"testing"

	"veilpath/planner/audit"
	"veilpath/planner/privacy"
)

// An audit judges releases of others by the noise that they are said to have, and its exit code is the verdict's.
func TestAuditJudgesReleasesOfOthers(t *testing.T) {
	t.Parallel()
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: 1})
	z := make([]float64, 4000)
	noise.Normals(z)
	for _, c := range []struct {
		sigma   float64
		verdict string
		code    int
	}{{3, audit.Consistent, exitDone}, {1.5, audit.NotAsDescribed, exitUndescribed}, {0.5, audit.Broken, exitFailed}} {
		text := "reward,released\n"
		for i := 0; i < len(z); i += 2 {
			text += fmt.Sprintf("0,%v\n1,%v\n", c.sigma*z[i], 1+c.sigma*z[i+1])
		}
		got := veilpath(t, append([]string{"audit", "--format", "json", "--sigma", "2.53", "--from", fileWith(t, text)},
			promise...)...)
		if got.code != c.code || !strings.Contains(got.stdout, fmt.Sprintf("%q: %q", "verdict", c.verdict)) ||
			!strings.Contains(got.stdout, `"samples": 2000`) {
			t.Errorf("sigma %g: exit %d, want %s: %s%s", c.sigma, got.code, c.verdict, got.stdout, got.stderr)
		}
	}
}
