package study

// Pareto returns the indices of the cells that no other cell dominates, in the given order. A cell dominates
// another if it has a smaller mean detection distance, mean cost or mean detour, and is no worse in the other
// two.
func Pareto(cells []SurfaceCell) []int {
	var front []int
	for i := range cells {
		beaten := false
		for k := range cells {
			beaten = beaten || dominates(&cells[k], &cells[i])
		}
		if !beaten {
			front = append(front, i)
		}
	}
	return front
}

// dominates reports whether a is at least as good as b in everything and better in something.
func dominates(a, b *SurfaceCell) bool {
	pairs := [...][2]float64{
		{a.Mean.Value, b.Mean.Value}, {a.CostOfPrivacy.Value, b.CostOfPrivacy.Value},
		{a.PathOverhead.Value, b.PathOverhead.Value},
	}
	better := false
	for _, p := range pairs {
		if p[0] > p[1] {
			return false
		}
		better = better || p[0] < p[1]
	}
	return better
}
