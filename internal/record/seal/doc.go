// Package seal tells whether a manifest was changed after it was written: by hand, or by a disk that lost a bit. A
// seal is no signature. Whoever wants to can seal again what they changed.
package seal
