package audit

import (
	"bufio"
	"cmp"
	"context"
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
	file := &io.LimitedReader{R: r, N: mostBytes}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, longestRow)
	var names []string
	var columns [][]float64
	read, blanks := 0, 0 // numbers, and blank lines in a row
	for line := 1; size <= mostBytes && lines.Scan(); line++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			blanks++
		} else {
			blanks = 0
		}
		cells := strings.Split(text, ",")
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case blanks > longestRow:
			return nil, errLongRow
		case text == "":
			continue
		case names == nil && len(cells) > mostColumns:
			return nil, fmt.Errorf("%d columns; want releases as CSV under a header", len(cells))
		case names != nil && len(cells) != len(names):
			return nil, fmt.Errorf("line %d: wrong number of fields: %d; the header has %d", line, len(cells), len(names))
		case read > mostNumbers:
			return nil, fmt.Errorf("more than %d numbers; split it", mostNumbers)
		}
		if names == nil {
			for _, cell := range cells {
				name := strings.ToLower(unquoted(strings.TrimPrefix(cell, "\ufeff")))
				if slices.Contains(names, name) {
					return nil, fmt.Errorf("two columns are called %q", name)
				}
				names = append(names, name)
			}
			columns = make([][]float64, len(names))
			continue
		}
		for i, cell := range cells {
			v, err := strconv.ParseFloat(unquoted(cell), 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("line %d, column %s: %.40q is not a finite number; entries and releases have "+
					"numbers, not names", line, names[i], cell)
			}
			columns[i] = append(columns[i], v)
		}
		read += len(names)
	}
	switch {
	case size > mostBytes || file.N <= 0:
		return nil, fmt.Errorf("more than %d MiB; split it", mostBytes>>20)
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return nil, errLongRow
	case lines.Err() != nil:
		return nil, lines.Err()
	case names == nil:
		return nil, errors.New("no rows; want releases as CSV under a header")
	}
	c := Columns{}
	for i, name := range names {
		c[name] = columns[i]
	}
	return c, nil
}

// errLongRow reports a file that is no table of numbers.
var errLongRow = fmt.Errorf("a row of more than %d MiB; want releases as CSV under a header", longestRow>>20)

// unquoted returns a cell without blanks and quotes around it.
func unquoted(cell string) string { return strings.Trim(strings.TrimSpace(cell), `"`) }

// Recorded holds releases of an unknown mechanism, minus the rewards that were released: of unraised entries, and of
// entries raised by the adjacency.
type Recorded struct {
	Samples
	// Releases are whole tables; empty if no column says which releases belong together.
	Releases []Release

	released []float64 // with their rewards, of all entries
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
	return &Recorded{Samples: Samples{A: c[columnTable], B: c[columnNeighbour]}}, nil
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
	rec := Recorded{released: released}
	rec.Pooled = runs == nil && len(lowest) > 1 // noise may be shared by releases that nothing names
	values, raised := make([]float64, len(rewards)), make([]bool, len(rewards))
	for i, r := range rewards {
		base := lowest[entries[i]]
		values[i], raised[i] = released[i]-base, r != base
		const rounding = 1e-9 // of decimal fractions, relative to the largest number involved
		if raised[i] && math.Abs(r-base-adjacency) > rounding*max(math.Abs(r), math.Abs(base), adjacency) {
			return nil, fmt.Errorf("audit: row %d: an entry was released as %g and as %g; the two must differ by %g, the "+
				"adjacency, to 9 digits", i+1, base, r, adjacency)
		}
		rec.add(values[i], raised[i])
	}
	if runs == nil || c[columnEntry] == nil {
		return &rec, nil
	}
	// Rows of a release one after the other, in the order of their entries.
	rows := make([]int, len(rewards))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(i, j int) int {
		return cmp.Or(cmp.Compare(runs[i], runs[j]), cmp.Compare(entries[i], entries[j]))
	})
	for len(rows) > 0 {
		run := runs[rows[0]]
		is := func(entry float64) bool { return len(rows) > 0 && runs[rows[0]] == run && entries[rows[0]] == entry }
		var r Release
		for _, entry := range slices.Sorted(maps.Keys(lowest)) {
			if !is(entry) {
				return nil, fmt.Errorf("audit: release %g lacks entry %g; all releases must hold the same entries", run, entry)
			}
			r.Values, r.Raised = append(r.Values, values[rows[0]]), append(r.Raised, raised[rows[0]])
			if rows = rows[1:]; is(entry) {
				return nil, fmt.Errorf("audit: row %d: entry %g of release %g comes twice", rows[0]+1, entry, run)
			}
		}
		rec.Releases = append(rec.Releases, r)
	}
	return &rec, nil
}

// recorded returns releases of whole tables with their entries.
func recorded(releases []Release) *Recorded {
	rec := &Recorded{Releases: releases}
	for _, r := range releases {
		for i, v := range r.Values {
			rec.add(v, r.Raised[i])
		}
	}
	return rec
}

// oneOfEach returns one entry of each release, in turn: equally many raised and unraised ones. The numbers are
// independent of each other even if the entries of a release share noise. For each entry, (epsilon, delta) bounds
// how well a raised entry can be distinguished, so it bounds this for the mixture of entries too.
func oneOfEach(releases []Release) (s Samples) {
	for k, r := range releases {
		i := k % len(r.Values)
		s.add(r.Values[i], r.Raised[i])
	}
	s.even()
	return s
}

// JudgeRecorded judges recorded releases as far as they allow: entries if there are enough of them, and whole tables if
// there are any. Of tables with several entries, only one entry of each release and what is read off a whole release
// are evidence for any mechanism.
func (c Claim) JudgeRecorded(rec *Recorded, falseAlarms float64) (*Report, error) {
	all, tables := rec.Samples, rec.Releases
	all.even()
	if len(all.A) < LeastSamples && len(tables) < fewestReleases {
		return nil, fmt.Errorf("audit: %d releases of the unraised reward, equally many of the raised one, and %d of whole "+
			"tables; want at least %d of each reward, or %d of whole tables", len(all.A), len(tables), LeastSamples,
			fewestReleases)
	}
	var f findings
	all.Threshold, all.Shift = c.Adjacency/2, c.Adjacency
	all.Pooled = all.Pooled || len(tables) > 0 && len(tables[0].Values) > 1
	if len(all.A) >= LeastSamples {
		f.add(c, all, "", "", "")
	}
	if len(tables) >= fewestReleases {
		f.addTables(c, tables)
	}
	if apart := oneOfEach(tables); all.Pooled && len(apart.A) >= LeastSamples {
		apart.Threshold, apart.Shift, apart.Part = all.Threshold, all.Shift, true
		f.add(c, apart, "apart", " by one entry per release", ", entry per release")
	}
	if noise := rec.noise(c.Adjacency); c.gaussian() && len(noise) > 0 {
		f.tests = append(f.tests, c.testNoise(noise, rec.released)...)
	}
	return f.judge(c, falseAlarms)
}

// fewestReleases is the least number of releases of whole tables that can be judged together.
const fewestReleases = 2
