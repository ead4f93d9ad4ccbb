package report

import "gonum.org/v1/gonum/spatial/r3"

// Simplify returns some of the points of a path, with both ends, such that no other point is farther than tolerance
// from the line through them (Douglas and Peucker 1973). The result does not share memory with the path.
func Simplify(path []r3.Vec, tolerance float64) []r3.Vec {
	if len(path) < 3 {
		return append([]r3.Vec(nil), path...)
	}
	type stretch struct{ from, to int }
	simple := path[:1:1]
	for todo := []stretch{{0, len(path) - 1}}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		farthest, off := 0, tolerance
		for k := s.from + 1; k < s.to; k++ {
			if d := fromSegment(path[k], path[s.from], path[s.to]); d > off {
				farthest, off = k, d
			}
		}
		if farthest == 0 {
			simple = append(simple, path[s.to])
			continue
		}
		todo = append(todo, stretch{farthest, s.to}, stretch{s.from, farthest}) // the front part comes first
	}
	return simple
}

// fromSegment returns the distance of a point from the straight line between two others.
func fromSegment(p, a, b r3.Vec) float64 {
	along, to := r3.Sub(b, a), r3.Sub(p, a)
	part := 0.0
	if squared := r3.Norm2(along); squared > 0 {
		part = min(1, max(0, r3.Dot(to, along)/squared))
	}
	return r3.Norm(r3.Sub(to, r3.Scale(part, along)))
}
