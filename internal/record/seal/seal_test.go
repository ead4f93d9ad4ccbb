package seal_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"veilpath/internal/record/seal"
)

// A seal is the hash of the members before it in compact JSON. Any change of them is refused, blanks are not counted,
// and an inner member of the same name is sealed like all other data.
func TestSeal(t *testing.T) {
	text := []byte(`{"runs": 20, "inner": {"seal": "` + seal.Open + `"}, "seal": "` + seal.Open + `"}`)
	closed, err := seal.Close(text)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(`{"runs":20,"inner":{"seal":"` + seal.Open + `"}`))
	if want := fmt.Sprintf(`, "seal": "%x"}`, sum); !bytes.HasSuffix(closed, []byte(want)) {
		t.Errorf("%s, want %s at its end", closed, want)
	}
	for name, c := range map[string]struct {
		was, is string
		want    error
	}{
		"blanks":         {`"runs": 20`, `"runs":20`, nil},
		"a number":       {"20", "21", seal.ErrBroken},
		"a name":         {"runs", "ruin", seal.ErrBroken},
		"an inner seal":  {seal.Open, seal.Open[1:] + "1", seal.ErrBroken},
		"a member after": {`"}`, `", "seed": 6}`, seal.ErrBroken},
	} {
		changed := bytes.Replace(closed, []byte(c.was), []byte(c.is), 1)
		if c.is[0] == '"' && c.want != nil {
			at := bytes.LastIndex(closed, []byte(c.was))
			changed = append(bytes.Clone(closed[:at]), c.is...)
		}
		if err := seal.Check(changed); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := seal.Close([]byte(`{"runs":20}`)); err == nil {
		t.Error("an object without the member seal is sealed")
	}
}
