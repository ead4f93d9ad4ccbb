package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"veilpath/planner/audit"
)

func record(text string, adjacency float64) (*audit.Recorded, error) {
	columns, err := audit.ReadCSV(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return columns.Record(adjacency)
}

func TestRecordedReleasesAreReadInBothLayouts(t *testing.T) {
	pairs, err := record("table,neighbour\n0.5,1.5\n-1,2\n", 1)
	if err != nil || fmt.Sprint(*pairs) != "{[0.5 -1] [1.5 2] []}" {
		t.Errorf("%v, %v", pairs, err)
	}
	// Two entries with rewards 3 and 4, b = 0.1; two releases; the rows in any order.
	long, err := record("\ufeffRelease,entry,released,reward\n0,1,4.5,4\n0,0,3.25,3.1\n1,0,3.5,3\n1,1,5,4.1\n", 0.1)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(*long), "{[0.5 0.5] [0.25 1] [{[true false] [0.25 0.5] 0} {[false true] [0.5 1] 0}]}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// An entry that was only given raised needs its base.
	based, err := record("base,reward,released\n3,4,4.5\n3,3,3.5\n", 1)
	if err != nil || fmt.Sprint(*based) != "{[0.5] [1.5] []}" {
		t.Errorf("%v, %v", based, err)
	}
}

func TestMistakesInReleasesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "no rows",
		"table,table\n1,2\n":             "two columns",
		"table,neighbour\n1,x\n":         "line 2, column neighbour",
		"table,neighbour\n1,NaN\n":       "line 2, column neighbour",
		"table,neighbour\n1\n":           "wrong number of fields",
		"table\n1\n":                     "no column neighbour",
		"table,neighbour\n":              "no column table, or no rows",
		"table,neighbour,sigma\n1,2,3\n": `column "sigma"`,
		"reward\n1\n":                    "no column released",
		"reward,released\n1,2\n1.5,2\n":  "row 2: an entry was given as 1 and as 1.5",
		"release,entry,reward,released\n0,0,1,1\n0,0,1,1\n":          "row 2: entry 0 of release 0 comes twice",
		"release,entry,reward,released\n0,0,1,1\n0,1,1,1\n1,0,1,1\n": "release 1 lacks entry 1",
	} {
		if _, err := record(text, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add("table,neighbour\n0.5,1.5\n")
	f.Add("release,entry,reward,released\n0,0,1,1\n0,1,1,1\n1,0,1,1\n1,1,2,0\n")
	f.Add("base,reward,released\n3,4,4.5\n")
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := record(text, 1)
		if err == nil && rec.Releases == nil && len(rec.Table) != len(rec.Neighbour) {
			t.Errorf("%d releases of tables, %d of neighbours", len(rec.Table), len(rec.Neighbour))
		}
	})
}

// Claims without noise are judged by epsilon alone: a Laplace mechanism keeps one that a Gaussian of its mu would break.
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
		r, err := claim.JudgeRecorded(&audit.Recorded{Table: table, Neighbour: neighbour}, 0.01)
		if err != nil || r.Verdict() != c.verdict {
			t.Errorf("scale %g: %v, %s", c.scale, err, r.Why())
		}
	}
}
