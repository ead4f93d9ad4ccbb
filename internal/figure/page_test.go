package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"veilpath/assets"
	"veilpath/internal/table"
)

// A page contains its words, tables and figures, the figures in two widths. Text is escaped.
func TestPage(t *testing.T) {
	f := &Figure{Panels: []Panel{&Chart{Series: []Series{{X: []float64{1, 2}, Y: []float64{1, 2}}}}}}
	p := Page{Kicker: "a kind", Title: "Two < three", Words: []string{"In words."},
		Made: "by a test", Figures: []*Figure{f},
		Tables: []Table{{Title: "A table", Header: []string{"one"}, Rows: [][]string{{"<b>"}}}}}
	var page bytes.Buffer
	if err := p.Write(&page); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, want := range []string{"a kind", "<h1>Two &lt; three</h1>", "In words.", "by a test",
		"<th scope=\"col\">one</th>", `<td data-of="one">&lt;b&gt;</td>`, "--background: #", "</html>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not hold %q", want)
		}
	}
	if strings.Index(text, "In words.") > strings.Index(text, "<svg") {
		t.Error("the page has its first figure before the answer")
	}
	if n := strings.Count(text, "<svg"); n != 2 {
		t.Errorf("%d drawings of one figure, want 2: for wide and for narrow screens", n)
	}
	if strings.Contains(text, "<script") || strings.Contains(text, "http://") &&
		!strings.Contains(text, "http://www.w3.org") {
		t.Error("the page loads other files")
	}
	f.Panels = nil
	if p.Write(&page) == nil {
		t.Error("a figure that cannot be drawn gives no error")
	}
}

// A figure on a page uses the page's light or dark colours for ink, series and the ramp. Colours outside the
// palette stay.
func TestPagesHaveTheirOwnShades(t *testing.T) {
	light := assets.LightPalette()
	hex := func(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
	for at := 0.0; at <= 1; at += 1. / 1024 {
		step := -1
		drawn := string(themed(`<path fill="` + hex(shade(light, at)) + `"/>`))
		fmt.Sscanf(drawn, `<path fill="var(--shade%d)"`, &step)
		if math.Abs(float64(step)-at*(shades-1)) > 0.51 {
			t.Errorf("the shade at %v is drawn as %s, want step %v", at, drawn, at*(shades-1))
		}
	}
	for colour, want := range map[string]string{hex(light.Background): "var(--background)", hex(light.Ink): "var(--ink)",
		hex(light.Series[1]): "var(--series1)", "#00ff00": "#00ff00"} {
		if drawn := string(themed(`<path stroke="` + colour + `"/>`)); drawn != `<path stroke="`+want+`"/>` {
			t.Errorf("%s is drawn as %s, want %s", colour, drawn, want)
		}
	}
	named := map[string]bool{}
	for _, c := range Colours(assets.DarkPalette()) {
		named[string(c.Name)] = true
	}
	if !named["shade0"] || !named[fmt.Sprint("shade", shades-1)] {
		t.Error("a page lacks colours that figures name")
	}
}

// A wide figure states its width, so that pages show its text as large as that of other figures.
func TestWideFiguresSaySo(t *testing.T) {
	for width, want := range map[float64]bool{0: false, 5: false, 13.5: true} {
		f := &Figure{WidthInches: width, Panels: []Panel{&Chart{Series: []Series{{X: []float64{1}, Y: []float64{1}}}}}}
		var b bytes.Buffer
		if err := f.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), `style="--wide: 1.5"`); got != want {
			t.Errorf("a figure of %v inches says that it is wide: %v, want %v", width, got, want)
		}
	}
}

// A page does not repeat its title in the words below it.
func TestPagesDoNotRepeatTheTitle(t *testing.T) {
	f := &Figure{Title: "One is more than two", Panels: []Panel{&Chart{Series: []Series{{X: []float64{1},
		Y: []float64{1}}}}}}
	words := []string{"one is more than two", "three is less"}
	own, other := map[string]*Figure{"figure": f}, map[string]*Figure{"figure": {Title: "Another"}}
	for _, c := range []struct {
		page  *Page
		title string
		words []string
	}{
		{NewPage("a kind", "by a test", words, own, nil), "One is more than two", []string{"Three is less."}},
		{NewPage("a kind", "by a test", words, nil, nil), "One is more than two", []string{"Three is less."}},
		{NewPage("a kind", "by a test", words, other, nil), "Another",
			[]string{"One is more than two.", "Three is less."}},
	} {
		if c.page.Title != c.title || !slices.Equal(c.page.Words, c.words) {
			t.Errorf("the page has the title %q and the words %q, want %q and %q", c.page.Title, c.page.Words, c.title, c.words)
		}
	}
}

// A long sentence is text below a short title, and ends with one full stop.
func TestLongSentencesAreNoTitles(t *testing.T) {
	long := "after all " + strings.Repeat("that was seen ", 8) + "nothing is known."
	for _, figures := range []map[string]*Figure{nil, {"figure": {Title: long}}} {
		p := NewPage("What is known", "by a test", []string{long, "one is more"}, figures, nil)
		if p.Title != "What is known" || len(p.Words) != 2 || p.Words[0] != "A"+long[1:] || p.Words[1] != "One is more." {
			t.Errorf("title %q, words %q", p.Title, p.Words)
		}
	}
}

// On a phone a figure is drawn narrower, with its panels below each other and its title once, and nothing scrolls.
func TestFiguresOnPhones(t *testing.T) {
	panel := &Chart{Series: []Series{{X: []float64{1, 2}, Y: []float64{1, 2}}}}
	f := &Figure{Title: "One < two", Panels: []Panel{panel, panel}, Columns: 2}
	p := Page{Figures: []*Figure{f}}
	var out strings.Builder
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	sizes := regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)"`).FindAllStringSubmatch(page, -1)
	narrow := sizes[len(sizes)-1]
	width, _ := strconv.ParseFloat(narrow[1], 64)
	height, _ := strconv.ParseFloat(narrow[2], 64)
	if width > 360 || height < 2*defaultHeight*72 {
		t.Errorf("drawn %g wide and %g high for phones", width, height)
	}
	if wide, after, found := strings.Cut(page, `<div class="on-narrow"><svg`); !found ||
		!strings.Contains(wide, `<div class="on-wide"><svg`) || strings.Count(after, "<title>One &lt; two") != 1 {
		t.Errorf("want the figure wide and narrow, with one title each: %s", page[strings.Index(page, "<main>"):])
	}
	_, style, _ := strings.Cut(page, "@media (max-width: 42rem) {")
	style, _, _ = strings.Cut(style, "\n}")
	for _, want := range []string{".on-wide { display: none; }", ".on-narrow { display: block; }",
		"td[data-of]::before { content: attr(data-of);"} {
		if !strings.Contains(style, want) {
			t.Errorf("no %q in the style for narrow screens:\n%s", want, style)
		}
	}
}

// The main figure comes first, and a long table is folded.
func TestPagesBeginWithTheMainFigure(t *testing.T) {
	panel := &Chart{Series: []Series{{X: []float64{1, 2}, Y: []float64{1, 2}}}}
	long := table.Plain{Headings: []string{"epsilon"}, Rows: slices.Repeat([][]string{{"1"}}, 26)}
	short := table.Plain{Headings: []string{"epsilon"}, Rows: [][]string{{"1"}}}
	p := NewPage("a kind", "by a test", []string{"one is more"}, map[string]*Figure{
		"attribution": {Title: "second", Panels: []Panel{panel}}, "figure": {Title: "first", Panels: []Panel{panel}}},
		[]Table{PrintedTable("Short", "", short), PrintedTable("", "", long)})
	if len(p.Figures) != 2 || p.Title != "first" || p.Figures[1].Title != "second" {
		t.Errorf("the page has the title %q", p.Title)
	}
	var out strings.Builder
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	if strings.Count(page, "<h2>") != 1 || strings.Count(page, "<summary>26 rows</summary>") != 1 ||
		strings.Count(page, "<details>") != 1 {
		t.Errorf("want one titled table, and another folded:\n%s", page[strings.Index(page, "<main>"):])
	}
}

// A table of a page has at most mostRows rows, and says of how many.
func TestTablesOfPagesEnd(t *testing.T) {
	rows := table.Plain{Headings: []string{"epsilon"}, Rows: slices.Repeat([][]string{{"1"}}, mostRows+5)}
	if got := PrintedTable("", "All.", rows); len(got.Rows) != mostRows || got.Text != "All. 400 of 405 rows." {
		t.Errorf("%d rows, %q", len(got.Rows), got.Text)
	}
}
