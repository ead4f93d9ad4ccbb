// Package seal detects changes of a JSON file, such as the ledger of a privacy budget: edits by hand, or damage on
// disk. A seal is not a signature: anyone can seal a changed file again.
package seal
