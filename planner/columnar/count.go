package columnar

import "encoding/binary"

// runPadding is the largest number of values by which the runs of a page may exceed its values: the last group
// is padded.
const runPadding = 512

// countRuns counts the values of runs with width bits per value: levels, or indices into a dictionary without
// the leading width. It reports whether the last run is complete, and whether each run states a length that a
// page can have.
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

// countDifferences returns the number of values that a page of differences states, and whether it begins with
// lengths that such a page can have.
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
