//go:build js

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/screen"
	"veilpath/cmd/veilpath-view/internal/view"
	"veilpath/configs"
)

func main() {
	if err := run(); err != nil {
		js.Global().Call("veilpathFailed", err.Error())
	}
}

func run() error {
	// A page has one thread: no frame waits longer than this for the ensemble.
	const pace = 12 * time.Millisecond
	m, err := model.New(configs.Default(), model.Crews{Goroutines: 1, Pace: pace}, time.Now)
	if err != nil {
		return err
	}
	game := view.NewGame(download, copyLink)
	light := js.Global().Call("matchMedia", "(prefers-color-scheme: light)").Get("matches").Bool()
	s, err := screen.New(m, game, !light, time.Now)
	if err != nil {
		return err
	}
	game.Screen = s
	s.Library = served()
	m.Clock.Playing = true
	if fragment := js.Global().Get("location").Get("hash").String(); len(fragment) > 1 {
		if err := m.OpenFragment(fragment); err != nil {
			m.Say(true, "%v", err)
		}
		m.Clock.Playing = m.Clock.TimeS == 0 // a link to a moment shows that moment
	} else if len(s.Library) > 0 {
		s.OpenEntry(0)
	}
	p := page{game: game}
	js.Global().Set("veilpathDescribe", js.FuncOf(p.describe))
	game.Each = p.each
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false)
	return ebiten.RunGame(game)
}

// page keeps the document up to date.
type page struct {
	game    *view.Game
	status  string
	started bool
}

func (p *page) each(g *view.Game) {
	if !p.started && g.Statistics().Frames > 0 {
		p.started = true
		js.Global().Call("veilpathStarted")
	}
	if now := g.Screen.Status(); now != p.status {
		p.status = now
		document := js.Global().Get("document")
		document.Set("title", now)
		document.Call("getElementById", "status").Set("textContent", now)
	}
}

// describe returns what is on show and where the widgets are as JSON, for tests that drive the page.
func (p *page) describe(js.Value, []js.Value) any {
	text, err := json.Marshal(struct {
		screen.Facts
		Widgets map[string][4]float64 `json:"widgets"` // left, top, width, height in CSS pixels
		Zoom    float64               `json:"zoom"`    // CSS pixels a point
		Frames  view.Statistics       `json:"frames"`
	}{p.game.Screen.Facts(), p.game.Describe(), p.game.PixelsPerPoint(), p.game.Statistics()})
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// download hands a file to the browser.
func download(name string, data []byte) (string, error) {
	bytes := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(bytes, data)
	kind := map[bool]string{true: "image/png", false: "application/yaml"}[strings.HasSuffix(name, ".png")]
	blob := js.Global().Get("Blob").New([]any{bytes}, map[string]any{"type": kind})
	url := js.Global().Get("URL").Call("createObjectURL", blob)
	link := js.Global().Get("document").Call("createElement", "a")
	link.Set("href", url)
	link.Set("download", name)
	link.Call("click")
	// The browser reads the blob after this call; a minute is ample.
	time.AfterFunc(time.Minute, func() { js.Global().Get("URL").Call("revokeObjectURL", url) })
	return name + " among your downloads", nil
}

// copyLink puts the fragment into the address and the address into the clipboard.
func copyLink(fragment string) (bool, error) {
	location := js.Global().Get("location")
	js.Global().Get("history").Call("replaceState", nil, "", "#"+fragment)
	clipboard := js.Global().Get("navigator").Get("clipboard")
	if clipboard.Truthy() {
		// A browser may refuse; the address has the link all the same.
		ignore := js.FuncOf(func(js.Value, []js.Value) any { return nil })
		clipboard.Call("writeText", location.Get("href")).Call("catch", ignore)
	}
	return true, nil
}

// served lists the recorded runs that the server offers.
func served() []screen.Entry {
	text, err := fetch("recordings.json")
	if err != nil {
		return nil
	}
	var found []recording
	if json.Unmarshal(text, &found) != nil {
		return nil
	}
	var entries []screen.Entry
	for _, r := range found {
		name := r.Path
		if name == "." {
			name = "recording"
		}
		entries = append(entries, screen.Entry{Name: name, Load: r.load})
	}
	return entries
}

// recording is an entry of the server's list.
type recording struct {
	Path    string `json:"path"`
	Summary bool   `json:"summary"`
}

// load fetches the files of the recorded run or study.
func (r recording) load() (manifest, summary []byte, err error) {
	at := "data/" + strings.TrimPrefix(r.Path+"/", "./")
	if manifest, err = fetch(at + "manifest.json"); err != nil || !r.Summary {
		return manifest, nil, err
	}
	summary, err = fetch(at + "summary.csv")
	return manifest, summary, err
}

// fetch reads a file beside the page.
func fetch(path string) ([]byte, error) {
	type answer struct {
		data []byte
		err  error
	}
	done := make(chan answer, 1)
	fail := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- answer{err: errors.New(args[0].Call("toString").String())}
		return nil
	})
	defer fail.Release()
	read := js.FuncOf(func(_ js.Value, args []js.Value) any {
		bytes := js.Global().Get("Uint8Array").New(args[0])
		data := make([]byte, bytes.Length())
		js.CopyBytesToGo(data, bytes)
		done <- answer{data: data}
		return nil
	})
	defer read.Release()
	respond := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if !args[0].Get("ok").Bool() {
			done <- answer{err: fmt.Errorf("%s: %d %s", path, args[0].Get("status").Int(), args[0].Get("statusText").String())}
			return nil
		}
		args[0].Call("arrayBuffer").Call("then", read, fail)
		return nil
	})
	defer respond.Release()
	js.Global().Call("fetch", path).Call("then", respond, fail)
	a := <-done
	return a.data, a.err
}
