package problem

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// longestToken is the largest size, in bytes, of a number or a name in JSON.
const longestToken = 1 << 12

// tokens reads the JSON tokens (RFC 8259) of a dictionary of numbers, without keeping any.
type tokens struct {
	*text
	where func() string // describes the current position, for errors
}

var (
	errNoNumber = errors.New("no number")
	errNoTruth  = errors.New("neither true nor false")
)

// fail is an error about the current position.
func (t *tokens) fail(problem string, args ...any) error {
	return t.text.fail("%s%s", t.where(), fmt.Sprintf(problem, args...))
}

// skip skips blanks and returns the next character without consuming it, or io.EOF.
func (t *tokens) skip() (byte, error) {
	t.line = max(t.line, 1)
	for {
		if t.from < t.to && t.buffer[t.from] > ' ' {
			return t.buffer[t.from], nil
		}
		for i, b := range t.buffer[t.from:t.to] {
			switch b {
			case ' ', '\t', '\r':
			case '\n':
				t.line++
			default:
				t.from += i
				return b, nil
			}
		}
		t.from = t.to
		if t.ended {
			return 0, io.EOF
		}
		if err := t.more(); err != nil {
			return 0, err
		}
	}
}

// peek is skip, but the end of the file is an error.
func (t *tokens) peek() (byte, error) {
	b, err := t.skip()
	if err == io.EOF {
		err = t.fail("it ends within the dictionary; want json.dump(env.unwrapped.P)")
	}
	return b, err
}

// ahead returns the text after the blanks: at least a whole token, unless it is too long or the file ends.
func (t *tokens) ahead() ([]byte, error) {
	if _, err := t.peek(); err != nil {
		return nil, err
	}
	for t.to-t.from < longestToken && !t.ended {
		if err := t.more(); err != nil {
			return nil, err
		}
	}
	return t.buffer[t.from:t.to], nil
}

// found is the start of the remaining text, for an error.
func (t *tokens) found() string {
	left, err := t.ahead()
	if err != nil {
		return "the end of the file"
	}
	n := bytes.IndexAny(left, ",:[]{} \t\r\n")
	if n <= 0 {
		n = 1
	}
	return string(left[:min(n, 32)])
}

// number consumes a number, see RFC 8259, section 6.
func (t *tokens) number() (float64, error) {
	left, err := t.ahead()
	if err != nil {
		return 0, err
	}
	end := jsonNumber(left)
	if end == 0 {
		return 0, errNoNumber
	}
	x, to := numberAt(left[:end], 0)
	if to != end {
		return 0, t.fail("%s is too large a number", t.found())
	}
	t.from += end
	return x, nil
}

// jsonNumber returns the length of the number at the beginning of a text, 0 if there is none.
func jsonNumber(text []byte) int {
	i := 0
	digits := func() bool {
		from := i
		for i < len(text) && text[i]-'0' <= 9 {
			i++
		}
		return i > from
	}
	if i < len(text) && text[i] == '-' {
		i++
	}
	zero := i < len(text) && text[i] == '0'
	from := i
	if !digits() || zero && i > from+1 {
		return 0
	}
	if i < len(text) && text[i] == '.' {
		if i++; !digits() {
			return 0
		}
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		if i++; i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		if !digits() {
			return 0
		}
	}
	return i
}

// truth consumes true or false.
func (t *tokens) truth() (bool, error) {
	left, err := t.ahead()
	if err != nil {
		return false, err
	}
	for _, is := range []bool{false, true} {
		word := "false"
		if is {
			word = "true"
		}
		if bytes.HasPrefix(left, []byte(word)) {
			t.from += len(word)
			return is, nil
		}
	}
	return false, errNoTruth
}

// name consumes a string, which holds until the next token.
func (t *tokens) name() ([]byte, error) {
	left, err := t.ahead()
	if err != nil {
		return nil, err
	}
	if left[0] != '"' {
		return nil, t.fail("%s instead of a name in quotes; want json.dump(env.unwrapped.P)", t.found())
	}
	escapes := false
	for i := 1; i < len(left); i++ {
		switch {
		case left[i] == '\\':
			escapes = true
			i++
		case left[i] == '"' && escapes:
			var name string
			if err := json.Unmarshal(left[:i+1], &name); err != nil {
				return nil, t.fail("%v; want json.dump(env.unwrapped.P)", err)
			}
			t.from += i + 1
			return []byte(name), nil
		case left[i] == '"':
			t.from += i + 1
			return left[1:i], nil
		}
	}
	return nil, t.fail("a name without an end, or of more than %d bytes", longestToken)
}
