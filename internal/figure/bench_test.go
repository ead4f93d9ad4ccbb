package figure

import (
	"io"
	"math/rand/v2"
	"testing"
)

func BenchmarkStudyFigure(b *testing.B) {
	f, err := StudyFigure(randomStudy(rand.New(rand.NewPCG(1, 1)), 20, 200, false))
	if err != nil {
		b.Fatal(err)
	}
	for name, write := range map[string]func(io.Writer) error{"svg": f.WriteSVG, "png": f.WritePNG} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := write(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
