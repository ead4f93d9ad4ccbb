package link

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/model"
)

// WriteMoved is the waypoints moved by hand as a link holds them: state:east,north,up in km, one after another.
func WriteMoved(w model.WhatIf) string {
	var parts []string
	km := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for state, r := range w.Moved {
		parts = append(parts, fmt.Sprintf("%d:%s,%s,%s", state, km(r.X), km(r.Y), km(r.Z)))
	}
	slices.Sort(parts)
	return strings.Join(parts, ";")
}

// WriteOut is the cells kept out of as a link holds them.
func WriteOut(w model.WhatIf) string {
	var parts []string
	for state := range w.KeptOut {
		parts = append(parts, strconv.Itoa(state))
	}
	slices.Sort(parts)
	return strings.Join(parts, ";")
}

// ParseWhatIf reads what WriteMoved and WriteOut write.
func ParseWhatIf(moved, out string) (model.WhatIf, error) {
	w := model.WhatIf{}
	for part := range strings.SplitSeq(moved, ";") {
		if part == "" {
			continue
		}
		var state int
		var r r3.Vec
		if n, err := fmt.Sscanf(part, "%d:%f,%f,%f", &state, &r.X, &r.Y, &r.Z); n != 4 || err != nil ||
			math.IsNaN(r3.Norm(r)) || math.IsInf(r3.Norm(r), 0) {
			return w, Refuse(Moved, part, "STATE:EAST,NORTH,UP in km")
		}
		if w.Moved == nil {
			w.Moved = map[int]r3.Vec{}
		}
		w.Moved[state] = r
	}
	for part := range strings.SplitSeq(out, ";") {
		if part == "" {
			continue
		}
		state, err := strconv.Atoi(part)
		if err != nil || state < 0 {
			return w, Refuse(Out, part, "the number of a state")
		}
		if w.KeptOut == nil {
			w.KeptOut = map[int]bool{}
		}
		w.KeptOut[state] = true
	}
	return w, nil
}
