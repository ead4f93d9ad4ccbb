package problem

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// word is a token: a name, a number, a colon or an asterisk.
type word struct {
	text string
	line int
}

// peek returns the word that many words ahead; "" at the end.
func (c *cassandra) peek(ahead int) (string, error) {
	for len(c.words) <= ahead && !c.ended {
		line, err := c.next()
		if err == io.EOF {
			c.ended = true
			break
		}
		if err != nil {
			return "", err
		}
		if list, ok := bytes.CutPrefix(line, []byte(terminalComment)); ok {
			for _, field := range bytes.Fields(list) {
				if s, ok := parseNumber(field); ok {
					c.halted = append(c.halted, s)
				}
			}
		}
		if i := bytes.IndexByte(line, '#'); i >= 0 {
			line = line[:i]
		}
		if len(c.words)+len(line) > 2*longestLine {
			return "", c.fail("a list that is too long")
		}
		for _, field := range strings.Fields(strings.ReplaceAll(string(line), ":", " : ")) {
			c.words = append(c.words, word{field, c.line})
		}
	}
	if len(c.words) <= ahead {
		return "", nil
	}
	return c.words[ahead].text, nil
}

func (c *cassandra) take() (string, error) {
	text, err := c.peek(0)
	if err == nil && text != "" {
		c.line = max(c.words[0].line, 1)
		c.words = c.words[1:]
	}
	return text, err
}

// wrong is an error about the line of a word.
func (c *cassandra) wrong(line int, problem string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", c.path, line, fmt.Sprintf(problem, args...))
}

// at is the line of the next word.
func (c *cassandra) at() int {
	if len(c.words) > 0 {
		return c.words[0].line
	}
	return c.line
}

func (c *cassandra) colon(after string) error {
	line := c.at()
	text, err := c.take()
	if err == nil && text != ":" {
		err = c.wrong(line, "%q after %s; want a colon", text, after)
	}
	return err
}

// section reports whether a new section begins: a keyword and a colon.
func (c *cassandra) section() (bool, error) {
	first, err := c.peek(0)
	if err != nil || first == "" {
		return first == "", err
	}
	second, err := c.peek(1)
	if first == "start" && (second == "include" || second == "exclude") {
		return true, err
	}
	if second != ":" {
		return false, err
	}
	switch first {
	case "discount", "values", "states", "actions", "observations", "start", "T", "O", "R":
		return true, err
	}
	return false, err
}

// list reads words up to the next section.
func (c *cassandra) list() (list []string, err error) {
	for {
		ends, err := c.section()
		if err != nil || ends {
			return list, err
		}
		text, err := c.take()
		if err != nil {
			return nil, err
		}
		if list = append(list, text); len(list) > mostCassandra {
			return nil, c.fail("a list of more than %d words", mostCassandra)
		}
	}
}
