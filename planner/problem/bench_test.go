package problem

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkMillionStates reads a walk on 10^6 cells as CSV, DRN and JSON: four actions that go as meant with 0.8 and
// to either side with 0.1. It solves the problem to a certified 1e-6 at a discount of 0.95.
func BenchmarkMillionStates(b *testing.B) {
	const side = 1000
	var table, drn bytes.Buffer
	table.WriteString(wantHeadings + "\n")
	fmt.Fprintf(&drn, "@type: MDP\n@reward_models\nr\n@nr_states\n%d\n@nr_choices\n%d\n@model\n", side*side, 4*side*side)
	for s := range side * side {
		x, y := s%side, s/side
		next := [4]int{min(x+1, side-1) + y*side, x + min(y+1, side-1)*side, max(x-1, 0) + y*side, x + max(y-1, 0)*side}
		fmt.Fprintf(&drn, "state %d [0]\n", s)
		for a := range 4 {
			reward := float64((s*7919+a*104729)%9973) / 1e4
			fmt.Fprintf(&drn, "\taction %d [%v]\n", a, reward)
			for k, p := range []string{"0.8", "0.1", "0.1"} {
				n := next[(a+[]int{0, 1, 3}[k])%4]
				fmt.Fprintf(&table, "%d,%d,%d,%s,%v\n", s, a, n, p, reward)
				fmt.Fprintf(&drn, "\t\t%d : %s\n", n, p)
			}
		}
	}
	m := memory{"p.csv": table.Bytes(), "p.drn": drn.Bytes()}
	p, err := Read(m.open, "p.csv", Options{})
	if err != nil {
		b.Fatal(err)
	}
	var dictionary bytes.Buffer
	if _, err := Write(p, &dictionary); err != nil {
		b.Fatal(err)
	}
	m["p.json"] = dictionary.Bytes()
	for _, path := range []string{"p.csv", "p.drn", "p.json"} {
		b.Run("read "+path, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(m.open, path, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	planned, err := p.Planned(0.95, -1)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("solve", func(b *testing.B) {
		for b.Loop() {
			if _, err := planned.Solve(1e-6, 1e-6); err != nil {
				b.Fatal(err)
			}
		}
	})
}
