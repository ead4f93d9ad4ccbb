package costs

import (
	"errors"
	"fmt"
	"io"
	"math"

	"veilpath/internal/record/parquet"
	"veilpath/sim/cost"
)

// ReadCostColumns reads a table with the columns cost.RowColumns, by column. Costs are infinite if the optimal
// value is 0.
func ReadCostColumns(r io.ReaderAt, size int64) (map[string][]float64, error) {
	return parquet.ReadColumns(r, size, func(x float64) bool { return !math.IsNaN(x) })
}

// readCosts reads the same table by row.
func readCosts(r io.ReaderAt, size int64, mechanisms []string) ([]cost.Row, error) {
	columns, err := ReadCostColumns(r, size)
	if err != nil {
		return nil, err
	}
	names := cost.RowColumns(mechanisms)
	if len(columns) != len(names) {
		return nil, errors.New("the columns do not match the mechanisms")
	}
	rows := make([]cost.Row, len(columns["run"]))
	for i := range rows {
		rows[i].Values, rows[i].Costs = make([]float64, len(mechanisms)), make([]float64, len(mechanisms))
		run, epsilon := columns["run"][i], columns["epsilon"]
		if !(run >= 0 && run < 1<<53) || run != math.Trunc(run) || len(epsilon) != len(rows) {
			return nil, fmt.Errorf("row %d: %v is not the number of a run", i+1, run)
		}
		rows[i].Run, rows[i].Epsilon = int(run), epsilon[i]
		for k, name := range mechanisms {
			values, costs := columns["value_"+name], columns["cost_of_privacy_"+name]
			if len(values) != len(rows) || len(costs) != len(rows) {
				return nil, fmt.Errorf("mechanism %s has no columns", name)
			}
			rows[i].Values[k], rows[i].Costs[k] = values[i], costs[i]
		}
	}
	return rows, nil
}
