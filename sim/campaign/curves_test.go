package campaign

import (
	"context"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/flightfile"
	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// The table of pieces and that of curves hold, for any epsilon and radius, what observers of that radius make of the
// flight there.
func TestCurvesHoldEveryRadius(t *testing.T) {
	for name, sets := range map[string][]string{
		"certain": {"study.epsilons=0.2..4", "study.runs=25"},
		"slip":    {"study.epsilons=0.4..2,1", "study.runs=3", "planner.slip=0.1"},
	} {
		disk := &recordtest.Disk{}
		files := flyInto(t, disk, Request{Settings: configs.Request{Sets: sets}, Curves: true})
		type step struct {
			Flight   int64   `parquet:"flight"`
			RadiusKm float64 `parquet:"radius_km"`
			Km       float64 `parquet:"detection_km"`
			Before   int64   `parquet:"detected_before_handover"`
		}
		curves := map[int64][]step{}
		for _, s := range rowsOf[step](t, files[flightfile.CurvesName]) {
			curves[s.Flight] = append(curves[s.Flight], s)
		}
		type piece struct {
			Run    int64   `parquet:"run"`
			Low    float64 `parquet:"epsilon_low"`
			Flight int64   `parquet:"flight"`
		}
		pieces := rowsOf[piece](t, files[record.AxisName])
		loaded, err := configs.Load(configs.Request{Sets: sets})
		if err != nil {
			t.Fatal(err)
		}
		e, err := setup.Experiment(loaded.Config)
		if err != nil {
			t.Fatal(err)
		}
		survey := study.Survey{Study: setup.Study(loaded.Config, e), RadiiKm: []float64{0.01, 0.3, 0.7, 2, 11, 150}}
		i := 0
		err = survey.Do(context.Background(), func(seen []study.Sighting) error {
			for _, s := range seen {
				p := pieces[i]
				i++
				if p.Run != int64(s.Run.Run) || p.Low != s.Epsilon {
					t.Fatalf("%s: piece %d is of run %d from %v on, want run %d from %v on", name, i, p.Run, p.Low, s.Run.Run,
						s.Epsilon)
				}
				for k, radius := range survey.RadiiKm {
					var got adversary.Detection
					for _, at := range curves[p.Flight] { // radii ascending
						if at.RadiusKm <= radius {
							got = adversary.Detection{Detected: true, DistanceKm: at.Km, BeforeHandover: at.Before == 1,
								Sample: s.ByRadius[k].Sample}
						}
					}
					if got != s.ByRadius[k] {
						t.Fatalf("%s, run %d from epsilon %v on, radius %g: %+v, want %+v", name, p.Run, p.Low, radius, got,
							s.ByRadius[k])
					}
				}
			}
			return nil
		})
		if err != nil || i != len(pieces) {
			t.Errorf("%s: %d of %d pieces, %v", name, i, len(pieces), err)
		}
	}
}

func TestCurvesAreRefusedWhereThereAreNone(t *testing.T) {
	for want, r := range map[string]Request{
		"not a list":              {Settings: configs.Request{Sets: []string{"study.epsilons=1,2"}}},
		"study.noise independent": {Settings: configs.Request{Sets: []string{"study.noise=independent"}}},
		"leave sweep out":         {Sweep: []record.Swept{{Key: "sim.step_s", Values: []any{0.1, 0.2}}}},
	} {
		r.Curves = true
		if _, err := (&Program{Version: "1", Disk: &recordtest.Disk{}}).Resolve(r); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// flyInto flies a study into a folder of a disk and returns its files.
func flyInto(t *testing.T, disk *recordtest.Disk, r Request) map[string]string {
	t.Helper()
	(&Program{Version: "1", Disk: disk}).flyOut(t, r)
	return disk.Files("out")
}

// flyOut flies a study into the folder out.
func (p *Program) flyOut(t *testing.T, r Request) {
	t.Helper()
	plan, err := p.Resolve(r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.NewSession(context.Background(), plan)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := record.OpenFolder(p.Disk, "out", "study", false)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if _, err := s.Fly(context.Background(), folder); err != nil {
		t.Fatal(err)
	}
}

// rowsOf reads a table.
func rowsOf[T any](t *testing.T, text string) []T {
	t.Helper()
	rows, err := parquet.Read[T](strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
