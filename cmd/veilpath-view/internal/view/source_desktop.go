//go:build viewer && !js

package view

import (
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// named are the keys that type no character.
var named = map[ebiten.Key]ui.Key{
	ebiten.KeyEscape: ui.Escape, ebiten.KeyEnter: ui.Enter, ebiten.KeyNumpadEnter: ui.Enter,
	ebiten.KeyBackspace: ui.Backspace, ebiten.KeyHome: ui.Home, ebiten.KeyEnd: ui.End,
	ebiten.KeyPageUp: ui.PageUp, ebiten.KeyPageDown: ui.PageDown,
	ebiten.KeyArrowLeft: ui.ArrowLeft, ebiten.KeyArrowRight: ui.ArrowRight,
	ebiten.KeyArrowUp: ui.ArrowUp, ebiten.KeyArrowDown: ui.ArrowDown,
}

// source finds out what pointers did by asking ebiten once a frame.
type source struct {
	down  bool
	chars []rune
}

// poll adds what has happened since the last call.
func (s *source) poll(p *ui.Pointers, scale float64) {
	for _, k := range s.keys() {
		p.Add(ui.PointerEvent{Kind: ui.Typed, Key: k})
	}
	x, y := ebiten.CursorPosition()
	place := draw.Point{X: float64(x) / scale, Y: float64(y) / scale}
	p.Add(ui.PointerEvent{Kind: ui.Move, At: place})
	if down := ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft); down != s.down {
		s.down = down
		kind := ui.Release
		if down {
			kind = ui.Press
		}
		p.Add(ui.PointerEvent{Kind: kind, At: place})
	}
}

func (s *source) keys() []ui.Key {
	var keys []ui.Key
	s.chars = ebiten.AppendInputChars(s.chars[:0])
	for _, c := range s.chars {
		if c == ' ' {
			keys = append(keys, ui.Space)
			continue
		}
		keys = append(keys, ui.Key(string(c)))
	}
	if ebiten.IsKeyPressed(ebiten.KeyControl) || ebiten.IsKeyPressed(ebiten.KeyMeta) {
		for key, name := range map[ebiten.Key]string{ebiten.KeyZ: "z", ebiten.KeyY: "y", ebiten.KeyK: "k"} {
			if inpututil.IsKeyJustPressed(key) {
				keys = append(keys, withControl(name, ebiten.IsKeyPressed(ebiten.KeyShift)))
			}
		}
	}
	for key, name := range named {
		if d := inpututil.KeyPressDuration(key); d == 1 || (d > repeatAfter && d%repeatEvery == 0) {
			keys = append(keys, name)
		}
	}
	return keys
}

// A key held repeats after so many frames, every so many frames.
const (
	repeatAfter = 24
	repeatEvery = 3
)
