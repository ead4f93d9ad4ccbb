// Package picture draws panels of the window for files: as vector graphics, as pixels and as moving pictures. Each says
// at its foot what it is of.
package picture
