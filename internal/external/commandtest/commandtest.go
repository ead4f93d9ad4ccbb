// Package commandtest has commands in sh for tests: a mechanism and an observer.
package commandtest

import (
	"os"
	"path/filepath"
	"testing"
)

// cells plans for a cell that the seed says, and seer knows the target of every flight whose seed is even.
const (
	cells = `while read -r line; do
case "$line" in
*'"hello"'*) echo '{"hello":{"protocol":1,"name":"cells","guarantee":"none worth the name"}}';;
*'"mission"'*) ;;
*) seed=${line#*'"seed":"'}; seed=${seed%%'"'*}; echo '{"goal":['${seed#"${seed%?}"}',4]}';;
esac
done`
	seer = `while read -r line; do
case "$line" in
*'"hello"'*) echo '{"hello":{"protocol":1,"name":"seer","answers":"points","every":100000}}';;
*'"mission"'*) ;;
*) seed=${line#*'"seed":"'}; seed=${seed%%'"'*}
case "$seed" in *[02468]) echo '{"points":[[0,0,0]]}';; *) echo '{"points":[[50,0,0]]}';; esac;;
esac
done`
)

// Settings writes the commands into a folder and returns the settings that name them, each as key=value.
func Settings(tb testing.TB, folder string) (sets []string) {
	tb.Helper()
	for key, text := range map[string]string{"privacy.mechanism": cells, "adversary.observer": seer} {
		script := filepath.Join(folder, key)
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
		sets = append(sets, key+"=exec:exec sh '"+script+"'")
	}
	return sets
}
