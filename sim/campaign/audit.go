package campaign

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"veilpath/configs"
	"veilpath/planner/audit"
	"veilpath/sim/pool"
	"veilpath/sim/record"
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

// Audit is the work of an audit.
type Audit struct {
	Program  *Program
	Settings *configs.Loaded
	Request  any // what is audited, beside the settings: a value for encoding/json
	Judge    func(context.Context, pool.Keeper) (*audit.Report, error)

	Report *audit.Report // nil before Do
	Wall   time.Duration
	keeper pool.Keeper
}

// Asked is all that the answer depends on.
func (a *Audit) Asked() Asked { return Asked{Verb: "audit", Settings: a.Settings, Request: a.Request} }

// KeepIn has the work go on after what a keeper has, and keep what it does.
func (a *Audit) KeepIn(keeper pool.Keeper) { a.keeper = keeper }

// Do makes the releases and judges them.
func (a *Audit) Do(ctx context.Context) (err error) {
	start := a.Program.now()
	a.Report, err = a.Judge(ctx, a.keeper)
	a.Wall = a.Program.now().Sub(start)
	return err
}

// Write writes the report.
func (a *Audit) Write(folder *record.Folder) error {
	request, err := a.Asked().hash()
	if err != nil {
		return err
	}
	return a.Program.Write(folder, Results{
		Verb: "audit", Settings: a.Settings, Request: request, Files: auditFiles(a.Report), Figures: auditFigures(a.Report), Wall: a.Wall,
	})
}

// auditFiles returns the files that hold an audit: its numbers and, where one entry was watched, the trade-off.
func auditFiles(r *audit.Report) map[string]func(io.Writer) error {
	files := map[string]func(io.Writer) error{audit.NumbersName: r.Answer().WriteJSON}
	if r.Entry != nil {
		files[audit.TradeOffName] = r.WriteTradeOff
	}
	return files
}

// auditFigures draws the trade-off, if there is one.
func auditFigures(r *audit.Report) map[string]*report.Figure {
	if r.Entry == nil {
		return nil
	}
	return map[string]*report.Figure{"figure": report.AuditFigure(r)}
}
