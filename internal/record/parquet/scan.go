package parquet

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/table"
)

// Read passes the rows of a table from Write or a Writer to a function in order. The slices are reused. It reads
// only the given columns, which must have a Set. The caller has verified the hash of the file, because package
// parquet-go trusts the lengths in it.
func Read[T any](file io.ReaderAt, size, rows int64, columns []table.Column[T], use func([]T) error) error {
	whole, err := parquet.OpenFile(file, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if whole.NumRows() != rows {
		return fmt.Errorf("it has %d rows instead of %d", whole.NumRows(), rows)
	}
	chunks, err := locate(whole.Schema(), columns)
	if err != nil {
		return err
	}
	buffer := make([]T, rowsPerWrite)
	for _, group := range whole.RowGroups() {
		readers := make([]columnReader[T], len(columns))
		for i := range columns {
			readers[i] = columnReader[T]{pages: group.ColumnChunks()[chunks[i]].Pages(),
				set: func(values []parquet.Value, rows []T) error { set(&columns[i], values, rows); return nil }}
		}
		err := scanGroup(columns, readers, buffer, group.NumRows(), use)
		for i := range readers {
			err = cmp.Or(err, readers[i].close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// locate returns the indices of columns in a table. They must exist with their types and must not be optional.
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
		for i := range readers { // not in parallel, because two cores would compete for the rows' cache lines
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
	set    func(values []parquet.Value, rows []T) error // stores values in rows
	pages  parquet.Pages
	page   parquet.Page // nil between two pages
	rest   parquet.ValueReader
	values []parquet.Value
}

// read sets the column in the next rows. It is an error if the column has fewer values.
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
