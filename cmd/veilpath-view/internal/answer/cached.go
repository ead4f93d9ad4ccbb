package answer

// Cached is a value that is computed once for every change of what it depends on.
type Cached[K comparable, V any] struct {
	key   K
	value V
	known bool
}

// Get returns the value for a key.
func (c *Cached[K, V]) Get(key K, compute func() V) V {
	if !c.known || c.key != key {
		c.key, c.value, c.known = key, compute(), true
	}
	return c.value
}
