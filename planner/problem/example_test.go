package problem_test

import (
	"fmt"
	"io"
	"strings"

	"veilpath/planner/problem"
)

// A file of each kind of text holds the same problem: two rooms, of which the second is left with probability 1/4.
func ExampleRead() {
	files := map[string]string{
		"rooms.json": `{"0": {"0": [[1.0, 0, 0.0, false]], "1": [[1.0, 1, 0.0, false]]}, ` +
			`"1": {"0": [[0.75, 1, 1.0, false], [0.25, 0, 1.0, false]]}}`,
		"rooms.csv": "state,action,next,probability,reward\n0,0,0,1,0\n0,1,1,1,0\n1,0,1,0.75,1\n1,0,0,0.25,1\n",
		"rooms.drn": "@type: MDP\n@reward_models\nr\n@nr_states\n2\n@nr_choices\n3\n@model\nstate 0 init\n\taction " +
			"0\n\t\t0 : 1\n\taction 1\n\t\t1 : 1\nstate 1 [1]\n\taction 0\n\t\t0 : 1/4\n\t\t1 : 3/4\n",
	}
	open := func(path string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(files[path])), nil }
	for _, path := range []string{"rooms.json", "rooms.csv", "rooms.drn"} {
		p, err := problem.Read(open, path, problem.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		planned, err := p.Planned(0.9, 0)
		if err != nil {
			fmt.Println(err)
			return
		}
		solved, err := planned.Solve(1e-9, 0)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Remarks[0])
		fmt.Printf("%.4f from room 0, by action %d\n", solved.Optimal.Value[0], solved.Optimal.Policy[0])
	}
	// Output:
	// rooms.json: 2 states, 2 actions; start 0, the first, because the file names none ({start}); rewards of the outcomes
	// 7.3469 from room 0, by action 1
	// rooms.csv: 2 states, 2 actions; start 0, the first, because the file names none ({start}); rewards of column reward
	// 7.3469 from room 0, by action 1
	// rooms.drn: 2 states, 2 actions; start 0, labelled init; rewards of model r
	// 7.3469 from room 0, by action 1
}
