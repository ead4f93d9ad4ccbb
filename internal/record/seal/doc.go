// Package seal detects whether a manifest was changed after it was written: by hand, or by a disk that lost a bit. A
// seal is not a signature: anyone can seal a changed manifest again.
package seal
