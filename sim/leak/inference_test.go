package leak_test

import (
	"context"
	"testing"
	"time"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/leak"
)

// What is prepared is at hand while something else is being prepared.
func TestPreparedKnowledgeIsAtHand(t *testing.T) {
	c := configs.Default()
	setting, err := setup.Leak(c)
	if err != nil {
		t.Fatal(err)
	}
	states, err := setting.Cells(150)
	if err != nil {
		t.Fatal(err)
	}
	world, err := leak.NewWorld(t.Context(), setting, states[:3], nil, 1, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	f := leak.Inference{World: world, Sampling: leak.Sampling{Policies: 2, Workers: 1}}
	if err := f.Prepare(t.Context(), []float64{1}, func(int) {}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	begun, over := make(chan struct{}, 9), make(chan struct{})
	go func() {
		defer close(over)
		f.Prepare(ctx, []float64{2}, func(int) { begun <- struct{}{}; <-ctx.Done() })
	}()
	<-begun
	known := make(chan error, 1)
	go func() { _, err := f.At(1); known <- err }()
	select {
	case err := <-known:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it waits for what is being prepared")
	}
	cancel()
	<-over
}
