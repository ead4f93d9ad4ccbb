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

// Limits of a CSV file of releases, in bytes.
const (
	mostBytes  = 1 << 30
	longestRow = 1 << 20
)

// ReadCSV reads columns of numbers, separated by commas, under a header: at most 1 GiB, in rows of at most 1 MiB. It
// stops when the context ends.
func ReadCSV(ctx context.Context, r io.Reader) (Columns, error) {
	file := &io.LimitedReader{R: r, N: mostBytes}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, longestRow)
	var names []string
	columns := Columns{}
	for line := 1; ctx.Err() == nil && lines.Scan(); line++ {
		cells := strings.Split(strings.TrimPrefix(lines.Text(), "\ufeff"), ",")
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), `"`)
		}
		switch {
		case len(cells) == 1 && cells[0] == "": // a blank line
		case names == nil:
			for _, name := range cells {
				name = strings.ToLower(name)
				if slices.Contains(names, name) {
					return nil, fmt.Errorf("two columns are called %q", name)
				}
				names = append(names, name)
			}
		case len(cells) != len(names):
			return nil, fmt.Errorf("line %d: wrong number of fields: %d; the header has %d", line, len(cells), len(names))
		default:
			for i, cell := range cells {
				v, err := strconv.ParseFloat(cell, 64)
				if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, fmt.Errorf("line %d, column %s: %.40q is not a finite number; entries and releases have "+
						"numbers, not names", line, names[i], cell)
				}
				columns[names[i]] = append(columns[names[i]], v)
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return nil, fmt.Errorf("a row of more than %d MiB; want releases as CSV under a header", longestRow>>20)
	case lines.Err() != nil:
		return nil, lines.Err()
	case file.N <= 0:
		return nil, fmt.Errorf("more than %d MiB; split it", mostBytes>>20)
	case len(columns) == 0:
		return nil, errors.New("no rows; want releases as CSV under a header")
	}
	return columns, nil
}

// Recorded holds releases of an unknown mechanism, minus the rewards that were released: of unraised entries, and of
// entries raised by the adjacency.
type Recorded struct {
	Samples
	// Releases are whole tables; empty if no column says which releases belong together.
	Releases []Release

	released []float64 // with their rewards, of all entries
}

// Record reads releases from columns. Every row has a reward, which is an input of the mechanism, and its released
// value. An entry has one of two inputs, adjacency apart. The column entry has the row's entry, if there are several.
// The column release has the run of the mechanism, if a run releases a table. Columns of other names are refused.
func (c Columns) Record(adjacency float64) (*Recorded, error) {
	rewards, released, entries, runs := c["reward"], c["released"], c["entry"], c["release"]
	for _, name := range slices.Sorted(maps.Keys(c)) {
		known := slices.Contains([]string{"reward", "released", "entry", "release"}, name)
		if n := len(c[name]); !known || n != len(rewards) || n != len(released) {
			return nil, fmt.Errorf("audit: column %q: releases have the columns reward and released and, if need be, entry "+
				"and release, of as many rows each", name)
		}
	}
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
	if runs == nil || c["entry"] == nil {
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
