package setup_test

import (
	"strings"
	"testing"

	"veilpath/configs"
	commands "veilpath/internal/exec"
	"veilpath/internal/setup"
)

// Settings that name a command are refused where no commands are run, and its records are read without it.
func TestCommandsAreRunOnPurpose(t *testing.T) {
	for key, set := range map[string]string{"privacy.mechanism": "privacy.mechanism=exec:no-such-command",
		"adversary.observer": "adversary.observer=exec:no-such-command"} {
		loaded, err := configs.Load(configs.Request{Sets: []string{set}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := setup.Experiment(loaded.Config); err == nil || !strings.Contains(err.Error(), key) ||
			!strings.Contains(err.Error(), "runs no commands") {
			t.Errorf("%s: %v", set, err)
		}
		running := new(commands.Commands)
		defer running.Close()
		builder := setup.Builder{Commands: running}
		if _, err := builder.Experiment(loaded.Config); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("%s: %v", set, err)
		}
		if _, err := setup.Unsolved(loaded.Config); err != nil {
			t.Errorf("%s: its records are not read: %v", set, err)
		}
	}
}
