package screen

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/model"
)

// link is a selection as a link holds it.
func (c *selection) link() string {
	switch c.kind {
	case byDistance:
		return fmt.Sprintf("km:%.2f,%.2f", c.lowKm, c.highKm)
	case byArea:
		return fmt.Sprintf("%s:%.2f,%.2f,%.2f,%.2f", either(c.kept, "keptarea", "area"), c.west, c.east, c.south, c.north)
	case bySettings:
		return fmt.Sprintf("settings:%s,%s,%s,%s", number(c.lowEpsilon), number(c.highEpsilon), number(c.lowRadius),
			number(c.highRadius))
	}
	return "crossed"
}

var errSelection = errors.New("no selection")

// parseSelection reads what link writes; nothing is all flights.
func parseSelection(text string) (selection, error) {
	kind, numbers, _ := strings.Cut(text, ":")
	var v []float64
	for part := range strings.SplitSeq(numbers, ",") {
		x, err := strconv.ParseFloat(part, 64)
		if numbers != "" && (err != nil || math.IsNaN(x) || math.IsInf(x, 0)) {
			return selection{}, errSelection
		}
		v = append(v, x)
	}
	switch {
	case text == "":
		return selection{}, nil
	case text == "crossed":
		return selection{kind: byCrossing}, nil
	case kind == "km" && len(v) == 2:
		return selection{kind: byDistance, lowKm: v[0], highKm: v[1]}, nil
	case (kind == "area" || kind == "keptarea") && len(v) == 4:
		return selection{kind: byArea, west: v[0], east: v[1], south: v[2], north: v[3], kept: kind == "keptarea"}, nil
	case kind == "settings" && len(v) == 4 && 0 < v[0] && v[0] <= v[1] && 0 < v[2] && v[2] <= v[3]:
		return selection{kind: bySettings, lowEpsilon: v[0], highEpsilon: v[1], lowRadius: v[2], highRadius: v[3]}, nil
	}
	return selection{}, errSelection
}

// movedLink is the waypoints moved by hand as a link holds them: state:east,north,up in km, one after another.
func movedLink(w model.WhatIf) string {
	var parts []string
	km := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for state, r := range w.Moved {
		parts = append(parts, fmt.Sprintf("%d:%s,%s,%s", state, km(r.X), km(r.Y), km(r.Z)))
	}
	slices.Sort(parts)
	return strings.Join(parts, ";")
}

// outLink is the cells kept out of as a link holds them.
func outLink(w model.WhatIf) string {
	var parts []string
	for state := range w.KeptOut {
		parts = append(parts, strconv.Itoa(state))
	}
	slices.Sort(parts)
	return strings.Join(parts, ";")
}

// parseWhatIf reads what movedLink and outLink write.
func parseWhatIf(moved, out string) (model.WhatIf, error) {
	w := model.WhatIf{}
	for part := range strings.SplitSeq(moved, ";") {
		if part == "" {
			continue
		}
		var state int
		var r r3.Vec
		if n, err := fmt.Sscanf(part, "%d:%f,%f,%f", &state, &r.X, &r.Y, &r.Z); n != 4 || err != nil ||
			math.IsNaN(r3.Norm(r)) || math.IsInf(r3.Norm(r), 0) {
			return w, fmt.Errorf("the link moves a waypoint by %q; want STATE:EAST,NORTH,UP in km", part)
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
			return w, fmt.Errorf("the link keeps out of the cell %q; want the number of a state", part)
		}
		if w.KeptOut == nil {
			w.KeptOut = map[int]bool{}
		}
		w.KeptOut[state] = true
	}
	return w, nil
}
