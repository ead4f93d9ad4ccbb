package problem

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// labels numbers the states or the actions of a file in the order in which they appear: each has an id from 0.
type labels struct {
	all      []label
	smallIDs []int32          // 1 + the id of a number, 0 for none; for numbers that are small for their count
	otherIDs map[string]int32 // ids of names and of other numbers
	listed   []int32          // ids in the order of list
	names    int              // labels that are not numbers
}

// label is a state or an action as the file calls it.
type label struct {
	name   string // empty if it is a number
	number int32
	listed bool
}

// maxNames is the largest number of labels other than small numbers: a name takes some 100 bytes of memory.
const maxNames = 1 << 20

func newLabels() *labels { return &labels{otherIDs: map[string]int32{}} }

// id returns the id of a word, which is new if the word is.
func (l *labels) id(word []byte) (int, error) {
	n, numeric := parseWhole(word)
	if numeric && n < len(l.smallIDs) && l.smallIDs[n] > 0 {
		return int(l.smallIDs[n]) - 1, nil
	}
	id := len(l.all)
	if numeric {
		word = strconv.AppendInt(nil, int64(n), 10)
	}
	if known, ok := l.otherIDs[string(word)]; ok {
		return int(known), nil
	}
	switch {
	case numeric && n <= 4*id+1024:
		if n >= len(l.smallIDs) {
			l.smallIDs = append(l.smallIDs, make([]int32, n+1-len(l.smallIDs))...)
		}
		l.smallIDs[n] = int32(id) + 1
	case len(l.otherIDs) == maxNames:
		return 0, fmt.Errorf("more than %d names; use the numbers from 0 on instead", maxNames)
	default:
		l.otherIDs[string(word)] = int32(id)
	}
	if numeric {
		l.all = append(l.all, label{number: int32(n)})
	} else {
		l.all = append(l.all, label{name: string(word)})
		l.names++
	}
	return id, nil
}

// parseWhole reads an integer of at least 0, also as pandas and NumPy write it among missing or other numbers: 1.0,
// or 1.000000000000000000e+00.
func parseWhole(word []byte) (int, bool) {
	if n, ok := parseNumber(word); ok {
		return n, true
	}
	if bytes.IndexByte(word, '.') < 1 {
		return 0, false
	}
	x, ok := parseFloat(word)
	return int(x), ok && x >= 0 && x < math.MaxInt32 && x == math.Trunc(x)
}

// list marks a label as listed; listed names come before all others.
func (l *labels) list(id int) {
	if !l.all[id].listed {
		l.all[id].listed = true
		l.listed = append(l.listed, int32(id))
	}
}

// ordered returns the names in their order, numbers ascending and others as listed, and by id the place in it; nil if
// ids are places.
func (l *labels) ordered() (Names, []int32) {
	for id := range l.all {
		l.list(id)
	}
	order, numeric := l.listed, l.names == 0
	if numeric {
		slices.SortFunc(order, func(a, b int32) int { return int(l.all[a].number) - int(l.all[b].number) })
	}
	names := Names{count: len(order)}
	places := make([]int32, len(order))
	same, fromZero := true, numeric
	for place, id := range order {
		places[id] = int32(place)
		same = same && int(id) == place
		fromZero = fromZero && int(l.all[id].number) == place
	}
	for _, id := range order {
		switch one := &l.all[id]; {
		case fromZero:
		case numeric:
			names.numbers = append(names.numbers, one.number)
		case one.name == "":
			names.list = append(names.list, strconv.Itoa(int(one.number)))
		default:
			names.list = append(names.list, one.name)
		}
	}
	if same {
		places = nil
	}
	return names, places
}
