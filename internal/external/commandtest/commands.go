// Package commandtest has commands for tests: a mechanism and observers. The test binary itself answers as one of them.
package commandtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// command is what a command says of itself, and how it answers a request with a seed.
type command struct {
	hello  string
	answer func(seed string) string
}

// commands are the commands by name. cells plans for a cell that the seed says, seer knows the target of every flight
// whose seed is even, and evenly believes in four goals alike.
var commands = map[string]command{
	"cells": {`{"protocol":1,"name":"cells","guarantee":"none worth the name"}`,
		func(seed string) string { return `{"goal":[` + seed[len(seed)-1:] + `,4]}` }},
	"seer": {`{"protocol":1,"name":"seer","answers":"points","every":100000}`, func(seed string) string {
		if seed[len(seed)-1]%2 == 0 { // the codes of even digits are even
			return `{"points":[[0,0,0]]}`
		}
		return `{"points":[[50,0,0]]}`
	}},
	"evenly": {`{"protocol":1,"name":"evenly","answers":"posterior","every":1000000}`,
		func(string) string { return `{"posterior":[[0.25,0.25,0.25,0.25]]}` }},
}

// Main runs the command as which the test binary was started, and otherwise the tests. TestMain calls it.
func Main(m *testing.M) {
	c, is := commands[filepath.Base(os.Args[0])]
	if !is {
		os.Exit(m.Run())
	}
	if err := c.run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// run answers requests until there are no more.
func (c command) run(from io.Reader, to io.Writer) error {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var request struct {
			Hello, Mission json.RawMessage
			Seed           string
		}
		if err := json.Unmarshal(line, &request); err != nil {
			return err
		}
		switch {
		case request.Hello != nil:
			_, err = fmt.Fprintf(to, "{\"hello\":%s}\n", c.hello)
		case request.Mission == nil:
			_, err = fmt.Fprintln(to, c.answer(request.Seed))
		}
		if err != nil {
			return err
		}
	}
}

// Line puts a command into a folder and returns the line that runs it. It is gone with the folder.
func Line(tb testing.TB, folder, name string) string {
	tb.Helper()
	binary, err := os.Executable()
	if err == nil {
		err = os.Symlink(binary, filepath.Join(folder, name))
	}
	if err != nil {
		tb.Fatal(err)
	}
	return "exec '" + filepath.Join(folder, name) + "'"
}

// Settings puts a mechanism and an observer into a folder and returns the settings that name them, each as key=value.
func Settings(tb testing.TB, folder string) (sets []string) {
	tb.Helper()
	return []string{"privacy.mechanism=exec:" + Line(tb, folder, "cells"),
		"adversary.observer=exec:" + Line(tb, folder, "seer")}
}
