package main

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"veilpath/cmd/internal/terminal"
	"veilpath/configs"
	"veilpath/planner/audit"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
	"veilpath/sim/report"
)

// The files of an audit, beside its figure.
const (
	auditName    = "audit.json"
	tradeOffName = "tradeoff.csv"
)

// writeAudit writes the numbers, the measured trade-off and the figure of an audit.
func (a *app) writeAudit(folder *record.Folder, loaded *configs.Loaded, r *audit.Report, of string, answers []terminal.Answer, wall time.Duration) error {
	files := map[string]func(io.Writer) error{
		auditName: func(w io.Writer) error { return terminal.WriteAnswers(w, "json", answers) },
	}
	if r.Entry != nil {
		figure := report.AuditFigure(r, of)
		files["figure.png"], files["figure.svg"] = figure.WritePNG, figure.WriteSVG
		files[tradeOffName] = func(w io.Writer) error { return writeTradeOff(w, r) }
	}
	program, _ := a.program()
	return program.Write(folder, campaign.Results{Verb: "audit", Settings: loaded, Files: files, Wall: wall})
}

// writeTradeOff writes the measured trade-off beside the promised one.
func writeTradeOff(w io.Writer, r *audit.Report) error {
	table := csv.NewWriter(w)
	rows := [][]string{{"false_positive", "false_negative", "false_negative_promised", "mu", "mu_standard_error"}}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, p := range r.Entry.Curve {
		promised := 1.0
		if p.FalsePositive > 0 {
			promised = 0
			if p.FalsePositive < 1 {
				promised = r.Claim.FalseNegative(p.FalsePositive)
			}
		}
		rows = append(rows, []string{number(p.FalsePositive), number(p.FalseNegative), number(promised), number(p.Mu), number(p.MuStandardError)})
	}
	return table.WriteAll(rows)
}
