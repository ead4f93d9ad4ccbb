//go:build js

package view

import (
	"strings"
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// named are the keys that type no character, as a page calls them.
var named = map[string]ui.Key{
	" ": ui.Space, "Escape": ui.Escape, "Enter": ui.Enter, "Backspace": ui.Backspace, "Home": ui.Home, "End": ui.End,
	"PageUp": ui.PageUp, "PageDown": ui.PageDown,
	"ArrowLeft": ui.ArrowLeft, "ArrowRight": ui.ArrowRight, "ArrowUp": ui.ArrowUp, "ArrowDown": ui.ArrowDown,
}

// Find has the palette find words, and do what a key of the page asks for. It reports whether the palette stays open.
func (g *Game) Find(words, key string) bool { return g.Screen.Find(words, named[key]) }

// source gathers the page's events between frames, so that what is over before the next frame is not lost.
type source struct {
	listening bool
	events    []ui.PointerEvent // in CSS pixels
}

// poll adds what has happened since the last call.
func (s *source) poll(p *ui.Pointers, scale float64) {
	if !s.listening {
		s.listening = true
		s.listen()
	}
	ratio := js.Global().Get("devicePixelRatio").Float() / scale
	for _, e := range s.events {
		e.At.X *= ratio
		e.At.Y *= ratio
		p.Add(e)
	}
	s.events = s.events[:0]
}

// typed notes a key among what pointers do.
func (s *source) typed(k ui.Key) {
	s.events = append(s.events, ui.PointerEvent{Kind: ui.Typed, Key: k})
}

// listen asks the page for its events. They are for as long as the page lives.
func (s *source) listen() {
	on := func(name string, do func(event js.Value)) {
		js.Global().Call("addEventListener", name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			do(args[0])
			return nil
		}))
	}
	for name, kind := range map[string]ui.PointerKind{"pointermove": ui.Move, "pointerdown": ui.Press,
		"pointerup": ui.Release, "pointercancel": ui.Leave} {
		on(name, func(event js.Value) { s.pointer(event, kind) })
	}
	on("pointerout", func(event js.Value) {
		if event.Get("relatedTarget").IsNull() && event.Get("pointerType").String() == "mouse" {
			s.pointer(event, ui.Leave)
		}
	})
	on("keydown", s.key)
}

func (s *source) pointer(event js.Value, kind ui.PointerKind) {
	if !event.Get("target").Call("matches", "canvas").Bool() {
		return
	}
	touch := event.Get("pointerType").String() == "touch"
	if !touch && event.Get("button").Int() > 0 || !event.Get("isPrimary").Bool() {
		return // a button other than the main one, or another finger beside the first
	}
	s.events = append(s.events, ui.PointerEvent{
		Kind: kind, Touch: touch,
		At: draw.Point{X: event.Get("clientX").Float(), Y: event.Get("clientY").Float()},
	})
}

func (s *source) key(event js.Value) {
	defer ebiten.ScheduleFrame()
	if event.Get("target").Call("closest", "#find").Truthy() {
		return // of the field
	}
	name := event.Get("key").String()
	if event.Get("ctrlKey").Bool() || event.Get("metaKey").Bool() || event.Get("altKey").Bool() {
		if key := withControl(strings.ToLower(name), event.Get("shiftKey").Bool()); key != "" &&
			!event.Get("altKey").Bool() {
			event.Call("preventDefault")
			s.typed(key)
		}
		return // the others are the browser's own
	}
	if name == "/" {
		event.Call("preventDefault") // some browsers search the page
	}
	if key, ok := named[name]; ok {
		s.typed(key)
	} else if len([]rune(name)) == 1 {
		s.typed(ui.Key(strings.ToLower(name)))
	}
}
