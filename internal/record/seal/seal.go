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

// ErrBroken is the error for an object that changed after it was sealed.
var ErrBroken = errors.New("its seal does not match, so it was edited by hand or damaged; restore it, or " +
	"write it again")

// member matches the seal in an object: 64 hexadecimal digits.
var member = regexp.MustCompile(`"seal":\s*"([0-9a-f]{64})"`)

// begin precedes the digits of the seal in compact JSON.
const begin = `,"seal":"`

// Close returns a JSON object with its seal, the last member: the SHA-256, in hexadecimal, of all members before the
// seal in compact JSON.
func Close(object []byte) ([]byte, error) {
	before, _, err := split(object)
	if err != nil {
		return nil, err
	}
	found := member.FindAllSubmatchIndex(object, -1)
	if before == nil || found == nil {
		return nil, errors.New("seal: the object has no member seal")
	}
	closed := bytes.Clone(object)
	copy(closed[found[len(found)-1][2]:], sum(before))
	return closed, nil
}

// Check returns ErrBroken if a JSON object changed after it was sealed. White space does not matter. An object without
// a seal is accepted.
func Check(object []byte) error {
	before, after, err := split(object)
	if err != nil || before == nil {
		return err
	}
	if !bytes.Equal(after, append(sum(before), `"}`...)) {
		return ErrBroken
	}
	return nil
}

// split cuts the compact object at the digits of its seal. Without a seal, before is nil.
func split(object []byte) (before, after []byte, err error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, object); err != nil {
		return nil, nil, err
	}
	at := bytes.LastIndex(compact.Bytes(), []byte(begin))
	if at < 0 {
		return nil, nil, nil
	}
	return compact.Bytes()[:at], compact.Bytes()[at+len(begin):], nil
}

func sum(text []byte) []byte { return fmt.Appendf(nil, "%x", sha256.Sum256(text)) }
