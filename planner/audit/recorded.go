package audit

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
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

	noise, released []float64 // of all entries: what a release has more than its input, and the release
}

// The column names of recorded releases.
const (
	columnReward    = "reward"    // input of the mechanism
	columnReleased  = "released"  // output of the mechanism
	columnEntry     = "entry"     // index of the reward in the table
	columnRelease   = "release"   // run of the mechanism
	columnTable     = "table"     // a release of the lower reward
	columnNeighbour = "neighbour" // a release of the higher reward, minus the lower reward
)

// Record reads releases from columns, in one of two layouts:
//
//   - table and neighbour: every row has a release of one entry and, from another run, a release of the same entry
//     raised by the adjacency, both minus the unraised reward;
//   - reward and released: every row has an input of the mechanism and its output. An entry has one of two input
//     values, adjacency apart. entry is the row's entry, if there are several. release is the run of the mechanism,
//     if a run releases a table.
//
// Columns of other names are refused.
func (c Columns) Record(adjacency float64) (*Recorded, error) {
	const layouts = "releases have the columns table and neighbour, or reward, released and, if need be, entry and release"
	need := []string{columnReward, columnReleased}
	known := []string{columnReward, columnReleased, columnEntry, columnRelease}
	_, table := c[columnTable]
	if _, neighbour := c[columnNeighbour]; table || neighbour {
		need = []string{columnTable, columnNeighbour}
		known = need
	}
	for name, values := range c {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("audit: column %q; %s", name, layouts)
		}
		if len(values) != len(c[need[0]]) && c[need[0]] != nil {
			return nil, errors.New("audit: columns of different lengths")
		}
	}
	for _, name := range need {
		if len(c[name]) == 0 {
			return nil, fmt.Errorf("audit: no column %s, or no rows; %s", name, layouts)
		}
	}
	if !table {
		return c.long(adjacency)
	}
	noise := append(slices.Clone(c[columnTable]), read(c[columnNeighbour],
		func(v float64) float64 { return v - adjacency })...)
	return &Recorded{Table: c[columnTable], Neighbour: c[columnNeighbour], noise: noise}, nil
}

// long reads the layout of one row per released entry.
func (c Columns) long(adjacency float64) (*Recorded, error) {
	rewards, released := c[columnReward], c[columnReleased]
	entries, runs := c[columnEntry], c[columnRelease]
	if entries == nil {
		entries = make([]float64, len(rewards))
	}
	lowest := map[float64]float64{} // of every entry
	for i, r := range rewards {
		if low, seen := lowest[entries[i]]; !seen || r < low {
			lowest[entries[i]] = r
		}
	}
	rec := Recorded{entries: len(lowest) > 1 && runs == nil, released: released}
	tables := map[float64]map[float64]cellOf{}
	for i, r := range rewards {
		base := lowest[entries[i]]
		raised := r != base
		const rounding = 1e-9 // of decimal fractions, relative to the largest number involved
		if raised && math.Abs(r-base-adjacency) > rounding*max(math.Abs(r), math.Abs(base), adjacency) {
			return nil, fmt.Errorf("audit: row %d: an entry was released as %g and as %g; the two must differ by %g, the "+
				"adjacency, to 9 digits", i+1, base, r, adjacency)
		}
		v := released[i] - base
		rec.noise = append(rec.noise, released[i]-r)
		if raised {
			rec.Neighbour = append(rec.Neighbour, v)
		} else {
			rec.Table = append(rec.Table, v)
		}
		if runs == nil || c[columnEntry] == nil {
			continue
		}
		if tables[runs[i]] == nil {
			tables[runs[i]] = map[float64]cellOf{}
		}
		if _, twice := tables[runs[i]][entries[i]]; twice {
			return nil, fmt.Errorf("audit: row %d: entry %g of release %g comes twice", i+1, entries[i], runs[i])
		}
		tables[runs[i]][entries[i]] = cellOf{v, raised}
	}
	n := min(len(rec.Table), len(rec.Neighbour))
	rec.Table, rec.Neighbour = rec.Table[:n], rec.Neighbour[:n]
	return &rec, rec.join(tables, slices.Sorted(maps.Keys(lowest)))
}

// cellOf is a released entry.
type cellOf struct {
	value  float64
	raised bool
}

// join builds whole tables from entries, in the order of their numbers.
func (rec *Recorded) join(tables map[float64]map[float64]cellOf, entries []float64) error {
	for _, k := range slices.Sorted(maps.Keys(tables)) {
		var r Release
		for _, entry := range entries {
			cell, there := tables[k][entry]
			if !there {
				return fmt.Errorf("audit: release %g lacks entry %g; all releases must hold the same entries", k, entry)
			}
			r.Values, r.Raised = append(r.Values, cell.value), append(r.Raised, cell.raised)
		}
		rec.Releases = append(rec.Releases, r)
	}
	return nil
}

// recorded returns releases of whole tables with their entries, of which equally many raised and unraised ones are
// compared.
func recorded(releases []Release, adjacency float64) *Recorded {
	rec := &Recorded{Releases: releases}
	for k := range releases {
		r := &releases[k]
		rec.noise = append(rec.noise, r.noise(adjacency)...)
		for i, v := range r.Values {
			if r.Raised[i] {
				rec.Neighbour = append(rec.Neighbour, v)
			} else {
				rec.Table = append(rec.Table, v)
			}
		}
	}
	n := min(len(rec.Table), len(rec.Neighbour))
	rec.Table, rec.Neighbour = rec.Table[:n], rec.Neighbour[:n]
	return rec
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

// JudgeRecorded judges recorded releases as far as they allow: entries if there are enough of them, and whole tables if
// there are any. Of tables with several entries, only one entry of each release and what is read off a whole release
// are evidence for any mechanism.
func (c Claim) JudgeRecorded(rec *Recorded, falseAlarms float64) (*Report, error) {
	if len(rec.Table) < LeastSamples && len(rec.Releases) < fewestReleases {
		return nil, fmt.Errorf("audit: %d releases of the unraised reward, equally many of the raised one, and %d of whole "+
			"tables; want at least %d of each reward, or %d of whole tables", len(rec.Table), len(rec.Releases), LeastSamples,
			fewestReleases)
	}
	var f findings
	samples := Samples{A: rec.Table, B: rec.Neighbour, Threshold: c.Adjacency / 2, Shift: c.Adjacency}
	samples.Pooled = rec.entries || len(rec.Releases) > 0 && len(rec.Releases[0].Values) > 1
	if len(rec.Table) >= LeastSamples {
		f.add(c, samples, "", "", "")
	}
	if len(rec.Releases) >= fewestReleases {
		f.addTables(c, rec.Releases)
	}
	if table, neighbour := oneOfEach(rec.Releases); samples.Pooled && len(table) >= LeastSamples {
		samples.A, samples.B, samples.Pooled, samples.Part = table, neighbour, false, true
		f.add(c, samples, "apart", " by one entry per release", ", entry per release")
	}
	if c.gaussian() && len(rec.noise) > 0 {
		f.tests = append(f.tests, c.testNoise(rec.noise, rec.released)...)
	}
	return f.judge(c, falseAlarms)
}

// fewestReleases is the least number of releases of whole tables that can be judged together.
const fewestReleases = 2
