package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"veilpath/internal/record"
)

// BenchmarkShare flies a study in one piece, flies it in four parts, and joins those: parts and merge
// together against whole are what sharing out costs.
func BenchmarkShare(b *testing.B) {
	const parts, runs, epsilons = 4, 40000, 3
	dir := b.TempDir()
	run := func(b *testing.B, args ...string) {
		a := &app{stdout: io.Discard, stderr: os.Stderr, disk: record.Disk{}}
		if code := a.run(context.Background(), append(args, "--quiet", "--force")); code != exitDone {
			b.Fatalf("%v: exit %d", args, code)
		}
	}
	study := []string{"study", "--epsilons", "0.4,1,4", "--runs", fmt.Sprint(runs), "--out"}
	merge := []string{"merge", "--out", filepath.Join(dir, "merged")}
	for i := range parts {
		merge = append(merge, filepath.Join(dir, fmt.Sprint(i)))
	}
	for _, stage := range []struct {
		name string
		do   func(b *testing.B)
	}{
		{"whole", func(b *testing.B) { run(b, append(study, filepath.Join(dir, "whole"))...) }},
		{"parts", func(b *testing.B) {
			for i := range parts {
				run(b, append(study, filepath.Join(dir, fmt.Sprint(i)), "--shard", fmt.Sprintf("%d/%d", i+1, parts))...)
			}
		}},
		{"merge", func(b *testing.B) { run(b, merge...) }},
	} {
		b.Run(stage.name, func(b *testing.B) {
			for b.Loop() {
				stage.do(b)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(runs*epsilons), "ns/flight")
		})
	}
}
