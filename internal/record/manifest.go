package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"veilpath/internal/record/seal"

	"veilpath/planner/quantity"
)

// ManifestName is the file that says how results came about. It is the last one of a folder: where it is, all
// that it lists are whole.
const ManifestName = "manifest.json"

// PlanName is the file of a study under way that says what is to be flown. It is a manifest with nothing done.
const PlanName = "plan.json"

// Manifest says how results came about and how to repeat them. The fields from WallTimeS on differ
// between runs of the program, all others depend on the results alone.
type Manifest struct {
	Program   string `json:"program"`
	Version   string `json:"version"`
	GoVersion string `json:"go_version"`
	Arch      string `json:"arch"` // processor: some round a*b+c once, some twice
	Verb      string `json:"verb"`
	// parts of the program that no setting names, such as a mechanism of one's own
	Own      string `json:"own,omitempty"`
	Complete bool   `json:"complete"` // false when interrupted: the files hold the runs that were done
	Seed     uint64 `json:"seed"`
	Run      *int   `json:"run,omitempty"`  // of a single flight
	Runs     int    `json:"runs,omitempty"` // per epsilon, in the files; the fewest where they differ
	Flights  int    `json:"flights,omitempty"`
	Pieces   int    `json:"pieces,omitempty"` // of the range of epsilon, over all runs
	// to which the ends of pieces were bisected, relative
	EpsilonResolution float64 `json:"epsilon_resolution,omitempty"`
	Sweep             Sweep   `json:"sweep,omitzero"`
	UntilKm           float64 `json:"until_km,omitempty"`     // half-width of every interval that ends the study
	Trajectories      int     `json:"trajectories,omitempty"` // runs of every epsilon whose steps are kept
	// whether the detection curve of every flight is kept
	Curves bool   `json:"curves,omitempty"`
	Unmet  int    `json:"unmet,omitempty"` // intervals that are wider still
	Shard  *Shard `json:"shard,omitempty"`
	// of the direct flight at the first point; NaN where none is given
	NominalDetectionKm quantity.Maybe  `json:"nominal_detection_km"`
	PlannedDetectionKm quantity.Maybe  `json:"planned_detection_km"` // of the planned flight, without noise
	Answer             json.RawMessage `json:"answer,omitempty"`     // of a tune: what was asked, and what was found
	// hash of what was asked beside the settings, of work that goes on with --resume
	Request string `json:"request_sha256,omitempty"`
	// of a part of such work: what was asked beside the settings, for who joins the parts
	Asked        json.RawMessage `json:"request,omitempty"`
	ConfigSHA256 string          `json:"config_sha256"`
	Config       json.RawMessage `json:"config"` // all settings that results depend on

	// Files has the SHA-256, in hexadecimal, of every other file by its name.
	Files map[string]string `json:"files,omitempty"`

	// Seal is of all fields above, see package seal. WriteManifest makes it and ReadManifest checks it.
	Seal string `json:"seal,omitempty"`

	WallTimeS float64 `json:"wall_time_s"`
	Workers   int     `json:"workers"`
}

// Shard is a part of a study: the slots [First, End), a slot being all epsilons of one run of one point.
type Shard struct {
	Index int `json:"index"` // from 1
	Of    int `json:"of"`
	First int `json:"first_slot"`
	End   int `json:"end_slot"`
	Slots int `json:"slots"` // of the whole study
}

// String writes the shard as --shard takes it.
func (s *Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// NewShard returns the index-th of some shards, from 1, of a study of so many slots, at least one for each:
// they are shared out as evenly as can be.
func NewShard(index, of, slots int) *Shard {
	first := func(i int) int { return int(int64(slots) * int64(i) / int64(of)) }
	return &Shard{Index: index, Of: of, First: first(index - 1), End: first(index), Slots: slots}
}

// possible reports whether the slots are those of the shard.
func (s *Shard) possible() bool {
	return s.Index >= 1 && s.Index <= s.Of && s.Of <= s.Slots && *s == *NewShard(s.Index, s.Of, s.Slots)
}

// Whole returns the manifest of the whole study that a shard is of, with nothing done.
func (m Manifest) Whole() Manifest {
	m.Shard, m.Complete = nil, false
	m.Runs, m.Flights, m.Pieces, m.EpsilonResolution, m.Unmet, m.Files, m.Seal = 0, 0, 0, 0, 0, nil, ""
	m.Answer, m.Asked, m.WallTimeS, m.Workers = nil, nil, 0, 0
	return m
}

// Essence returns the manifest with nothing but what the records of a study, or of its shard, depend on.
// Where a precision ends the study, the number of runs is not of it: it only says when to give up.
func (m Manifest) Essence() Manifest {
	shard := m.Shard
	m = m.Whole()
	m.Shard, m.NominalDetectionKm, m.PlannedDetectionKm = shard, 0, 0
	if m.UntilKm > 0 {
		m.Config, m.ConfigSHA256 = withoutRuns(m.Config), ""
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, m.Config); err == nil {
		m.Config = compact.Bytes()
	}
	return m
}

// withoutRuns returns settings without study.runs; text that holds none as it is.
func withoutRuns(config json.RawMessage) json.RawMessage {
	var groups, group map[string]json.RawMessage
	if json.Unmarshal(config, &groups) != nil || json.Unmarshal(groups["study"], &group) != nil {
		return config
	}
	delete(group, "runs")
	text, err := json.Marshal(group)
	if err != nil {
		return config
	}
	groups["study"] = text
	if text, err = json.Marshal(groups); err != nil {
		return config
	}
	return text
}

// Identity returns a hash of everything that the records of a study, or of its shard, depend on.
func (m Manifest) Identity() [32]byte {
	text, err := json.Marshal(m.Essence())
	if err != nil {
		panic("record: a manifest does not encode: " + err.Error()) // only a Config that is not JSON
	}
	return sha256.Sum256(text)
}

// WriteManifest writes the manifest as indented JSON, sealed.
func WriteManifest(w io.Writer, m Manifest) error {
	m.Seal = seal.Open
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if text, err = seal.Close(text); err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// ErrNoManifest is the error for a folder that holds no recorded results.
var ErrNoManifest = errors.New("holds no " + ManifestName)

// maxManifest bounds the length of a manifest: the settings take a few thousand bytes, and the values of a sweep
// the rest.
const maxManifest = 4 << 20

// ReadManifest reads the manifest of a results folder. Of a study that is under way in a folder without one, or was
// when its process was killed, it is the plan, with nothing done.
func ReadManifest(disk FileSystem, folder string) (Manifest, error) {
	m, err := readManifest(disk, folder, ManifestName)
	if errors.Is(err, ErrNoManifest) {
		return readManifest(disk, folder, PlanName)
	}
	return m, err
}

// ReadStudy reads what a study in a folder is to go on from: the plan where one is under way, with nothing done, and
// otherwise the manifest. A plan beside the manifest of the same study was left by a process that had finished it.
func ReadStudy(disk FileSystem, folder string) (Manifest, error) {
	m, err := readManifest(disk, folder, ManifestName)
	if err != nil && !errors.Is(err, ErrNoManifest) {
		return Manifest{}, err
	}
	plan, failed := readManifest(disk, folder, PlanName)
	if errors.Is(failed, ErrNoManifest) || failed == nil && err == nil && m.ConfigSHA256 == plan.ConfigSHA256 &&
		m.Identity() == plan.Identity() {
		return m, err
	}
	return plan, failed
}

// readManifest reads the manifest or the plan of a folder.
func readManifest(disk FileSystem, folder, name string) (Manifest, error) {
	path := filepath.Join(folder, name)
	text, err := readWhole(disk, path, maxManifest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Manifest{}, fmt.Errorf("%s: %w", folder, ErrNoManifest)
	case err != nil:
		return Manifest{}, fmt.Errorf("reading %s: %w", path, cause(err))
	}
	m, err := ParseManifest(text)
	if err == nil && name == PlanName && (m.Complete || len(m.Files) > 0) {
		err = errors.New("it is no plan: something in it is done")
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("reading %s: %w", path, err)
	}
	return m, nil
}

// ParseManifest reads a manifest, which must be as it was written.
func ParseManifest(text []byte) (m Manifest, err error) {
	if err = json.Unmarshal(text, &m); err == nil {
		err = m.check()
	}
	if err == nil {
		err = seal.Check(text)
	}
	if err == nil && !bytes.Contains(text, []byte(`"seal"`)) {
		err = unsealed(text)
	}
	if err != nil {
		return Manifest{}, err
	}
	return m, nil
}

// unsealed refuses a manifest without a seal, as earlier versions wrote them, where a member has a name that none of
// theirs had: it may be that of the seal, damaged.
func unsealed(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var m struct {
		Manifest
		RunsSHA256 string `json:"runs_sha256"` // of the table of runs, before there were files
	}
	if err := decoder.Decode(&m); err != nil || m.Seal != "" {
		return seal.ErrBroken
	}
	return nil
}

// check refuses what no manifest holds.
func (m *Manifest) check() error {
	if m.Program != "veilpath" {
		return fmt.Errorf("program is %q, not veilpath", m.Program)
	}
	if s := m.Shard; s != nil && !s.possible() {
		return fmt.Errorf("shard %s with first_slot %d and end_slot %d of %d is impossible, so it was edited by hand or "+
			"damaged; restore it, or fly the shard again", s, s.First, s.End, s.Slots)
	}
	for _, s := range m.Sweep.Keys() {
		if len(s.Values) == 0 {
			return fmt.Errorf("the sweep of %s has no values", s.Key)
		}
	}
	for name := range m.Files {
		if name == ManifestName || name != filepath.Base(name) || !filepath.IsLocal(name) {
			return fmt.Errorf("files lists %q, which is no file beside it", name)
		}
	}
	return nil
}
