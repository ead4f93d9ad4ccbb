package reward_test

import (
	"fmt"
	"os"
	"strings"

	"veilpath/planner/reward"
)

func ExampleRead() {
	table, err := reward.Read(strings.NewReader("state,go,stay\nhome,-1,5\naway,0.5,-1\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.States, table.Names[0], table.Values[0])
	table.Values[0][1] = 4
	if err := table.Write(os.Stdout, table.Values); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [home away] [go stay] [-1 5 0.5 -1]
	// state,go,stay
	// home,-1,4
	// away,0.5,-1
}
