package publish_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"veilpath/internal/publish"
	"veilpath/internal/record"
	"veilpath/internal/setup"
	"veilpath/planner/privacy"
	"veilpath/planner/reward"
)

// A table is released until its ledger has no room for another release.
func ExampleOpenAccount() {
	dir, err := os.MkdirTemp("", "veilpath-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for i := range 3 {
		epsilon, err := releaseTo(dir, fmt.Sprint("release-", i+1))
		if errors.Is(err, publish.ErrOverspent) {
			fmt.Println("no room for another")
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("release %d: at least %.1f left\n", i+1, epsilon)
	}
	// Output:
	// release 1: at least 1.1 left
	// release 2: at least 0.3 left
	// no room for another
}

// releaseTo releases a table to a folder and returns the epsilon that its ledger has left.
func releaseTo(dir, name string) (epsilon float64, err error) {
	table, err := reward.Read(strings.NewReader("state,go,stay\naway,0.5,-1\nhome,-1,5\n"), reward.KnownHeader)
	if err != nil {
		return 0, err
	}
	guarantee := privacy.Guarantee{Epsilon: 1, Delta: 1e-6, Adjacency: 1, Calibration: privacy.Analytic}
	files, err := publish.Of(&setup.Private{Name: "rooms.csv", Table: table}, guarantee, publish.Choice{},
		new(privacy.Entropy))
	if err != nil {
		return 0, err
	}
	files.Program = "veilpath example"
	folder, err := record.OpenFolder(record.Disk{}, filepath.Join(dir, name), "example", false)
	if err != nil {
		return 0, err
	}
	defer folder.Close()
	account, err := publish.OpenAccount(record.Disk{}, filepath.Join(dir, "ledger.json"), files.Program, files.Table,
		publish.Terms{Epsilon: 1.5, First: guarantee}, rand.Reader)
	if err != nil {
		return 0, err
	}
	defer account.Close()
	statement, err := files.Write(folder, account)
	if err != nil {
		return 0, err
	}
	return statement.Ledger.LeftEpsilon, nil
}
