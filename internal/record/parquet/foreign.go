package parquet

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"veilpath/planner/columnar"
)

// Limits on tables that other programs wrote.
const (
	mostForeignBytes  = 1 << 30
	mostForeignValues = 200_000_000
)

// ReadNumbers reads every column of a Parquet table that another program wrote: flat columns of numbers without
// nulls, each under its name. It takes 1 GiB and 200 million numbers at most.
func ReadNumbers(r io.ReaderAt, size int64) (columns map[string][]float64, err error) {
	return ReadColumns(r, size, func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }, nil)
}

// ReadColumns is ReadNumbers of the numbers that a function takes, and of those that text stands for in a column, by
// another function; nil where a column of text is refused.
func ReadColumns(r io.ReaderAt, size int64, taken func(float64) bool,
	meant func(column, text string) (number float64, ok bool)) (columns map[string][]float64, err error) {
	if size > mostForeignBytes {
		return nil, fmt.Errorf("more than %d MiB; split it", mostForeignBytes>>20)
	}
	defer func() { // what others wrote may be damaged in ways that the library does not expect
		if recover() != nil {
			columns, err = nil, errors.New("not a whole Parquet table")
		}
	}()
	if err := (columnar.Contents{Values: mostForeignValues, Text: meant != nil}).Check(r, size); err != nil {
		return nil, err
	}
	table, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("not a Parquet table: %w", err)
	}
	fields := table.Schema().Fields()
	if n := table.NumRows(); n < 0 || n*int64(len(fields)) > mostForeignValues {
		return nil, fmt.Errorf("more than %d numbers; split it", mostForeignValues)
	}
	columns = map[string][]float64{}
	for i, field := range fields {
		if !field.Leaf() || field.Repeated() {
			return nil, fmt.Errorf("column %s: not a flat column; want numbers", field.Name())
		}
		values, err := numbersOf(table, i, func(v parquet.Value) (float64, bool) {
			if v.Kind() == parquet.ByteArray && meant != nil {
				return meant(field.Name(), string(v.ByteArray()))
			}
			x, ok := valueOf(v)
			return x, ok && taken(x)
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

// valueOf returns a value as a number, if it is one.
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
