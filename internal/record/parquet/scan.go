package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// scan passes the rows of a Parquet table to a function in order, in slices that are reused. It reads the
// given columns and no others.
func scan[T any](table *parquet.File, columns []column[T], use func([]T) error) error {
	chunks, err := locate(table.Schema(), columns)
	if err != nil {
		return err
	}
	rows := make([]T, rowsPerWrite)
	for _, group := range table.RowGroups() {
		readers := make([]columnReader[T], len(columns))
		for i, c := range columns {
			readers[i] = columnReader[T]{column: c, pages: group.ColumnChunks()[chunks[i]].Pages()}
		}
		err := scanGroup(readers, rows, group.NumRows(), use)
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
func locate[T any](schema *parquet.Schema, columns []column[T]) ([]int, error) {
	wanted := schemaOf(columns)
	at := make([]int, len(columns))
	for i, c := range columns {
		like, _ := wanted.Lookup(c.name)
		leaf, ok := schema.Lookup(c.name)
		if !ok || !leaf.Node.Required() || leaf.Node.Type().Kind() != like.Node.Type().Kind() {
			return nil, fmt.Errorf("it has no column %s of type %s", c.name, c.kind)
		}
		at[i] = leaf.ColumnIndex
	}
	return at, nil
}

// scanGroup passes on a row group of n rows.
func scanGroup[T any](readers []columnReader[T], rows []T, n int64, use func([]T) error) error {
	for n > 0 {
		rows := rows[:min(n, int64(len(rows)))]
		for i := range readers { // one after the other: two cores would fight for the rows' cache lines
			if err := readers[i].read(rows); err != nil {
				return err
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
	column column[T]
	pages  parquet.Pages
	page   parquet.Page // nil between two
	rest   parquet.ValueReader
	values []parquet.Value
}

// read sets the column in the next rows.
func (r *columnReader[T]) read(rows []T) error {
	if r.values == nil {
		r.values = make([]parquet.Value, len(rows))
	}
	for len(rows) > 0 {
		if r.page == nil {
			page, err := r.pages.ReadPage()
			if errors.Is(err, io.EOF) {
				err = errors.New("it ends early")
			}
			if err != nil {
				return fmt.Errorf("column %s: %w", r.column.name, err)
			}
			r.page, r.rest = page, page.Values()
		}
		n, err := r.rest.ReadValues(r.values[:min(len(rows), len(r.values))])
		r.column.get(r.values[:n], rows)
		rows = rows[n:]
		switch {
		case errors.Is(err, io.EOF):
			r.release()
		case err != nil:
			return fmt.Errorf("column %s: %w", r.column.name, err)
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
