// Package seal detects changes of a manifest: edits by hand, or damage on disk. A seal is not a signature: anyone
// can seal a changed manifest again.
package seal
