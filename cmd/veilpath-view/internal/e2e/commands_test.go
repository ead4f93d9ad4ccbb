package e2e

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// guideProgram writes a program of the guide's page about commands to a folder.
func guideProgram(t *testing.T, folder, name string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "assets", "guide", "exec.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "cat >"+name+" <<'END'\n")
	text, _, found := strings.Cut(text, "\nEND\n")
	if !found {
		t.Fatalf("exec.md no longer has %s", name)
	}
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCommands opens a study, and a flight of run --view, that the guide's commands planned and watched. The page shows
// what was recorded, and says in a sentence what it does not show.
func TestCommands(t *testing.T) {
	need(t, "node", "chromium", "python3")
	folder := t.TempDir()
	program := build(t, folder, "veilpath/cmd/veilpath")
	guideProgram(t, folder, "noisy.py")
	guideProgram(t, folder, "ahead.py")
	commands := []string{"--mechanism", "exec:python3 noisy.py", "--observer", "exec:python3 ahead.py", "--seed", "7"}

	study := exec.Command(program, append([]string{"study", "--epsilons", "0.5,2", "--runs", "30", "--out", "out/study",
		"--quiet"}, commands...)...)
	study.Dir = folder
	if text, err := study.CombinedOutput(); err != nil {
		t.Fatalf("veilpath study: %v\n%s", err, text)
	}
	drive := func(address, what string) {
		t.Helper()
		text, err := exec.Command("node", "commands.cjs", what, address, keep(t, "commands")).CombinedOutput()
		t.Logf("%s", text)
		if err != nil {
			t.Fatalf("the browser: %v", err)
		}
	}
	drive(serve(t, program, filepath.Join(folder, "out", "study")), "study")
	drive(flown(t, program, folder, append([]string{"run", "--view", "--run", "9", "--epsilon", "1", "--set",
		"study.runs=20"}, commands...)), "run")
}

// flown runs veilpath run --view in a folder and returns the address that it prints.
func flown(t *testing.T, program, folder string, args []string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "BROWSER=true")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	output, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); cmd.Wait() })
	said := ""
	for lines := bufio.NewScanner(output); lines.Scan(); said += lines.Text() + "\n" {
		if address := regexp.MustCompile(`^http://\S+`).FindString(lines.Text()); address != "" {
			return address
		}
	}
	t.Fatalf("veilpath run --view printed no address: %s", said)
	return ""
}
