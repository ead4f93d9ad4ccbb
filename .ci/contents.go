// Command contents compares what two files hold: contents KIND OLD NEW. The kinds are png, whose pixels are compared;
// parquet, csv, json, yaml and manifest, where the new file may hold more columns, keys or lines, which are named;
// printed, whose numbers must all be there, however they are laid out; and bytes. It fails, and says where, when
// anything of the old file is missing or another in the new one.
package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/png"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: contents KIND OLD NEW")
		os.Exit(2)
	}
	compare := map[string]func(was, is []byte) (more []string, err error){
		"png": pixels, "parquet": tables(rows), "csv": tables(cells), "json": values, "manifest": manifest, "yaml": lines,
		"printed": numbers, "bytes": same,
	}[os.Args[1]]
	if compare == nil {
		fmt.Fprintln(os.Stderr, "contents: kind", os.Args[1])
		os.Exit(2)
	}
	var texts [2][]byte
	for i := range texts {
		var err error
		if texts[i], err = os.ReadFile(os.Args[2+i]); err != nil {
			fmt.Println("missing:", err)
			os.Exit(1)
		}
	}
	more, err := compare(texts[0], texts[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if len(more) > 0 {
		fmt.Println("also", strings.Join(slices.Compact(slices.Sorted(slices.Values(more))), ", "))
	}
}

func same(was, is []byte) ([]string, error) {
	if !bytes.Equal(was, is) {
		return nil, errors.New("other bytes")
	}
	return nil, nil
}

// number is a number as people read it.
var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?`)

// numbers compares what was printed for people: every number of the old text is in the new one.
func numbers(was, is []byte) ([]string, error) {
	there := number.FindAllString(string(is), -1)
	for _, text := range number.FindAllString(string(was), -1) {
		if !slices.Contains(there, text) {
			return nil, fmt.Errorf("%s is missing", text)
		}
	}
	return []string{"other words around the same numbers"}, nil
}

// pixels compares two pictures.
func pixels(was, is []byte) ([]string, error) {
	a, _, err := image.Decode(bytes.NewReader(was))
	if err != nil {
		return nil, err
	}
	b, _, err := image.Decode(bytes.NewReader(is))
	if err != nil {
		return nil, err
	}
	if a.Bounds() != b.Bounds() {
		return nil, fmt.Errorf("%v pixels, %v before", b.Bounds().Size(), a.Bounds().Size())
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r, g, b1, alpha := a.At(x, y).RGBA()
			r2, g2, b2, alpha2 := b.At(x, y).RGBA()
			if r != r2 || g != g2 || b1 != b2 || alpha != alpha2 {
				return nil, fmt.Errorf("another pixel at %d, %d", x, y)
			}
		}
	}
	return nil, nil
}

// table is named columns of texts.
type table struct {
	names   []string
	columns [][]string
}

// tables compares two tables that a function reads. The columns of the old one come first in the new one, in their
// order.
func tables(read func([]byte) (table, error)) func(was, is []byte) ([]string, error) {
	return func(was, is []byte) ([]string, error) {
		old, err := read(was)
		if err != nil {
			return nil, err
		}
		now, err := read(is)
		if err != nil {
			return nil, err
		}
		if len(now.names) < len(old.names) || !slices.Equal(old.names, now.names[:len(old.names)]) {
			return nil, fmt.Errorf("columns %v, before %v", now.names, old.names)
		}
		for i, name := range old.names {
			if len(old.columns[i]) != len(now.columns[i]) {
				return nil, fmt.Errorf("%d rows, %d before", len(now.columns[i]), len(old.columns[i]))
			}
			for row, v := range old.columns[i] {
				if now.columns[i][row] != v {
					return nil, fmt.Errorf("%s in row %d is %s, before %s", name, row+1, now.columns[i][row], v)
				}
			}
		}
		return now.names[len(old.names):], nil
	}
}

// cells reads a table in CSV.
func cells(text []byte) (t table, err error) {
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 {
		return t, fmt.Errorf("no CSV: %w", err)
	}
	t.names, t.columns = lines[0], make([][]string, len(lines[0]))
	for _, line := range lines[1:] {
		for i, cell := range line {
			t.columns[i] = append(t.columns[i], cell)
		}
	}
	return t, nil
}

// rows reads a Parquet table. The name of a column has its type and unit with it.
func rows(text []byte) (t table, err error) {
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return t, err
	}
	units := map[string]string{}
	if raw, ok := file.Lookup("veilpath:units"); ok {
		if err := json.Unmarshal([]byte(raw), &units); err != nil {
			return t, err
		}
	}
	for _, field := range file.Schema().Fields() {
		t.names = append(t.names, fmt.Sprintf("%s %s %s", field.Name(), field.Type(), units[field.Name()]))
	}
	t.columns = make([][]string, len(t.names))
	reader := parquet.NewReader(file)
	defer reader.Close()
	batch := make([]parquet.Row, 1024)
	for {
		n, err := reader.ReadRows(batch)
		for _, row := range batch[:n] {
			for _, v := range row {
				t.columns[v.Column()] = append(t.columns[v.Column()], fmt.Sprintf("%+v", v))
			}
		}
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return t, err
		}
	}
}

// lines compares two texts of which the new one may have lines in between.
func lines(was, is []byte) (more []string, err error) {
	rest := slices.Collect(strings.Lines(string(was)))
	for line := range strings.Lines(string(is)) {
		if len(rest) > 0 && line == rest[0] {
			rest = rest[1:]
			continue
		}
		more = append(more, strings.TrimSpace(line))
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("missing: %s", strings.TrimSpace(rest[0]))
	}
	return more, nil
}

// values compares two JSON texts.
func values(was, is []byte) (more []string, err error) {
	var trees [2]any
	for i, text := range [][]byte{was, is} {
		if err := decode(text, &trees[i]); err != nil {
			return nil, err
		}
	}
	return within("", trees[0], trees[1])
}

// decode reads JSON with its numbers as they are written.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// manifest compares two manifests without what differs between any two runs or versions of a program and the hashes of
// files, which are compared themselves. The hash of settings is left out where there are new ones.
func manifest(was, is []byte) (more []string, err error) {
	var trees [2]map[string]any
	for i, text := range [][]byte{was, is} {
		if err := decode(text, &trees[i]); err != nil {
			return nil, err
		}
		for _, key := range []string{"version", "wall_time_s", "workers", "runs_sha256", "files", "seal"} {
			delete(trees[i], key)
		}
	}
	if more, err = within(".config", trees[0]["config"], trees[1]["config"]); err != nil {
		return nil, err
	}
	if len(more) > 0 {
		trees[1]["config_sha256"] = trees[0]["config_sha256"]
	}
	return within("", any(trees[0]), any(trees[1]))
}

// within compares the values of two JSON texts at a path.
func within(path string, was, is any) (more []string, err error) {
	switch was := was.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s is no object any more", path)
		}
		for _, key := range slices.Sorted(maps.Keys(is)) {
			if _, there := was[key]; !there {
				more = append(more, path+"."+key)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(was)) {
			if _, there := is[key]; !there {
				return nil, fmt.Errorf("%s.%s is missing", path, key)
			}
			further, err := within(path+"."+key, was[key], is[key])
			if err != nil {
				return nil, err
			}
			more = append(more, further...)
		}
		return more, nil
	case []any:
		is, ok := is.([]any)
		if !ok || len(is) != len(was) {
			return nil, fmt.Errorf("%s is no list of %d", path, len(was))
		}
		for i := range was {
			further, err := within(path+"[]", was[i], is[i])
			if err != nil {
				return nil, fmt.Errorf("item %d: %w", i+1, err)
			}
			more = append(more, further...)
		}
		return more, nil
	}
	if was != is {
		return nil, fmt.Errorf("%s is %v, before %v", path, is, was)
	}
	return nil, nil
}
