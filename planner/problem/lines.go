package problem

import "io"

// Lines that contain only numbers, as programs write them, are read here at a few nanoseconds per character.
// The slower reader of each format handles everything else that the format allows, and every error.

// wholeBefore reads an integer and the separator after it. It returns the position after the separator, or -1
// if the line does not match or at is already -1.
func wholeBefore(line []byte, at int, separator byte) (n, next int) {
	if at < 0 {
		return 0, -1
	}
	n, end := wholeAt(line, at)
	if end == at || end == len(line) || line[end] != separator {
		return 0, -1
	}
	return n, end + 1
}

// numberBefore is wholeBefore for a finite number.
func numberBefore(line []byte, at int, separator byte) (x float64, next int) {
	if at < 0 {
		return 0, -1
	}
	x, end := numberAt(line, at)
	if end == at || end == len(line) || line[end] != separator {
		return 0, -1
	}
	return x, end + 1
}

// lastNumber reads a finite number that ends the line.
func lastNumber(line []byte, at int) (x float64, ok bool) {
	if at < 0 {
		return 0, false
	}
	x, end := numberAt(line, at)
	return x, end > at && end == len(line)
}

// quad is a line of three integers and a number, separated by single blanks.
type quad struct {
	state, choice, next int
	value               float64
}

// quadOf reads a line that contains only a quad.
func quadOf(line []byte) (q quad, ok bool) {
	at := 0
	q.state, at = wholeBefore(line, at, ' ')
	q.choice, at = wholeBefore(line, at, ' ')
	q.next, at = wholeBefore(line, at, ' ')
	q.value, ok = lastNumber(line, at)
	return q, ok
}

// each passes the remaining lines to a function.
func (t *text) each(use func(line []byte) error) error {
	for {
		line, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = use(line)
		}
		if err != nil {
			return err
		}
	}
}
