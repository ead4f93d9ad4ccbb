package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"veilpath/assets"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldens returns small figures of every kind.
func goldens(t testing.TB) map[string]*Figure {
	study, err := StudyFigure(randomStudy(rand.New(rand.NewPCG(1, 1)), 3, 40, true))
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0.1, 1, 10}
	chart := &Chart{
		Title: "Bound", X: Axis{Label: "ε", Scale: Log}, Y: Axis{Label: "d (km)", FromZero: true},
		Series: []Series{
			{Label: "ours", X: x, Y: []float64{3, math.NaN(), 1}, Low: []float64{2, math.NaN(), 0.5},
				High: []float64{4, math.NaN(), 2}},
			{Label: "paper", Mark: Published, Hue: 1, X: x, Y: []float64{3.1, 2.2, 0.9}},
			{Label: "bound", Mark: Bound, Hue: 2, X: x, Y: []float64{4, 4, 4}},
			{Mark: Points, Hue: 3, X: x, Y: []float64{1, 1, 2}, Names: []string{"a", "b", "c"}},
		},
		References: []Reference{{Label: "here", At: 2, Vertical: true}, {Label: "3.5", At: 3.5, Strong: true}},
	}
	plane := &surface{
		X: Axis{Label: "ε"}, Y: Axis{Label: "ρ"}, ZLabel: "d", Xs: []float64{1, 2, 3}, Ys: []float64{1, 2, 4},
		Z: [][]float64{{1, 2, 3}, {2, 3, 4}, {math.NaN(), 4, 5}}, Strong: 2.5,
	}
	return map[string]*Figure{
		"study":   study,
		"chart":   {Title: "Chart & <parts>", Panels: []Panel{chart}, WidthInches: 5, HeightInches: 4},
		"surface": {Title: "Surface", Note: "Dark", Panels: []Panel{plane}, WidthInches: 5, HeightInches: 4},
	}
}

func svg(t testing.TB, f *Figure) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestGolden compares figures with the files that a person has looked at; after a change look again at
// what go test -update writes.
func TestGolden(t *testing.T) {
	for name, f := range goldens(t) {
		path := filepath.Join("testdata", name+".svg")
		got := svg(t, f)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Errorf("%s: line %d is\n%.200s\nwant\n%.200s", path, i+1, a[i], b[i])
					break
				}
			}
			t.Errorf("%s: %d lines, want %d", path, len(a), len(b))
		}
	}
}

func TestSameInputGivesSameBytes(t *testing.T) {
	for name, f := range goldens(t) {
		again := goldens(t)[name]
		if !bytes.Equal(svg(t, f), svg(t, again)) {
			t.Errorf("%s: two SVG of the same figure differ", name)
		}
		var a, b bytes.Buffer
		if err := errors.Join(f.WritePNG(&a), again.WritePNG(&b)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two PNG of the same figure differ", name)
		}
	}
}

// TestSVGIsSound checks that a figure is well-formed and contains no NaN or infinity, that its title is for screen
// readers, and that its text is text.
func TestSVGIsSound(t *testing.T) {
	attributes := regexp.MustCompile(`(?:NaN|Inf|%!)`)
	for name, f := range goldens(t) {
		f.Title = `Less < "more" & all`
		b := svg(t, f)
		if bad := attributes.Find(b); bad != nil {
			t.Errorf("%s holds %q", name, bad)
		}
		var read struct {
			Title string   `xml:"title"`
			Text  []string `xml:"g>text"`
		}
		if err := xml.Unmarshal(b, &read); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if read.Title != f.Title || !slices.Contains(read.Text, f.Title) {
			t.Errorf("%s has the title %q and the text %q, want %q in both", name, read.Title, read.Text, f.Title)
		}
	}
}

func TestPNGSize(t *testing.T) {
	for _, c := range []struct {
		width, height float64
		x, y          int
	}{{0, 0, 1350, 1125}, {5, 4, 750, 600}} {
		f := goldens(t)["chart"]
		f.WidthInches, f.HeightInches = c.width, c.height
		var b bytes.Buffer
		if err := f.WritePNG(&b); err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if got := picture.Bounds().Size(); got.X != c.x || got.Y != c.y {
			t.Errorf("%v x %v inches give %v pixels, want %d x %d", c.width, c.height, got, c.x, c.y)
		}
		if r, g, b, _ := picture.At(0, 0).RGBA(); r != 0xFFFF || g != 0xFFFF || b != 0xFFFF {
			t.Errorf("the corner is not of the background's colour")
		}
	}
}

// Text is drawn only at resolutions at which it can be read.
func TestTextOfPicturesWhereItCanBeRead(t *testing.T) {
	picture := func(title string, dots int) string {
		f := goldens(t)["surface"]
		f.Title = title
		var b bytes.Buffer
		if err := f.WritePNGAt(&b, dots); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for dots, read := range map[int]bool{PNGResolution: true, 36: true, 12: false} {
		if differ := picture("here", dots) != picture("there", dots); differ != read {
			t.Errorf("at %d dots per inch two titles differ: %v, want %v", dots, differ, read)
		}
	}
}

// TestPaintsInItsColors looks for the colours of the marks in the picture.
func TestPaintsInItsColors(t *testing.T) {
	var b bytes.Buffer
	if err := goldens(t)["chart"].WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[3]uint32]int{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			r, g, b, _ := picture.At(x, y).RGBA()
			seen[[3]uint32{r >> 8, g >> 8, b >> 8}]++
		}
	}
	p := assets.LightPalette()
	for i, c := range p.Series[:4] {
		if n := seen[[3]uint32{uint32(c.R), uint32(c.G), uint32(c.B)}]; n < 20 {
			t.Errorf("%d pixels of series colour %d, want some dozens", n, i)
		}
	}
}

func TestImpossibleFiguresAreRefused(t *testing.T) {
	one := []float64{1}
	good := Series{Label: "s", X: one, Y: one}
	chart := func(change func(*Chart)) Panel {
		c := &Chart{Title: "p", Series: []Series{good}}
		change(c)
		return c
	}
	many := func(c *Chart) {
		for range 2000 {
			c.Series = append(c.Series, good)
		}
	}
	for want, f := range map[string]*Figure{
		"no panels":              {},
		"size of":                {WidthInches: -1, Panels: []Panel{chart(func(*Chart) {})}},
		"make the figure larger": {WidthInches: 1, HeightInches: 1, Panels: []Panel{chart(func(*Chart) {})}},
		"use fewer labels":       {Panels: []Panel{chart(many)}},
		"from +Inf to -Inf":      {Panels: []Panel{chart(func(c *Chart) { c.Series[0].Y = []float64{math.NaN()} })}},
		"+Inf":                   {Panels: []Panel{chart(func(c *Chart) { c.Series[0].Y = []float64{math.Inf(1)} })}},
		"above 0":                {Panels: []Panel{chart(func(c *Chart) { c.Y.Scale, c.Series[0].Y = Log, []float64{0} })}},
		"from 2 to 1":            {Panels: []Panel{chart(func(c *Chart) { c.Y.Range = [2]float64{2, 1} })}},
		"from -1e+308": {Panels: []Panel{chart(func(c *Chart) {
			c.Series[0] = Series{X: []float64{-1e308, 1e308}, Y: []float64{1, 1}}
		})}},
		"only one of them is logarithmic": {SharedX: true, Panels: []Panel{chart(func(c *Chart) {}),
			chart(func(c *Chart) { c.X.Scale = Log })}},
	} {
		for format, write := range map[string]func(io.Writer) error{"SVG": f.WriteSVG, "PNG": f.WritePNG} {
			var b bytes.Buffer
			err := write(&b)
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: error %v, want one line with %q", format, err, want)
			}
			if b.Len() > 0 {
				t.Errorf("%s: %d bytes were written before %q", format, b.Len(), want)
			}
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteErrorsReachTheCaller(t *testing.T) {
	f := goldens(t)["chart"]
	for _, err := range []error{f.WriteSVG(fullDisk{}), f.WritePNG(fullDisk{})} {
		if err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("error %v, want the writer's", err)
		}
	}
}

func ExampleFigure_WriteSVG() {
	bound := Series{Label: "bound", Mark: Bound, X: []float64{0.1, 1, 10}, Y: []float64{40, 4.3, 0.6}}
	published := Series{Label: "published", Mark: Published, Hue: 1, X: []float64{0.1, 1, 10},
		Y: []float64{20.9, 2.3, 0.3}}
	f := &Figure{
		Title: "The bound is twice the truth",
		Panels: []Panel{&Chart{
			X:      Axis{Label: "Privacy parameter ε", Scale: Log},
			Y:      Axis{Label: "Largest error (reward units)", Scale: Log},
			Series: []Series{bound, published},
		}},
		WidthInches: 7, HeightInches: 4.5,
	}
	var drawing bytes.Buffer
	if err := f.WriteSVG(&drawing); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.Split(drawing.String(), "\n")[1])
	// Output: <title>The bound is twice the truth</title>
}
