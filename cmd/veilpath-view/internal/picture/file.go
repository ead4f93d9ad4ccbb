package picture

import (
	"bytes"
	"image"
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/internal/png"
)

// pictureScale is how many times finer than on screen a saved picture is.
const pictureScale = 2

// PNG returns the window as a picture at twice the resolution.
func (ps *Pictures) PNG() ([]byte, error) {
	var picture *image.RGBA
	ps.With(pictureScale, func() {
		list := draw.NewList(ps.UI.List.Atlas)
		area := ps.Draw(list, pictureScale)
		x, y := int(math.Round(area.X*pictureScale)), int(math.Round(area.Y*pictureScale))
		picture = image.NewRGBA(image.Rect(x, y, x+int(math.Round(area.W*pictureScale)), y+int(math.Round(area.H*pictureScale))))
		draw.Raster(list, picture)
		picture.Rect = picture.Rect.Sub(picture.Rect.Min)
	})
	var data bytes.Buffer
	err := png.Encode(&data, picture, ps.About())
	return data.Bytes(), err
}
