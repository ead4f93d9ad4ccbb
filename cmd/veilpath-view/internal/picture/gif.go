package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"math"
	"slices"
	"time"

	"veilpath/internal/pool"
)

// Film is a moving picture in the making, a frame of it with every frame of the window.
type Film struct {
	fromS, toS float64
	frames     []*image.RGBA
	most       int
}

// Of a moving picture: frames a second, the most of them, and its width in pixels.
const (
	FilmRate   = 12
	FilmFrames = 96
	filmWidth  = 640
)

// NewFilm begins a moving picture of the stretch that is looped, or of the whole flight.
func (ps *Pictures) NewFilm() *Film {
	c := &ps.Model.Clock
	f := &Film{fromS: 0, toS: c.EndS}
	if c.Looping() {
		f.fromS, f.toS = c.LoopFromS, math.Min(c.LoopToS, c.EndS)
	}
	f.most = max(2, min(FilmFrames, int(math.Ceil((f.toS-f.fromS)/c.Speed*FilmRate))+1))
	return f
}

// DrawFrame draws the next frame of a moving picture, and says how many of how many there are.
func (ps *Pictures) DrawFrame(f *Film) (frames, of int) {
	c := &ps.Model.Clock
	now := c.TimeS
	c.TimeS = f.fromS + (f.toS-f.fromS)*float64(len(f.frames))/float64(f.most-1)
	part := ps.Named("map")
	ps.With(part, 1, func() {
		scale := math.Min(1, filmWidth/part[0].Of.Area().W)
		f.frames = append(f.frames, ps.raster(part, scale))
	})
	c.TimeS = now
	return len(f.frames), f.most
}

// Encode encodes a moving picture, with a comment.
func (f *Film) Encode(comment string) ([]byte, error) { return encodeGIF(f.frames, comment) }

// unhurried is a file in memory whose writer rests now and then: a page draws frames meanwhile.
type unhurried struct {
	bytes.Buffer
	rest func()
}

// Write implements io.Writer.
func (u *unhurried) Write(p []byte) (int, error) {
	u.rest()
	return u.Buffer.Write(p)
}

// encodeGIF encodes frames with one palette, and a comment.
func encodeGIF(frames []*image.RGBA, comment string) ([]byte, error) {
	// the first lets the frame before show through
	palette := append(color.Palette{color.RGBA{}}, commonColours(frames)...)
	nearest := map[uint16]uint8{}
	before := make([]uint8, len(frames[0].Pix)/4) // what is on show, 0 for nothing yet
	animation := gif.GIF{Config: image.Config{ColorModel: palette, Width: frames[0].Rect.Dx(),
		Height: frames[0].Rect.Dy()}}
	data := unhurried{rest: pool.Paced(16*time.Millisecond, nil)}
	for i, frame := range frames {
		data.rest()
		p := image.NewPaletted(frame.Rect, palette)
		for k := range p.Pix {
			key := bin(frame.Pix[4*k:])
			at, known := nearest[key]
			if !known {
				at = 1 + uint8(palette[1:].Index(middle(key)))
				nearest[key] = at
			}
			if p.Pix[k] = at; at == before[k] {
				p.Pix[k] = 0
			}
			before[k] = at
		}
		delay := 100 / FilmRate
		if i == len(frames)-1 {
			delay = 150
		}
		animation.Image, animation.Delay = append(animation.Image, p), append(animation.Delay, delay)
	}
	if err := gif.EncodeAll(&data, &animation); err != nil {
		return nil, fmt.Errorf("encoding the moving picture: %w", err)
	}
	return withComment(data.Bytes(), comment), nil
}

// withComment adds a comment before the end of a GIF file (GIF89a, 24).
func withComment(file []byte, comment string) []byte {
	out := append([]byte{}, file[:len(file)-1]...)
	out = append(out, 0x21, 0xFE)
	for part := range slices.Chunk([]byte(comment), 255) {
		out = append(append(out, byte(len(part))), part...)
	}
	return append(out, 0, file[len(file)-1])
}

// bin is a colour to five bits a channel.
func bin(p []byte) uint16 { return uint16(p[0]>>3)<<10 | uint16(p[1]>>3)<<5 | uint16(p[2]>>3) }

// middle is the colour in the middle of a bin.
func middle(key uint16) color.Color {
	channel := func(v uint16) uint8 { return uint8(v&31)<<3 | 4 }
	return color.RGBA{channel(key >> 10), channel(key >> 5), channel(key), 255}
}

// commonColours returns the colours that frames have most of.
func commonColours(frames []*image.RGBA) color.Palette {
	counts := make([]int, 1<<15)
	for _, frame := range []*image.RGBA{frames[0], frames[len(frames)/2], frames[len(frames)-1]} {
		for i := 0; i < len(frame.Pix); i += 4 {
			counts[bin(frame.Pix[i:])]++
		}
	}
	var keys []uint16
	for key, n := range counts {
		if n > 0 {
			keys = append(keys, uint16(key))
		}
	}
	slices.SortStableFunc(keys, func(a, b uint16) int { return counts[b] - counts[a] })
	const most = 255
	var palette color.Palette
	for _, key := range keys[:min(most, len(keys))] {
		palette = append(palette, middle(key))
	}
	return palette
}
