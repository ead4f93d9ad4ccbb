// Package picture draws the window for a file, which says at its foot what it is of.
package picture
