package setup

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/design"
	"veilpath/internal/option"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/planner/reward"
)

// Private is rewards to be protected: a problem's, or a table of them alone.
type Private struct {
	Name  string
	Given *Given        // nil for a table
	Table *reward.Table // nil for a problem
}

// Unpublishable is an error that may tell rewards.
type Unpublishable struct{ Err error }

// Error implements error.
func (u *Unpublishable) Error() string { return u.Err.Error() }

// Unwrap returns the cause.
func (u *Unpublishable) Unwrap() error { return u.Err }

// TellsSettings reports whether an error is of settings other than those of public keys: rewards are made from them.
func TellsSettings(err error, public []string) bool {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return slices.ContainsFunc(several.Unwrap(), func(one error) bool { return TellsSettings(one, public) })
	}
	var wrong *configs.Error
	return errors.As(err, &wrong) && !slices.Contains(public, wrong.Key)
}

// Private reads what a name stands for. A file of CSV is a problem where its header names a next state, and a table of
// rewards otherwise; then header says that its first row names the actions. An error of what a problem's file holds is
// Unpublishable.
func (s Source) Private(name string, header bool, choice Choice) (*Private, error) {
	p := &Private{Name: name}
	stem, _ := problem.CutGzip(name)
	ending := strings.ToLower(filepath.Ext(stem))
	if ending == ".csv" || !isPreset(name) && !problem.Known(name) {
		file, err := s.Open(name)
		if err != nil {
			return nil, err
		}
		buffered := bufio.NewReaderSize(file, 1<<16)
		whole := &peeked{buffered, file}
		defer whole.Close() // nobody reads it where settings are wrong
		if ending != ".csv" || !outcomes(buffered) {
			p.Table, err = tableFrom(name, whole, header)
			return p, err
		}
		s.Open = firstFrom(whole, s.Open)
	}
	var err error
	open := s.Open
	s.Open = func(path string) (io.ReadCloser, error) {
		file, err := open(path)
		if err != nil {
			err = unread{err}
		}
		return file, err
	}
	var wrong *configs.Error
	if p.Given, err = s.Problem(name, choice); err != nil && !errors.As(err, &unread{}) && !errors.As(err, &wrong) {
		err = &Unpublishable{err}
	}
	return p, err
}

// firstFrom returns an Open that takes the first file from what was opened already.
func firstFrom(opened io.ReadCloser, open problem.Open) problem.Open {
	return func(path string) (file io.ReadCloser, err error) {
		if opened == nil {
			return open(path)
		}
		file, opened = opened, nil
		return file, nil
	}
}

// unread is an error of opening a file, which tells nothing of what it holds.
type unread struct{ error }

// Unwrap returns the cause.
func (u unread) Unwrap() error { return u.error }

// peeked is a file whose beginning was looked at. It may be closed again.
type peeked struct {
	io.Reader
	file io.Closer // nil once closed
}

// Close implements io.Closer.
func (p *peeked) Close() error {
	if p.file == nil {
		return nil
	}
	file := p.file
	p.file = nil
	return file.Close()
}

// outcomes reports whether a file of CSV has rows of outcomes, by its header.
func outcomes(file *bufio.Reader) bool {
	first, _ := file.Peek(1 << 10)
	line, _, _ := bytes.Cut(bytes.ToLower(first), []byte{'\n'})
	return bytes.Contains(line, []byte("next")) && bytes.Contains(line, []byte("probability"))
}

// Table reads a table of rewards. The error tells none of them.
func (s Source) Table(name string, header bool) (*reward.Table, error) {
	file, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	return tableFrom(name, file, header)
}

// tableFrom reads a table and closes its file.
func tableFrom(path string, file io.ReadCloser, header bool) (*reward.Table, error) {
	defer file.Close()
	choice := reward.KnownHeader
	if header {
		choice = reward.FirstRowIsHeader
	}
	table, err := reward.Read(file, choice)
	if errors.Is(err, reward.ErrNoHeader) {
		err = option.Errorf("%w; if it names actions, add {header}", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// Rewards returns the rewards as a design is about them.
func (p *Private) Rewards() (*design.Rewards, error) {
	if p.Table != nil {
		shape, err := privacy.NewShape(len(p.Table.States), p.Table.Actions())
		return &design.Rewards{Name: p.Name, Shape: shape, Tables: p.Table.Values}, err
	}
	g := p.Given
	r := design.OfProblem(p.Name, g.Problem)
	if g.FromFile {
		return r, nil
	}
	c := g.Settings.Config
	switch {
	case g.Mission != nil:
		grid := g.Mission.Mission.Grid
		r.Name = fmt.Sprintf("Example 3, %d x %d waypoints", c.Planner.Columns, c.Planner.Rows)
		r.Mission = &design.Mission{Grid: grid, Weight: c.Planner.RewardWeight,
			Candidates: grid.FarFromStart(c.Privacy.HandoverKm)}
	case c.Problem == configs.TwoState:
		r.Name = fmt.Sprintf("Example 1, %d agents", g.Rewards.Agents())
	default:
		r.Name = fmt.Sprintf("Example 2, %d agents, reward %g at the goal", g.Rewards.Agents(), g.choice.GoalReward)
	}
	return r, nil
}
