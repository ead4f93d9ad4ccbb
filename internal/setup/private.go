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

// Private holds the rewards to protect: those of a problem, or a bare table.
type Private struct {
	Name  string
	Input *Input        // nil for a table
	Table *reward.Table // nil for a problem
}

// Unpublishable is an error whose text may reveal rewards.
type Unpublishable struct{ Err error }

// Error implements error.
func (u *Unpublishable) Error() string { return u.Err.Error() }

// Unwrap returns the cause.
func (u *Unpublishable) Unwrap() error { return u.Err }

// RevealsSettings reports whether an error is about a setting whose key is not public. Such an error may reveal
// rewards, because rewards follow from settings.
func RevealsSettings(err error, public []string) bool {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return slices.ContainsFunc(several.Unwrap(), func(one error) bool { return RevealsSettings(one, public) })
	}
	var wrong *configs.Error
	return errors.As(err, &wrong) && !slices.Contains(public, wrong.Key)
}

// Private reads the rewards of a preset or file. A CSV file is a problem if its header names a next state and a
// probability, and otherwise a table of rewards. header means that the first row of the table names the actions.
// An error about the contents of a file is Unpublishable.
func (s Source) Private(name string, header bool, choice Choice) (*Private, error) {
	p := &Private{Name: name}
	if err := problem.Removed(name); err != nil {
		return nil, err
	}
	stem, _ := problem.CutGzip(name)
	ending := strings.ToLower(filepath.Ext(stem))
	if ending == ".csv" || !isPreset(name) && !problem.Known(name) {
		file, err := s.Open(name)
		if err != nil {
			return nil, err
		}
		buffered := bufio.NewReaderSize(file, 1<<16)
		defer file.Close() // it stays unread if the settings are wrong
		whole := struct {
			io.Reader
			io.Closer
		}{buffered, file}
		table := ending != ".csv" || !outcomes(buffered)
		if table && choice.RewardModel != "" {
			return nil, noModels(name)
		}
		if table {
			if p.Table, err = tableFrom(name, whole, header); err != nil {
				err = &Unpublishable{err}
			}
			return p, err
		}
		s.Open = func(string) (io.ReadCloser, error) { return whole, nil } // a CSV file is read once
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
	if p.Input, err = s.Problem(name, choice); err != nil && !errors.As(err, &unread{}) && !errors.As(err, &wrong) {
		err = &Unpublishable{err}
	}
	return p, err
}

// unread is an error of opening a file. It reveals nothing of the file's contents.
type unread struct{ error }

// Unwrap returns the cause.
func (u unread) Unwrap() error { return u.error }

// outcomes reports whether a CSV file has the header of a problem.
func outcomes(file *bufio.Reader) bool {
	first, _ := file.Peek(1 << 10)
	line, _, _ := bytes.Cut(bytes.ToLower(first), []byte{'\n'})
	return bytes.Contains(line, []byte("next")) && bytes.Contains(line, []byte("probability"))
}

// Table reads a table of rewards. The error reveals none of them.
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

// Rewards returns the rewards as package design takes them.
func (p *Private) Rewards() (*design.Rewards, error) {
	if p.Table != nil {
		shape, err := privacy.NewShape(len(p.Table.States), p.Table.Actions())
		return &design.Rewards{Name: p.Name, Shape: shape, Tables: p.Table.Values}, err
	}
	g := p.Input
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
