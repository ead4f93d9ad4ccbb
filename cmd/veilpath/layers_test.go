package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const module = "veilpath/"

// layers returns the rows of the map in CONTRIBUTING.md, from the top: the packages of each.
func layers(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	name := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "|"); len(cells) == 4 && strings.HasPrefix(cells[1], " `") {
			var row []string
			for _, m := range name.FindAllStringSubmatch(cells[1], -1) {
				row = append(row, m[1])
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// place returns the entry of the map that a package belongs to and its row: its own or, below the top level, that of
// a package it lies in.
func place(rows [][]string, name string) (entry string, row int) {
	for i, packages := range rows {
		for _, p := range packages {
			within := strings.HasPrefix(name, p+"/") && strings.Contains(p, "/")
			if (name == p || within) && len(p) > len(entry) {
				entry, row = p, i
			}
		}
	}
	return entry, row
}

// imports lists what a template says of all packages, for a system and with or without a window.
func imports(t *testing.T, template string, flags ...string) []string {
	t.Helper()
	command := exec.Command("go", append(append([]string{"list", "-f", template}, flags...), "./...")...)
	command.Dir = "../.."
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// No package imports one that the map has above it or in its row.
func TestDependenciesPointDownTheMap(t *testing.T) {
	t.Parallel()
	rows := layers(t)
	if len(rows) < 10 {
		t.Fatalf("the map in CONTRIBUTING.md has %d rows", len(rows))
	}
	for _, line := range imports(t, "{{.ImportPath}} {{join .Imports \" \"}}", "-tags", "viewer") {
		names := strings.Fields(line)
		from := strings.TrimPrefix(names[0], module)
		entry, row := place(rows, from)
		if entry == "" {
			t.Errorf("%s is missing in the map of CONTRIBUTING.md", from)
			continue
		}
		for _, name := range names[1:] {
			to, ours := strings.CutPrefix(name, module)
			if !ours {
				continue
			}
			if other, below := place(rows, to); other != entry && below <= row {
				t.Errorf("%s imports %s, which does not stand below it in the map of CONTRIBUTING.md", from, to)
			}
		}
	}
}

// Some packages are kept clear of others, however far down.
func TestWhatPackagesDoNotNeed(t *testing.T) {
	t.Parallel()
	for _, line := range imports(t, "{{.ImportPath}} {{join .Deps \" \"}}") {
		names := strings.Fields(line)
		from := strings.TrimPrefix(names[0], module)
		library := !strings.HasPrefix(from, "cmd/")
		for _, name := range names[1:] {
			to := strings.TrimPrefix(name, module)
			var reason string
			switch {
			case (from == "adversary" || from == "guidance") && (to == "planner" || to == "sim/study"):
				reason = "observers and steering know nothing of plans and studies"
			case strings.HasPrefix(from, "planner") && (to == "sim" || strings.HasPrefix(to, "sim/")):
				reason = "plans know nothing of flights"
			case library && (strings.HasPrefix(to, "github.com/spf13/cobra") ||
				strings.HasPrefix(to, "github.com/hajimehoshi/ebiten")):
				reason = "libraries have no command line and no window"
			case (from == "internal/record" || from == "internal/flightfile") &&
				strings.HasPrefix(to, "github.com/parquet-go"):
				reason = "the page checks files without a Parquet library"
			default:
				continue
			}
			t.Errorf("%s depends on %s: %s", from, to, reason)
		}
	}
}

// Lines of code, of help pages and of the report's texts fit a screen beside another.
func TestNoLineIsLongerThan120Columns(t *testing.T) {
	t.Parallel()
	const most = 120
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		texts := filepath.Base(path) == "prose.txt" ||
			strings.HasPrefix(filepath.ToSlash(path), "../../cmd/veilpath/help/")
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" && !texts {
			return err
		}
		text, err := os.ReadFile(path)
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if columns := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); columns > most {
				t.Errorf("%s:%d has %d columns, want at most %d", path, number, columns, most)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A library does not know how its user sets what its errors name: they say {runs} (internal/option), and this program
// makes a flag of it. Three files name flags: the metadata of axis.parquet, and the command lines of a benchmark's rows
// and of Storm.
func TestLibrariesNameNoFlags(t *testing.T) {
	t.Parallel()
	allowed := []string{"internal/runfile/columns.go", "internal/benchmark/row.go",
		"planner/problem/format.go"}
	flag := regexp.MustCompile(`"(?:[^"\\]|\\.)*--[a-z](?:[^"\\]|\\.)*"`)
	style := regexp.MustCompile(`var\(--|"--wide`) // properties of a page
	for _, root := range []string{"adversary", "assets", "configs", "guidance", "internal", "planner", "sim"} {
		err := filepath.WalkDir("../../"+root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			path = filepath.ToSlash(path)
			text, err := os.ReadFile(path)
			for line := range strings.Lines(string(text)) {
				code, _, _ := strings.Cut(line, "// ")
				if flag.MatchString(code) && !style.MatchString(code) &&
					!slices.ContainsFunc(allowed, func(p string) bool { return strings.HasPrefix(path, "../../"+p) }) {
					t.Errorf("%s names a flag: %s", path, strings.TrimSpace(line))
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// No variable, parameter or function takes a name that the language declares, such as len or new.
func TestNothingShadowsPredeclaredNames(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		declare := func(n ast.Node) {
			if name, ok := n.(*ast.Ident); ok && doc.IsPredeclared(name.Name) {
				t.Errorf("%s: %s is the language's", files.Position(name.Pos()), name.Name)
			}
		}
		declareAll := func(names []*ast.Ident) {
			for _, name := range names {
				declare(name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					if n.Tok == token.DEFINE {
						declare(left)
					}
				}
			case *ast.RangeStmt:
				if n.Tok == token.DEFINE {
					declare(n.Key)
					declare(n.Value)
				}
			case *ast.ValueSpec:
				declareAll(n.Names)
			case *ast.TypeSpec:
				declare(n.Name)
			case *ast.FuncDecl:
				if n.Recv == nil {
					declare(n.Name)
				}
			case *ast.FuncType:
				parts := n.Params.List
				if n.Results != nil {
					parts = append(slices.Clip(parts), n.Results.List...)
				}
				for _, part := range parts {
					declareAll(part.Names)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
