package external

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// AnswersName is the name of the file with the answers of commands, in a folder of flights that they made.
const AnswersName = "answers.txt.gz"

// longestAnswers bounds what a file of answers may unpack to, bytes.
const longestAnswers = 1 << 28

// ErrNotRecorded is the error of a command that is not run, about what its recorded answers do not have.
var ErrNotRecorded = errors.New("no answer to this is recorded, and the command does not run here")

// Answers are what commands answered about the flights of one mission. They bring the flights back where no command
// runs. Guessed places are kept to a millimetre, all else as it was answered. Answers are safe for concurrent use.
type Answers struct {
	Flights

	mu       sync.Mutex
	commands []answering
	given    map[string]string // answers by request
	missing  int

	heard  map[string]string // answers before Begin
	size   int               // of heard, bytes
	begins bool
}

// mostHeard bounds the answers that are remembered before Begin, bytes.
const mostHeard = 1 << 26

// Flights are the flights that answers are about: every run at every epsilon.
type Flights struct {
	Runs     int       `json:"runs"`           // from 0
	Also     []int     `json:"also,omitempty"` // further runs
	Epsilons []float64 `json:"epsilons"`
}

// Has reports whether a run is among the flights.
func (f *Flights) Has(run int) bool { return run >= 0 && run < f.Runs || slices.Contains(f.Also, run) }

// answering is a command as its answers remember it.
type answering struct {
	Line  string `json:"line"`
	Role  Role   `json:"role"`
	Hello Hello  `json:"hello"`
}

// head is the first line of a file of answers.
type head struct {
	Protocol int `json:"protocol"`
	Flights
	Commands []answering `json:"commands"`
}

// Keep has a remember the answers of the commands of some lines.
func (c *Commands) Keep(a *Answers, lines ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, command := range c.all {
		if slices.Contains(lines, command.Line) && command.kept != a {
			command.kept = a
			a.commands = append(a.commands, answering{command.Line, command.Role, command.Hello})
		}
	}
}

// Begin has all answers kept from now on, those about some flights. What was answered before is not asked again.
func (a *Answers) Begin(f Flights) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.Flights, a.begins, a.given = f, true, map[string]string{}
}

// Recorded returns commands that are not run but repeat their answers.
func (a *Answers) Recorded() *Commands {
	c := new(Commands)
	for _, known := range a.commands {
		c.all = append(c.all, &Command{Line: known.Line, Role: known.Role, Hello: known.Hello, recorded: a})
	}
	c.May = func(string) error { return ErrNotRecorded }
	return c
}

// Missing returns how many flights were not recognised because nothing about them is recorded.
func (a *Answers) Missing() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.missing
}

// Hello returns what the command in a role says of itself, nothing where there is none.
func (a *Answers) Hello(role Role) Hello {
	for _, c := range a.commands {
		if c.Role == role {
			return c.Hello
		}
	}
	return Hello{}
}

// keep keeps an answer; a may be nil.
func (a *Answers) keep(request string, given *answer) {
	if a == nil || a.full() {
		return
	}
	text := given.text()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.begins {
		a.given[request] = text
		return
	}
	if a.heard == nil {
		a.heard = map[string]string{}
	}
	a.heard[request] = text
	a.size += len(text)
}

// full reports whether no more answers are remembered.
func (a *Answers) full() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.begins && a.size >= mostHeard
}

// known returns an answer for which no process is asked: a recorded one, or one that was heard before; nil for none.
func (c *Command) known(request string) (*answer, error) {
	switch {
	case c.recorded != nil:
		return c.recorded.find(request, c.Role)
	case c.kept != nil:
		return c.kept.hear(request, c.Role)
	}
	return nil, nil
}

// hear returns an answer that was heard before Begin, and keeps it; nil for none.
func (a *Answers) hear(request string, role Role) (*answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	text, ok := a.heard[request]
	if !ok || !a.begins {
		return nil, nil
	}
	a.given[request] = text
	return parseAnswer([]byte(text), role, 0)
}

// find returns the answer to a request in a role.
func (a *Answers) find(request string, role Role) (*answer, error) {
	a.mu.Lock()
	text, ok := a.given[request]
	if !ok && role == ObserverRole {
		a.missing++
	}
	a.mu.Unlock()
	if !ok {
		return nil, ErrNotRecorded
	}
	return parseAnswer([]byte(text), role, 0)
}

// planRequest names a request to a mechanism.
func planRequest(run, seed uint64, epsilon float64) string {
	return fmt.Sprintf("%s/%d/%d/%s", MechanismRole, run, seed, strconv.FormatFloat(epsilon, 'g', -1, 64))
}

// flightRequest names a request to an observer: flights of one mission differ in their waypoints, from which the seed
// follows, or in how they begin or how long they take. Processors round tracks differently, so no track is in it.
func flightRequest(seed uint64, h *sim.History) string {
	const digits = 1e9 // of a velocity, km/s
	var v r3.Vec
	if len(h.Samples) > 0 {
		v = h.Samples[0].V
	}
	return fmt.Sprintf("%s/%d/%d/%.0f/%.0f", ObserverRole, seed, len(h.Samples), v.X*digits, v.Y*digits)
}

// text returns the answer as one line of JSON, without the number of the request.
func (a *answer) text() string {
	table := func(name string, values []float64) string {
		return string(append(appendBase64([]byte(`{"`+name+`":`), values), '}'))
	}
	var value any
	switch {
	case a.Rewards != nil:
		return table("rewards", a.Rewards.values)
	case a.Stochastic != nil:
		return table("stochastic", a.Stochastic.values)
	case a.Posterior != nil:
		return table(Posterior, a.Posterior.values)
	case a.Points != nil:
		return table(Points, rounded(a.Points.values))
	case a.Path != nil:
		value = map[string][]int32{"path": a.Path}
	case a.Goal != nil:
		value = map[string][]int{"goal": a.Goal}
	default:
		value = map[string][]int32{"policy": a.Policy}
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic("external: whole numbers do not encode: " + err.Error())
	}
	return string(text)
}

// rounded returns places to a millimetre, which pack into half the bytes.
func rounded(km []float64) []float64 {
	const perKm = 1 << 20
	to := make([]float64, len(km))
	for i, x := range km {
		to[i] = math.Round(x*perKm) / perKm
	}
	return to
}

// Write writes the answers, compressed: a line of JSON about them, then a line with each request and its answer.
func (a *Answers) Write(w io.Writer) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	first, err := json.Marshal(head{Protocol, a.Flights, a.commands})
	if err != nil {
		return err
	}
	packed := gzip.NewWriter(w)
	to := bufio.NewWriter(packed)
	to.Write(first)
	for _, request := range slices.Sorted(maps.Keys(a.given)) {
		to.WriteString("\n" + request + " " + a.given[request])
	}
	return errors.Join(to.Flush(), packed.Close())
}

// ReadAnswers reads what Write wrote.
func ReadAnswers(r io.Reader) (*Answers, error) {
	packed, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", AnswersName, err)
	}
	text, err := io.ReadAll(io.LimitReader(packed, longestAnswers+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", AnswersName, err)
	}
	if len(text) > longestAnswers {
		return nil, fmt.Errorf("%s unpacks to more than %d MB; veilpath did not write it", AnswersName, longestAnswers>>20)
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	var h head
	if err := json.Unmarshal([]byte(first), &h); err != nil {
		return nil, fmt.Errorf("%s, line 1: %w", AnswersName, err)
	}
	if h.Protocol != Protocol {
		return nil, fmt.Errorf("%s is of protocol %d, and this is %d", AnswersName, h.Protocol, Protocol)
	}
	a := &Answers{Flights: h.Flights, commands: h.Commands, given: map[string]string{}}
	for line := range strings.Lines(rest) {
		request, answer, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		a.given[request] = answer
	}
	return a, nil
}
