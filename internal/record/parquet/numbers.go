package parquet

import (
	"io"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/table"
)

// WriteNumbers writes a table of numbers, parts of it one after the other; version is the program's. What is not known
// is null.
func WriteNumbers[T any](w io.Writer, columns []table.Column[T], version string, parts ...[]T) error {
	return writeTable(w, numbers(columns), version, parts...)
}

// NumberWriter writes a table of numbers as its rows come.
type NumberWriter[T any] struct {
	table *tableWriter[T]
}

// NewNumberWriter begins the table; version is the program's.
func NewNumberWriter[T any](w io.Writer, columns []table.Column[T], version string) *NumberWriter[T] {
	return &NumberWriter[T]{newTableWriter(w, numbers(columns), version)}
}

// Add appends rows.
func (w *NumberWriter[T]) Add(rows []T) error { return w.table.addAll(rows) }

// Close ends the table.
func (w *NumberWriter[T]) Close() error { return w.table.close() }

// numbers returns columns of numbers as those of a Parquet table.
func numbers[T any](columns []table.Column[T]) []column[T] {
	table := make([]column[T], len(columns))
	for i, c := range columns {
		p := column[T]{name: c.Name, unit: c.Unit, meaning: c.Meaning, kind: double, nullable: c.Open,
			put: putting(func(row *T) parquet.Value {
				x := c.Value(row)
				if !c.Known(x) {
					return parquet.NullValue()
				}
				return parquet.DoubleValue(x)
			})}
		if c.Whole {
			p.kind, p.put = long, putting(func(row *T) parquet.Value { return parquet.Int64Value(int64(c.Value(row))) })
		}
		table[i] = p
	}
	return table
}
