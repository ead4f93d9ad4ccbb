package report

import (
	"bytes"
	"strings"
	"testing"
)

// A page holds its words, tables and figures, in both palettes, and what is not markup is escaped.
func TestPage(t *testing.T) {
	f := &Figure{Panels: []Panel{&Chart{Series: []Series{{X: []float64{1, 2}, Y: []float64{1, 2}}}}}}
	p := Page{Kicker: "a kind", Title: "Two < three", Words: []string{"In words."}, Made: "by a test", Figures: []*Figure{f},
		Tables: []Table{{Title: "A table", Header: []string{"one"}, Rows: [][]string{{"<b>"}}}}}
	var page bytes.Buffer
	if err := p.Write(&page); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, want := range []string{"a kind", "<h1>Two &lt; three</h1>", "In words.", "by a test", "<th scope=\"col\">one</th>", "<td>&lt;b&gt;</td>", "--background: #", "</html>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not hold %q", want)
		}
	}
	if n := strings.Count(text, "<svg"); n != 2 {
		t.Errorf("%d drawings of one figure, want 2: one a palette", n)
	}
	if strings.Contains(text, "<script") || strings.Contains(text, "http://") && !strings.Contains(text, "http://www.w3.org") {
		t.Error("the page asks for more than itself")
	}
	f.Panels = nil
	if p.Write(&page) == nil {
		t.Error("a figure that cannot be drawn goes unnoticed")
	}
}
