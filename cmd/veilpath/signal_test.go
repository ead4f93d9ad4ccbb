//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// The first signal asks the program to stop. One that does not, here because there is no reader, the second ends.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	out := filepath.Join(t.TempDir(), "study")
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	writer.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	for err == nil { // until the pipe takes no more
		_, err = writer.Write(make([]byte, 1<<12))
	}
	cmd := exec.Command("veilpath", "study", "--epsilons", "0.3,1,3", "--runs", "100000", "--out", out)
	cmd.Stdout = writer
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	if err := awaitPieces(out, 3); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(os.Interrupt)
	time.Sleep(300 * time.Millisecond) // it has stopped and is about to print
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		t.Fatalf("it ended without a reader: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	for range 100 { // again where the program is slow to hand the first over
		cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if !status.Signaled() || status.Signal() != syscall.SIGINT {
				t.Errorf("ended with %v, want the signal", cmd.ProcessState)
			}
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
	cmd.Process.Kill()
	t.Error("the second signal did not end it")
}
