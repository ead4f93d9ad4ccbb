package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// ReadColumns reads every column of a table from Write or a Writer by its name: flat columns of numbers without
// nulls. accept reports whether a number is allowed.
func ReadColumns(r io.ReaderAt, size int64, accept func(float64) bool) (columns map[string][]float64, err error) {
	defer func() { // the library may panic for a damaged file
		if recover() != nil {
			columns, err = nil, errors.New("not a complete Parquet table")
		}
	}()
	table, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("not a Parquet table: %w", err)
	}
	columns = map[string][]float64{}
	for i, field := range table.Schema().Fields() {
		if !field.Leaf() || field.Repeated() {
			return nil, fmt.Errorf("column %s: not a flat column; want numbers", field.Name())
		}
		values, err := numbersOf(table, i, accept)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", field.Name(), err)
		}
		columns[field.Name()] = values
	}
	return columns, nil
}

// numbersOf reads a flat column.
func numbersOf(table *parquet.File, column int, accept func(float64) bool) (numbers []float64, err error) {
	set := func(values []parquet.Value, numbers []float64) error {
		for i, v := range values {
			x, ok := valueOf(v)
			if !ok || !accept(x) {
				return errors.New("holds something that is not a number")
			}
			numbers[i] = x
		}
		return nil
	}
	for _, group := range table.RowGroups() {
		reader := columnReader[float64]{set: set, pages: group.ColumnChunks()[column].Pages()}
		before := len(numbers)
		numbers = append(numbers, make([]float64, group.NumRows())...)
		if err := errors.Join(reader.read(numbers[before:]), reader.close()); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// valueOf returns the number of a value, and false if it is not a number.
func valueOf(v parquet.Value) (float64, bool) {
	switch v.Kind() {
	case parquet.Int32:
		return float64(v.Int32()), true
	case parquet.Int64:
		return float64(v.Int64()), true
	case parquet.Double:
		return v.Double(), true
	}
	return 0, false
}
