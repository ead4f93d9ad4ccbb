package problem

import (
	"fmt"
	"slices"
	"strconv"

	"veilpath/planner/reward"
)

// Names are the names of states or actions: names from the file, or numbers.
type Names struct {
	list    []string // nil if the names are numbers
	numbers []int32  // nil if the names are 0, 1, 2, ...
	count   int
}

// Numbered returns the numbers from 0 to count-1 as names.
func Numbered(count int) Names { return Names{count: count} }

// Named returns a list of names.
func Named(list []string) Names { return Names{list: list, count: len(list)} }

// Count returns the number of names.
func (n Names) Count() int { return n.count }

// Numeric reports whether the names are numbers.
func (n Names) Numeric() bool { return n.list == nil }

// Number returns the number that is the i-th name; see Numeric.
func (n Names) Number(i int) int {
	if n.numbers != nil {
		return int(n.numbers[i])
	}
	return i
}

// Append appends the i-th name to text.
func (n Names) Append(text []byte, i int) []byte {
	if n.list != nil {
		return append(text, n.list[i]...)
	}
	return strconv.AppendInt(text, int64(n.Number(i)), 10)
}

// Of returns the i-th name.
func (n Names) Of(i int) string { return string(n.Append(nil, i)) }

// Value returns the i-th name as in JSON: a number if names are numbers.
func (n Names) Value(i int) any {
	if n.Numeric() {
		return n.Number(i)
	}
	return n.Of(i)
}

// find returns the index of a name.
func (n Names) find(name string) (int, error) {
	for i := range n.list {
		if n.list[i] == name {
			return i, nil
		}
	}
	number, err := strconv.Atoi(name)
	switch {
	case err != nil && n.list != nil:
		return 0, fmt.Errorf("there is no %q; the first is %q", name, n.list[0])
	case n.list != nil || err != nil:
	case n.numbers == nil && number >= 0 && number < n.count:
		return number, nil
	case n.numbers != nil:
		for i, m := range n.numbers {
			if int(m) == number {
				return i, nil
			}
		}
	}
	return 0, n.unknown(name)
}

// unknown returns the error for an unknown name.
func (n Names) unknown(name string) error {
	return fmt.Errorf("there is no %s; want one from %s to %s", name, n.Of(0), n.Of(n.count-1))
}

// Sorted returns the indices in the order of the names, comparing runs of digits as numbers. This order reveals
// nothing about the file's order.
func (n Names) Sorted() []int {
	order := make([]int, n.count)
	for i := range order {
		order[i] = i
	}
	if n.list != nil {
		slices.SortStableFunc(order, func(a, b int) int { return reward.CompareNames(n.list[a], n.list[b]) })
	}
	return order
}

// fromZero reports whether the names are the numbers 0, 1, 2, ...
func (n Names) fromZero() bool { return n.list == nil && n.numbers == nil }

// joined returns the names of tuples of agents' names; the first agent is the most significant. They are
// numbers if all agents' names count from 0.
func joined(agents []Names) Names {
	count, numbers := 1, true
	for _, a := range agents {
		count *= a.count
		numbers = numbers && a.fromZero()
	}
	if numbers || count > 1<<20 {
		return Numbered(count)
	}
	list := []string{""}
	for i, a := range agents {
		var longer []string
		for _, prefix := range list {
			for k := range a.count {
				name := a.Of(k)
				if i > 0 {
					name = prefix + "|" + name
				}
				longer = append(longer, name)
			}
		}
		list = longer
	}
	return Named(list)
}
