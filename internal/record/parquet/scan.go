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
	values := make([]parquet.Value, rowsPerWrite)
	for _, group := range whole.RowGroups() {
		readers := make([]parquet.ColumnChunkValueReader, len(columns))
		for i := range readers {
			readers[i] = parquet.NewColumnChunkValueReader(group.ColumnChunks()[chunks[i]])
		}
		err := scanGroup(columns, readers, buffer, values, group.NumRows(), use)
		for _, r := range readers {
			err = cmp.Or(err, r.Close())
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
func scanGroup[T any](columns []table.Column[T], readers []parquet.ColumnChunkValueReader, rows []T,
	values []parquet.Value, n int64, use func([]T) error) error {
	for n > 0 {
		rows := rows[:min(n, int64(len(rows)))]
		for i, r := range readers { // not in parallel, because two cores would compete for the rows' cache lines
			if err := readColumn(&columns[i], r, values, rows); err != nil {
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

// readColumn sets a column in the next rows. It is an error if the column has fewer values.
func readColumn[T any](c *table.Column[T], from parquet.ValueReader, values []parquet.Value, rows []T) error {
	for len(rows) > 0 {
		n, err := from.ReadValues(values[:len(rows)])
		set(c, values[:n], rows)
		switch rows = rows[n:]; {
		case errors.Is(err, io.EOF) && len(rows) > 0:
			return errors.New("it ends early")
		case err != nil && !errors.Is(err, io.EOF):
			return err
		}
	}
	return nil
}
