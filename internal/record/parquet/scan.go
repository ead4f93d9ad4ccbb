package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/table"
)

// Read passes the rows of a table of so many rows, which Write or a Writer wrote, to a function in order, in slices
// that are reused. It reads the given columns, all of which have a Set, and no others. A damaged table can make the
// Parquet library panic, which comes back as an error; a panic of the function does not.
func Read[T any](file io.ReaderAt, size, rows int64, columns []table.Column[T], use func([]T) error) (err error) {
	using := false
	defer func() {
		if using {
			return
		}
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	if err := checkBounds(file, size, rows, columns); err != nil {
		return err
	}
	whole, err := parquet.OpenFile(file, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	return scan(whole, columns, func(rows []T) error {
		using = true
		err := use(rows)
		using = false
		return err
	})
}

// scan passes the rows of a Parquet table to a function in order, in slices that are reused. It reads the
// given columns and no others.
func scan[T any](file *parquet.File, columns []table.Column[T], use func([]T) error) error {
	chunks, err := locate(file.Schema(), columns)
	if err != nil {
		return err
	}
	rows := make([]T, rowsPerWrite)
	for _, group := range file.RowGroups() {
		readers := make([]columnReader[T], len(columns))
		for i := range columns {
			readers[i] = columnReader[T]{pages: group.ColumnChunks()[chunks[i]].Pages(),
				set: func(values []parquet.Value, rows []T) error { set(&columns[i], values, rows); return nil }}
		}
		err := scanGroup(columns, readers, rows, group.NumRows(), use)
		for i := range readers {
			if closing := readers[i].close(); err == nil {
				err = closing
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// locate returns where a table has columns. They must be there, of their type and never null.
func locate[T any](schema *parquet.Schema, columns []table.Column[T]) ([]int, error) {
	wanted := schemaOf(columns)
	at := make([]int, len(columns))
	for i := range columns {
		c := &columns[i]
		like, _ := wanted.Lookup(c.Name)
		leaf, ok := schema.Lookup(c.Name)
		if !ok || !leaf.Node.Required() || leaf.Node.Type().Kind() != like.Node.Type().Kind() {
			return nil, fmt.Errorf("it has no column %s of type %s", c.Name, kindOf(c))
		}
		at[i] = leaf.ColumnIndex
	}
	return at, nil
}

// scanGroup passes on a row group of n rows.
func scanGroup[T any](columns []table.Column[T], readers []columnReader[T], rows []T, n int64,
	use func([]T) error) error {
	for n > 0 {
		rows := rows[:min(n, int64(len(rows)))]
		for i := range readers { // one after the other: two cores would fight for the rows' cache lines
			if err := readers[i].read(rows); err != nil {
				return fmt.Errorf("column %s: %w", columns[i].Name, err)
			}
		}
		if err := use(rows); err != nil {
			return err
		}
		n -= int64(len(rows))
	}
	return nil
}

// columnReader reads a column of a row group, from page to page.
type columnReader[T any] struct {
	set    func(values []parquet.Value, rows []T) error // puts values into as many rows
	pages  parquet.Pages
	page   parquet.Page // nil between two
	rest   parquet.ValueReader
	values []parquet.Value
}

// read sets the column in the next rows, of which it must have as many.
func (r *columnReader[T]) read(rows []T) error {
	if r.values == nil {
		r.values = make([]parquet.Value, min(len(rows), rowsPerWrite))
	}
	for len(rows) > 0 {
		if r.page == nil {
			page, err := r.pages.ReadPage()
			if errors.Is(err, io.EOF) {
				err = errors.New("it ends early")
			}
			if err != nil {
				return err
			}
			r.page, r.rest = page, page.Values()
		}
		n, err := r.rest.ReadValues(r.values[:min(len(rows), len(r.values))])
		if unset := r.set(r.values[:n], rows); unset != nil {
			return unset
		}
		rows = rows[n:]
		switch {
		case errors.Is(err, io.EOF):
			r.release()
		case err != nil:
			return err
		}
	}
	return nil
}

func (r *columnReader[T]) release() {
	parquet.Release(r.page)
	r.page, r.rest = nil, nil
}

func (r *columnReader[T]) close() error {
	r.release()
	return r.pages.Close()
}
