package configs

import (
	"bytes"
	"fmt"
	"strings"
)

// render writes settings as YAML in the order of the fields; with origin, it adds comments that explain them.
func render(texts map[string]string, fields []Field, origin func(key string) string) []byte {
	var out bytes.Buffer
	group := ""
	for _, f := range fields {
		if g := f.Group(); g != group {
			if group = g; g != "" {
				fmt.Fprintf(&out, "%s:\n", g)
			}
		}
		indent := ""
		if group != "" {
			indent = "  "
		}
		if origin != nil {
			out.WriteString(comment(f, indent))
		}
		fmt.Fprintf(&out, "%s%s: %s", indent, lastPart(f.Key), texts[f.Key])
		if origin != nil {
			fmt.Fprintf(&out, " # %s", strings.Map(printable, origin(f.Key)))
		}
		out.WriteString("\n")
	}
	return out.Bytes()
}

// comment returns the comment lines above a key: its meaning, then unit, range and source.
func comment(f Field, indent string) string {
	const width = 100 // characters per line
	var out strings.Builder
	for _, sentence := range []string{f.Meaning, f.Facts()} {
		line := indent + "#"
		for word := range strings.FieldsSeq(sentence) {
			if len(line)+1+len(word) > width {
				out.WriteString(line + "\n")
				line = indent + "#"
			}
			line += " " + word
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}
