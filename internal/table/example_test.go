package table_test

import (
	"math"
	"os"

	"veilpath/internal/table"
)

func ExampleList() {
	var l table.List
	l.Add("sigma", 4.75, "noise on every reward")
	l.Add("largest", math.Inf(1), "where there is none")
	l.Add("flights", 3, "")
	l.WriteJSON(os.Stdout)
	l.WriteCSV(os.Stdout)
	l.WriteRecord(os.Stdout)
	// Output:
	// {
	//   "sigma": 4.75,
	//   "largest": null,
	//   "flights": 3
	// }
	// quantity,value,meaning
	// sigma,4.75,noise on every reward
	// largest,+Inf,where there is none
	// flights,3,
	// sigma,largest,flights
	// 4.75,+Inf,3
}
