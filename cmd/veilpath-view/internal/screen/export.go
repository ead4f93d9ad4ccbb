package screen

import (
	"bytes"
	"fmt"
	"image"
	"math"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/internal/phrase"
	"veilpath/internal/png"
)

// keep saves a file, and says what then is to be said.
func (s *Screen) keep(name string, data []byte, then string) {
	where, err := s.shell.Save(name, data)
	if err != nil {
		s.Model.Say(true, "%s was not saved: %v", name, err)
		return
	}
	s.Model.Say(false, "Saved %s.%s", where, then)
}

// savePicture saves the window at this moment, without the pointer and what lies over it, at twice the resolution.
func (s *Screen) savePicture() {
	const scale = 2
	l := draw.NewList(s.UI.List.Atlas)
	window := s.Layout.Window
	l.Reset(window, scale)
	l.Rect(window, s.Theme().Background)
	s.DrawHeadline(l)
	s.Views.DrawStill(l)
	s.DrawMoving(l)
	picture := image.NewRGBA(image.Rect(0, 0, int(math.Round(window.W*scale)), int(math.Round(window.H*scale))))
	draw.Raster(l, picture)
	var data bytes.Buffer
	m := s.Model
	err := png.Encode(&data, picture, fmt.Sprintf("veilpath; configuration SHA-256 %s; run %d; %s s; epsilon %s, delta %s",
		m.Exported().SHA256(), m.RunNumber, phrase.Fixed(m.Clock.TimeS, 1), answer.Number(m.Config.Privacy.Epsilon),
		answer.Number(m.Experiment.Delta())))
	if err != nil {
		s.Model.Say(true, "The picture was not made: %v", err)
		return
	}
	s.keep("veilpath.png", data.Bytes(), "")
}

// saveConfig saves the settings, and says which command flies the flight on show with them.
func (s *Screen) saveConfig() {
	const name = "veilpath.yaml"
	s.keep(name, s.Model.ExportYAML(name, s.Version),
		" veilpath run --config "+name+" "+s.Model.RunFlags()+" flies this flight.")
}
