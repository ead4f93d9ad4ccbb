//go:build js

package main

import (
	"syscall/js"
	"time"

	"veilpath/cmd/veilpath-view/internal/model"
)

// remoteArgument tells the program that it flies for another instance.
const remoteArgument = "remote"

// remote is the program run once more in a worker of the page, whose thread is another than the page's.
type remote struct {
	port js.Value // to it
}

// Post implements model.Remote.
func (r remote) Post(message []byte) { post(r.port, message) }

// Interrupt implements model.Remote.
func (r remote) Interrupt(but int) { r.port.Call("postMessage", but) }

// employ has the program run once more, and fly for the model, where there is a processor for it.
func employ(m *model.Model) {
	if js.Global().Get("navigator").Get("hardwareConcurrency").Int() < 2 {
		return
	}
	worker, err := newWorker()
	if err != nil {
		js.Global().Get("console").Call("warn", "The page flies on one thread: "+err.Error())
		return
	}
	channel := js.Global().Get("MessageChannel").New()
	here, there := channel.Get("port1"), channel.Get("port2")
	posted := m.Employ(remote{here})
	here.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		posted.Answered(bytesOf(args[0].Get("data")))
		return nil
	}))
	ended := js.FuncOf(func(js.Value, []js.Value) any {
		posted.Lost()
		return nil
	})
	worker.Set("onmessage", ended)
	worker.Set("onerror", ended)
	worker.Call("postMessage", map[string]any{"module": js.Global().Get("veilpathModule"), "page": there}, []any{there})
}

// newWorker starts a worker of the page. Its script is made here, since a page that is opened as a file may load none.
func newWorker() (worker js.Value, err error) {
	defer func() {
		if refused, ok := recover().(js.Error); ok {
			err = refused
		}
	}()
	var parts []any
	for _, name := range []string{"wasm_exec.js", "remote.js"} {
		text, err := fetch(name)
		if err != nil {
			return js.Value{}, err
		}
		parts = append(parts, string(text))
	}
	blob := js.Global().Get("Blob").New(parts, map[string]any{"type": "text/javascript"})
	return js.Global().Get("Worker").New(js.Global().Get("URL").Call("createObjectURL", blob)), nil
}

// post passes bytes on by a port.
func post(port js.Value, text []byte) {
	data := js.Global().Get("Uint8Array").New(len(text))
	js.CopyBytesToJS(data, text)
	port.Call("postMessage", data, []any{data.Get("buffer")})
}

func bytesOf(data js.Value) []byte {
	text := make([]byte, data.Length())
	js.CopyBytesToGo(text, data)
	return text
}

// respond flies for the page until that ends.
func respond() error {
	const turn = 4 * time.Millisecond // after which interruptions are heard
	yield, rests := yielder(), time.Now().Add(turn)
	r := model.Responder{Pause: func() {
		if time.Now().After(rests) {
			yield()
			rests = time.Now().Add(turn)
		}
	}}
	came := make(chan struct{}, 1)
	page := js.Global().Get("veilpathPage")
	page.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if data := args[0].Get("data"); data.Type() == js.TypeNumber {
			r.Interrupt(data.Int())
		} else {
			r.Take(bytesOf(data))
		}
		select {
		case came <- struct{}{}:
		default:
		}
		return nil
	}))
	for range came {
		for answer, err := r.Respond(); answer != nil || err != nil; answer, err = r.Respond() {
			if err != nil {
				return err
			}
			post(page, answer)
		}
	}
	return nil
}
