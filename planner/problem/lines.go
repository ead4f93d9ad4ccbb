package problem

import "io"

// Lines of nothing but numbers, as a program writes them, are read here at a speed of a few nanoseconds a character.
// What else a format allows, and every error, is for the slower way of each format.

// wholeBefore reads a whole number and the separator behind it. It returns the place of what follows, -1 if the line is
// otherwise or the place is -1 already.
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

// numberBefore is wholeBefore of a finite number.
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

// quad is a line of three whole numbers and another number, one blank apart.
type quad struct {
	state, choice, next int
	value               float64
}

// quadOf reads a line that is nothing but a quad.
func quadOf(line []byte) (q quad, ok bool) {
	at := 0
	q.state, at = wholeBefore(line, at, ' ')
	q.choice, at = wholeBefore(line, at, ' ')
	q.next, at = wholeBefore(line, at, ' ')
	q.value, ok = lastNumber(line, at)
	return q, ok
}

// each passes the lines that are left to a function.
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
