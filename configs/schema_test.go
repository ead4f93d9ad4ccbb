package configs

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the comments of paper.yaml from the schema")

func TestSchemaIsComplete(t *testing.T) {
	variables := map[string]bool{}
	for _, f := range Schema() {
		if !strings.HasSuffix(f.Meaning, ".") || f.Default == "" {
			t.Errorf("%s: meaning or default is missing: %+v", f.Key, f)
		}
		if f.Key != strings.ToLower(f.Key) || strings.Count(f.Key, ".") > 1 || variables[environmentName(f.Key)] {
			t.Errorf("%s: viper and the environment need lower-case names, one dot at most, and one variable each", f.Key)
		}
		variables[environmentName(f.Key)] = true
		if found, ok := Lookup(f.Key); !ok || found.Key != f.Key {
			t.Errorf("Lookup(%q) gives %+v, %v", f.Key, found, ok)
		}
	}
	if slices.Contains(Groups(), "") {
		t.Error("a group without a name")
	}
	if f, ok := Lookup("privacy.epsilom"); ok {
		t.Errorf("Lookup of an unknown key gives %+v", f)
	}
}

var keyLine = regexp.MustCompile(`^( *)([a-z0-9_]+):(.*)$`)

// The comment above every key of paper.yaml is the schema's; run with -update to write it.
func TestPaperPresetIsCommentedFromTheSchema(t *testing.T) {
	have, err := os.ReadFile("paper.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	group := ""
	for line := range strings.Lines(string(have)) {
		line = strings.TrimSuffix(line, "\n")
		if parts := keyLine.FindStringSubmatch(line); parts != nil {
			indent, key := parts[1], parts[2]
			if indent == "" {
				group = key
			} else {
				key = join(group, key)
			}
			if f, ok := Lookup(key); ok {
				for strings.HasPrefix(out[len(out)-1], indent+"#") {
					out = out[:len(out)-1]
				}
				out = append(out, strings.TrimSuffix(comment(f, indent), "\n"))
			}
		}
		out = append(out, line)
	}
	want := strings.Join(out, "\n") + "\n"
	if *update {
		if err := os.WriteFile("paper.yaml", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(have)); diff != "" {
		t.Errorf("go test ./configs -update rewrites it: %s", diff)
	}
}
