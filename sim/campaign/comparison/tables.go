package comparison

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"veilpath/internal/flightfile"
	"veilpath/internal/record"
	"veilpath/internal/runfile"
	"veilpath/internal/table"
	"veilpath/sim/campaign"
	"veilpath/sim/campaign/costs"
	"veilpath/sim/study"
)

const (
	costPrefix  = "cost_of_privacy_" // of a mechanism's column
	valuePrefix = "value_"
)

// costsOf reads the runs of a cost, one sample for every mechanism and epsilon.
func costsOf(ctx context.Context, p *campaign.Program, folder string, m record.Manifest) ([]sample, error) {
	file, err := record.OpenVerified(ctx, p.FileSystem(), folder, costs.RunsName, m)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	columns, err := costs.ReadCostColumns(file, file.Size())
	if err != nil {
		return nil, file.Damaged(err)
	}
	var all []sample
	for name, costs := range columns {
		mechanism, ok := strings.CutPrefix(name, costPrefix)
		values := columns[valuePrefix+mechanism]
		if !ok || len(values) != len(costs) || len(columns["run"]) != len(costs) {
			continue
		}
		places := map[float64]*sample{}
		for i, epsilon := range columns["epsilon"] {
			at := places[epsilon]
			if at == nil {
				at = &sample{labels: []Label{{"mechanism", mechanism}}, epsilon: epsilon, values: []measured{
					{name: "cost_of_privacy", unit: "1", meaning: "cost of privacy"},
					{name: "value", meaning: "of the private policy at the start, on the true reward"}}}
				places[epsilon] = at
			}
			at.of = append(at.of, int(columns["run"][i]))
			at.values[0].values = append(at.values[0].values, costs[i])
			at.values[1].values = append(at.values[1].values, values[i])
		}
		for _, at := range places {
			all = append(all, *at)
		}
	}
	slices.SortFunc(all, func(a, b sample) int {
		if order := strings.Compare(a.labels[0].Value, b.labels[0].Value); order != 0 {
			return order
		}
		return strings.Compare(fmt.Sprintf("%020.9f", a.epsilon), fmt.Sprintf("%020.9f", b.epsilon))
	})
	return all, nil
}

// requestOf reads the request of a cost, without lists and without keys that the settings have.
func requestOf(ctx context.Context, p *campaign.Program, folder string, m record.Manifest) ([]byte, error) {
	file, err := record.OpenVerified(ctx, p.FileSystem(), folder, costs.RequestName, m)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var asked map[string]any
	if err := json.NewDecoder(io.NewSectionReader(file, 0, file.Size())).Decode(&asked); err != nil {
		return nil, file.Damaged(err)
	}
	maps.DeleteFunc(asked, func(key string, value any) bool {
		_, list := value.([]any)
		return list || key == "seed" || key == "version"
	})
	return json.Marshal(asked)
}

// numbersOf reads the table of a tune: numbers with their intervals.
func numbersOf(ctx context.Context, p *campaign.Program, folder string, m record.Manifest) ([]sample, error) {
	file, err := record.OpenVerified(ctx, p.FileSystem(), folder, flightfile.SummaryName, m)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(io.NewSectionReader(file, 0, file.Size())).ReadAll()
	if err == nil && len(rows) < 2 {
		err = errors.New("it has no rows")
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not the table of a tune: %w", filepath.Join(folder, flightfile.SummaryName), err)
	}
	header, columns := rows[0], study.SurfaceColumns()
	var all []sample
	for _, row := range rows[1:] {
		cell := func(name string) float64 {
			if i := slices.Index(header, name); i >= 0 {
				if v, err := strconv.ParseFloat(row[i], 64); err == nil {
					return v
				}
			}
			return math.NaN()
		}
		s := sample{epsilon: cell("epsilon")}
		for i, name := range header {
			switch {
			case name == radiusLabel:
				s.labels = append(s.labels, Label{name, row[i]})
			case name == "epsilon", name == "runs", name == "sigma", strings.Contains(name, "_ci_"):
			default:
				stem, unit, _ := cutUnit(name)
				n := bounded{name: name, value: [3]float64{cell(name), cell(stem + "_ci_low" + unit),
					cell(stem + "_ci_high" + unit)}}
				if k := slices.IndexFunc(columns, func(c table.Column[study.SurfaceCell]) bool { return c.Name == name }); k >= 0 {
					n.unit, n.meaning = columns[k].Unit, columns[k].Meaning
				}
				s.numbers = append(s.numbers, n)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// addFlights adds the flights of a tune to its places. It adds none if there are too many for the memory, or if an
// earlier version, which kept no flights, wrote the folder.
func addFlights(ctx context.Context, p *campaign.Program, s *side) error {
	m := s.Manifest
	_, listed := m.Files[record.RunsName]
	if !listed || m.Runs > mostCompared/len(s.places) {
		return nil
	}
	radii := 1
	for radii < len(s.places) && s.places[radii].epsilon == s.places[0].epsilon {
		radii++
	}
	epsilons, row := len(s.places)/radii, 0
	m.Flights = m.Runs * len(s.places)
	return runfile.ReadRuns(ctx, p.FileSystem(), s.Folder, m, func(seen [][]study.Run) error {
		for _, r := range seen[0] {
			place := &s.places[row%epsilons*radii+row/epsilons%radii] // places are by epsilon, rows by radius
			if r.Run != row/len(s.places) || r.Epsilon != place.epsilon {
				return fmt.Errorf("%s: row %d: %w", filepath.Join(s.Folder, record.RunsName), row+1, campaign.ErrMisplaced)
			}
			place.runs = append(place.runs, r)
			row++
		}
		return nil
	})
}

// cutUnit cuts the unit off the name of a column.
func cutUnit(name string) (stem, unit string, found bool) {
	stem, found = strings.CutSuffix(name, "_km")
	if found {
		unit = "_km"
	}
	return stem, unit, found
}
