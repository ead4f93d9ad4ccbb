package screen

// cached is a value that is computed once for every change of what it depends on.
type cached[K comparable, V any] struct {
	key   K
	value V
	known bool
}

// get returns the value for a key.
func (c *cached[K, V]) get(key K, compute func() V) V {
	if !c.known || c.key != key {
		c.key, c.value, c.known = key, compute(), true
	}
	return c.value
}
