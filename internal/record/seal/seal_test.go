package seal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
	"veilpath/internal/record/seal"
)

// written returns a manifest and its bytes.
func written(t *testing.T) (record.Manifest, []byte) {
	t.Helper()
	m := record.Manifest{Program: "veilpath", Version: "1", Verb: "study", Complete: true, Seed: 5, Runs: 40, Flights: 80,
		NominalDetectionKm: 52.25,
		Sweep: record.Sweep{Settings: []record.Swept{{Key: "vehicle.speed_km_s", Unit: "km/s",
			Values: []any{1.6, 1.7}}}, Observers: []string{"ballistic", "heading"}},
		Shard:     record.NewShard(2, 3, 80),
		Config:    json.RawMessage(`{"study":{"runs":40,"title":"<a, \"seal\":\"b\">"}}`),
		Files:     map[string]string{"runs.parquet": strings.Repeat("ab", 32)},
		WallTimeS: 1.5e-7, Workers: 2}
	var text bytes.Buffer
	if err := record.WriteManifest(&text, m); err != nil {
		t.Fatal(err)
	}
	return m, text.Bytes()
}

// A seal with a damaged name counts as broken, and not as missing.
func TestNameOfTheSealIsSealed(t *testing.T) {
	_, text := written(t)
	at := bytes.LastIndex(text, []byte(`"seal"`)) + 1
	for i := at; i < at+len("seal"); i++ {
		for bit := range 8 {
			damaged := bytes.Clone(text)
			damaged[i] ^= 1 << bit
			if _, err := record.ParseManifest(damaged); err == nil {
				t.Errorf("%q is accepted as a manifest without a seal", damaged[at-1:at+5])
			}
		}
	}
}

// A manifest with any changed byte is refused, or differs only in the time and the number of workers.
func TestEveryByteOfAManifestIsSealed(t *testing.T) {
	m, text := written(t)
	disk := &recordtest.Disk{}
	essence := func(m record.Manifest) string {
		m.WallTimeS, m.Workers, m.Seal = 0, 0, ""
		out, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	want := essence(m)
	refused := 0
	for i := range text {
		for _, b := range []byte{text[i] ^ 1, text[i] ^ 2, '0', '9', '"', ' ', 0xFF} {
			if b == text[i] {
				continue
			}
			damaged := bytes.Clone(text)
			damaged[i] = b
			disk.Put("study/manifest.json", string(damaged))
			got, err := record.ReadManifest(disk, "study")
			switch {
			case err != nil && !strings.Contains(err.Error(), "study/manifest.json"):
				t.Fatalf("byte %d made %q: the error does not name the file: %v", i, b, err)
			case err != nil:
				refused++
			case essence(got) != want:
				t.Fatalf("byte %d made %q in %q: it is read as %s", i, b, damaged[max(0, i-40):min(len(text), i+40)], essence(got))
			}
		}
	}
	if refused < 5*len(text) {
		t.Errorf("only %d changes of %d bytes were refused", refused, len(text))
	}
}

func TestSeal(t *testing.T) {
	m, text := written(t)
	if err := seal.Check(text); err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text []byte
		want error
	}{
		"without blanks":   {compact.Bytes(), nil},
		"another time":     {bytes.Replace(text, []byte("1.5e-7"), []byte("9"), 1), nil},
		"another seed":     {bytes.Replace(text, []byte(`"seed": 5`), []byte(`"seed": 6`), 1), seal.ErrBroken},
		"fewer runs":       {bytes.Replace(text, []byte(`"runs": 40,`), []byte(`"runs": 4,`), 1), seal.ErrBroken},
		"nominal distance": {bytes.Replace(text, []byte("52.25"), []byte("52.5"), 1), seal.ErrBroken},
		"a member after": {bytes.Replace(text, []byte(`"workers": 2`), []byte(`"workers": 2, "seed": 6`), 1),
			seal.ErrBroken},
		"no seal": {[]byte(`{"program": "veilpath"}`), nil},
	} {
		if bytes.Equal(c.text, text) {
			t.Fatalf("%s: nothing is changed", name)
		}
		if err := seal.Check(c.text); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if c.want == nil {
			continue
		}
		if again, err := seal.Close(c.text); name != "a member after" && (err != nil || seal.Check(again) != nil) {
			t.Errorf("%s: after sealing again, it is refused: %v, %v", name, err, seal.Check(again))
		}
	}
	if _, err := seal.Close([]byte(`{"program": "veilpath"}`)); err == nil {
		t.Error("a manifest without the member seal is sealed")
	}
	if m.Seal != "" {
		t.Error("Close changed its argument")
	}
}

// A folder seals its manifest and its plan.
func TestFoldersSeal(t *testing.T) {
	disk := &recordtest.Disk{}
	folder, err := record.OpenFolder(disk, "out", "study", false)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	m := record.Manifest{Program: "veilpath", Verb: "study", Config: json.RawMessage(`{}`)}
	if err := folder.Plan(m); err != nil {
		t.Fatal(err)
	}
	plan := disk.Files("out")[record.PlanName]
	if err := folder.Finish(m); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{plan, disk.Files("out")[record.ManifestName]} {
		if !strings.Contains(text, `"seal": "`) || seal.Check([]byte(text)) != nil {
			t.Errorf("not sealed: %s", text)
		}
	}
}

// The seal is the last member of that name. An earlier member of that name, in another object, is sealed like all
// other data.
func TestLastSealIsTheManifests(t *testing.T) {
	inner := `{"answer":{"of":1,"seal":"` + seal.Open + `"},"runs":20,"seal":"` + seal.Open + `"}`
	closed, err := seal.Close([]byte(inner))
	if err != nil {
		t.Fatal(err)
	}
	if err := seal.Check(closed); err != nil || !strings.HasPrefix(string(closed),
		inner[:len(`{"answer":{"of":1,"seal":"`)+len(seal.Open)]) {
		t.Errorf("%s: %v", closed, err)
	}
	changed := strings.Replace(string(closed), seal.Open, seal.Open[1:]+"1", 1)
	if err := seal.Check([]byte(changed)); err == nil {
		t.Error("a change of the inner seal is accepted")
	}
	if _, err := seal.Close([]byte(`{"runs":20}`)); err == nil {
		t.Error("a manifest without the member seal is sealed")
	}
}
