package terminal

import "fmt"

// OnceFlag is the value of a flag of text that is given once at most.
type OnceFlag struct {
	value *string
	given bool
}

// Once returns the value of a flag that is some text until it is given another.
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

// Type names what the flag takes.
func (f *OnceFlag) Type() string { return "string" }

// Set takes the text, and refuses a second one.
func (f *OnceFlag) Set(text string) error {
	if f.given {
		return fmt.Errorf("given twice, first as %q", *f.value)
	}
	*f.value, f.given = text, true
	return nil
}
