package parquet

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"

	"veilpath/internal/table"
	"veilpath/sim/cost"
)

// costColumns are those of costs.parquet: the run, epsilon, and what every mechanism's private policy is worth and
// costs.
func costColumns(mechanisms []string) []table.Column[cost.Row] {
	columns := []table.Column[cost.Row]{
		{Name: "run", Unit: "1", Meaning: "number of the run, which names its noise",
			Value: func(r *cost.Row) float64 { return float64(r.Run) }, Whole: true},
		{Name: "epsilon", Unit: "1", Meaning: "strength of privacy", Value: func(r *cost.Row) float64 { return r.Epsilon }},
	}
	for i, name := range mechanisms {
		columns = append(columns,
			table.Column[cost.Row]{Name: "value_" + name, Unit: "1",
				Meaning: "value at the start of the private policy, on the true reward",
				Value:   func(r *cost.Row) float64 { return r.Values[i] }},
			table.Column[cost.Row]{Name: "cost_of_privacy_" + name, Unit: "1", Meaning: "relative loss of value at the start",
				Value: func(r *cost.Row) float64 { return r.Costs[i] }})
	}
	return columns
}

// WriteCosts writes what runs cost with some mechanisms; version is the program's.
func WriteCosts(w io.Writer, rows []cost.Row, mechanisms []string, version string) error {
	return writeTable(w, numbers(costColumns(mechanisms)), version, rows)
}

// costPieceColumns are those of axis.parquet of what runs cost on a range of epsilon.
func costPieceColumns(mechanisms []string) []column[cost.Piece] {
	name := column[cost.Piece]{name: "mechanism", meaning: "that makes the reward private",
		kind: reflect.TypeFor[string](), tag: ",dict",
		put: putting(func(p *cost.Piece) parquet.Value { return parquet.ByteArrayValue([]byte(mechanisms[p.Mechanism])) })}
	return append([]column[cost.Piece]{name}, numbers(costNumbers())...)
}

// costNumbers are the columns of numbers of axis.parquet of what runs cost on a range of epsilon.
func costNumbers() []table.Column[cost.Piece] {
	return []table.Column[cost.Piece]{
		{Name: "run", Unit: "1", Meaning: "number of the run, which names its noise",
			Value: func(p *cost.Piece) float64 { return float64(p.Run) }, Whole: true},
		{Name: "epsilon_low", Unit: "1", Meaning: "least strength of privacy of the piece",
			Value: func(p *cost.Piece) float64 { return p.Low }},
		{Name: "epsilon_high", Unit: "1", Meaning: "strength of privacy at which the piece ends",
			Value: func(p *cost.Piece) float64 { return p.High }},
		{Name: "cost_of_privacy_low", Unit: "1", Meaning: "relative loss of value at the start, at least; where moves are " +
			"certain it is the same all over the piece", Value: func(p *cost.Piece) float64 {
			return p.Least
		}},
		{Name: "cost_of_privacy_high", Unit: "1", Meaning: "the same, at most",
			Value: func(p *cost.Piece) float64 { return p.Most }},
	}
}

// WriteCostPieces writes what runs cost on a range of epsilon; version is the program's.
func WriteCostPieces(w io.Writer, pieces []cost.Piece, mechanisms []string, version string) error {
	return writeTable(w, costPieceColumns(mechanisms), version, pieces)
}

// ReadCostPieces reads what WriteCostPieces wrote.
func ReadCostPieces(r io.ReaderAt, size int64, mechanisms []string) ([]cost.Piece, error) {
	columns, err := readColumns(r, size, true, func(column string, v parquet.Value) (float64, bool) {
		if column == "mechanism" {
			i := slices.Index(mechanisms, string(v.ByteArray()))
			return float64(i), i >= 0
		}
		x, ok := valueOf(v)
		return x, ok && !math.IsNaN(x)
	})
	if err != nil {
		return nil, err
	}
	pieces := make([]cost.Piece, len(columns["mechanism"]))
	for _, c := range costNumbers() {
		if len(columns[c.Name]) != len(pieces) {
			return nil, fmt.Errorf("no column %s", c.Name)
		}
	}
	for i := range pieces {
		run := columns["run"][i]
		if !(run >= 0 && run < 1<<53) || run != math.Trunc(run) {
			return nil, fmt.Errorf("row %d: run %v is no run", i+1, run)
		}
		pieces[i] = cost.Piece{Run: int(run), Mechanism: int(columns["mechanism"][i]), Low: columns["epsilon_low"][i],
			High:  columns["epsilon_high"][i],
			Least: columns["cost_of_privacy_low"][i], Most: columns["cost_of_privacy_high"][i]}
	}
	return pieces, nil
}

// ReadCostColumns reads what WriteCosts wrote, by column. A cost is infinite where the optimal value is 0.
func ReadCostColumns(r io.ReaderAt, size int64) (map[string][]float64, error) {
	return readNumbers(r, size, func(x float64) bool { return !math.IsNaN(x) })
}

// ReadCosts reads what WriteCosts wrote, by row.
func ReadCosts(r io.ReaderAt, size int64, mechanisms []string) ([]cost.Row, error) {
	columns, err := ReadCostColumns(r, size)
	if err != nil {
		return nil, err
	}
	names := costColumns(mechanisms)
	if len(columns) != len(names) {
		return nil, errors.New("other columns than those of the mechanisms")
	}
	rows := make([]cost.Row, len(columns["run"]))
	for i := range rows {
		rows[i].Values, rows[i].Costs = make([]float64, len(mechanisms)), make([]float64, len(mechanisms))
		run, epsilon := columns["run"][i], columns["epsilon"]
		if !(run >= 0 && run < 1<<53) || run != math.Trunc(run) || len(epsilon) != len(rows) {
			return nil, fmt.Errorf("row %d: run %v is no run", i+1, run)
		}
		rows[i].Run, rows[i].Epsilon = int(run), epsilon[i]
		for k, name := range mechanisms {
			values, costs := columns["value_"+name], columns["cost_of_privacy_"+name]
			if len(values) != len(rows) || len(costs) != len(rows) {
				return nil, fmt.Errorf("no column of mechanism %s", name)
			}
			rows[i].Values[k], rows[i].Costs[k] = values[i], costs[i]
		}
	}
	return rows, nil
}
