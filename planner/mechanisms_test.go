package planner_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// The guide says of every mechanism with a name what it promises: mechanisms with the same promise share a row.
func TestGuideListsMechanisms(t *testing.T) {
	text, err := os.ReadFile("../assets/guide/mechanisms.md")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{} // by the rest of the row
	list := func(name string, p privacy.Promise) {
		rest := fmt.Sprintf("` | %s | %s | %s |\n", p.Neighbours, p.Guarantee, p.Source)
		names[rest] = append(names[rest], name)
	}
	for _, m := range planner.Mechanisms() {
		list(m.Name(), planner.PromiseOf(m))
	}
	for _, m := range privacy.GoalMechanisms() {
		list(m.Name(), m.Promise())
	}
	for rest, names := range names {
		if row := "\n| `" + strings.Join(names, "`, `") + rest; !strings.Contains(string(text), row) {
			t.Errorf("assets/guide/mechanisms.md lacks the row%s", row)
		}
	}
}

// Names find their mechanisms, and a mechanism that does not say what it promises promises nothing.
func TestFindMechanism(t *testing.T) {
	for _, name := range planner.MechanismNames() {
		if m, err := planner.FindMechanism(name); err != nil || m.Name() != name || m.Meaning() == "" {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	if _, err := planner.FindMechanism("Input"); err == nil || !strings.Contains(err.Error(), "input, output, output-l1") {
		t.Errorf("no mechanism is called Input: %v", err)
	}
	if p := planner.PromiseOf(planner.OnReward(constant(1))); p != privacy.None {
		t.Errorf("a constant promises %+v", p)
	}
}
