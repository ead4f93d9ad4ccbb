package columnar

import "encoding/binary"

// runPadding is how many values more than it has the runs of a page may come to: the last group is filled up.
const runPadding = 512

// countRuns counts the values of runs, of so many bits a value: indices into a dictionary without the width that begins
// them, or levels. It reports whether the last run is whole, and whether each says a length that a page can have.
func countRuns(data []byte, width int64) (values int64, whole, ok bool) {
	for len(data) > 0 {
		head, n := binary.Uvarint(data)
		if n <= 0 || head>>1 > mostRows {
			return values, false, false
		}
		data = data[n:]
		count, length := int64(head>>1), (width+7)/8
		if head&1 != 0 {
			length = count * width // groups of 8
			count *= 8
		}
		values += count
		if length > int64(len(data)) {
			return values, false, true
		}
		data = data[length:]
	}
	return values, true, true
}

// countDifferences returns how many values a page of differences says it has, and whether it begins with lengths that
// such a page can have.
func countDifferences(data []byte) (values uint64, ok bool) {
	for range 2 { // block size, blocks
		size, n := binary.Uvarint(data)
		if n <= 0 || size > pageSlack {
			return 0, false
		}
		data = data[n:]
	}
	values, n := binary.Uvarint(data)
	return values, n > 0
}
