// Package answer says what the viewer shows, in numbers and sentences: the question and its answer, where and why a
// flight is recognised, what noise does, who watches, and what of the flights is selected.
package answer
