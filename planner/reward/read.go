package reward

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxBytes is the largest file size that Read accepts, 64 MiB: some four million rewards.
const MaxBytes = 64 << 20

// HeaderChoice says whether the first row of a file is a header.
type HeaderChoice int

const (
	// KnownHeader treats the first row as a header if it contains the columns of the long layout or begins with a
	// column of states.
	KnownHeader HeaderChoice = iota
	// FirstRowIsHeader always treats the first row as a header. It may not contain digits.
	FirstRowIsHeader
)

// Read reads a table in either layout. Errors name the row and the column, but not their content.
func Read(r io.Reader, header HeaderChoice) (*Table, error) {
	table, err := read(r, header)
	if err != nil {
		return nil, fmt.Errorf("reward table: %w", err)
	}
	return table, nil
}

func read(r io.Reader, header HeaderChoice) (*Table, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("more than %d MiB; split it, or remove columns that are not rewards", MaxBytes>>20)
	}
	if !utf8.Valid(text) {
		return nil, errors.New("not UTF-8 text; save it as CSV in UTF-8")
	}
	rows := newRows(text)
	first, err := rows.next()
	switch {
	case err == io.EOF:
		return nil, errors.New("no rows; want rewards as CSV")
	case err != nil:
		return nil, err
	}
	headings := make([]string, len(first))
	for i, cell := range first {
		headings[i] = strings.ToLower(cell)
	}
	switch {
	case slices.Contains(headings, "reward") || slices.Contains(headings, "action") && slices.Contains(headings, "state"):
		return readLong(rows, slices.Clone(first), headings)
	case headings[0] == "state" || header == FirstRowIsHeader:
		return readWide(rows, slices.Clone(first), headings[0] == "state")
	}
	return readWide(rows.restart(), nil, false)
}

// rows reads the rows of a file one after another.
type rows struct {
	text      []byte
	separator rune
	csv       *csv.Reader
	row       int32 // row in the file, from 1, that next returned last
}

func newRows(text []byte) *rows {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	r := &rows{text: text, separator: separator(text)}
	return r.restart()
}

// restart returns a reader that starts at the first row.
func (r *rows) restart() *rows {
	restarted := &rows{text: r.text, separator: r.separator, csv: csv.NewReader(bufio.NewReader(bytes.NewReader(r.text)))}
	restarted.csv.Comma = r.separator
	restarted.csv.TrimLeadingSpace = true
	restarted.csv.ReuseRecord = true
	return restarted
}

// separator returns a semicolon if the first row has one outside quotes and no comma, and otherwise a comma.
func separator(text []byte) rune {
	quoted, found := false, ','
	for _, b := range text {
		switch {
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == ',':
			return ','
		case b == ';':
			found = ';'
		case b == '\n' || b == '\r':
			return found
		}
	}
	return found
}

// next returns the cells of the next row, which hold until the next call. Its error does not reveal their
// content.
func (r *rows) next() ([]string, error) {
	cells, err := r.csv.Read()
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("row %d: %w", wrong.Line, wrong.Err)
	case err != nil:
		return nil, err
	}
	line, _ := r.csv.FieldPos(0)
	r.row = int32(line)
	for i, cell := range cells {
		cells[i] = strings.TrimSpace(cell)
	}
	return cells, nil
}

// at returns the place of a cell in the row that next returned last.
func (r *rows) at(column int) place { return place{r.row, int32(column + 1)} }

// checkHeadings refuses headings that may not be published.
func (r *rows) checkHeadings(header []string) error {
	for i, heading := range header {
		switch {
		case heading == "":
			return cellError(r.at(i), "no heading; name the column")
		case strings.ContainsFunc(heading, unicode.IsNumber):
			return cellError(r.at(i), "a heading with a digit in it, which may be a reward; name actions without digits, or "+
				"remove the header")
		case strings.Contains(heading, ";"):
			return cellError(r.at(i), "a heading with a semicolon in it; name the column without")
		}
	}
	for i, heading := range header {
		if slices.Index(header, heading) < i {
			return cellError(r.at(i), fmt.Sprintf("the heading repeats column %d; name every column once",
				1+slices.Index(header, heading)))
		}
	}
	return nil
}

// readWide reads the rows below the header; header may be nil.
func readWide(r *rows, header []string, named bool) (*Table, error) {
	if err := r.checkHeadings(header); err != nil {
		return nil, err
	}
	t := &Table{Agents: []string{""}, layout: layout{header: header != nil, states: named}}
	var states names
	var values []float64
	first, actions := 0, 0
	if named {
		first = 1
	}
	for {
		cells, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if actions = len(cells) - first; actions < 1 {
			return nil, errors.New("no column of rewards; want one per action")
		}
		name := strconv.Itoa(len(states.list))
		if named {
			name = cells[0]
		}
		if err := states.add(name, r.at(0)); err != nil {
			return nil, err
		}
		for i, cell := range cells[first:] {
			v, err := parse(r.at(first+i), cell)
			if err != nil {
				if header == nil && len(states.list) == 1 {
					err = fmt.Errorf("%w; %w", err, ErrNoHeader)
				}
				return nil, err
			}
			values = append(values, v)
		}
	}
	if len(states.list) == 0 {
		return nil, errNoRows
	}
	var columns names
	for a := range actions {
		name := strconv.Itoa(a)
		if header != nil {
			name = header[first+a]
		}
		columns.number(name, r.at(first+a))
	}
	stateOrder, actionOrder := states.sorted(), columns.sorted() // names that are numbers keep their places
	t.States, t.Names = pick(states.list, stateOrder), [][]string{pick(columns.list, actionOrder)}
	t.Values = [][]float64{pickTable(values, stateOrder, actionOrder)}
	return t, nil
}

// ErrNoHeader is part of the error for a first row that is neither rewards nor a known header.
var ErrNoHeader = errors.New("nor is the row a known header: state,action,reward, or state and the names of " +
	"actions")

var errNoRows = errors.New("a header and no rows; want rewards below it")
