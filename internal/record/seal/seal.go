package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// Open is the seal of a manifest that has none yet: the member seal of the JSON object, for Close to replace.
const Open = "0000000000000000000000000000000000000000000000000000000000000000"

// ErrBroken is the error for a manifest that is not the one that was written.
var ErrBroken = errors.New("its seal does not fit, so it was edited by hand or damaged; restore it, or write it again")

// member is the seal in a manifest: 64 hexadecimal digits.
var member = regexp.MustCompile(`"seal":\s*"([0-9a-f]{64})"`)

// tail is what follows a seal in a manifest without blanks: what differs from one run of the program to another.
var tail = regexp.MustCompile(`^[0-9a-f]{64}"(,"wall_time_s":[-+.0-9eE]+,"workers":[0-9]+)?\}$`)

// begin stands before the digits of a seal in a manifest without blanks.
const begin = `,"seal":"`

// Close returns a manifest, a JSON object, with its member seal made that of the members before it: the SHA-256, in
// hexadecimal, of their text without blanks.
func Close(manifest []byte) ([]byte, error) {
	before, _, err := split(manifest)
	if err != nil {
		return nil, err
	}
	found := member.FindAllSubmatchIndex(manifest, -1)
	if before == nil || found == nil {
		return nil, errors.New("seal: the manifest has no member for it")
	}
	closed := bytes.Clone(manifest)
	copy(closed[found[len(found)-1][2]:], sum(before))
	return closed, nil
}

// Check returns ErrBroken where a manifest, a JSON object, is not what it was when its seal was made. Blanks do not
// matter. One without a seal, as earlier versions wrote them, is taken as it is.
func Check(manifest []byte) error {
	before, after, err := split(manifest)
	if err != nil || before == nil {
		return err
	}
	if !tail.Match(after) || !bytes.HasPrefix(after, sum(before)) {
		return ErrBroken
	}
	return nil
}

// split cuts a manifest without blanks at the digits of its seal; without one there is nothing before them.
func split(manifest []byte) (before, after []byte, err error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, manifest); err != nil {
		return nil, nil, err
	}
	at := bytes.LastIndex(compact.Bytes(), []byte(begin))
	if at < 0 {
		return nil, nil, nil
	}
	return compact.Bytes()[:at], compact.Bytes()[at+len(begin):], nil
}

func sum(text []byte) []byte { return fmt.Appendf(nil, "%x", sha256.Sum256(text)) }
