package configs

import (
	"strconv"
	"sync"
	"testing"
)

// Settings that vary one loaded configuration are made on many goroutines at once. The race detector tells when
// they write into what they share.
func TestWithSharesNothingThatIsWritten(t *testing.T) {
	loaded, err := Load(Request{Config: "quick", Sets: []string{"study.epsilons=0.5,1"}})
	if err != nil {
		t.Fatal(err)
	}
	var working sync.WaitGroup
	for i := range 8 {
		working.Go(func() {
			runs := strconv.Itoa(i + 1)
			varied, err := loaded.With(Override{Key: "study.runs", Flag: "--runs", Value: runs})
			if err != nil {
				t.Error(err)
				return
			}
			if varied.Study.Runs != i+1 || len(varied.Study.Epsilons) != 2 {
				t.Errorf("%d runs at %v, want %s at two epsilons", varied.Study.Runs, varied.Study.Epsilons, runs)
			}
		})
	}
	working.Wait()
}
