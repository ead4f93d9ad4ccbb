package picture

import (
	"cmp"
	"fmt"
	"strings"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
)

// SignHeight is the height of a line at the foot of a saved picture, points.
const SignHeight = 18

// withSign is the area of a saved picture with the lines at its foot.
func (ps *Pictures) withSign(l *draw.List, area draw.Rect) draw.Rect {
	return area.Trim(0, 0, 0, -SignHeight*float64(len(ps.SignLines(l, area.W))))
}

// sign writes at the foot of a saved picture what it is of.
func (ps *Pictures) sign(l *draw.List, area draw.Rect) {
	lines := ps.SignLines(l, area.W)
	for i, line := range lines {
		at := draw.Rect{X: area.X + 4, Y: area.Bottom() - SignHeight*float64(len(lines)-i), W: area.W - 8, H: SignHeight}
		l.TextIn(ps.Theme().Small, at, draw.Left, ps.Theme().Muted, line)
	}
}

// SignLines is what a saved picture is of, in lines of a width.
func (ps *Pictures) SignLines(l *draw.List, width float64) []string {
	m := ps.Model
	parts := []string{strings.TrimSpace("veilpath " + ps.Version), "ε " + chart.Number(m.Config.Privacy.Epsilon),
		"ρ " + chart.Number(m.Config.Adversary.RadiusKm) + " km", fmt.Sprintf("seed %d", m.Config.Study.Seed),
		fmt.Sprintf("run %d", m.RunNumber), chart.Thousands(m.Runs()) + " flights",
		"δ " + chart.Number(m.Experiment.Delta()),
		"mission " + cmp.Or(ps.MissionName(), "of its own"), "mechanism " + m.Config.Privacy.Mechanism}
	if ps.OwnObserver() {
		parts = append(parts, "seen by "+m.Config.Adversary.Observer)
	}
	if others := ps.OtherSettings(); others != "" {
		parts = append(parts, others)
	}
	lines := []string{""}
	for _, part := range parts {
		last := &lines[len(lines)-1]
		switch joined := *last + "  " + part; {
		case *last == "":
			*last = part
		case l.Width(ps.Theme().Small, joined) <= width-8:
			*last = joined
		default:
			lines = append(lines, part)
		}
	}
	return lines
}
