package configs

// Value reads a value of the key alone, written as in --set: a float64 for a number, an int64 for a whole
// number, and for anything else its text. The error is an *[Error] that names the flag it came from.
func (f Field) Value(text, flag string) (any, error) {
	node := textNode(text)
	value, problem := f.domain.parse(node)
	if problem != "" {
		return nil, &Error{Key: f.Key, Value: shortened(text), Origin: "flag " + flag, Problem: problem,
			Allowed: f.Allowed(), Fix: "set it to an allowed value, such as the default " + f.Default}
	}
	switch v := value.(type) {
	case float64:
		return v, nil
	case int:
		return int64(v), nil
	}
	return nodeText(node), nil
}
