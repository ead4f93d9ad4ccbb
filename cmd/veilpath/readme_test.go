package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/planner/privacy"
)

// pages is the README and the guide with their lines joined.
func pages(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob("../../assets/guide/*.md")
	if err != nil || len(names) != 13 {
		t.Fatalf("%d pages of the guide, %v", len(names), err)
	}
	var all []string
	for _, name := range append(names, "../../README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.Fields(string(text))...)
	}
	return strings.Join(all, " ")
}

// The README is short, and lists every page of the guide.
func TestTheReadmeIsShortAndListsTheGuide(t *testing.T) {
	const mostLines = 110
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > mostLines {
		t.Errorf("%d lines, want at most %d", n, mostLines)
	}
	names, err := filepath.Glob("../../assets/guide/*.md")
	if err != nil {
		t.Fatal(err)
	}
	help := veilpath(t, "--help").stdout
	for _, name := range names {
		page := filepath.Base(name)
		if !strings.Contains(string(text), "(assets/guide/"+page+")") {
			t.Errorf("the README does not list %s", page)
		}
		if page = strings.TrimSuffix(page, ".md"); !strings.Contains(help, " "+page) {
			t.Errorf("veilpath help does not list %s", page)
		}
	}
}

// The changelog of a version is short. Lines of texts fit an editor, except for tables, pictures and code.
func TestTextsAreShort(t *testing.T) {
	const mostOfAVersion, widest = 80, 120
	names, err := filepath.Glob("../../assets/guide/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "../../README.md", "../../CHANGELOG.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code, lines := false, 0
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "## ") {
				lines = 0
			}
			if lines++; strings.HasSuffix(name, "CHANGELOG.md") && lines == mostOfAVersion+1 {
				t.Errorf("%s:%d: the version has more than %d lines", name, i+1, mostOfAVersion)
			}
			if strings.HasPrefix(line, "```") {
				code = !code
			}
			if n := utf8.RuneCountInString(line); n > widest && !code && !strings.HasPrefix(line, "|") &&
				!strings.HasPrefix(line, "!") && !strings.HasPrefix(line, "<img") {
				t.Errorf("%s:%d: %d columns, want at most %d", name, i+1, n, widest)
			}
		}
	}
}

// Links of texts to files of the repository, and to headings of pages, lead somewhere.
func TestLinksOfTextsLeadSomewhere(t *testing.T) {
	const root = "../.."
	names, err := filepath.Glob(root + "/assets/guide/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, root+"/README.md", root+"/CONTRIBUTING.md", root+"/assets/gallery/README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		prose := regexp.MustCompile("(?s)```.*?```|`[^`]*`").ReplaceAllString(string(text), "")
		for _, link := range regexp.MustCompile(`\]\(([^)]+)\)|src="([^"]+)"`).FindAllStringSubmatch(prose, -1) {
			target := link[1] + link[2]
			if strings.Contains(target, "://") {
				continue
			}
			file, heading, toHeading := strings.Cut(target, "#")
			to, err := os.ReadFile(filepath.Join(filepath.Dir(name), file))
			if err != nil {
				t.Errorf("%s links to %s: %v", name, target, err)
			}
			title := regexp.MustCompile(`[^a-z0-9 -]`)
			found := !toHeading
			for line := range strings.Lines(string(to)) {
				if words, is := strings.CutPrefix(strings.TrimSpace(line), "## "); is {
					anchor := title.ReplaceAllString(strings.ToLower(words), "")
					found = found || strings.ReplaceAll(anchor, " ", "-") == heading
				}
			}
			if !found {
				t.Errorf("%s links to %s, which has no such heading", name, target)
			}
		}
	}
}

// The guide's Go program is the Example that the tests run.
func TestTheGuideHasAWholeGoProgram(t *testing.T) {
	example, err := os.ReadFile("../../sim/study/example_own_test.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../assets/guide/own.md")
	if err != nil {
		t.Fatal(err)
	}
	program := strings.NewReplacer("package study_test", "package main", "func Example() {", "func main() {").
		Replace(string(example))
	program = regexp.MustCompile(`\t// Output:\n(\t// .*\n)*`).ReplaceAllString(program, "")
	if !strings.Contains(string(page), "```go\n"+program+"```\n") {
		t.Error("own.md does not have the program of sim/study/example_own_test.go")
	}
}

// says checks that the README or the guide holds a sentence, with the numbers that a command has just printed.
func says(t *testing.T, format string, numbers ...any) {
	t.Helper()
	if want := fmt.Sprintf(format, numbers...); !strings.Contains(pages(t), want) {
		t.Errorf("neither the README nor the guide says %q", want)
	}
}

// flown is what a study prints as JSON, as far as the README quotes it.
type flown struct {
	Baselines struct {
		Direct       float64 `json:"direct_km"`
		HandoverOnly float64 `json:"handover_only_km"`
		Planned      float64 `json:"planned_km"`
	}
	Summary []struct {
		Epsilon     float64 `json:"epsilon"`
		MeanKm      float64 `json:"mean_km"`
		LowKm       float64 `json:"ci_low_km"`
		HighKm      float64 `json:"ci_high_km"`
		NoiseKm     float64 `json:"noise_km"`
		NoiseLowKm  float64 `json:"noise_ci_low_km"`
		NoiseHighKm float64 `json:"noise_ci_high_km"`
	} `json:"summary"`
}

func flownBy(t *testing.T, args ...string) flown {
	t.Helper()
	return answerOf[flown](t, append([]string{"study"}, args...)...)
}

// What intervals rest on is what the preset's settings come to.
func TestTheReadmeTellsTheFarthestDetection(t *testing.T) {
	e, err := setup.Experiment(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	says(t, "two turning circles beyond the farthest waypoint, %.0f km from the target in the preset", e.FarthestKm())
}

// Observers stand side by side. What is said of those that make private policies, which takes long, .ci/readme
// compares.
func TestTheReadmeTellsTheObservers(t *testing.T) {
	t.Parallel()
	all := flownBy(t, "--observer", "ballistic,heading", "--epsilons", "1")
	says(t, "extrapolates a ballistic path | %.1f km |", all.Summary[0].MeanKm)
	says(t, "that flights start towards their target | %.1f km |", all.Summary[1].MeanKm)
}

// The README prints the first command's answer and table, and the guide the means of more runs.
func TestTheReadmeQuotesWhatStudiesPrint(t *testing.T) {
	t.Parallel()
	printed := veilpath(t, "study", "--out", filepath.Join(t.TempDir(), "few")).stdout
	screen, notes, _ := strings.Cut(printed, "\n200 runs per epsilon, ")
	says(t, "%s", strings.Join(strings.Fields(screen), " "))
	if _, kinds, found := strings.Cut(strings.Join(strings.Fields(notes), " "), " Most flights are "); found {
		kinds, _, _ = strings.Cut(kinds, ".")
		says(t, "most flights are %s", kinds)
	} else {
		t.Errorf("the study does not say that there are two kinds of flight: %s", printed)
	}

	folder := filepath.Join(t.TempDir(), "many")
	many := flownBy(t, "--runs", "3000", "--out", folder)
	weakest := len(many.Summary) - 1
	noise := func(i int) string {
		s := many.Summary[i]
		return fmt.Sprintf("| epsilon %g | %.1f ± %.1f | noise %.2f (%.2f .. %.2f) |", s.Epsilon, s.MeanKm,
			(s.HighKm-s.LowKm)/2, -s.NoiseKm, -s.NoiseHighKm, -s.NoiseLowKm)
	}
	baselines := many.Baselines
	says(t, "| straight to the target | %.2f | - | | planned, without noise | %.2f | hand-over %.2f, waypoints "+
		"%.2f | %s %s",
		baselines.Direct, baselines.Planned, baselines.Direct-baselines.HandoverOnly,
		baselines.HandoverOnly-baselines.Planned, noise(weakest), noise(0))

	runs, err := parquet.ReadFile[struct {
		Km float64 `parquet:"detection_km"`
	}](filepath.Join(folder, "runs.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	late, early, neither := 0, 0, 0
	for _, r := range runs {
		switch {
		case r.Km > 58 && r.Km < 62:
			early++
		case r.Km > 10 && r.Km < 25:
			late++
		default:
			neither++
		}
	}
	if neither*1000 > len(runs) {
		t.Errorf("%d flights of %d are of neither kind", neither, len(runs))
	}
	share := func(n int) float64 { return 100 * float64(n) / float64(len(runs)) }
	says(t, "of the %d,%03d flights of `veilpath study --runs 3000`, all epsilons together, %.0f %% are recognised "+
		"between 58 and 62 km away and %.0f %% only between 10 and 25 km, fewer than 1 in 1,000 elsewhere (the column "+
		"`detection_km` of "+
		"`runs.parquet`)", len(runs)/1000, len(runs)%1000, share(early), share(late))
}

func TestTheReadmeSaysWhatTheGuaranteeDoesNotDo(t *testing.T) {
	t.Parallel()
	got := answerOf[map[string]any](t, "design", "--config", "paper", "--epsilons", "0.2")
	value := func(name string) float64 { v, _ := got[name].(float64); return v }
	says(t, "differ in 1,%03.0f of 2,000 entries and are %.1f b apart (L2)", value("goal_entries")-1000,
		value("goal_distance"))
	says(t, "leaves them at mu = %.2f from each other, which is epsilon %.1f at the same delta", value("goal_mu"),
		value("goal_epsilon"))
	says(t, "distinguishes the two with %.1f %%, and identifies the goal among the %.0f possible ones with %.0f %%",
		100*value("goal_told"), value("goal_candidates"), 100*value("goal_named"))

	loaded, err := configs.Load(configs.Request{Config: configs.DefaultPreset, ReadFile: os.ReadFile})
	if err != nil {
		t.Fatal(err)
	}
	e, err := setup.Experiment(loaded.Config)
	if err != nil {
		t.Fatal(err)
	}
	grid, ahead := e.Mission.Grid, 0
	candidates := grid.FarFromStart(loaded.Privacy.HandoverKm)
	from, goal := grid.Cell(grid.Start), grid.Cell(grid.Goal)
	for _, state := range candidates {
		if c := grid.Cell(state); (c.Column-from.Column)*(goal.Row-from.Row) == (c.Row-from.Row)*(goal.Column-from.Column) &&
			c.Column > from.Column {
			ahead++
		}
	}
	says(t, "the line of sight to its target, which leaves %d of the %d cells", ahead, len(candidates))
	for state := range grid.States() {
		for action := planner.North; action <= planner.ToTarget; action++ {
			next := grid.Cell(grid.Next(state, action))
			if c := grid.Cell(state); c.Column != next.Column && c.Row != next.Row && action != planner.ToTarget {
				t.Errorf("%v moves diagonally", action)
			}
		}
	}
}

func TestTheGuideSaysThatSimulatedNoiseIsNotForPublishing(t *testing.T) {
	says(t, "%s", privacy.SimulationNotice)
}
