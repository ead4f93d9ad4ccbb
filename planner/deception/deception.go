package deception

import (
	"fmt"
	"strings"
	"sync"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// NoGuarantee is what is said of every way wherever it is listed.
const NoGuarantee = "gives no guarantee"

// Settings are what ways depend on beside the mission; each uses its own part.
type Settings struct {
	Temperature float64 // of soft, in units of reward, > 0
	Bogus       Bogus   // goals that are feigned

	// Of exaggeration and ambiguity: that of the observer, in units of reward, > 0, and how much more paths may
	// cost than the cheapest, as a share of that, >= 0.
	ObserverTemperature, Detour float64
}

// Way is a way to hide the goal that settings can name.
type Way struct {
	Name    string
	Meaning string // how it hides the goal, after its name in a sentence
	Path    bool   // it flies a path, which takes moves that do not slip

	plan func(Settings, *planner.Solved) (planner.Plan, error)
}

var ways = []Way{soft, simulating, dissimulating, leaning, deceiving, exaggeration, ambiguity}

// Ways returns the ways there are.
func Ways() []Way { return append([]Way(nil), ways...) }

// Names returns their names.
func Names() []string {
	var names []string
	for _, w := range ways {
		names = append(names, w.Name)
	}
	return names
}

// Find returns the way of a name, and false where there is none.
func Find(name string) (Way, bool) {
	for _, w := range ways {
		if w.Name == name {
			return w, true
		}
	}
	return Way{}, false
}

// New returns the mechanism of a way. It is an error where no way has the name.
func New(name string, s Settings) (planner.Mechanism, error) {
	way, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("deception: no way to hide is called %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return &mechanism{way: way, settings: s}, nil
}

// mechanism is a way with its settings. It makes one plan for every problem and remembers it.
type mechanism struct {
	way      Way
	settings Settings
	made     sync.Map // functions that return the plan, by the problem's *planner.Solved
}

// Name implements planner.Mechanism.
func (m *mechanism) Name() string { return m.way.Name }

// Meaning implements planner.Mechanism.
func (m *mechanism) Meaning() string { return m.way.Meaning + "; " + NoGuarantee }

// Plan implements planner.Mechanism. It uses neither the guarantee nor the noise.
func (m *mechanism) Plan(p *planner.Planner, _ privacy.Guarantee, _ *privacy.Noise) (planner.Plan, error) {
	problem := p.Problem()
	plan, known := m.made.Load(problem)
	if !known {
		plan, _ = m.made.LoadOrStore(problem, sync.OnceValues(func() (planner.Plan, error) {
			return m.way.plan(m.settings, problem)
		}))
	}
	return plan.(func() (planner.Plan, error))()
}
