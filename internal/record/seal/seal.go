package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// Open stands for the seal in a JSON object until Close sets it.
const Open = "0000000000000000000000000000000000000000000000000000000000000000"

// ErrBroken is the error for a manifest that changed after it was sealed.
var ErrBroken = errors.New("its seal does not match, so it was edited by hand or damaged; restore it, or " +
	"write it again")

// member matches the seal in a manifest: 64 hexadecimal digits.
var member = regexp.MustCompile(`"seal":\s*"([0-9a-f]{64})"`)

// tail matches the rest of a compact manifest from the digits of the seal on. It has only fields that differ
// between runs.
var tail = regexp.MustCompile(`^[0-9a-f]{64}"(,"wall_time_s":[-+.0-9eE]+,"workers":[0-9]+)?\}$`)

// begin precedes the digits of the seal in a compact manifest.
const begin = `,"seal":"`

// Close returns a manifest, a JSON object, with its seal: the SHA-256, in hexadecimal, of all members before the
// seal in compact JSON.
func Close(manifest []byte) ([]byte, error) {
	before, _, err := split(manifest)
	if err != nil {
		return nil, err
	}
	found := member.FindAllSubmatchIndex(manifest, -1)
	if before == nil || found == nil {
		return nil, errors.New("seal: the manifest has no member seal")
	}
	closed := bytes.Clone(manifest)
	copy(closed[found[len(found)-1][2]:], sum(before))
	return closed, nil
}

// Check returns ErrBroken if a manifest, a JSON object, changed after it was sealed. White space does not matter.
// A manifest without a seal, which earlier versions wrote, is accepted.
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

// split cuts the compact manifest at the digits of its seal. Without a seal, before is nil.
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
