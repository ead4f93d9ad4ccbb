package deception

import (
	"fmt"
	"strings"
	"sync"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// NoGuarantee follows the meaning of every way in lists.
const NoGuarantee = "gives no guarantee"

// Settings are the settings of ways; each uses its own part.
type Settings struct {
	Temperature float64 // of soft, which misinformation avoids, in units of reward, > 0
	Bogus       Bogus   // goals that are feigned

	// Of exaggeration and ambiguity: the observer's temperature, in units of reward, > 0.
	ObserverTemperature float64
	// Of exaggeration, ambiguity and misinformation: the largest extra cost of paths as a fraction of the cheapest
	// one's, >= 0.
	Detour float64
}

// Way is a way to hide the goal that settings can name.
type Way struct {
	Name    string
	Meaning string // how it hides the goal, after its name in a sentence
	Path    bool   // it flies a path, which takes moves that do not slip

	plan func(Settings, *planner.Solved) (planner.Plan, error)
}

var ways = []Way{soft, simulating, dissimulating, leaning, deceiving, exaggeration, ambiguity, misinformation}

// Ways returns all ways.
func Ways() []Way { return append([]Way(nil), ways...) }

// Names returns the names of all ways.
func Names() []string {
	var names []string
	for _, w := range ways {
		names = append(names, w.Name)
	}
	return names
}

// Find returns the way with a name, and false if there is none.
func Find(name string) (Way, bool) {
	for _, w := range ways {
		if w.Name == name {
			return w, true
		}
	}
	return Way{}, false
}

// New returns the mechanism of the way with a name.
func New(name string, s Settings) (planner.Mechanism, error) {
	way, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("deception: no way to hide is called %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return &mechanism{way: way, settings: s}, nil
}

// mechanism is a way with its settings. It computes the plan of a problem once.
type mechanism struct {
	way      Way
	settings Settings
	made     sync.Map // functions that return the plan, by the problem's *planner.Solved
}

func (m *mechanism) Name() string { return m.way.Name }

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

// soft draws its moves from the entropy-regularised policy for the true reward, see mdp.Soft. At a higher temperature
// its moves are more random and reveal less.
var soft = Way{Name: "soft",
	Meaning: "takes every move with a probability that is the larger the more it is worth: the entropy-regularised " +
		"policy at deception.temperature",
	plan: func(s Settings, p *planner.Solved) (planner.Plan, error) {
		solution, err := mdp.Soft(p.Law, p.Rewards.Joint, p.Discount, s.Temperature, p.Tolerance, p.Rewards.Over())
		return planner.Plan{Stochastic: solution.Policy}, err
	}}
