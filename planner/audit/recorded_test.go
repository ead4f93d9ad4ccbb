package audit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"veilpath/planner/audit"
)

func record(text string, adjacency float64) (*audit.Recorded, error) {
	columns, err := audit.ReadCSV(context.Background(), strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return columns.Record(adjacency)
}

// Two entries with rewards 3 and 4, b = 0.1; two releases; the rows in any order.
func TestRecordedReleases(t *testing.T) {
	got, err := record("\ufeffRelease,entry, released,\"reward\"\n0,1,4.5,4\n\n0,0,3.25,3.1\n1,0,3.5,3\n1,1,5,4.1\n", 0.1)
	if err != nil {
		t.Fatal(err)
	}
	want := []audit.Release{{Raised: []bool{true, false}, Values: []float64{0.25, 0.5}},
		{Raised: []bool{false, true}, Values: []float64{0.5, 1}}}
	if fmt.Sprint(got.A, got.B) != "[0.5 0.5] [0.25 1]" || !reflect.DeepEqual(got.Releases, want) {
		t.Errorf("%v", *got)
	}
}

// The noise of a file is its releases less their inputs.
func TestNoiseOfRecordedReleases(t *testing.T) {
	claim := audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1, Sigma: 2}
	text := "reward,released\n"
	for i := range audit.LeastSamples {
		v := float64(i%5 - 2) // of a standard deviation of the root of 2
		text += fmt.Sprintf("3,%g\n4,%g\n", 3+v, 4+v)
	}
	rec, err := record(text, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := claim.JudgeRecorded(rec, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	if got := number(t, r, "noise_sigma"); math.Abs(got-math.Sqrt2) > 1e-12 {
		t.Errorf("a deviation of %g, want the root of 2", got)
	}
}

func TestMistakesInReleasesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "no rows",
		"reward,released\n":              "no rows",
		"reward,reward\n1,2\n":           "two columns",
		"reward,released\n1,x\n":         "line 2, column released",
		"reward,released\n1,NaN\n":       "line 2, column released",
		"reward,released\n1,2\n-Inf,2\n": "line 3, column reward",
		"reward,released\n1\n":           "wrong number of fields",
		"reward,released,sigma\n1,2,3\n": `column "sigma"`,
		"table,neighbour\n1,2\n":         `column "neighbour": releases have the columns reward and released`,
		"reward\n1\n":                    `column "reward": releases have the columns reward and released`,
		"reward,released\n1,2\n1.5,2\n":  "row 2: an entry was released as 1 and as 1.5",
		"release,entry,reward,released\n0,0,1,1\n0,0,1,1\n":          "row 2: entry 0 of release 0 comes twice",
		"release,entry,reward,released\n0,0,1,1\n0,1,1,1\n1,0,1,1\n": "release 1 lacks entry 1",
	} {
		if _, err := record(text, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// Releases of a whole table have the same entries, each with a coin.
func TestReleasesOfDifferentShapesAreRefused(t *testing.T) {
	claim := audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1, Sigma: 2}
	two, coins := []float64{1, 2}, []bool{true, false}
	for name, other := range map[string]audit.Release{"too few values": {Raised: coins, Values: two[:1]},
		"too few coins": {Raised: coins[:1], Values: two}, "nothing": {}} {
		if r, err := claim.Judge(nil, []audit.Release{{Raised: coins, Values: two}, other}, 0.01); err == nil ||
			!strings.Contains(err.Error(), "release 1 has ") {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	if _, err := claim.Judge(nil, []audit.Release{{}, {}}, 0.01); err == nil {
		t.Error("releases without entries are judged")
	}
}

func FuzzRecord(f *testing.F) {
	f.Add("reward,released\n0.5,1.5\n")
	f.Add("release,entry,reward,released\n0,0,1,1\n0,1,1,1\n1,0,1,1\n1,1,2,0\n")
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := record(text, 1)
		if err == nil && len(rec.A)+len(rec.B) == 0 {
			t.Errorf("%q holds no release", text)
		}
	})
}

// Claims without noise are judged by epsilon alone: a Laplace mechanism keeps one that a Gaussian of its mu would
// break.
func TestPureClaimsNeedNoGaussian(t *testing.T) {
	laplace := func(s *source, n int, scale float64) []float64 {
		a, b, c, d := s.normals(n), s.normals(n), s.normals(n), s.normals(n)
		for i := range a { // the difference of two products of normals is Laplace's
			a[i] = scale * (a[i]*b[i] - c[i]*d[i])
		}
		return a
	}
	for _, c := range []struct {
		scale   float64
		verdict string
	}{{1, audit.Consistent}, {0.7, audit.Broken}} {
		s := newSource(2)
		table, neighbour := laplace(s, 30_000, c.scale), laplace(s, 30_000, c.scale)
		for i := range neighbour {
			neighbour[i]++
		}
		claim := audit.Claim{Epsilon: 1, Adjacency: 1}
		if err := claim.Check(); err != nil {
			t.Fatal(err)
		}
		r, err := claim.JudgeRecorded(&audit.Recorded{Samples: audit.Samples{A: table, B: neighbour}}, 0.01)
		if err != nil || r.Verdict() != c.verdict {
			t.Errorf("scale %g: %v, %s", c.scale, err, r.Why())
		}
	}
}

// endless is a text that comes again and again.
type endless struct {
	text string
	read func() // before every read
}

func (e *endless) Read(to []byte) (int, error) {
	if e.read != nil {
		e.read()
	}
	n := 0
	for n+len(e.text) <= len(to) {
		n += copy(to[n:], e.text)
	}
	return n, nil
}

// A row that does not end is refused before it fills the memory, wherever it begins and whether or not it is quoted.
func TestLongRowsOfReleasesAreRefused(t *testing.T) {
	for name, r := range map[string]io.Reader{
		"nothing but zeros": &endless{text: "\x00"},
		"a long header":     &endless{text: "a,"},
		"a long row":        io.MultiReader(strings.NewReader("reward,released\n1,2\n"), &endless{text: "1"}),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := audit.ReadCSV(context.Background(), r)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "a row of more than 1 MiB") {
			t.Errorf("%s: error %v", name, err)
		}
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 128 {
			t.Errorf("%s: it took %d MiB", name, taken)
		}
	}
}

func TestReadingReleasesEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	reads := 0
	rows := &endless{text: "1,2\n", read: func() {
		if reads++; reads == 3 {
			cancel()
		}
	}}
	if _, err := audit.ReadCSV(ctx, io.MultiReader(strings.NewReader("reward,released\n"), rows)); !errors.Is(err,
		context.Canceled) || reads > 3 {
		t.Errorf("error %v after %d reads", err, reads)
	}
}
