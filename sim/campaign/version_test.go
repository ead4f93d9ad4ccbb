package campaign

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"veilpath/configs"
	"veilpath/internal/record"
)

// The error for a folder that another version wrote says so, and is not that of a damaged file.
func TestFoldersOfOtherVersionsAreNamed(t *testing.T) {
	p, disk := finished(t, Request{Settings: configs.Request{Sets: []string{"study.epsilons=1", "study.runs=3"}}})
	m, err := p.ReadManifest("out")
	if err != nil {
		t.Fatal(err)
	}
	write := func(m record.Manifest) {
		var text bytes.Buffer
		if err := record.WriteManifest(&text, m); err != nil {
			t.Fatal(err)
		}
		disk.Put("out/"+record.ManifestName, text.String())
	}
	refused := func(version, says string) {
		t.Helper()
		p.Version = version
		if _, err := p.Read(t.Context(), "out"); err == nil || !strings.HasPrefix(err.Error(), says) ||
			strings.Contains(err.Error(), "damaged") {
			t.Errorf("read by version %s: %v, want %q", version, err, says)
		}
	}
	// a table with another column in the place of goal
	runs := strings.ReplaceAll(disk.Files("out")[record.RunsName], "goal", "gaol")
	m.Files[record.RunsName] = fmt.Sprintf("%x", sha256.Sum256([]byte(runs)))
	disk.Put("out/"+record.RunsName, runs)
	write(m)
	const columns = ": its table of runs has other columns; "
	refused("1", "out was written by another build of veilpath 1"+columns)
	refused("2", "out was written by another version of veilpath (1); this is 2"+columns)

	m.Config = []byte(`{"vehicle":{"wings":2}}`)
	write(m)
	refused("3", "out was written by another version of veilpath (1); this is 3: ")
}
