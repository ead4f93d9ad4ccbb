package terminal

import "fmt"

// OnceFlag is the value of a text flag that may be given at most once.
type OnceFlag struct {
	value *string
	given bool
}

// Once returns the value of a text flag with the default start.
func Once(value *string, start string) *OnceFlag {
	*value = start
	return &OnceFlag{value: value}
}

// String returns the text.
func (f *OnceFlag) String() string {
	if f == nil || f.value == nil {
		return ""
	}
	return *f.value
}

// Type returns the name of the flag's type.
func (f *OnceFlag) Type() string { return "string" }

// Set sets the text. A second call is an error.
func (f *OnceFlag) Set(text string) error {
	if f.given {
		return fmt.Errorf("given twice, first as %q", *f.value)
	}
	*f.value, f.given = text, true
	return nil
}
