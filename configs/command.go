package configs

import (
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"
)

// CommandMark begins the name of a mechanism or an observer that is a command of sh.
const CommandMark = "exec:"

// CommandOf returns the command that a mechanism or an observer of the settings is, false for one that is built in.
func CommandOf(name string) (line string, is bool) {
	line, is = strings.CutPrefix(name, CommandMark)
	return strings.TrimSpace(line), is
}

// Commands returns the commands that the settings name.
func (c Config) Commands() (lines []string) {
	for _, name := range []string{c.Privacy.Mechanism, c.Adversary.Observer} {
		if line, is := CommandOf(name); is {
			lines = append(lines, line)
		}
	}
	return lines
}

// CommandsOf returns the commands that settings as JSON name, whatever else is in them.
func CommandsOf(settings []byte) ([]string, error) {
	var named struct {
		Privacy   struct{ Mechanism string }
		Adversary struct{ Observer string }
	}
	if err := json.Unmarshal(settings, &named); err != nil {
		return nil, err
	}
	c := Config{Privacy: Privacy{Mechanism: named.Privacy.Mechanism},
		Adversary: Adversary{Observer: named.Adversary.Observer}}
	return c.Commands(), nil
}

// choiceOrCommand holds some words, and commands of sh.
func choiceOrCommand(words ...string) domain {
	d := choice(words...)
	word := d.parse
	d.allowed += " or " + CommandMark + "COMMAND"
	d.parse = func(n *yaml.Node) (any, string) {
		text, problem := wordText(n)
		line, is := CommandOf(text)
		switch {
		case problem != "" || !is:
			return word(n)
		case line == "":
			return nil, "no command behind " + CommandMark
		case strings.ContainsAny(line, "\n\r\x00"):
			return nil, "a command of several lines"
		}
		return CommandMark + line, ""
	}
	return d
}
