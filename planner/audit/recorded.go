package audit

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Columns are columns of numbers by heading; all have the same length.
type Columns map[string][]float64

// Limits of a CSV file of releases.
const (
	mostBytes   = 1 << 30
	longestRow  = 1 << 20 // bytes
	mostNumbers = 100_000_000
	mostColumns = 64
)

// ReadCSV reads columns of numbers, separated by commas, under a header: at most 1 GiB and 100 million numbers,
// in rows of at most 1 MiB. It stops when the context ends. size is the size of the input in bytes, 0 if
// unknown.
func ReadCSV(ctx context.Context, r io.Reader, size int64) (Columns, error) {
	if size > mostBytes {
		return nil, fmt.Errorf("more than %d MiB; split it", mostBytes>>20)
	}
	bounded := &rowReader{ctx: ctx, r: r, all: mostBytes, row: longestRow}
	columns, err := readCSV(bounded)
	if bounded.refused != nil {
		return nil, bounded.refused
	}
	return columns, err
}

// rowReader limits the bytes read in total and per row, and stops when its context ends.
type rowReader struct {
	ctx      context.Context
	r        io.Reader
	all, row int // bytes left
	refused  error
}

// Read may read ahead of the current row, by at most one buffer.
func (b *rowReader) Read(to []byte) (int, error) {
	switch {
	case b.ctx.Err() != nil:
		b.refused = b.ctx.Err()
	case b.all <= 0:
		b.refused = fmt.Errorf("more than %d MiB; split it", mostBytes>>20)
	case b.row <= 0:
		b.refused = fmt.Errorf("a row of more than %d MiB; want releases as CSV under a header", longestRow>>20)
	}
	if b.refused != nil {
		return 0, b.refused
	}
	n, err := b.r.Read(to)
	b.all, b.row = b.all-n, b.row-n
	return n, err
}

func readCSV(r *rowReader) (Columns, error) {
	rows := csv.NewReader(r)
	rows.ReuseRecord = true
	header, err := rows.Read()
	if err == io.EOF {
		return nil, errors.New("no rows; want releases as CSV under a header")
	}
	if err != nil {
		return nil, err
	}
	if len(header) > mostColumns {
		return nil, fmt.Errorf("%d columns; want releases as CSV under a header", len(header))
	}
	names := make([]string, len(header))
	for i, name := range header {
		names[i] = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))
		if slices.Contains(names[:i], names[i]) {
			return nil, fmt.Errorf("two columns are called %q", names[i])
		}
	}
	columns := make([][]float64, len(names))
	for read := 0; ; read += len(names) {
		if read > mostNumbers {
			return nil, fmt.Errorf("more than %d numbers; split it", mostNumbers)
		}
		r.row = longestRow
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		for i, cell := range row {
			v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				line, _ := rows.FieldPos(i)
				return nil, fmt.Errorf("line %d, column %s: %.40q is not a finite number; entries and releases have "+
					"numbers, not names", line, names[i], cell)
			}
			columns[i] = append(columns[i], v)
		}
	}
	c := Columns{}
	for i, name := range names {
		c[name] = columns[i]
	}
	return c, nil
}

// Recorded holds releases of an unknown mechanism, minus the rewards that were released.
type Recorded struct {
	// Table and Neighbour are equally many releases of unraised entries and of entries raised by the adjacency.
	Table, Neighbour []float64
	// Releases are whole tables; empty if no column says which releases belong together.
	Releases []Release

	entries bool // the numbers are of several entries, whose noise may be shared by releases that nothing names
}

// The column names of recorded releases.
const (
	columnReward    = "reward"    // input of the mechanism
	columnReleased  = "released"  // output of the mechanism
	columnEntry     = "entry"     // index of the reward in the table
	columnRelease   = "release"   // run of the mechanism
	columnScale     = "scale"     // noise of the run, relative to the promised noise
	columnBase      = "base"      // the reward before it was raised
	columnTable     = "table"     // a release of the lower reward
	columnNeighbour = "neighbour" // a release of the higher reward, minus the lower reward
)

// Record reads releases from columns, in one of two layouts:
//
//   - table and neighbour: every row has a release of one entry and, from another run, a release of the same entry
//     raised by the adjacency, both minus the unraised reward;
//   - reward and released: every row has an input of the mechanism and its output. An entry has one of two input
//     values, adjacency apart. entry is the row's entry, if there are several. release is the run of the mechanism,
//     if a run releases a table. scale is the run's noise relative to the promised noise, above 0, if runs have
//     several epsilons. base is the lower of the two input values, needed only if an entry was never released at it.
//
// Columns of other names are refused.
func (c Columns) Record(adjacency float64) (*Recorded, error) {
	pairs := []string{columnTable, columnNeighbour}
	long := []string{columnReward, columnReleased, columnEntry, columnRelease, columnScale, columnBase}
	_, table := c[columnTable]
	_, neighbour := c[columnNeighbour]
	known := long
	if table || neighbour {
		known = pairs
	}
	rows := -1
	for name, values := range c {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("audit: column %q; releases have the columns %s, or %s and, if need be, %s",
				name, strings.Join(pairs, " and "), strings.Join(long[:2], " and "), strings.Join(long[2:], ", "))
		}
		if rows >= 0 && len(values) != rows {
			return nil, errors.New("audit: columns of different lengths")
		}
		rows = len(values)
	}
	need := func(names ...string) error {
		for _, name := range names {
			if c[name] == nil {
				return fmt.Errorf("audit: no column %s, or no rows; releases have the columns %s, or %s", name,
					strings.Join(pairs, " and "), strings.Join(long[:2], " and "))
			}
		}
		return nil
	}
	if table || neighbour {
		if err := need(pairs...); err != nil {
			return nil, err
		}
		return &Recorded{Table: c[columnTable], Neighbour: c[columnNeighbour]}, nil
	}
	if err := need(long[:2]...); err != nil {
		return nil, err
	}
	return c.long(adjacency)
}

// long reads the layout of one row per released entry.
func (c Columns) long(adjacency float64) (*Recorded, error) {
	rewards, released := c[columnReward], c[columnReleased]
	at := func(name string, row int) float64 {
		if c[name] == nil {
			return 0
		}
		return c[name][row]
	}
	lowest := map[float64]float64{} // of every entry
	for i, r := range rewards {
		if c[columnBase] != nil {
			r = c[columnBase][i]
		}
		entry := at(columnEntry, i)
		if low, seen := lowest[entry]; !seen || r < low {
			lowest[entry] = r
		}
	}
	rec := Recorded{entries: c[columnEntry] != nil && c[columnRelease] == nil}
	tables := map[float64]map[float64]cellOf{}
	for i, r := range rewards {
		entry, base := at(columnEntry, i), lowest[at(columnEntry, i)]
		raised := r != base
		const rounding = 1e-9 // of decimal fractions, relative to the largest number involved
		if raised && math.Abs(r-base-adjacency) > rounding*max(math.Abs(r), math.Abs(base), adjacency) {
			return nil, fmt.Errorf("audit: row %d: an entry was released as %g and as %g; the two must differ by %g, the "+
				"adjacency, to 9 digits", i+1, base, r, adjacency)
		}
		v := released[i] - base
		if raised {
			rec.Neighbour = append(rec.Neighbour, v)
		} else {
			rec.Table = append(rec.Table, v)
		}
		if c[columnRelease] != nil && c[columnEntry] != nil {
			k := c[columnRelease][i]
			if tables[k] == nil {
				tables[k] = map[float64]cellOf{}
			}
			if _, twice := tables[k][entry]; twice {
				return nil, fmt.Errorf("audit: row %d: entry %g of release %g comes twice", i+1, entry, k)
			}
			tables[k][entry] = cellOf{v, at(columnScale, i), raised}
		}
	}
	n := min(len(rec.Table), len(rec.Neighbour))
	rec.Table, rec.Neighbour = rec.Table[:n], rec.Neighbour[:n]
	return &rec, rec.join(tables, lowest)
}

// cellOf is a released entry.
type cellOf struct {
	value, scale float64
	raised       bool
}

// join builds whole tables from entries, in the order of their numbers.
func (rec *Recorded) join(tables map[float64]map[float64]cellOf, entries map[float64]float64) error {
	var order []float64
	for entry := range entries {
		order = append(order, entry)
	}
	slices.Sort(order)
	var numbers []float64
	for k := range tables {
		numbers = append(numbers, k)
	}
	slices.Sort(numbers)
	for _, k := range numbers {
		var r Release
		for _, entry := range order {
			cell, there := tables[k][entry]
			if !there {
				return fmt.Errorf("audit: release %g lacks entry %g; all releases must hold the same entries", k, entry)
			}
			if len(r.Values) > 0 && cell.scale != r.Scale || cell.scale < 0 {
				return fmt.Errorf("audit: release %g, entry %g: scale %g; a release has one scale, above 0", k, entry, cell.scale)
			}
			r.Scale = cell.scale
			r.Values, r.Raised = append(r.Values, cell.value), append(r.Raised, cell.raised)
		}
		rec.Releases = append(rec.Releases, r)
	}
	return nil
}

// gathered returns the samples for judging an entry if all entries of the releases are pooled: equally many
// values of unraised and of raised entries.
func gathered(releases []Release) (table, neighbour []float64) {
	for _, r := range releases {
		for i, v := range r.Values {
			if r.Raised[i] {
				neighbour = append(neighbour, v)
			} else {
				table = append(table, v)
			}
		}
	}
	n := min(len(table), len(neighbour))
	return table[:n], neighbour[:n]
}

// oneOfEach returns one entry of each release, in turn: equally many raised and unraised ones. The numbers are
// independent of each other even if the entries of a release share noise. For each entry, (epsilon, delta) bounds
// how well a raised entry can be distinguished, so it bounds this for the mixture of entries too.
func oneOfEach(releases []Release) (table, neighbour []float64) {
	for k, r := range releases {
		i := k % len(r.Values)
		if r.Raised[i] {
			neighbour = append(neighbour, r.Values[i])
		} else {
			table = append(table, r.Values[i])
		}
	}
	n := min(len(table), len(neighbour))
	return table[:n], neighbour[:n]
}

// scaled reports whether the releases have noise of several scales.
func (rec *Recorded) scaled() bool {
	return slices.ContainsFunc(rec.Releases, func(r Release) bool { return r.Scale != rec.Releases[0].Scale })
}

// JudgeRecorded judges recorded releases as far as they allow: an entry if there are enough of them, and whole
// tables if there are any.
func (c Claim) JudgeRecorded(rec *Recorded, falseAlarms float64) (*Report, error) {
	var entry *Entry
	var joint *Joint
	var err error
	if len(rec.Table) < LeastSamples && len(rec.Releases) < fewestReleases {
		return nil, fmt.Errorf("audit: %d releases of the unraised reward, equally many of the raised one, and %d "+
			"of whole "+
			"tables; want at least %d of each reward, or %d of whole tables", len(rec.Table), len(rec.Releases), LeastSamples,
			fewestReleases)
	}
	if len(rec.Table) >= LeastSamples {
		if entry, err = c.JudgeEntry(rec.Table, rec.Neighbour, c.Adjacency/2); err != nil {
			return nil, err
		}
		entry.pooled = rec.entries || len(rec.Releases) > 0 && len(rec.Releases[0].Values) > 1
		if table, neighbour := oneOfEach(rec.Releases); entry.pooled && len(table) >= LeastSamples {
			if entry.apart, err = c.JudgeEntry(table, neighbour, c.Adjacency/2); err != nil {
				return nil, err
			}
		}
		if c.gaussian() && !rec.scaled() {
			entry.law = normalLaw(rec.Table)
		}
	}
	if len(rec.Releases) >= fewestReleases {
		if joint, err = c.JudgeJoint(rec.Releases); err != nil {
			return nil, err
		}
	}
	return c.Judge(entry, joint, falseAlarms)
}
