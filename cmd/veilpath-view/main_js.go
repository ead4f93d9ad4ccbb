//go:build js

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"syscall/js"
	"testing/fstest"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/internal/recording"
	"veilpath/cmd/internal/version"
	"veilpath/cmd/veilpath-view/internal/draw"
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
	// A page has one thread: no frame waits much longer than this for the ensemble.
	const pace = 16 * time.Millisecond
	m, err := model.New(configs.Default(), model.Workers{Goroutines: 1, Pace: pace, Yield: yielder(),
		Done: ebiten.ScheduleFrame}, time.Now)
	if err != nil {
		return err
	}
	s, err := screen.New(m, shell{}, true, time.Now)
	if err != nil {
		return err
	}
	game := &view.Game{Screen: s}
	s.Version = version.Number
	heed("prefers-color-scheme: light", func(light bool) { s.SetDark(!light) })
	heed("prefers-reduced-motion: reduce", func(still bool) {
		s.Still = still
		m.Clock.Playing = m.Clock.Playing && !still
	})
	heed("pointer: coarse", func(touch bool) { s.Touch = touch })
	m.Clock.Playing = !s.Still
	folder, entries := served()
	s.Arrive(fragment(), folder, entries)
	p := page{game: game}
	js.Global().Call("addEventListener", "hashchange", js.FuncOf(p.addressChanged))
	js.Global().Set("veilpathDescribe", js.FuncOf(p.describe))
	js.Global().Set("veilpathOperate", js.FuncOf(p.operate))
	js.Global().Set("veilpathFind", js.FuncOf(p.find))
	js.Global().Set("veilpathOpen", js.FuncOf(p.open))
	game.Each = p.each
	addFonts()
	js.Global().Call("addEventListener", "resize", js.FuncOf(func(js.Value, []js.Value) any {
		game.Redraw() // a window that is given a size, be it the one it had, is empty
		return nil
	}))
	view.SetUp()
	return ebiten.RunGame(game)
}

// addFonts gives the document the fonts of the picture, for what lies over it.
func addFonts() {
	for i, ttf := range draw.Fonts() {
		array := js.Global().Get("Uint8Array").New(len(ttf))
		js.CopyBytesToJS(array, ttf)
		weight := []string{"normal", "bold"}[i]
		face := js.Global().Get("FontFace").New("Go", array, map[string]any{"weight": weight})
		js.Global().Get("document").Get("fonts").Call("add", face)
	}
}

// heed does what the reader's system prefers or has, now and when that changes.
func heed(feature string, do func(there bool)) {
	query := js.Global().Call("matchMedia", "("+feature+")")
	do(query.Get("matches").Bool())
	query.Call("addEventListener", "change", js.FuncOf(func(_ js.Value, args []js.Value) any {
		do(args[0].Get("matches").Bool())
		return nil
	}))
}

// yielder returns what lets the browser do all that is due. A message to oneself takes less than the 4 ms of its
// shortest timer.
func yielder() func() {
	turn := make(chan struct{}, 1)
	channel := js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		turn <- struct{}{}
		return nil
	}))
	to := channel.Get("port2")
	return func() {
		to.Call("postMessage", nil)
		<-turn
	}
}

// picture identifies what the user waits to see.
type picture struct {
	version uint64 // of the flight on show
	whole   bool   // its ensemble
}

// field is where what is looked for is typed.
type field struct {
	area  draw.Rect // points
	words string
}

// page keeps the document up to date.
type page struct {
	game      *view.Game
	status    string // the title of the page
	spoken    string // the notice on show, for those who cannot see it
	started   bool
	address   string    // its fragment
	outline   string    // in the document
	outlineAt time.Time // when it was last brought up to date
	field     field     // in the document
	shown     picture
}

// How often the document's outline of the picture is brought up to date, and while flights come in, which go before it:
// it says what every observer makes of the flight on show.
const (
	outlineEvery          = 250 * time.Millisecond
	outlineEveryMeanwhile = time.Second
)

// tell brings the document up to date with what is drawn: its title, the notice on show and, now and then, the outline.
func (p *page) tell(s *screen.Screen) {
	if now := (picture{s.Model.Version, s.Model.Ensemble.Complete()}); now != p.shown {
		p.shown = now // first of all it is drawn
		return
	}
	document := js.Global().Get("document")
	if now := s.Status(); now != p.status {
		p.status = now
		document.Set("title", now)
	}
	if now := s.Model.Message.Text; now != p.spoken {
		p.spoken = now
		document.Call("getElementById", "status").Set("textContent", now)
	}
	p.tellOutline(s)
}

// tellOutline brings the document's outline of the picture up to date.
func (p *page) tellOutline(s *screen.Screen) {
	every := outlineEvery
	if !s.Model.Ensemble.Complete() {
		every = outlineEveryMeanwhile
	}
	if time.Since(p.outlineAt) < every {
		return
	}
	p.outlineAt = time.Now()
	if now := s.Address(); now != p.address && !s.UI.Captured() {
		p.address = now
		js.Global().Get("history").Call("replaceState", nil, "", "#"+now)
	}
	text, err := json.Marshal(s.Outline())
	if err != nil {
		panic("an outline does not encode: " + err.Error()) // its numbers are finite
	}
	if now := string(text); now != p.outline {
		p.outline = now
		js.Global().Call("veilpathOutline", now)
	}
}

// tellField brings the document's field for what is looked for up to date.
func (p *page) tellField() {
	var now field
	if now.area, now.words = p.game.Screen.Field(); now == p.field {
		return
	}
	p.field = now
	k, r := p.game.PixelsPerPoint(), now.area
	js.Global().Call("veilpathField", k*r.X, k*r.Y, k*r.W, k*r.H, now.words)
}

// find has the palette find what is in the field, and do what a key asks for; it returns whether it stays open.
func (p *page) find(_ js.Value, args []js.Value) any {
	p.field.words = args[0].String()
	ebiten.ScheduleFrame()
	return p.game.Find(p.field.words, args[1].String())
}

// operate does what a control of the outline asks for.
func (p *page) operate(_ js.Value, args []js.Value) any {
	p.outline = "" // the control may stand elsewhere now
	if err := p.game.Screen.Operate(args[0].String(), args[1].String()); err != nil {
		p.game.Screen.Model.Say(true, "%v", err)
	}
	ebiten.ScheduleFrame()
	return nil
}

// open opens files that the page was given: pairs of a path and its bytes.
func (p *page) open(_ js.Value, args []js.Value) any {
	files, name := fstest.MapFS{}, "the files"
	for i := range args[0].Length() {
		file := args[0].Index(i)
		at := file.Index(0).String()
		if folder, _, ok := strings.Cut(at, "/"); ok {
			name = folder
		}
		files[at] = &fstest.MapFile{Data: bytesOf(file.Index(1))}
	}
	p.game.Screen.Open(name, files)
	ebiten.ScheduleFrame()
	return nil
}

// fragment is the part of the address that says what to show, empty for none.
func fragment() string {
	return strings.TrimPrefix(js.Global().Get("location").Get("hash").String(), "#")
}

// addressChanged shows what the new address leads to.
func (p *page) addressChanged(js.Value, []js.Value) any {
	if now := fragment(); now != p.address {
		p.game.Screen.Follow(now)
	}
	return nil
}

func (p *page) each(g *view.Game) {
	p.tellField()
	if !p.started && g.Frames > 0 {
		p.started = true
		js.Global().Call("veilpathStarted")
	}
	p.tell(g.Screen)
}

// describe returns what is on show and where the widgets are, in CSS pixels, as JSON, for tests that drive the page.
// The frames are those since it was asked before.
func (p *page) describe(js.Value, []js.Value) any {
	g, m := p.game, p.game.Screen.Model
	facts := map[string]any{"epsilon": m.Config.Privacy.Epsilon, "run": m.RunNumber, "seed": m.Config.Study.Seed,
		"direct": m.Show == model.ShowDirect, "planned": m.Show == model.ShowPlanned,
		"detection_km": m.Flight().Run.DetectionKm, "time_s": m.Clock.TimeS, "playing": m.Clock.Playing,
		"runs": m.Runs(), "fresh": m.Ensemble.Fresh, "message": m.Message.Text, "record": "",
		"finished": m.Ensemble.Complete() && (m.AxisComplete() || !m.HasAxis()), "widgets": g.Describe(),
		"frames": map[string]any{"frames": g.Frames, "longest_step_ns": g.Longest}}
	if m.Record != nil {
		row, _ := m.Recorded(m.Config.Privacy.Epsilon)
		facts["record"], facts["recorded_mean_km"] = m.Record.Name, row.MeanKm
	}
	if m.Ensemble.Fresh > 0 {
		facts["mean_km"] = m.Ensemble.Summary().MeanKm
	}
	g.Frames, g.Longest = 0, 0
	text, err := json.Marshal(facts)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// shell is the browser around a page. It implements screen.Shell.
type shell struct{}

// Chooser has the browser choose.
func (shell) Chooser() func(folder bool) {
	return func(folder bool) { js.Global().Call("veilpathChoose", folder) }
}

// Film has the page record the picture until it is called again, and save the film.
func (shell) Film() func() bool {
	film := js.Global().Get("veilpathFilm")
	if !film.Truthy() {
		return nil
	}
	return func() bool { return film.Invoke().Bool() }
}

// Save hands a file to the browser.
func (shell) Save(name string, data []byte) (string, error) {
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	kind := map[string]string{".png": "image/png", ".csv": "text/csv"}[path.Ext(name)]
	kind = cmp.Or(kind, "application/yaml")
	blob := js.Global().Get("Blob").New([]any{array}, map[string]any{"type": kind})
	url := js.Global().Get("URL").Call("createObjectURL", blob)
	link := js.Global().Get("document").Call("createElement", "a")
	link.Set("href", url)
	link.Set("download", name)
	link.Call("click")
	// The browser reads the blob after this call; a minute is ample.
	time.AfterFunc(time.Minute, func() { js.Global().Get("URL").Call("revokeObjectURL", url) })
	return name + " among your downloads", nil
}

// Share puts the fragment into the address, and the address into the clipboard. Whether the browser grants that is told
// later.
func (shell) Share(fragment string, copied func(ok bool)) bool {
	location := js.Global().Get("location")
	js.Global().Get("history").Call("replaceState", nil, "", "#"+fragment)
	clipboard := js.Global().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		copied(false)
		return true
	}
	go func() {
		_, err := await(clipboard.Call("writeText", location.Get("href")))
		copied(err == nil)
	}()
	return true
}

// served returns the name of the folder that the server offers, empty for none, and what is in it.
func served() (folder string, entries []screen.Entry) {
	text, err := fetch("recordings.json")
	if err != nil {
		return "", nil
	}
	var listing struct {
		Folder     string            `json:"folder"`
		Recordings []recording.Entry `json:"recordings"`
	}
	if json.Unmarshal(text, &listing) != nil {
		return "", nil
	}
	for _, r := range listing.Recordings {
		name := r.Path
		if name == "." {
			name = listing.Folder
		}
		entries = append(entries, screen.Entry{Name: name, Verb: r.Verb, Problem: r.Problem,
			Load: func() (recording.Files, error) { return load(r) }})
	}
	return listing.Folder, entries
}

// load fetches the files of a recording.
func load(r recording.Entry) (recording.Files, error) {
	files := recording.Files{}
	for _, name := range r.Files {
		text, err := fetch("data/" + path.Join(r.Path, name))
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	return files, nil
}

// fetch reads a file beside the page.
func fetch(name string) ([]byte, error) {
	response, err := await(js.Global().Call("fetch", name))
	if err != nil {
		return nil, err
	}
	text, err := await(response.Call("arrayBuffer"))
	if err != nil {
		return nil, err
	}
	data := bytesOf(js.Global().Get("Uint8Array").New(text))
	if !response.Get("ok").Bool() {
		return nil, fmt.Errorf("%s: %s", path.Base(name), strings.TrimSpace(string(data))) // the server says why in words
	}
	return data, nil
}

// await waits for what the browser promises.
func await(promise js.Value) (js.Value, error) {
	kept, broken := make(chan js.Value, 1), make(chan js.Value, 1)
	then := func(to chan js.Value) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any { to <- args[0]; return nil })
	}
	done, fail := then(kept), then(broken)
	defer done.Release()
	defer fail.Release()
	promise.Call("then", done, fail)
	select {
	case value := <-kept:
		return value, nil
	case reason := <-broken:
		return js.Value{}, errors.New(reason.Call("toString").String())
	}
}

// bytesOf copies an array of bytes.
func bytesOf(array js.Value) []byte {
	data := make([]byte, array.Length())
	js.CopyBytesToGo(data, array)
	return data
}
