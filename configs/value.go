package configs

// Value reads a value of the key alone, written as in --set: a float64 for a number, an int64 for a whole
// number, and for anything else its text. Whatever way a value is written, it comes out the same. The error
// is an *[Error] whose origin is the flag of that name.
func (f Field) Value(text, flag string) (any, error) {
	value, problem := f.domain.parse(textNode(text))
	if problem != "" {
		return nil, f.unfit(&Error{Key: f.Key, Value: shortened(text), Origin: flagMark + flag}, problem)
	}
	switch v := value.(type) {
	case float64:
		return v, nil
	case int:
		return int64(v), nil
	}
	value = plainValue(value)
	if items, ok := value.([]any); ok {
		return valueText(items), nil
	}
	return value, nil
}

// unfit completes the error of a value that the key does not take.
func (f Field) unfit(at *Error, problem string) *Error {
	return at.because(problem, f.Allowed(),
		"set it to an allowed value, such as "+described()[index[f.Key]].Default)
}
