package reproduce

import (
	_ "embed" // of the prose
	"strings"
	"text/template"

	"veilpath/internal/report"
)

//go:embed prose.txt
var proseTemplates string

// prose returns the paragraphs of a template in prose.txt, executed with data.
func prose(name string, data any) []string {
	templates := template.Must(template.New("prose").Funcs(template.FuncMap{"brief": brief,
		"twice": func(x float64) float64 { return 2 * x }}).Parse(proseTemplates))
	var text strings.Builder
	if err := templates.ExecuteTemplate(&text, name, data); err != nil {
		panic("reproduce: " + err.Error()) // a template uses a field that its item does not pass
	}
	var paragraphs []string
	for paragraph := range strings.SplitSeq(text.String(), "\n\n") {
		if words := strings.Fields(paragraph); len(words) > 0 {
			paragraphs = append(paragraphs, strings.Join(words, " "))
		}
	}
	return paragraphs
}

// newFinding returns a finding with its title and text, and without rows.
func newFinding(name string, header ...string) Finding {
	words := prose(name, nil)
	return Finding{Table: report.Table{Title: words[0], Text: words[1], Header: header}}
}
