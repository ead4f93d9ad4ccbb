package campaign

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"veilpath/internal/answer"
	"veilpath/internal/option"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/sim/study"
)

// AnswerName is the file with the answer as JSON of verbs that do not name another.
const AnswerName = "answer.json"

// writeFiles writes the files of an answer in alphabetical order, and each figure as PNG and SVG at the same time.
func (p *Program) writeFiles(folder *pieces.Folder, a *answer.Answer) error {
	if a.Stream != nil {
		if err := a.Stream(folder.Write); err != nil {
			return err
		}
	}
	files := maps.Clone(a.Files)
	if files == nil {
		files = map[string]func(io.Writer) error{}
	}
	for _, file := range []answer.File{a.CSV, a.JSON} {
		if file.Name != "" {
			files[file.Name] = file.Write
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := folder.Write(name, files[name]); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Figures)) {
		drawn := a.Figures[name]
		var drawing sync.WaitGroup
		var errPNG error
		drawing.Go(func() { errPNG = folder.Write(name+".png", p.picture(drawn)) })
		err := folder.Write(name+".svg", drawn.WriteSVG)
		drawing.Wait()
		if err = cmp.Or(errPNG, err); err != nil { // both usually fail for the same reason
			return err
		}
	}
	return nil
}

// printedAnswer is an answer as people read it, in a manifest.
type printedAnswer struct {
	Words    []string   `json:"words"`
	Headings []string   `json:"headings,omitempty"`
	Lead     int        `json:"lead,omitempty"` // number of first columns that identify a row
	Rows     [][]string `json:"rows,omitempty"`
	Notes    []string   `json:"notes,omitempty"`
	Unmet    string     `json:"unmet,omitempty"` // demand that the answer does not meet
	CSV      string     `json:"csv,omitempty"`   // name of the file with the answer as CSV
	JSON     string     `json:"json,omitempty"`  // name of the file with the answer as JSON
}

// printed returns the answer for a manifest: what people read, with options in braces, and the names of the files that
// programs read.
func printed(a *answer.Answer) (json.RawMessage, error) {
	out := printedAnswer{Words: a.Words, Notes: a.Notes, CSV: a.CSV.Name, JSON: a.JSON.Name}
	if a.Unmet != nil {
		out.Unmet = option.Text(a.Unmet, func(name string) string { return "{" + name + "}" })
	}
	if a.Table != nil {
		columns, _ := a.Table.Shown(table.MostRows)
		for _, c := range columns {
			out.Headings = append(out.Headings, c.Heading)
			if c.Lead {
				out.Lead++
			}
			for i, cell := range c.Cells {
				if i == len(out.Rows) {
					out.Rows = append(out.Rows, nil)
				}
				out.Rows[i] = append(out.Rows[i], cell)
			}
		}
	}
	return json.Marshal(out)
}

// Again returns the finished answer in a folder, whose files must be as they were written.
func (p *Program) Again(ctx context.Context, j Job, folder string) (*answer.Answer, error) {
	m, err := p.ReadManifest(folder)
	if err != nil {
		return nil, err
	}
	if err := p.check(ctx, folder, m); err != nil {
		return nil, err
	}
	if p.Page && m.Files[PageName] == "" {
		return nil, RequestErrorf("the answer in %s is finished without %s, which is written with its other files; leave "+
			"{report} out, or repeat the work with {force}", folder, PageName)
	}
	if j.Question.Again != nil {
		return j.Question.Again(ctx, folder)
	}
	var kept printedAnswer
	if err := json.Unmarshal(m.Printed, &kept); err != nil {
		return nil, fmt.Errorf("%s: the answer in its manifest: %w", folder, err)
	}
	a := &answer.Answer{Words: kept.Words, Notes: kept.Notes, Facts: m.Facts,
		CSV: kept.file(ctx, kept.CSV, folder, m), JSON: kept.file(ctx, kept.JSON, folder, m)}
	if len(kept.Rows) > 0 {
		a.Table = table.Plain{Headings: kept.Headings, Rows: kept.Rows, Lead: kept.Lead}
	}
	switch {
	case kept.Unmet == "":
	case j.Demand != nil:
		a.Unmet = j.Demand(kept.Unmet)
	default:
		a.Unmet = option.Error(kept.Unmet)
	}
	return a, nil
}

// file returns a file of a folder as an answer in a format.
func (printedAnswer) file(ctx context.Context, name, folder string, m record.Manifest) answer.File {
	return answer.File{Name: name, Write: func(w io.Writer) error {
		if name == "" {
			return RequestErrorf("the answer in %s has no file in this format; leave {format} out, or see its files", folder)
		}
		file, err := record.OpenVerified(ctx, folder, name, m)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(w, io.NewSectionReader(file, 0, file.Size()))
		return err
	}}
}

// baselineFacts are what a manifest says of the baselines of flights.
func baselineFacts(b study.Baselines) record.Facts {
	return record.Facts{NominalDetectionKm: table.Maybe(b.DirectKm()),
		PlannedDetectionKm: table.Maybe(b.Planned.DetectionKm)}
}
