package mdp_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"veilpath/planner/mdp"
)

// certified is the accuracy that the benchmarks of uncertain transitions solve to.
const certified = 1e-8

// solve times solves from scratch of a cycle of reward tables and reports the sweeps of the last.
func solve(b *testing.B, solver mdp.Solver, tables [][]float64) {
	b.Helper()
	sweeps := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		solution := solver.Solve(tables[i%len(tables)], nil, certified)
		if err := solution.Within(certified); err != nil {
			b.Fatal(err)
		}
		sweeps = solution.Sweeps
	}
	b.ReportMetric(float64(sweeps), "sweeps")
}

// solveExactly is solve for Functional, whose values are exact and whose bound is that of the policy.
func solveExactly(b *testing.B, solver *mdp.Functional, tables [][]float64) {
	b.Helper()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		solver.Solve(tables[i%len(tables)], nil, certified)
	}
}

// privatized returns reward tables with Gaussian noise.
func privatized(rewards []float64, sigma float64, count int) [][]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	tables := make([][]float64, count)
	for i := range tables {
		tables[i] = make([]float64, len(rewards))
		for j, r := range rewards {
			tables[i][j] = r + sigma*rng.NormFloat64()
		}
	}
	return tables
}

func mustSolver(b *testing.B, law mdp.Law, discount float64) mdp.Solver {
	b.Helper()
	solver, err := mdp.NewSolver(law, discount)
	if err != nil {
		b.Fatal(err)
	}
	return solver
}

func BenchmarkSolve(b *testing.B) {
	const sigma = 2.524 // Lemma 1 at epsilon = 1, delta = 0.01, b = 1
	certain, rewards := waypointGrid(b, 20, 20, 0)
	functional := newFunctional(b, certain, 0.95)
	b.Run("functional", func(b *testing.B) { solveExactly(b, functional, [][]float64{rewards}) })
	b.Run("functional privatized", func(b *testing.B) { solveExactly(b, functional, privatized(rewards, sigma, 64)) })

	slip, rewards := waypointGrid(b, 20, 20, 0.1)
	b.Run("slip grid 20x20 gamma 0.99", func(b *testing.B) { solve(b, mustSolver(b, slip, 0.99), [][]float64{rewards}) })
	b.Run("slip grid 20x20 gamma 0.99 privatized",
		func(b *testing.B) { solve(b, mustSolver(b, slip, 0.99), privatized(rewards, sigma, 64)) })

	team, teamRewards := gridworld(b, 2)
	b.Run("example2 gamma 0.99", func(b *testing.B) { solve(b, mustSolver(b, team, 0.99), [][]float64{teamRewards}) })
	b.Run("example2 gamma 0.99 privatized", func(b *testing.B) {
		solve(b, mustSolver(b, team, 0.99), privatized(teamRewards, sigma, 16))
	})
	b.Run("example2 three agents gamma 0.99", func(b *testing.B) {
		team, rewards := gridworld(b, 3)
		solve(b, mustSolver(b, team, 0.99), [][]float64{rewards})
	})
	b.Run("grid 1000x1000 gamma 0.95", func(b *testing.B) { benchmarkLarge(b, false) })
	b.Run("grid 1000x1000 gamma 0.95 sparse", func(b *testing.B) { benchmarkLarge(b, true) })
}

// benchmarkLarge reports the heap in use with the law, its solver and the rewards, too.
func benchmarkLarge(b *testing.B, sparse bool) {
	slip, rewards := waypointGrid(b, 1000, 1000, 0.1)
	var law mdp.Law = slip
	if sparse {
		model, err := mdp.Expand(slip)
		if err != nil {
			b.Fatal(err)
		}
		law = model
	}
	solver := mustSolver(b, law, 0.95)
	solve(b, solver, [][]float64{rewards})
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.HeapAlloc)/1e6, "MB")
	runtime.KeepAlive(solver)
}

func BenchmarkValueFrom(b *testing.B) {
	slip, rewards := waypointGrid(b, 20, 20, 0.1)
	solver := mustSolver(b, slip, 0.99)
	policy := append([]int32(nil), solver.Solve(rewards, nil, certified).Policy...)
	b.ReportAllocs()
	for b.Loop() {
		solver.ValueFrom(140, policy, rewards, 0)
	}
}
