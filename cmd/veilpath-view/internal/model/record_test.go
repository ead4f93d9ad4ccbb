package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"veilpath/cmd/internal/recording"
	"veilpath/configs"
	"veilpath/internal/flightfile"
	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/sim/study"
)

// recorded returns the files that package record writes for settings.
func recorded(t testing.TB, c configs.Config, verb string, run *int) fstest.MapFS {
	t.Helper()
	config, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var manifest, summary bytes.Buffer
	written := record.Manifest{Program: "veilpath", Verb: verb, Complete: true, Seed: c.Study.Seed,
		Facts: record.Facts{Run: run}, ConfigSHA256: c.SHA256(), Config: config}
	files := fstest.MapFS{}
	if verb == "study" {
		written.Runs = c.Study.Runs
		var summaries []study.Summary
		for _, epsilon := range c.Study.Epsilons {
			one := c
			one.Privacy.Epsilon = epsilon
			summaries = append(summaries, studied(t, one))
		}
		if err := flightfile.WriteSummaries(&summary, record.Sweep{}, [][]study.Summary{summaries}); err != nil {
			t.Fatal(err)
		}
		files["study-001/summary.csv"] = &fstest.MapFile{Data: summary.Bytes()}
	}
	if err := record.WriteManifest(&manifest, written); err != nil {
		t.Fatal(err)
	}
	files["study-001/manifest.json"] = &fstest.MapFile{Data: manifest.Bytes()}
	return files
}

func TestOpenStudy(t *testing.T) {
	c := settings()
	c.Study.Epsilons = []float64{0.4, 2}
	c.Study.Seed = 11
	m := newModel(t, 0)
	if err := m.Open("out", recorded(t, c, "study", nil)); err != nil {
		t.Fatal(err)
	}
	if m.Config.Study.Seed != 11 || m.Config.Privacy.Epsilon != 0.4 || m.Runs() != fewRuns ||
		m.Record.Name != "study-001" {
		t.Errorf("seed %d, epsilon %v, %d runs of %q", m.Config.Study.Seed, m.Config.Privacy.Epsilon, m.Runs(), m.Record.Name)
	}
	for _, epsilon := range c.Study.Epsilons {
		m.SetEpsilon(epsilon)
		finish(t, m)
		row, ok := m.Recorded(m.Config.Privacy.Epsilon)
		if !ok || row.MeanKm != m.Ensemble.Summary().MeanKm || row.Runs != fewRuns {
			t.Errorf("epsilon %v: recorded %v (%v), flown again %v", epsilon, row.MeanKm, ok, m.Ensemble.Summary().MeanKm)
		}
	}
	// The interval on show is the recorded one, for as many runs.
	files := recorded(t, c, "study", nil)
	files["study-001/summary.csv"].Data = fmt.Appendf(nil, "epsilon,runs,mean_km,ci_low_km,ci_high_km,noise_ci_low_km,"+
		"noise_ci_high_km\n2,%d,50,21.5,23.46,-40,-30\n0.4,%[1]d,50,11.5,13.46,-50,-40\n", fewRuns)
	if err := m.Open("out", files); err != nil {
		t.Fatal(err)
	}
	m.SetEpsilon(2)
	finish(t, m)
	if s := m.Ensemble.Summary(); s.CILowKm != 21.5 || s.CIHighKm != 23.46 || s.NoiseLowKm != -40 || s.NoiseHighKm != -30 {
		t.Errorf("the interval is %v .. %v km, that of the noise %v .. %v km", s.CILowKm, s.CIHighKm, s.NoiseLowKm,
			s.NoiseHighKm)
	}
	m.SetRuns(fewRuns - 1)
	finish(t, m)
	if s := m.Ensemble.Summary(); s.CILowKm == 21.5 {
		t.Error("fewer runs have the recorded interval")
	}
	m.SetRuns(fewRuns)
	m.change(func(c *configs.Config) { c.Adversary.LambdaPerS = 0.3 })
	if _, ok := m.Recorded(m.Config.Privacy.Epsilon); ok {
		t.Error("the record is compared with other settings than its own")
	}
}

// The steps that a study recorded are shown as they were flown, and recognised by the errors that were recorded; other
// flights are flown again.
func TestRecordedStepsAreShown(t *testing.T) {
	c := settings()
	c.Study.Epsilons = []float64{0.4, 2}
	files := recorded(t, c, "study", nil)
	m := newModel(t, 0)
	if err := m.Open("out", files); err != nil {
		t.Fatal(err)
	}
	flown := m.Private
	h := flown.history()
	rows := flightfile.Trajectory(&h, &flown.Errors)
	var steps []flightfile.FlightStep
	for i := range rows {
		rows[i].R.Y++ // km: another flight than the one that is flown
		rows[i].ErrorKm = 100
		if i > len(rows)/2 {
			rows[i].ErrorKm = 0.1
		}
		steps = append(steps, flightfile.FlightStep{Run: 0, Epsilon: 0.4, TrajectoryRow: rows[i]})
	}
	steps[3].ErrorKm = math.Inf(1) // nothing is predicted
	var table bytes.Buffer
	if err := parquet.Write(&table, flightfile.FlightStepColumns(nil), "1.2.3", steps); err != nil {
		t.Fatal(err)
	}
	files["study-001/"+flightfile.TrajectoriesName] = &fstest.MapFile{Data: table.Bytes()}
	if err := m.Open("out", files); err != nil {
		t.Fatal(err)
	}
	f := &m.Private
	last := len(f.Samples) - 1
	if !f.Recorded || last != len(rows)-1 || f.Samples[last] != rows[last].Sample || f.StepS != flown.StepS ||
		!math.IsInf(f.Errors.ErrorKm[3], 1) {
		t.Errorf("recorded %v: %d samples, the last %+v, steps of %v s", f.Recorded, last+1, f.Samples[last], f.StepS)
	}
	if want := rows[len(rows)/2+m.Config.Adversary.ConsecutiveSteps].DistanceKm; f.Run.DetectionKm != want {
		t.Errorf("recognised at %v km, by the recorded errors at %v", f.Run.DetectionKm, want)
	}
	for what, change := range map[string]func(){"another epsilon": func() { m.SetEpsilon(2) },
		"another run": func() { m.SetEpsilon(0.4); m.Select(1) }, "other settings": func() {
			m.Select(0)
			m.change(func(c *configs.Config) { c.Adversary.LambdaPerS = 0.3 })
		}} {
		if change(); m.Private.Recorded {
			t.Error("recorded at " + what)
		}
	}
}

// A folder whose files are not those that its manifest lists is refused; a manifest picked on its own is shown.
func TestOpenRefusesWhatDiffers(t *testing.T) {
	files := recorded(t, settings(), "study", nil)
	at := "study-001/manifest.json"
	files[at].Data = bytes.Replace(files[at].Data, []byte(`"complete": true`),
		[]byte(`"complete": true, "files": {"summary.csv": "00"}`), 1)
	m := newModel(t, 0)
	if err := m.Open("out", files); err == nil || !strings.Contains(err.Error(), "changed: summary.csv") ||
		m.Record != nil {
		t.Errorf("%+v, %v", m.Record, err)
	}
	if err := m.Open("dropped", fstest.MapFS{"manifest.json": files[at]}); err != nil || m.Record == nil {
		t.Errorf("on its own: %+v, %v", m.Record, err)
	}
}

// A study of more runs than are flown again is not contradicted by the mean of those that are.
func TestLargeStudy(t *testing.T) {
	files := recorded(t, settings(), "study", nil)
	manifest := files["study-001/manifest.json"].Data
	files["study-001/manifest.json"].Data = bytes.Replace(manifest, []byte(`"runs": 40`), []byte(`"runs": 100000`), 1)
	files["study-001/summary.csv"].Data = []byte("epsilon,sigma,runs,mean_km,ci_low_km,ci_high_km\n" +
		"1,11.8,100000,48.25,48.1,48.4\n")
	m := newModel(t, 0)
	if err := m.Open("out", files); err != nil {
		t.Fatal(err)
	}
	row, ok := m.Recorded(m.Config.Privacy.Epsilon)
	if !ok || row.Runs != 100_000 || row.MeanKm != 48.25 || row.LowKm != 48.1 || m.Runs() != MaxRuns {
		t.Errorf("recorded %+v (%v), flown again %d", row, ok, m.Runs())
	}
	if !strings.Contains(m.Message.Text, "first 5000 runs") {
		t.Errorf("said %q", m.Message.Text)
	}
}

// A sweep is announced as what is shown, its first point, which has its recorded mean.
func TestSweep(t *testing.T) {
	files := recorded(t, settings(), "study", nil)
	var m map[string]any
	if err := json.Unmarshal(files["study-001/manifest.json"].Data, &m); err != nil {
		t.Fatal(err)
	}
	m["sweep"] = []any{map[string]any{"key": "adversary.lambda_per_s", "type": "number",
		"values": []any{settings().Adversary.LambdaPerS, 0.3}}}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	files["study-001/manifest.json"].Data = text
	lambda := settings().Adversary.LambdaPerS
	files["study-001/summary.csv"].Data = fmt.Appendf(nil,
		"adversary.lambda_per_s,epsilon,runs,mean_km\n%v,1,40,51\n0.3,1,40,52\n", lambda)
	v := newModel(t, 0)
	if err := v.Open("out", files); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(v.Message.Text, "it sweeps adversary.lambda_per_s, shown is its first point") {
		t.Errorf("said %q", v.Message.Text)
	}
	if row, ok := v.Recorded(v.Config.Privacy.Epsilon); !ok || row.MeanKm != 51 {
		t.Errorf("the first point: %+v, %v", row, ok)
	}
	v.change(func(c *configs.Config) { c.Adversary.LambdaPerS = 0.3 })
	if row, ok := v.Recorded(v.Config.Privacy.Epsilon); ok {
		t.Errorf("the second point: %+v", row)
	}
}

// A tune is shown as one: its choice of epsilon, and what it recorded at every epsilon and radius.
func TestTune(t *testing.T) {
	c := settings()
	files := recorded(t, c, "tune", nil)
	manifest := files["study-001/manifest.json"].Data
	files["study-001/manifest.json"].Data = bytes.Replace(manifest, []byte(`"complete": true`),
		[]byte(`"complete": true, "runs": 40, "answer": {"confidence": 0.9, "met_epsilons": [[0.1, 0.5], [1.2, 1.875]], `+
			`"demands": [{"demand": "mean detection distance in km", "limit": 30}]}`), 1)
	chosen := c
	chosen.Privacy.Epsilon = 1.875
	files["study-001/config.yaml"] = &fstest.MapFile{Data: chosen.YAML()}
	files["study-001/summary.csv"] = &fstest.MapFile{Data: []byte("epsilon,radius_km,runs,mean_km\n" +
		"0.2,0.35,40,60\n0.2,0.7,40,50\n2,0.35,40,64\n2,0.7,40,54\n")}
	m := newModel(t, 0)
	if err := m.Open("out", files); err != nil {
		t.Fatal(err)
	}
	if m.Config.Privacy.Epsilon != 1.875 || !strings.Contains(m.Message.Text,
		"a tune that chose epsilon 1.875") {
		t.Errorf("epsilon %v, said %q", m.Config.Privacy.Epsilon, m.Message.Text)
	}
	m.SetEpsilon(2)
	if row, ok := m.Recorded(m.Config.Privacy.Epsilon); !ok || row.MeanKm != 54 {
		t.Errorf("recorded at epsilon 2: %+v, %v", row, ok)
	}
}

func TestOpenFlight(t *testing.T) {
	c := settings()
	c.Privacy.Epsilon = 0.3
	run := 5
	m := newModel(t, 0)
	if err := m.Open("out", recorded(t, c, "run", &run)); err != nil {
		t.Fatal(err)
	}
	if m.RunNumber != 5 || m.Config.Privacy.Epsilon != 0.3 || m.Show == ShowDirect {
		t.Errorf("run %d, epsilon %v, direct %v", m.RunNumber, m.Config.Privacy.Epsilon, m.Show == ShowDirect)
	}
	if err := m.Open("out", recorded(t, c, "run", nil)); err != nil {
		t.Fatal(err)
	}
	if m.Show != ShowDirect {
		t.Error("a recorded direct flight is not shown as one")
	}
}

func TestOpenConfig(t *testing.T) {
	m := newModel(t, 0)
	err := m.Open("mine", fstest.MapFS{"mine.yaml": {Data: []byte("privacy:\n  epsilon: 0.25\n")}})
	if err != nil || m.Config.Privacy.Epsilon != 0.25 {
		t.Errorf("epsilon %v, error %v", m.Config.Privacy.Epsilon, err)
	}
}

// What cannot be opened is said in one line that names it, and leaves the view as it was.
func TestOpenRefuses(t *testing.T) {
	good := recorded(t, settings(), "study", nil)["study-001/manifest.json"].Data
	file := func(name string, data []byte) fs.FS { return fstest.MapFS{name: {Data: data}} }
	tests := []struct {
		name  string
		files fs.FS
		want  string
	}{
		{"cut short", file("manifest.json", good[:len(good)/2]), "manifest.json is incomplete"},
		{"empty", file("manifest.json", nil), "manifest.json is incomplete"},
		{"foreign JSON", file("manifest.json", []byte(`{"name":"app","short_name":"a"}`)), `program is ""`},
		{"not an object", file("manifest.json", []byte(`[1,2]`)), "not a manifest of veilpath"},
		{"changed config", file("manifest.json", bytes.Replace(good, []byte(`"discount": 0.95`), []byte(`"discount": 0.9`),
			1)), "was changed"},
		{"no config", file("manifest.json", []byte(`{"program":"veilpath","verb":"study","runs":3}`)), "has no config"},
		{"foreign verb", file("manifest.json", []byte(`{"program":"veilpath","verb":"design","config":{}}`)),
			"holds no runs"},
		{"leakage", file("manifest.json", []byte(`{"program":"veilpath","verb":"leak","config":{}}`)), "report.html"},
		{"negative run", file("manifest.json",
			[]byte(`{"program":"veilpath","verb":"run","run":-1,"config":{"sim":{"step_s":0.1}}}`)), "numbered from 0"},
		{"bad config", file("mine.yaml", []byte("privacy:\n  epsilon: -1\n")), "privacy.epsilon"},
		{"other file", file("photo.jpg", []byte{0xFF, 0xD8}), "holds no recording and 0 YAML configurations"},
		{"two configs", fstest.MapFS{"a.yaml": {}, "b/b.yml": {}}, "holds no recording and 2 YAML configurations"},
		{"too long", file("manifest.json", make([]byte, recording.LargestFile+1)), "longer than"},
		{"bad summary", fstest.MapFS{"manifest.json": {Data: good}, "summary.csv": {Data: []byte("epsilon,mean_km\n1,\n")}},
			"summary.csv, line 2"},
		{"foreign summary", fstest.MapFS{"manifest.json": {Data: good}, "summary.csv": {Data: []byte("a,b\n1,2\n")}},
			"no columns epsilon"},
	}
	m := newModel(t, 0)
	before := m.Config.SHA256()
	for _, test := range tests {
		err := m.Open("dropped", test.files)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", test.name, err, test.want)
		}
		if m.Config.SHA256() != before || m.Record != nil {
			t.Errorf("%s: the settings have changed", test.name)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add(recorded(f, settings(), "study", nil)["study-001/manifest.json"].Data)
	f.Add([]byte(`{"program":"veilpath","verb":"run","run":3,"config":{"privacy":{"epsilon":0.1}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, run, err := parseManifest("manifest.json", text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines: %v", err)
			}
			return
		}
		again, err := json.Marshal(r.config)
		if err == nil {
			_, err = configs.Load(configs.Request{Config: "again.json",
				ReadFile: func(string) ([]byte, error) { return again, nil }})
		}
		if err != nil || (run != nil && *run < 0) {
			t.Errorf("accepted: run %v, config %v", run, err)
		}
	})
}

func TestShareComesBack(t *testing.T) {
	m := newModel(t, 0)
	m.SetEpsilon(0.37)
	m.SetRadius(1.5)
	m.change(func(c *configs.Config) { c.Privacy.Calibration = configs.Analytic })
	m.Select(12)
	m.Clock.Seek(33.4)
	fragment := m.Fragment()
	other := newModel(t, 0)
	if err := other.OpenFragment("#" + fragment); err != nil {
		t.Fatal(err)
	}
	if other.Config.SHA256() != m.Config.SHA256() || other.RunNumber != 12 || other.Clock.TimeS != 33.4 ||
		other.Private.Run != m.Private.Run {
		t.Errorf("%s gave run %d at %v s, %+v", fragment, other.RunNumber, other.Clock.TimeS, other.Private.Run)
	}
	for _, bad := range []string{"privacy.epsilon=-1", "nonsense=1", "run=x", "run=-2", "t=soon", "%zz"} {
		if err := other.OpenFragment(bad); err == nil {
			t.Errorf("the link %q is accepted", bad)
		}
	}
}

func FuzzFragment(f *testing.F) {
	f.Add("privacy.epsilon=0.4&run=3&t=12")
	f.Add("planner.columns=4&planner.rows=4")
	m := newModel(f, 0)
	f.Fuzz(func(t *testing.T, fragment string) {
		// Grids as large as a link can ask for would make the fuzzing slow, not different.
		if strings.Contains(fragment, "planner") || strings.Contains(fragment, "step_s") ||
			strings.Contains(fragment, "max_") {
			return
		}
		before := m.Config.SHA256()
		if err := m.OpenFragment(fragment); err != nil && m.Config.SHA256() != before {
			t.Errorf("refused (%v), and changed the settings all the same", err)
		}
	})
}

// The exported configuration loads and is the settings in force.
func TestExport(t *testing.T) {
	m := newModel(t, 0)
	m.SetEpsilon(0.61)
	m.Select(3)
	text := m.ExportYAML("mine.yaml", "")
	c, err := loadText("mine.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if c.Privacy.Epsilon != 0.61 || !slices.Equal(c.Study.Epsilons, []float64{0.61}) || c.Study.Runs != fewRuns {
		t.Errorf("exported epsilon %v, study of %v x %d", c.Privacy.Epsilon, c.Study.Epsilons, c.Study.Runs)
	}
	if !strings.Contains(string(text), "--run 3 ") {
		t.Errorf("the run on show is not named:\n%.300s", text)
	}
}
