package screen

import (
	"fmt"
	"testing"

	"veilpath/cmd/veilpath-view/internal/ui"
)

// BenchmarkStepPlaying is a frame of playback with 200 flights on screen.
func BenchmarkStepPlaying(b *testing.B) {
	d := newDesk(b, 1280, 800)
	d.Model.SetRuns(200)
	for !d.Model.AxisComplete() {
		d.Model.Work()
		d.step(ui.Input{ElapsedS: 0.1, Outside: true})
	}
	for b.Loop() {
		if !d.Model.Clock.Playing {
			d.Model.Clock.Toggle()
		}
		d.step(ui.Input{ElapsedS: 1. / 60, Outside: true})
	}
}

// BenchmarkStepEpsilon200 is the frame after a change of epsilon that lies on the axis, with 200 flights on screen.
func BenchmarkStepEpsilon200(b *testing.B) {
	for _, epsilon := range []float64{0.06, 1, 12} {
		b.Run(fmt.Sprintf("epsilon=%v", epsilon), func(b *testing.B) {
			d := newDesk(b, 1280, 800)
			d.Model.SetRuns(200)
			for !d.Model.AxisComplete() {
				d.Model.Work()
				d.step(ui.Input{ElapsedS: 0.1, Outside: true})
			}
			i := 0
			for b.Loop() {
				i++
				d.Model.SetEpsilon(epsilon * (1 + float64(i%2)/100))
				d.step(ui.Input{ElapsedS: 1. / 60, Outside: true})
			}
		})
	}
}
