package reward_test

import (
	"fmt"
	"os"
	"strings"

	"veilpath/planner/reward"
)

func ExampleRead() {
	table, err := reward.Read(strings.NewReader("state,go,stay\naway,0.5,-1\nhome,-1,5\n"), reward.KnownHeader)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.States, table.Names[0], table.Values[0])
	table.Values[0][3] = 4
	if err := table.Write(os.Stdout, table.Values); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [away home] [go stay] [0.5 -1 -1 5]
	// state,go,stay
	// away,0.5,-1
	// home,-1,4
}
