//go:build !js

package problem

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"veilpath/planner/columnar"
)

// mostValues is the largest number of values read from a table: some fifty million transitions.
const mostValues = 1 << 28

// readParquet reads the long table from Parquet: state, action and next are integers or text, probability and
// reward are floating-point numbers or integers.
func readParquet(open Open, path string) (*Problem, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	at, size, err := randomAccess(path, file)
	if err != nil {
		return nil, err
	}
	f, err := openParquet(at, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; want a Parquet file", path, err)
	}
	return longer(func(namedStates, namedActions bool) (t *longTable, err error) {
		t = newLongTable(path, namedStates, namedActions)
		p := parquetTable{path: path, file: f, table: t}
		defer func() { // a damaged file makes the library panic
			if r := recover(); r != nil {
				t, err = nil, fmt.Errorf("%s: damaged: %v", path, r)
			}
		}()
		return t, p.read()
	})
}

func openParquet(at io.ReaderAt, size int64) (f *parquet.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("damaged: %v", r)
		}
	}()
	if err := (columnar.Contents{Values: mostValues, Text: true}).Check(at, size); err != nil {
		return nil, err
	}
	return parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
}

// randomAccess returns the file for random access; it reads a file that is not regular into memory.
func randomAccess(path string, file io.ReadCloser) (io.ReaderAt, int64, error) {
	if at, ok := file.(io.ReaderAt); ok {
		if size, regular := sizeOf(file); regular {
			return at, size, nil
		}
	}
	whole, err := readWhole(func(string) (io.ReadCloser, error) { return file, nil }, path)
	return bytes.NewReader(whole), int64(len(whole)), err
}

// parquetTable reads one file.
type parquetTable struct {
	path  string
	file  *parquet.File
	table *longTable
}

func (p *parquetTable) read() error {
	fields := p.file.Schema().Fields()
	var at [longColumns]int
	for i, heading := range longHeadings {
		at[i] = slices.IndexFunc(fields, func(f parquet.Field) bool { return f.Name() == heading })
		if at[i] < 0 {
			return fmt.Errorf("%s: no column %s; want %s", p.path, heading, strings.Join(longHeadings[:], ", "))
		}
	}
	for _, f := range fields {
		if !slices.Contains(longHeadings[:], f.Name()) {
			return fmt.Errorf("%s: column %q; want the columns %s and no others", p.path, f.Name(),
				strings.Join(longHeadings[:], ", "))
		}
		if !f.Leaf() {
			return fmt.Errorf("%s: column %s is nested; want numbers or text", p.path, f.Name())
		}
	}
	rows := p.table.rows
	rows.times = func() float64 { return float64(p.file.NumRows()) / float64(len(rows.next)) }
	first := 0
	for _, group := range p.file.RowGroups() {
		if err := p.group(group, at, first); err != nil {
			return err
		}
		first += int(group.NumRows())
	}
	return nil
}

// group reads a row group, all columns in parallel.
func (p *parquetTable) group(group parquet.RowGroup, at [longColumns]int, first int) error {
	var columns [longColumns]valueReader
	for i, column := range at {
		columns[i].pages = group.ColumnChunks()[column].Pages()
		defer columns[i].pages.Close()
	}
	var words [3][]byte
	end := first + int(group.NumRows())
	for row := first; row < end; row++ {
		n, err := p.numbers(&columns, row, end)
		if row += n; err != nil || row == end {
			return err
		}
		var values [longColumns]parquet.Value
		for i := range columns {
			v, err := columns[i].next()
			if err != nil {
				return fmt.Errorf("%s: row %d, column %s: %w", p.path, row+1, longHeadings[i], err)
			}
			values[i] = v
		}
		for i := range words {
			words[i] = appendWord(words[i][:0], values[i])
		}
		if len(words[0]) == 0 {
			return fmt.Errorf("%s: row %d: no state", p.path, row+1)
		}
		if len(words[1]) == 0 && len(words[2]) == 0 {
			if err := p.table.add(words[0], nil, nil, 0, 0, row+1); err != nil {
				return err
			}
			continue
		}
		probability, likely := toFloat(values[probabilityColumn])
		reward, earned := toFloat(values[rewardColumn])
		switch {
		case len(words[1]) == 0 || len(words[2]) == 0:
			return fmt.Errorf("%s: row %d: state %s: want an action and a next state, or neither where the state is terminal",
				p.path, row+1, words[0])
		case !likely || !(probability >= 0):
			return fmt.Errorf("%s: row %d: state %s, action %s: probability is %v; want a number from 0 to 1", p.path, row+1,
				words[0], words[1], values[probabilityColumn])
		case !earned || reward-reward != 0:
			return fmt.Errorf("%s: row %d: state %s, action %s: reward is %v; want a finite number", p.path, row+1, words[0],
				words[1], values[rewardColumn])
		}
		if err := p.table.add(words[0], words[1], words[2], probability, reward, row+1); err != nil {
			return err
		}
	}
	return nil
}

// numbers adds the next rows up to end while they contain only valid numbers and neither states nor actions
// have names. It returns how many rows it added.
func (p *parquetTable) numbers(columns *[longColumns]valueReader, row, end int) (added int, err error) {
	if p.table.states.named || p.table.actions.named {
		return 0, nil
	}
	states, actions, next := &columns[stateColumn].ints, &columns[actionColumn].ints, &columns[nextColumn].ints
	chances, rewards := &columns[probabilityColumn].floats, &columns[rewardColumn].floats
	for {
		n := min(len(*states), len(*actions), len(*next), len(*chances), len(*rewards), end-row-added)
		sound := 0
		for ; sound < n; sound++ {
			chance, reward := (*chances)[sound], (*rewards)[sound]
			if !(chance >= 0) || reward-reward != 0 {
				break // the slower reader reports the error
			}
			if err := p.table.addNumbers((*states)[sound], (*actions)[sound], (*next)[sound], chance, reward,
				row+added+sound+1); err != nil {
				return added + sound, err
			}
		}
		for _, ints := range []*[]int64{states, actions, next} {
			*ints = (*ints)[sound:]
		}
		*chances, *rewards = (*chances)[sound:], (*rewards)[sound:]
		if added += sound; sound == 0 || added == end-row {
			return added, nil
		}
		for i := range columns {
			if err := columns[i].fill(); err != nil {
				return added, nil // the slower reader reports the error
			}
		}
	}
}

// valueReader reads the values of a column, page after page.
type valueReader struct {
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader // of the page; nil if ints or floats hold the page
	ints   []int64             // rest of a page that holds only integers
	floats []float64
	buffer [512]parquet.Value
	left   []parquet.Value
}

// fill makes sure that at least one value is available.
func (r *valueReader) fill() error {
	for len(r.ints) == 0 && len(r.floats) == 0 && len(r.left) == 0 {
		if r.values == nil {
			if err := r.turn(); err != nil {
				return err
			}
			continue
		}
		n, err := r.values.ReadValues(r.buffer[:])
		r.left = r.buffer[:n]
		if err == io.EOF {
			r.values = nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// turn reads the next page. A page of text is not released here, because its text may still be in use.
func (r *valueReader) turn() error {
	numeric := r.page != nil && (r.page.Type().Kind() == parquet.Int64 || r.page.Type().Kind() == parquet.Double)
	if numeric {
		parquet.Release(r.page)
	}
	page, err := r.pages.ReadPage()
	if err == io.EOF {
		r.page = nil
		return errors.New("fewer values than rows")
	}
	if err != nil {
		r.page = nil
		return err
	}
	r.page = page
	whole := page.Dictionary() == nil && page.NumNulls() == 0
	switch data := page.Data(); {
	case whole && page.Type().Kind() == parquet.Int64 && len(data.Int64()) == int(page.NumValues()):
		r.ints = data.Int64()
	case whole && page.Type().Kind() == parquet.Double && len(data.Double()) == int(page.NumValues()):
		r.floats = data.Double()
	default:
		r.values = page.Values()
	}
	return nil
}

func (r *valueReader) next() (v parquet.Value, err error) {
	if err := r.fill(); err != nil {
		return v, err
	}
	switch {
	case len(r.ints) > 0:
		v, r.ints = parquet.Int64Value(r.ints[0]), r.ints[1:]
	case len(r.floats) > 0:
		v, r.floats = parquet.DoubleValue(r.floats[0]), r.floats[1:]
	default:
		v, r.left = r.left[0], r.left[1:]
	}
	return v, nil
}

// appendWord appends an integer or text, and nothing for other values.
func appendWord(to []byte, v parquet.Value) []byte {
	switch v.Kind() {
	case parquet.Int32:
		return strconv.AppendInt(to, int64(v.Int32()), 10)
	case parquet.Int64:
		return strconv.AppendInt(to, v.Int64(), 10)
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return append(to, v.ByteArray()...)
	}
	return to
}

func toFloat(v parquet.Value) (float64, bool) {
	if v.IsNull() {
		return 0, false
	}
	switch v.Kind() {
	case parquet.Double:
		return v.Double(), true
	case parquet.Float:
		return float64(v.Float()), true
	case parquet.Int32:
		return float64(v.Int32()), true
	case parquet.Int64:
		return float64(v.Int64()), true
	}
	return 0, false
}

// The rows of a long table, with numbers and with names.
type (
	numberedRow struct {
		State       int64    `parquet:"state,delta"`
		Action      *int64   `parquet:"action,optional"`
		Next        *int64   `parquet:"next,optional"`
		Probability *float64 `parquet:"probability,optional"`
		Reward      *float64 `parquet:"reward,optional"`
	}
	namedRow struct {
		State       string   `parquet:"state,dict"`
		Action      *string  `parquet:"action,optional,dict"`
		Next        *string  `parquet:"next,optional,dict"`
		Probability *float64 `parquet:"probability,optional"`
		Reward      *float64 `parquet:"reward,optional"`
	}
)

func writeParquet(p *Problem, create Create, path string) (lost []string, err error) {
	if _, err := p.model("Parquet"); err != nil {
		return nil, err
	}
	err = create(path, func(to io.Writer) error {
		if p.States.Numeric() && p.Actions.Numeric() {
			return writeLong(p, to, func(s, a, next int, chance, reward *float64) numberedRow {
				row := numberedRow{State: int64(p.States.Number(s)), Probability: chance, Reward: reward}
				if a >= 0 {
					action, next := int64(p.Actions.Number(a)), int64(p.States.Number(next))
					row.Action, row.Next = &action, &next
				}
				return row
			})
		}
		return writeLong(p, to, func(s, a, next int, chance, reward *float64) namedRow {
			row := namedRow{State: p.States.Of(s), Probability: chance, Reward: reward}
			if a >= 0 {
				action, next := p.Actions.Of(a), p.States.Of(next)
				row.Action, row.Next = &action, &next
			}
			return row
		})
	})
	return p.lostContext(), err
}

// writeLong writes the rows of a single agent's problem; a terminal state has one row with a = -1.
func writeLong[T any](p *Problem, to io.Writer, row func(s, a, next int, chance, reward *float64) T) error {
	model, err := p.model("Parquet")
	if err != nil {
		return err
	}
	w := parquet.NewGenericWriter[T](to, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("veilpath", "", ""))
	terminal := p.terminals()
	batch := make([]T, 0, 1<<10)
	flush := func() error {
		_, err := w.Write(batch)
		batch = batch[:0]
		return err
	}
	for c := range p.choices(model) {
		if c.number == 0 && c.state > 0 && !terminal[c.state-1] && len(batch) >= 1<<9 {
			if err := flush(); err != nil {
				return err
			}
		}
		if terminal[c.state] {
			batch = append(batch, row(c.state, -1, -1, nil, nil))
			continue
		}
		reward := &p.Rewards[0][c.state*model.Actions()+c.action]
		for i, n := range c.next {
			batch = append(batch, row(c.state, c.action, int(n), &c.chance[i], reward))
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return w.Close()
}
