package parquet

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"veilpath/planner/columnar"
)

// Limits for tables of other programs.
const (
	mostExternalBytes  = 1 << 30
	mostExternalValues = 200_000_000
)

// ReadNumbers reads every column of another program's Parquet table by its name: flat columns of finite numbers
// without nulls. The table may have at most 1 GiB and 200 million numbers.
func ReadNumbers(r io.ReaderAt, size int64) (columns map[string][]float64, err error) {
	return ReadColumns(r, size, func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) })
}

// ReadColumns is ReadNumbers with a function that reports whether a number is allowed.
func ReadColumns(r io.ReaderAt, size int64, accept func(float64) bool) (columns map[string][]float64, err error) {
	if size > mostExternalBytes {
		return nil, fmt.Errorf("more than %d MiB; split it", mostExternalBytes>>20)
	}
	defer func() { // the library may panic for a damaged file
		if recover() != nil {
			columns, err = nil, errors.New("not a complete Parquet table")
		}
	}()
	if err := (columnar.Contents{Values: mostExternalValues}).Check(r, size); err != nil {
		return nil, err
	}
	table, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("not a Parquet table: %w", err)
	}
	fields := table.Schema().Fields()
	if n := table.NumRows(); n < 0 || n*int64(len(fields)) > mostExternalValues {
		return nil, fmt.Errorf("more than %d numbers; split it", mostExternalValues)
	}
	columns = map[string][]float64{}
	for i, field := range fields {
		if !field.Leaf() || field.Repeated() {
			return nil, fmt.Errorf("column %s: not a flat column; want numbers", field.Name())
		}
		values, err := numbersOf(table, i, func(v parquet.Value) (float64, bool) {
			x, ok := valueOf(v)
			return x, ok && accept(x)
		})
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", field.Name(), err)
		}
		columns[field.Name()] = values
	}
	return columns, nil
}

// numbersOf reads a flat column.
func numbersOf(table *parquet.File, column int, number func(parquet.Value) (float64, bool)) (numbers []float64,
	err error) {
	set := func(values []parquet.Value, numbers []float64) error {
		for i, v := range values {
			var ok bool
			if numbers[i], ok = number(v); !ok {
				return errors.New("holds something that is not a finite number")
			}
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
	if v.IsNull() {
		return 0, false
	}
	switch v.Kind() {
	case parquet.Int32:
		return float64(v.Int32()), true
	case parquet.Int64:
		return float64(v.Int64()), true
	case parquet.Float:
		return float64(v.Float()), true
	case parquet.Double:
		return v.Double(), true
	}
	return 0, false
}
