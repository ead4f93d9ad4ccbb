package parquet

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/table"
)

var (
	double  = reflect.TypeFor[float64]()
	long    = reflect.TypeFor[int64]()
	integer = reflect.TypeFor[int32]()
	boolean = reflect.TypeFor[bool]()
	text    = reflect.TypeFor[string]()
)

// kindOf returns the type of a column's values in a file.
func kindOf[T any](c *table.Column[T]) reflect.Type {
	switch {
	case c.Text != nil:
		return text
	case c.Truth:
		return boolean
	case c.Whole && c.Short:
		return integer
	case c.Whole:
		return long
	}
	return double
}

// optionsOf returns the Parquet options of a column.
func optionsOf[T any](c *table.Column[T]) (options string) {
	if c.Repeats {
		options += ",dict"
	}
	if c.Follows {
		options += ",delta"
	}
	if c.Open {
		options += ",optional"
	}
	return options
}

// schemaOf returns the Parquet schema of columns, in their order.
func schemaOf[T any](columns []table.Column[T]) *parquet.Schema {
	fields := make([]reflect.StructField, len(columns))
	for i := range columns {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("Column%d", i), Type: kindOf(&columns[i]),
			Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", columns[i].Name+optionsOf(&columns[i]))),
		}
	}
	return parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
}

// put copies a column of rows into values.
func put[T any](c *table.Column[T], rows []T, values []parquet.Value) {
	switch kindOf(c) {
	case text:
		for i := range rows {
			s := c.Text(&rows[i])
			values[i] = parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s))) // the value is not written to
		}
	case boolean:
		for i := range rows {
			values[i] = parquet.BooleanValue(c.Value(&rows[i]) != 0)
		}
	case integer:
		for i := range rows {
			values[i] = parquet.Int32Value(int32(c.Value(&rows[i])))
		}
	case long:
		for i := range rows {
			values[i] = parquet.Int64Value(int64(c.Value(&rows[i])))
		}
	default:
		for i := range rows {
			if x := c.Value(&rows[i]); c.Known(x) {
				values[i] = parquet.DoubleValue(x)
			} else {
				values[i] = parquet.NullValue()
			}
		}
	}
}

// set stores values of a column in rows.
func set[T any](c *table.Column[T], values []parquet.Value, rows []T) {
	switch kindOf(c) {
	case boolean:
		for i := range values {
			x := 0.0
			if values[i].Boolean() {
				x = 1
			}
			c.Set(&rows[i], x)
		}
	case integer:
		for i := range values {
			c.Set(&rows[i], float64(values[i].Int32()))
		}
	case long:
		for i := range values {
			c.Set(&rows[i], float64(values[i].Int64()))
		}
	default:
		for i := range values {
			c.Set(&rows[i], values[i].Double())
		}
	}
}
