package external

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// numbers is a table of float64, row by row. In JSON it is a list of rows, in which null stands for -Inf, or a text:
// base64 of the numbers, 8 bytes each, little endian.
type numbers struct {
	values  []float64
	columns int // 0 for base64, which has no rows
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *numbers) UnmarshalJSON(text []byte) error {
	n.values, n.columns = n.values[:0], 0
	if text[0] == '"' {
		return n.decode64(text[1 : len(text)-1])
	}
	if text[0] != '[' {
		return errors.New("want a list of rows, or a text of base64")
	}
	depth, row := 0, 0 // row is where the present one begins
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '[':
			if depth++; depth > 2 {
				return errors.New("want a list of rows, each a list of numbers; there are lists in rows")
			}
			row = len(n.values)
			i++
		case ']':
			if depth--; depth == 1 {
				if err := n.endRow(len(n.values) - row); err != nil {
					return err
				}
			}
			i++
		case ',', ' ', '\t', '\r', '\n':
			i++
		default:
			end := i + 1
			for end < len(text) && !delimits(text[end]) {
				end++
			}
			x, err := number(text[i:end])
			if err == nil && depth != 2 {
				err = errors.New("want a list of rows, each a list of numbers; there are numbers beside rows")
			}
			if err != nil {
				return err
			}
			n.values = append(n.values, x)
			i = end
		}
	}
	return nil
}

// delimits reports whether a byte ends a number.
func delimits(c byte) bool {
	return c == ',' || c == ']' || c == ' ' || c == '\t' || c == '\r' || c == '\n'
}

// number reads a number, or null for -Inf.
func number(text []byte) (float64, error) {
	if string(text) == "null" {
		return math.Inf(-1), nil
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a number, or too large", text[:min(len(text), 24)])
	}
	return x, nil
}

// endRow refuses rows of different lengths.
func (n *numbers) endRow(length int) error {
	if n.columns == 0 {
		n.columns = length
	}
	if length == 0 || length != n.columns {
		return fmt.Errorf("a row has %d numbers and the first row %d; want equally many, and some", length, n.columns)
	}
	return nil
}

// decode64 reads base64, in which nothing is escaped.
func (n *numbers) decode64(text []byte) error {
	bytes := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	size, err := base64.StdEncoding.Decode(bytes, text)
	if err != nil {
		return err
	}
	if size%8 != 0 {
		return fmt.Errorf("the base64 has %d bytes; want 8 for each number", size)
	}
	for ; len(bytes) >= 8 && size > 0; size -= 8 {
		n.values = append(n.values, math.Float64frombits(binary.LittleEndian.Uint64(bytes)))
		bytes = bytes[8:]
	}
	return nil
}

// check refuses a table that does not have so many rows and columns.
func (n *numbers) check(name string, rows, columns int) error {
	if len(n.values) != rows*columns || n.columns != 0 && n.columns != columns {
		got := fmt.Sprintf("%d numbers", len(n.values))
		if n.columns > 0 {
			got = fmt.Sprintf("%d x %d", len(n.values)/n.columns, n.columns)
		}
		return fmt.Errorf("%s is %s; want %d x %d", name, got, rows, columns)
	}
	return nil
}

// appendNumbers appends a table as JSON, or as base64 in quotes.
func appendNumbers(to []byte, values []float64, columns int, as64 bool) []byte {
	if as64 {
		return appendBase64(to, values)
	}
	to = append(to, '[')
	for i, x := range values {
		switch {
		case i%columns > 0:
			to = append(to, ',')
		case i > 0:
			to = append(to, "],["...)
		default:
			to = append(to, '[')
		}
		to = appendNumber(to, x)
	}
	if len(values) > 0 {
		to = append(to, ']')
	}
	return append(to, ']')
}

// appendNumber appends a number in as few digits as bring it back; null for what JSON has no number for.
func appendNumber(to []byte, x float64) []byte {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return append(to, "null"...)
	}
	return strconv.AppendFloat(to, x, 'g', -1, 64)
}

// appendBase64 appends numbers as base64 in quotes.
func appendBase64(to []byte, values []float64) []byte {
	to = append(to, '"')
	const each = 768 // values whose bytes are a whole number of groups of three
	var bytes [8 * each]byte
	for len(values) > 0 {
		n := min(each, len(values))
		for i, x := range values[:n] {
			binary.LittleEndian.PutUint64(bytes[8*i:], math.Float64bits(x))
		}
		to = base64.StdEncoding.AppendEncode(to, bytes[:8*n])
		values = values[n:]
	}
	return append(to, '"')
}
