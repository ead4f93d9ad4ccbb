package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The Kubernetes job's own command, run by a shell for every index, makes parts that merge.
func TestKubernetesJobFliesTheParts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../configs/cluster/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		Spec struct {
			Completions int
			Template    struct {
				Spec struct {
					Containers []struct {
						Command []string
						Env     []struct{ Name, Value string }
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal(text, &job); err != nil {
		t.Fatal(err)
	}
	container := job.Spec.Template.Spec.Containers[0]
	dir := t.TempDir()
	merge := []string{"merge", "--out", filepath.Join(dir, "merged")}
	for index := range job.Spec.Completions {
		cmd := exec.Command(container.Command[0], container.Command[1:]...)
		cmd.Env = append(os.Environ(),
			fmt.Sprint("JOB_COMPLETION_INDEX=", index))
		for _, e := range container.Env {
			switch e.Name {
			case "STUDY":
				e.Value = "--epsilons 0.5,2 --runs 16"
			case "OUT":
				e.Value = filepath.Join(dir, "parts")
			}
			cmd.Env = append(cmd.Env, e.Name+"="+e.Value)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("index %d: %v\n%s", index, err, out)
		}
		merge = append(merge, filepath.Join(dir, "parts", fmt.Sprint(index+1)))
	}
	if r := veilpath(t, merge...); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	whole := filepath.Join(dir, "whole")
	veilpath(t, "study", "--epsilons", "0.5,2", "--runs", "16", "--out", whole)
	sameResults(t, results(t, whole), filepath.Join(dir, "merged"))
}
