// Package version has the version of the programs, which their files and pictures tell.
package version

// Number is the version of a release, or of the release that is next.
const Number = "0.2.0"
