package campaign

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"veilpath/planner/audit"
	"veilpath/sim/record/parquet"
	"veilpath/sim/report"
)

// ReadReleases reads releases that another mechanism made from a file: Parquet where its ending says so, CSV otherwise.
// adjacency is by how much the entries differ that were raised. Every error is a RequestError.
func ReadReleases(path string, adjacency float64) (*audit.Recorded, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, mistake("%s: %w", path, errors.Unwrap(err)) // without the path, which is told already
	}
	defer file.Close()
	var columns audit.Columns
	if info, failed := file.Stat(); failed == nil && strings.EqualFold(filepath.Ext(path), ".parquet") {
		columns, err = parquet.ReadNumbers(file, info.Size())
	} else {
		columns, err = audit.ReadCSV(file)
	}
	if err != nil {
		return nil, mistake("%s: %w", path, err)
	}
	recorded, err := columns.Record(adjacency)
	if err != nil {
		return nil, mistake("%s: %w", path, err)
	}
	return recorded, nil
}

// AuditFiles returns the files that hold an audit: its numbers and, where one entry was watched, the trade-off.
func AuditFiles(r *audit.Report) map[string]func(io.Writer) error {
	files := map[string]func(io.Writer) error{}
	if r.Entry != nil {
		files = report.AuditFigure(r).Files("figure")
		files[audit.TradeOffName] = r.WriteTradeOff
	}
	files[audit.NumbersName] = r.Answer().WriteJSON
	return files
}
