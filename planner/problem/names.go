package problem

import (
	"errors"
	"slices"
)

// errNamed reports that a file has names; the reader expected numbers.
var errNamed = errors.New("names, not numbers")

// largestNumber is the largest state number that is used as an index; files with larger numbers are read as if
// they were names.
const largestNumber = 1 << 26

// labels assigns numbers to the states or the actions of a file in the order in which they appear.
type labels struct {
	named   bool
	largest int              // largest number seen, -1 if none; unless named
	ids     map[string]int32 // by name
	list    []string         // by id
	order   []int32          // ids in the order in which place listed them
	listed  []bool
}

func newLabels(named bool) *labels {
	return &labels{named: named, largest: -1, ids: map[string]int32{}}
}

// number returns the number of a label, or errNamed.
func (l *labels) number(word []byte) (int, error) {
	if !l.named {
		n, ok := parseNumber(word)
		if !ok {
			return 0, errNamed
		}
		return l.whole(int64(n))
	}
	if id, ok := l.ids[string(word)]; ok {
		return int(id), nil
	}
	name := string(word)
	id := int32(len(l.list))
	l.ids[name], l.list, l.listed = id, append(l.list, name), append(l.listed, false)
	return int(id), nil
}

// whole returns the number of a label that is an integer, or errNamed; labels must not be named.
func (l *labels) whole(n int64) (int, error) {
	if n < 0 || n > largestNumber {
		return 0, errNamed
	}
	l.largest = max(l.largest, int(n))
	return int(n), nil
}

// place marks a label as listed; listed labels come before all others.
func (l *labels) place(n int) {
	if l.named && !l.listed[n] {
		l.listed[n] = true
		l.order = append(l.order, int32(n))
	}
}

// finalize returns the names in their final order, and the new number of every old number; nil if none changes.
// used calls see with every number that occurs.
func (l *labels) finalize(used func(see func(int32))) (Names, []int32) {
	if !l.named {
		return l.finalizeNumbers(used)
	}
	for id := range l.list {
		l.place(id)
	}
	numbers := make([]int32, len(l.list))
	numeric := true
	for id, name := range l.list {
		n, ok := parseNumber([]byte(name))
		numbers[id], numeric = int32(n), numeric && ok
	}
	if numeric {
		slices.SortFunc(l.order, func(a, b int32) int { return int(numbers[a]) - int(numbers[b]) })
	}
	becomes := make([]int32, len(l.list))
	names := Names{count: len(l.list)}
	for i, id := range l.order {
		becomes[id] = int32(i)
		if numeric {
			names.numbers = append(names.numbers, numbers[id])
		} else {
			names.list = append(names.list, l.list[id])
		}
	}
	return names, becomes
}

func (l *labels) finalizeNumbers(used func(see func(int32))) (Names, []int32) {
	present := make([]bool, l.largest+1)
	count := 0
	used(func(n int32) {
		if !present[n] {
			present[n] = true
			count++
		}
	})
	if count == len(present) {
		return Numbered(count), nil
	}
	becomes := make([]int32, len(present))
	names := Names{numbers: make([]int32, 0, count), count: count}
	for n, is := range present {
		if is {
			becomes[n] = int32(len(names.numbers))
			names.numbers = append(names.numbers, int32(n))
		}
	}
	return names, becomes
}
