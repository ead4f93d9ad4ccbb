package parquet

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"reflect"

	flatbuffers "github.com/google/flatbuffers/go"

	"veilpath/internal/table"
)

// arrowSchemaKey is the key under which Arrow's Parquet readers look for the schema.
const arrowSchemaKey = "ARROW:schema"

// unitsKey is the key of the units of all columns, in the metadata of the Parquet file and of the Arrow schema.
// Both are needed, because Arrow's readers show only the metadata of the schema.
const unitsKey = "veilpath:units"

// Numbers from Arrow's Schema.fbs and Message.fbs (Apache Arrow columnar format 1.4).
const (
	arrowVersion5     = 4
	arrowSchemaHeader = 1
	arrowInt          = 2
	arrowFloat        = 3
	arrowUtf8         = 5
	arrowBool         = 6
	arrowDouble       = 2
)

// unitsText returns the units of the columns that have one, as a JSON object.
func unitsText[T any](columns []table.Column[T]) string {
	units := map[string]string{}
	for _, c := range columns {
		if c.Unit != "" {
			units[c.Name] = c.Unit
		}
	}
	text, err := json.Marshal(units)
	if err != nil {
		panic("parquet: units do not encode: " + err.Error()) // strings always encode
	}
	return string(text)
}

// arrowSchema returns the columns as an Arrow schema whose fields carry "unit" and "meaning" as metadata:
// a Schema message in Arrow's encapsulated form, in base64.
func arrowSchema[T any](columns []table.Column[T]) string {
	b := flatbuffers.NewBuilder(1 << 12)
	fields := make([]flatbuffers.UOffsetT, len(columns))
	for i, c := range columns {
		fields[i] = arrowField(b, c.Name, kindOf(&c), c.Open, [][2]string{{"unit", c.Unit}, {"meaning", c.Meaning}})
	}
	list := offsets(b, fields)
	metadata := arrowMetadata(b, [][2]string{{unitsKey, unitsText(columns)}})
	b.StartObject(4)
	b.PrependUOffsetTSlot(1, list, 0)
	b.PrependUOffsetTSlot(2, metadata, 0)
	schema := b.EndObject()
	b.StartObject(5)
	b.PrependInt16Slot(0, arrowVersion5, 0)
	b.PrependByteSlot(1, arrowSchemaHeader, 0)
	b.PrependUOffsetTSlot(2, schema, 0)
	b.Finish(b.EndObject())

	message := b.FinishedBytes()
	for len(message)%8 != 0 {
		message = append(message, 0)
	}
	framed := binary.LittleEndian.AppendUint32(nil, 0xFFFFFFFF)
	framed = binary.LittleEndian.AppendUint32(framed, uint32(len(message)))
	return base64.StdEncoding.EncodeToString(append(framed, message...))
}

// arrowField writes a field.
func arrowField(b *flatbuffers.Builder, name string, kind reflect.Type, nullable bool,
	metadata [][2]string) flatbuffers.UOffsetT {
	keyValues, children := arrowMetadata(b, metadata), offsets(b, nil)
	label := b.CreateString(name)
	number, described := arrowType(b, kind)
	b.StartObject(7)
	b.PrependUOffsetTSlot(0, label, 0)
	b.PrependBoolSlot(1, nullable, false)
	b.PrependByteSlot(2, number, 0)
	b.PrependUOffsetTSlot(3, described, 0)
	b.PrependUOffsetTSlot(5, children, 0)
	b.PrependUOffsetTSlot(6, keyValues, 0)
	return b.EndObject()
}

// arrowMetadata writes keys and values, except empty values.
func arrowMetadata(b *flatbuffers.Builder, metadata [][2]string) flatbuffers.UOffsetT {
	var pairs []flatbuffers.UOffsetT
	for _, m := range metadata {
		if m[1] == "" {
			continue
		}
		key, value := b.CreateString(m[0]), b.CreateString(m[1])
		b.StartObject(2)
		b.PrependUOffsetTSlot(0, key, 0)
		b.PrependUOffsetTSlot(1, value, 0)
		pairs = append(pairs, b.EndObject())
	}
	return offsets(b, pairs)
}

// arrowType writes a type and returns it with its number.
func arrowType(b *flatbuffers.Builder, kind reflect.Type) (byte, flatbuffers.UOffsetT) {
	switch kind {
	case double:
		b.StartObject(1)
		b.PrependInt16Slot(0, arrowDouble, 0)
		return arrowFloat, b.EndObject()
	case long, integer:
		b.StartObject(2)
		b.PrependInt32Slot(0, int32(kind.Bits()), 0)
		b.PrependBoolSlot(1, true, false)
		return arrowInt, b.EndObject()
	case boolean:
		b.StartObject(0)
		return arrowBool, b.EndObject()
	}
	b.StartObject(0)
	return arrowUtf8, b.EndObject()
}

func offsets(b *flatbuffers.Builder, of []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	b.StartVector(4, len(of), 4)
	for i := len(of) - 1; i >= 0; i-- {
		b.PrependUOffsetT(of[i])
	}
	return b.EndVector(len(of))
}
