package parquet

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"veilpath/sim/leak"
	"veilpath/sim/record"
)

// WriteLeakage writes what observers have left to learn; version is the program's. The epsilon of no noise is null.
func WriteLeakage(w io.Writer, rows []leak.Row, version string) error {
	return writeNamed(w, rows, record.LeakageColumns(), func(r *leak.Row) string { return r.Observer }, version)
}

// WriteRecognition writes where targets are recognised; version is the program's. The epsilon of no noise is null.
func WriteRecognition(w io.Writer, rows []leak.Recognition, version string) error {
	return writeNamed(w, rows, record.RecognitionColumns(), func(r *leak.Recognition) string { return r.Observer }, version)
}

// writeNamed writes rows of an observer each.
func writeNamed[T any](w io.Writer, rows []T, columns []record.Column[T], observer func(*T) string, version string) error {
	name := column[T]{name: record.ObserverColumn, meaning: "who infers the goal", kind: reflect.TypeFor[string](), tag: ",dict",
		put: putting(func(row *T) parquet.Value { return parquet.ByteArrayValue([]byte(observer(row))) })}
	table := newTableWriter(w, append([]column[T]{name}, numbers(columns)...), version)
	for i := range rows {
		if err := table.add(&rows[i]); err != nil {
			return fmt.Errorf("encoding what observers learn: %w", err)
		}
	}
	return table.close()
}
