package assets

import (
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed published/*.csv
var published embed.FS

// Published is a table or curve of the paper (arXiv 2309.12476), as printed; blank where nothing is plotted.
type Published struct {
	Name   string
	Header []string
	Rows   [][]string
}

// OpenPublished reads a table by its name in assets/published, without the ending.
func OpenPublished(name string) (*Published, error) {
	file, err := published.Open("published/" + name + ".csv")
	if err != nil {
		return nil, fmt.Errorf("assets: %w", err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("assets: %s: %w", name, err)
	}
	return &Published{name, rows[0], rows[1:]}, nil
}

// Column returns the index of a named column.
func (p *Published) Column(name string) (int, error) {
	if i := slices.Index(p.Header, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("assets: %s has no column %s; it has %s", p.Name, name, strings.Join(p.Header, ", "))
}

// Curve returns a column along another. Rows that are blank in it are left out.
func (p *Published) Curve(along, column string) (xs, ys []float64, err error) {
	x, err := p.Column(along)
	if err != nil {
		return nil, nil, err
	}
	y, err := p.Column(column)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range p.Rows {
		if row[y] == "" {
			continue
		}
		at, err := strconv.ParseFloat(row[x], 64)
		if err != nil {
			return nil, nil, fmt.Errorf("assets: %s: %w", p.Name, err)
		}
		value, err := strconv.ParseFloat(row[y], 64)
		if err != nil {
			return nil, nil, fmt.Errorf("assets: %s: %w", p.Name, err)
		}
		xs, ys = append(xs, at), append(ys, value)
	}
	return xs, ys, nil
}
