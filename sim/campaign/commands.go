package campaign

import (
	"fmt"
	"slices"
	"time"

	"veilpath/configs"
	"veilpath/internal/exec"
	"veilpath/internal/record"
	"veilpath/planner"
)

// Close ends the processes of commands that settings named, see configs.CommandOf, and waits for that.
func (p *Program) Close() { p.commands.Close() }

// ExternalCommands returns the commands of the program. May decides which are run.
func (p *Program) ExternalCommands() *exec.Commands {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commands.May = p.mayRun
	return &p.commands
}

// mayRun refuses a command that the user does not name: a settings file, suite or environment variable, wherever it
// comes from, never runs a command by itself.
func (p *Program) mayRun(line string) error {
	if p.May != nil && p.May(line) {
		return nil
	}
	return RequestErrorf("the settings name the command exec:%s, which runs only where you name it too: read what it "+
		"does, and repeat it with {mechanism} or {observer}, or add {allow-commands}", line)
}

// FindMechanism returns the mechanism of a name, or the command of exec:COMMAND, of which a request may take so long.
func (p *Program) FindMechanism(name string, limit time.Duration) (planner.Mechanism, error) {
	line, is := configs.CommandOf(name)
	if !is {
		return planner.FindMechanism(name)
	}
	m, err := p.ExternalCommands().Mechanism(line, limit)
	p.RemarkCommands()
	return m, err
}

// CommandsOf returns the command that a mechanism is, none for one that is built in.
func CommandsOf(m planner.Mechanism) []string {
	if command, is := m.(exec.Mechanism); is {
		return []string{command.Line}
	}
	return nil
}

// CommandsIn returns the commands among names of mechanisms or observers.
func CommandsIn(names ...string) (lines []string) {
	for _, name := range names {
		if line, is := configs.CommandOf(name); is {
			lines = append(lines, line)
		}
	}
	return lines
}

// StartCommands starts the commands that settings name.
func (p *Program) StartCommands(all ...*configs.Loaded) error {
	if p.Mechanism != nil && p.Observer.Name != "" {
		return nil // in place of whatever is named
	}
	for _, settings := range all {
		limit := settings.Exec.Timeout()
		if line, is := configs.CommandOf(settings.Privacy.Mechanism); is {
			if _, err := p.ExternalCommands().Mechanism(line, limit); err != nil {
				return RequestErrorf("privacy.mechanism: %w", err)
			}
		}
		if line, is := configs.CommandOf(settings.Adversary.Observer); is {
			if _, err := p.ExternalCommands().Observer(line, limit); err != nil {
				return RequestErrorf("adversary.observer: %w", err)
			}
		}
	}
	return nil
}

// CommandsOf says which of some lines were started, in which role and by which name.
func (p *Program) CommandsOf(lines []string) (said []string) {
	for _, c := range p.commands.Started() {
		if slices.Contains(lines, c.Line) {
			said = append(said, fmt.Sprintf("%s %s (exec:%s)", c.Role, &c.Hello, c.Line))
		}
	}
	slices.Sort(said)
	return said
}

// programsOf returns the programs from which some lines were started.
func (p *Program) programsOf(lines []string) (files []string) {
	for _, c := range p.commands.Started() {
		if slices.Contains(lines, c.Line) && c.Sources != "" {
			files = append(files, c.Sources)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// remarkPrograms warns where the programs of commands are others than those that made the flights in a folder.
func (p *Program) remarkPrograms(folder string, recorded, now record.Manifest) {
	if slices.Equal(recorded.Programs, now.Programs) {
		return
	}
	p.Remarkf("warning: %s: the flights in it were made by %s, and further ones by %s; if the answers differ, fly all "+
		"again into another folder, and give the hello another version", folder, orNone(recorded.Programs),
		orNone(now.Programs))
}

func otherCommands(recorded, now record.Manifest) error {
	return fmt.Errorf("its commands were %s, now they are %s", orNone(recorded.Commands), orNone(now.Commands))
}

// RemarkCommands remarks once for every started command what it says of itself.
func (p *Program) RemarkCommands() {
	for _, c := range p.commands.Started() {
		if p.introduced[c] {
			continue
		}
		if p.introduced == nil {
			p.introduced = map[*exec.Command]bool{}
		}
		p.introduced[c] = true
		if c.Role == exec.MechanismRole {
			p.Remarkf("mechanism %s (exec:%s): guarantee, in its own words: %s", &c.Hello, c.Line, c.Hello.Promise())
		}
		if !c.Hello.Deterministic {
			p.Remarkf("warning: %s %s (exec:%s) is not deterministic: what comes of it cannot be repeated, and the same study "+
				"gives other numbers", c.Role, &c.Hello, c.Line)
		}
	}
}
