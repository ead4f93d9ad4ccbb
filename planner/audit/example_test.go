package audit_test

import (
	"context"
	"fmt"
	"strings"

	"veilpath/planner/audit"
	"veilpath/planner/reward"
)

// A command that releases what it is given keeps no promise.
func ExampleCommand() {
	table, err := reward.Read(strings.NewReader("state,go,stay\na,1,2\nb,3,4\nc,5,6\n"), reward.KnownHeader)
	if err != nil {
		fmt.Println(err)
		return
	}
	claim := audit.Claim{Epsilon: 1, Delta: 1e-9, Adjacency: 0.5}
	copied := audit.Command{Line: "cat", Table: table}.Tables(claim.Adjacency, 1)
	released, err := copied.Record(context.Background(), copied.Runs(200), 1, nil, func(int) {})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := claim.JudgeRecorded(released, 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: epsilon is at least %.1f\n", report.Verdict(), report.Entry().EpsilonLow)
	// Output: broken: epsilon is at least 4.3
}
