package campaign

import (
	"runtime"
	"strings"
	"testing"

	"veilpath/internal/record"
)

func TestBlameNamesAnotherProgramOnlyWhereThereIsOne(t *testing.T) {
	this := record.Manifest{Version: "1", GoVersion: runtime.Version(), Arch: runtime.GOARCH}
	p := &Program{Version: "1"}
	other := this
	other.GoVersion = "go1.0"
	got := p.blame(this).Error()
	if strings.Contains(got, "that program") || !strings.Contains(got, "the record was changed") {
		t.Errorf("of the same program: %s", got)
	}
	got = p.blame(other).Error()
	if !strings.Contains(got, "go1.0") || !strings.Contains(got, "repeat it with that program") {
		t.Errorf("of another program: %s", got)
	}
}
