// Package png writes drawings as PNG files (Portable Network Graphics, third edition), faster than image/png.
package png

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"io"

	"github.com/klauspost/compress/zlib"
)

// level is the level of compression. With it, drawings take a fifth of the time of image/png at its fastest, and
// fewer bytes: image/png spends most of its time on choosing a filter for every row, and filters do not help where
// rows repeat.
const level = 1

// Encode writes an opaque image with 8 bits for each of red, green and blue. A description that is not empty is
// written too; it is printable ASCII.
func Encode(w io.Writer, m *image.RGBA, description string) error {
	width, height := m.Rect.Dx(), m.Rect.Dy()
	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	header = binary.BigEndian.AppendUint32(header, uint32(height))
	header = append(header, 8, 2, 0, 0, 0) // 8 bits, RGB, and the only methods of compression, filter and order

	var data bytes.Buffer
	packed, err := zlib.NewWriterLevel(&data, level)
	if err != nil {
		return err
	}
	row := make([]byte, 1+3*width) // the first byte stays 0: no filter
	for y := range height {
		pixels, colours := m.Pix[y*m.Stride:][:4*width], row[1:]
		for len(pixels) >= 4 && len(colours) >= 3 {
			colours[0], colours[1], colours[2] = pixels[0], pixels[1], pixels[2]
			pixels, colours = pixels[4:], colours[3:]
		}
		if _, err := packed.Write(row); err != nil {
			return err
		}
	}
	if err := packed.Close(); err != nil {
		return err
	}
	file := []byte("\x89PNG\r\n\x1a\n")
	file = appendChunk(file, "IHDR", header)
	if description != "" {
		file = appendChunk(file, "tEXt", []byte("Description\x00"+description))
	}
	file = appendChunk(file, "IDAT", data.Bytes())
	file = appendChunk(file, "IEND", nil)
	_, err = w.Write(file)
	return err
}

// appendChunk appends a chunk of a PNG file: its length, kind, data and checksum.
func appendChunk(file []byte, kind string, data []byte) []byte {
	file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
	start := len(file)
	file = append(append(file, kind...), data...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[start:]))
}
