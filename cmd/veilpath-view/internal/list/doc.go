// Package list is a list that lies over the view, in which everything is found by its name or one section is shown.
package list

// Gap is around a list, Pad within it, and TouchTarget the height of what a finger works, points.
const (
	Gap         = 10
	Pad         = 10
	TouchTarget = 44
)

func either[T any](b bool, yes, no T) T {
	if b {
		return yes
	}
	return no
}
