//go:build !js

package problem

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// readParquet reads the long table from Parquet: state, action and next are whole numbers or text, probability and
// reward are floating-point or whole numbers.
func readParquet(open Open, path string) (*Problem, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	at, size, err := randomAccess(open, path, file)
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
	return parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
}

// randomAccess returns the file, or all that it holds, to be read at any place.
func randomAccess(open Open, path string, file io.ReadCloser) (io.ReaderAt, int64, error) {
	if f, ok := file.(interface {
		io.ReaderAt
		Stat() (fs.FileInfo, error)
	}); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return f, info.Size(), nil
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
			return fmt.Errorf("%s: column %q; want the columns %s and no others", p.path, f.Name(), strings.Join(longHeadings[:], ", "))
		}
		if !f.Leaf() {
			return fmt.Errorf("%s: column %s is nested; want numbers or text", p.path, f.Name())
		}
	}
	first := 0
	for _, group := range p.file.RowGroups() {
		if err := p.group(group, at, first); err != nil {
			return err
		}
		first += int(group.NumRows())
	}
	return nil
}

// group reads a row group, column beside column.
func (p *parquetTable) group(group parquet.RowGroup, at [longColumns]int, first int) error {
	stop := make(chan struct{})
	defer close(stop)
	var columns [longColumns]valueReader
	for i, column := range at {
		columns[i].start(group.ColumnChunks()[column], stop)
	}
	p.table.rows.reserve(0, int(group.NumRows()))
	var words [3][]byte
	for row := first; row < first+int(group.NumRows()); row++ {
		var values [longColumns]parquet.Value
		for i := range columns {
			v, err := columns[i].next()
			if err != nil {
				return fmt.Errorf("%s: row %d, column %s: %w", p.path, row+1, longHeadings[i], err)
			}
			values[i] = v
		}
		if done, err := p.numbers(&values, row); err != nil {
			return err
		} else if done {
			continue
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
			return fmt.Errorf("%s: row %d: state %s: want an action and a next state, or neither where the state is terminal", p.path, row+1, words[0])
		case !likely || !(probability >= 0):
			return fmt.Errorf("%s: row %d: state %s, action %s: probability is %v; want a number from 0 to 1", p.path, row+1, words[0], words[1], values[probabilityColumn])
		case !earned || reward-reward != 0:
			return fmt.Errorf("%s: row %d: state %s, action %s: reward is %v; want a finite number", p.path, row+1, words[0], words[1], values[rewardColumn])
		}
		if err := p.table.add(words[0], words[1], words[2], probability, reward, row+1); err != nil {
			return err
		}
	}
	return nil
}

// numbers adds a row of nothing but sound numbers, where nothing has names, and reports whether it did.
func (p *parquetTable) numbers(values *[longColumns]parquet.Value, row int) (bool, error) {
	if p.table.states.named || p.table.actions.named {
		return false, nil
	}
	for i, kind := range [longColumns]parquet.Kind{stateColumn: parquet.Int64, actionColumn: parquet.Int64, nextColumn: parquet.Int64, probabilityColumn: parquet.Double, rewardColumn: parquet.Double} {
		if values[i].Kind() != kind {
			return false, nil
		}
	}
	probability, reward := values[probabilityColumn].Double(), values[rewardColumn].Double()
	if !(probability >= 0) || reward-reward != 0 {
		return false, nil
	}
	return true, p.table.addNumbers(values[stateColumn].Int64(), values[actionColumn].Int64(), values[nextColumn].Int64(), probability, reward, row+1)
}

// valueReader hands on the values of a column, which a goroutine of its own reads page after page.
type valueReader struct {
	read  chan part
	spare chan []parquet.Value
	last  part
	left  []parquet.Value
}

// part is some values of a column, or the error after the last one.
type part struct {
	values []parquet.Value
	err    error
}

const (
	partValues = 4096
	partsAhead = 4
)

// start begins to read a column; it ends with it or when stop is closed.
func (r *valueReader) start(column parquet.ColumnChunk, stop <-chan struct{}) {
	r.read, r.spare = make(chan part, partsAhead), make(chan []parquet.Value, partsAhead+2)
	for range cap(r.spare) {
		r.spare <- nil
	}
	send := func(p part) bool {
		select {
		case r.read <- p:
			return true
		case <-stop:
			return false
		}
	}
	go func() {
		defer func() { // a damaged file makes the library panic
			if damage := recover(); damage != nil {
				send(part{err: fmt.Errorf("damaged: %v", damage)})
			}
		}()
		if err := r.pages(column, send, stop); err != nil {
			send(part{err: err})
		}
	}()
}

// pages sends the values of all pages, and returns the error that ends them, nil where nobody waits for them.
func (r *valueReader) pages(column parquet.ColumnChunk, send func(part) bool, stop <-chan struct{}) error {
	pages := column.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return errors.New("fewer values than rows")
		}
		if err != nil {
			return err
		}
		values := page.Values()
		for err == nil {
			var buffer []parquet.Value
			select {
			case buffer = <-r.spare:
			case <-stop:
				return nil
			}
			if buffer == nil {
				buffer = make([]parquet.Value, partValues)
			}
			var n int
			n, err = values.ReadValues(buffer[:partValues])
			if err != nil && err != io.EOF {
				return err
			}
			for i, v := range buffer[:n] {
				if kind := v.Kind(); kind == parquet.ByteArray || kind == parquet.FixedLenByteArray {
					buffer[i] = v.Clone() // its text is the page's
				}
			}
			if !send(part{values: buffer[:n]}) {
				return nil
			}
		}
		parquet.Release(page)
	}
}

// next returns the next value.
func (r *valueReader) next() (parquet.Value, error) {
	for len(r.left) == 0 {
		if r.last.values != nil {
			r.spare <- r.last.values[:partValues]
		}
		if r.last = <-r.read; r.last.err != nil {
			return parquet.Value{}, r.last.err
		}
		r.left = r.last.values
	}
	v := r.left[0]
	r.left = r.left[1:]
	return v, nil
}

// appendWord appends a whole number or text; nothing for anything else.
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

// writeLong writes the rows of a single agent's problem; of a terminal state one without an action, a = -1.
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
	for s := range model.States() {
		if terminal[s] {
			batch = append(batch, row(s, -1, -1, nil, nil))
			continue
		}
		for a := range model.Actions() {
			if !p.has(s, a) {
				continue
			}
			next, chance := model.Transition(s, a)
			for i, n := range next {
				batch = append(batch, row(s, a, int(n), &chance[i], &p.Rewards[0][s*model.Actions()+a]))
			}
		}
		if len(batch) >= 1<<9 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return w.Close()
}
