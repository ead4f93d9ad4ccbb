package columnar

import "encoding/binary"

// minThriftStruct is the length in bytes of the shortest structure in a list, a column order.
const minThriftStruct = 3

// maxNesting is the largest nesting depth of a Thrift structure in a Parquet file.
const maxNesting = 16

// skim reads a structure in Thrift's compact protocol, keeps nothing, and returns its length. It reports
// whether all lengths in it fit into the bytes that follow them.
func skim(b []byte) (length int, ok bool) {
	rest, ok := skimStruct(b, 0)
	return len(b) - len(rest), ok
}

// The types of Thrift's compact protocol.
const (
	thriftStop = iota
	thriftTrue
	thriftFalse
	thriftByte
	thriftInt16
	thriftInt32
	thriftInt64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
)

func skimStruct(b []byte, depth int) (rest []byte, ok bool) {
	for depth < maxNesting && len(b) > 0 {
		head := b[0]
		b = b[1:]
		if head == thriftStop {
			return b, true
		}
		if head>>4 == 0 { // the field's number follows
			if _, b, ok = skimNumber(b); !ok {
				return nil, false
			}
		}
		if kind := head & 15; kind != thriftTrue && kind != thriftFalse { // these two are their own values
			if b, ok = skimValue(b, kind, depth+1); !ok {
				return nil, false
			}
		}
	}
	return nil, false
}

// skimValue skips a value of a type.
func skimValue(b []byte, kind byte, depth int) (rest []byte, ok bool) {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return skimBytes(b, 1)
	case thriftInt16, thriftInt32, thriftInt64:
		_, rest, ok = skimNumber(b)
		return rest, ok
	case thriftDouble:
		return skimBytes(b, 8)
	case thriftBinary:
		length, rest, ok := skimNumber(b)
		if !ok {
			return nil, false
		}
		return skimBytes(rest, length)
	case thriftList, thriftSet:
		return skimList(b, depth)
	case thriftStruct:
		return skimStruct(b, depth)
	}
	return nil, false // a map; Parquet has none
}

func skimList(b []byte, depth int) (rest []byte, ok bool) {
	if len(b) == 0 || depth >= maxNesting {
		return nil, false
	}
	kind, count := b[0]&15, uint64(b[0]>>4)
	b = b[1:]
	if count == 15 {
		if count, b, ok = skimNumber(b); !ok {
			return nil, false
		}
	}
	least := uint64(1)
	if kind == thriftStruct {
		least = minThriftStruct
	}
	if count > uint64(len(b))/least {
		return nil, false
	}
	for range count {
		if b, ok = skimValue(b, kind, depth+1); !ok {
			return nil, false
		}
	}
	return b, true
}

func skimNumber(b []byte) (value uint64, rest []byte, ok bool) {
	value, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, false
	}
	return value, b[n:], true
}

func skimBytes(b []byte, n uint64) (rest []byte, ok bool) {
	if n > uint64(len(b)) {
		return nil, false
	}
	return b[n:], true
}
