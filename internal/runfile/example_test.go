package runfile_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/internal/runfile"
	"veilpath/sim/study"
)

// Records are written to a folder and read back. The manifest has the hash of the file.
func ExampleReadRuns() {
	dir, err := os.MkdirTemp("", "runs")
	check(err)
	defer os.RemoveAll(dir)
	folder, err := pieces.Create(filepath.Join(dir, "mine"), false)
	check(err)
	defer folder.Close()
	check(folder.Write(record.RunsName, func(w io.Writer) error {
		runs := runfile.NewRunWriter(w, record.Sweep{}, runfile.Varied{}, "example")
		check(runs.Add(0, []study.Run{{Epsilon: 0.4, Run: 0, DetectionKm: 61.5, Detected: true}, {Epsilon: 0.4, Run: 1}}))
		return runs.Close()
	}))
	check(folder.Finish(record.Manifest{Program: "veilpath", Verb: "study", Facts: record.Facts{Flights: 2},
		Config: []byte("{}")}))

	m, err := record.ReadManifest(folder.Path())
	check(err)
	check(runfile.ReadRuns(context.Background(), folder.Path(), m, func(seen [][]study.Run) error {
		for _, r := range seen[0] {
			fmt.Println(r.Run, r.DetectionKm, r.Detected)
		}
		return nil
	}))
	// Output:
	// 0 61.5 true
	// 1 0 false
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
