package picture

import (
	"bytes"
	"image"
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/internal/png"
)

// SVG returns a panel, or all of them, as a vector graphic.
func (ps *Pictures) SVG(name string) []byte {
	var text []byte
	panels := ps.Named(name)
	ps.With(panels, 1, func() {
		list := draw.NewList(ps.UI.List.Atlas)
		graphic := list.NewSVG()
		area := ps.Draw(list, panels, 1)
		text = graphic.Bytes(area, "veilpath: "+ps.FlightText(), ps.About())
	})
	return text
}

// pictureScale is how many times finer than on screen a saved picture is.
const pictureScale = 2

// PNG returns a panel, or all of them, as a picture at twice the resolution.
func (ps *Pictures) PNG(name string) ([]byte, error) {
	var picture *image.RGBA
	panels := ps.Named(name)
	ps.With(panels, pictureScale, func() { picture = ps.raster(panels, pictureScale) })
	var data bytes.Buffer
	err := png.Encode(&data, picture, ps.About())
	return data.Bytes(), err
}

// raster draws panels as pixels.
func (ps *Pictures) raster(panels []Panel, scale float64) *image.RGBA {
	list := draw.NewList(ps.UI.List.Atlas)
	area := ps.Draw(list, panels, scale)
	x, y := int(math.Round(area.X*scale)), int(math.Round(area.Y*scale))
	picture := image.NewRGBA(image.Rect(x, y, x+int(math.Round(area.W*scale)), y+int(math.Round(area.H*scale))))
	draw.Raster(list, picture)
	picture.Rect = picture.Rect.Sub(picture.Rect.Min)
	return picture
}
