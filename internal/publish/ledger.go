package publish

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"veilpath/internal/option"
	"veilpath/internal/record"
	"veilpath/internal/table"
	"veilpath/planner/privacy"
	"veilpath/planner/privacy/loss"
	"veilpath/planner/problem"
	"veilpath/planner/release"
)

// Ledger is the privacy budget of all releases of one table of rewards, and the entries that spent it. It holds
// no reward, but its key and its file are private: with the key anyone could check a guess of the table's names.
type Ledger struct {
	Program   string  `json:"program"`
	Key       string  `json:"key"`           // random; nobody can guess it, nor what the seal is of
	Table     string  `json:"table"`         // HMAC-SHA256 of the table's identity with the key, see [TableOf]
	Epsilon   float64 `json:"total_epsilon"` // all releases together are (Epsilon, Delta)-differentially private
	Delta     float64 `json:"total_delta"`
	Adjacency float64 `json:"adjacency"` // for tables that differ in one entry by at most this
	Releases  []Entry `json:"releases"`
	Seal      string  `json:"seal"` // of all fields above, see seal
}

// Entry is what one release spent.
type Entry struct {
	SHA256      string  `json:"release_sha256"` // of the file released
	What        string  `json:"what"`           // rewards or policy
	Mechanism   string  `json:"mechanism"`
	Epsilon     float64 `json:"epsilon"`
	Delta       float64 `json:"delta"`
	Calibration string  `json:"calibration"`
	// Mu is the parameter of Gaussian differential privacy, see privacy.Released. It is 0 if the grid is too coarse
	// for one; then Sigma and Steps are the noise and the sensitivity in steps of the grid. If all are 0, no more than
	// the guarantee is known.
	Mu    float64 `json:"mu"`
	Sigma float64 `json:"sigma_steps,omitempty"`
	Steps int64   `json:"sensitivity_steps,omitempty"`
}

// loss returns the privacy loss of a release.
func (e Entry) loss() loss.Loss {
	switch {
	case e.Mu > 0:
		return loss.Gaussian{Mu: e.Mu}
	case e.Sigma > 0:
		return loss.DiscreteGaussian{Sigma: e.Sigma, Steps: e.Steps}
	}
	return loss.Guarantee{Epsilon: e.Epsilon, Delta: e.Delta}
}

// TableOf returns the identity of a table: the SHA-256 of the agent, the state and the action of every entry, in the
// order of their names. It depends neither on the rewards nor on the layout and the order of the file. A single
// agent's name does not count, since not every layout has one.
func TableOf(o release.Original) string {
	hash := sha256.New()
	rows := csv.NewWriter(hash)
	for _, agent := range problem.Named(o.Agents).Sorted() {
		name := ""
		if len(o.Agents) > 1 {
			name = o.Agents[agent]
		}
		for entry := range o.Rewards[agent] {
			state, action := o.Names(agent, entry)
			rows.Write([]string{name, state, action}) // a hash gives no errors
		}
	}
	rows.Flush()
	return fmt.Sprintf("%x", hash.Sum(nil))
}

// named returns the name of a table in the ledger.
func (l *Ledger) named(table string) string {
	mac := hmac.New(sha256.New, []byte(l.Key))
	io.WriteString(mac, table)
	return fmt.Sprintf("%x", mac.Sum(nil))
}

// Spent is the budget that releases spend together. Both kinds of epsilon are upper bounds.
type Spent struct {
	Releases     int
	BasicEpsilon float64 // sum of the epsilons
	BasicDelta   float64
	// at the ledger's delta, by the composition of privacy losses; +Inf if the deltas alone exceed it
	ComposedEpsilon       float64
	Epsilon, EpsilonDelta float64 // the smaller of both; the sums count only if their delta is within the budget
}

// spent returns what some releases spend together.
func (l *Ledger) spent(releases []Entry) (Spent, error) {
	s := Spent{Releases: len(releases)}
	if len(releases) == 0 {
		return s, nil
	}
	var losses []loss.Loss
	for _, e := range releases {
		s.BasicEpsilon += e.Epsilon
		s.BasicDelta += e.Delta
		losses = append(losses, e.loss())
	}
	var err error
	if s.ComposedEpsilon, err = l.composed(losses); err != nil {
		return s, err
	}
	s.Epsilon, s.EpsilonDelta = s.ComposedEpsilon, l.Delta
	if basic := s.BasicDelta <= l.Delta*(1+rounding); basic && s.BasicEpsilon < s.Epsilon {
		s.Epsilon, s.EpsilonDelta = s.BasicEpsilon, s.BasicDelta
	}
	return s, nil
}

// composed returns an epsilon that losses spend together at the ledger's delta. The margin is for the discreteness of
// releases with a mu, see privacy.ComposedEpsilon.
func (l *Ledger) composed(losses []loss.Loss) (float64, error) {
	const margin = 1e-9
	epsilon, err := loss.Epsilon(l.Delta/(1+margin), losses...)
	return epsilon + margin, err
}

// rounding is the relative excess that sums of decimals may have: 0.1 + 0.2 is within 0.3.
const rounding = 1e-12

// Spent returns what all releases spend together.
func (l *Ledger) Spent() (Spent, error) { return l.spent(l.Releases) }

// Left returns an epsilon that one more release with this delta may have, below the largest by less than the 0.1 % of
// noise that rounding to a grid may add; 0 if the budget is spent.
func (l *Ledger) Left(delta float64, calibration privacy.Calibration) (float64, error) {
	left := 0.0
	spent, err := l.Spent()
	if err != nil {
		return 0, err
	}
	if spent.BasicDelta+delta <= l.Delta*(1+rounding) {
		left = max(0, l.Epsilon-spent.BasicEpsilon)
	}
	mu, err := l.muLeft()
	if err != nil || mu == 0 {
		return left, err
	}
	const grid = 1e-3 // largest relative noise that rounding to a grid adds
	composed, err := calibration.Epsilon(delta, (1+grid)/mu, 1)
	return max(left, composed), err
}

// muLeft returns the largest mu that one more release may have, 0 if nothing is left: exactly if all releases have a
// mu, and otherwise rounded down by less than a thousandth of itself or of all that a ledger without releases has.
func (l *Ledger) muLeft() (float64, error) {
	var mus []float64
	var losses []loss.Loss
	for _, e := range l.Releases {
		losses = append(losses, e.loss())
		if e.Mu > 0 {
			mus = append(mus, e.Mu)
		}
	}
	most, err := privacy.MuLeft(l.Epsilon, l.Delta, mus...)
	if err != nil || len(mus) == len(losses) {
		return most, err
	}
	least := 0.0
	for range 10 {
		mu := (least + most) / 2
		epsilon, err := l.composed(append(losses[:len(losses):len(losses)], loss.Gaussian{Mu: mu}))
		if err != nil {
			return 0, err
		}
		if epsilon <= l.Epsilon {
			least = mu
		} else {
			most = mu
		}
	}
	return least, nil
}

// ErrOverspent is wrapped by the error of a release that exceeds the budget.
var ErrOverspent = errors.New("the ledger has no room for this release")

// add enters a release, or returns ErrOverspent.
func (l *Ledger) add(e Entry) error {
	releases := append(l.Releases[:len(l.Releases):len(l.Releases)], e)
	after, err := l.spent(releases)
	if err != nil {
		return err
	}
	if after.Epsilon > l.Epsilon*(1+rounding) {
		left, err := l.Left(e.Delta, privacy.Calibration(e.Calibration))
		if err != nil {
			return err
		}
		cure := "nothing is left; do not release the rewards again"
		if least := floor(left); least > 0 {
			cure = fmt.Sprintf("at this delta, a release of epsilon %g still fits", least)
		}
		together := fmt.Sprintf("%.4g", after.Epsilon)
		if math.IsInf(after.Epsilon, 1) {
			together = fmt.Sprintf("%.4g at delta %g", after.BasicEpsilon, after.BasicDelta)
		}
		return fmt.Errorf("%w: with it %s would spend epsilon %s of %g at delta %g; %s", ErrOverspent,
			table.Count(len(releases), "release"), together, l.Epsilon, l.Delta, cure)
	}
	l.Releases = releases
	return nil
}

// floor rounds down to three significant digits.
func floor(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return table.Digits(x, 3, math.Floor)
}

// seal returns the SHA-256, in hexadecimal, of the other fields as JSON without blanks. It shows edits by hand and
// damage on disk. It is no signature: anyone can seal a changed ledger again.
func (l *Ledger) seal() (string, error) {
	unsealed := *l
	unsealed.Seal = ""
	text, err := json.Marshal(unsealed)
	fields, _, _ := bytes.Cut(text, []byte(`,"seal":""`))
	return fmt.Sprintf("%x", sha256.Sum256(fields)), err
}

// encode seals the ledger and returns it as JSON.
func (l *Ledger) encode() (text []byte, err error) {
	if l.Seal, err = l.seal(); err != nil {
		return nil, err
	}
	text, err = json.MarshalIndent(l, "", "  ")
	return append(text, '\n'), err
}

// ParseLedger reads a ledger. A ledger that was edited or damaged is an error.
func ParseLedger(text []byte) (*Ledger, error) {
	l := &Ledger{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(l); err != nil {
		// the cause might quote the file, which may hold the rewards
		return nil, errors.New("it is not a ledger of veilpath, or it is damaged; name the ledger of the table, or a " +
			"file that does not exist yet")
	}
	if l.Seal == "" {
		return nil, fmt.Errorf("it has no seal, so it was edited by hand; restore it")
	}
	if seal, err := l.seal(); err != nil || l.Seal != seal {
		return nil, errors.New("its seal does not match, so it was edited by hand or damaged; restore a copy. Without one, " +
			"count its whole budget as spent")
	}
	if !strings.HasPrefix(l.Program, "veilpath") || l.Key == "" || !(l.Epsilon > 0) || !(l.Delta > 0 && l.Delta < 1) ||
		!(l.Adjacency > 0) {
		return nil, fmt.Errorf("program %q, epsilon %g, delta %g and adjacency %g, or no key, are impossible in a ledger",
			l.Program, l.Epsilon, l.Delta, l.Adjacency)
	}
	for i, e := range l.Releases {
		noise := e.Sigma == 0 && e.Steps == 0 || e.Sigma >= 1 && e.Steps >= 1
		if !(e.Epsilon > 0) || !(e.Delta > 0 && e.Delta < 1) || !(e.Mu >= 0) || !noise {
			return nil, fmt.Errorf("release %d with epsilon %g, delta %g, mu %g and sigma %g of %d steps is impossible", i+1,
				e.Epsilon, e.Delta, e.Mu, e.Sigma, e.Steps)
		}
	}
	return l, nil
}

// largestLedger bounds the length of a ledger; it suffices for about 100000 releases.
const largestLedger = 64 << 20

// Account is a ledger in a file that this process locks until Close. Only this process reads and replaces the file.
type Account struct {
	Ledger
	lock *flock.Flock // on an empty file beside the ledger, which stays
	path string
}

// ErrBusy is the error for a ledger that another process has locked.
var ErrBusy = errors.New("another process is working in it; wait for it")

// Terms are the terms of a ledger: its total epsilon and delta, 0 if not specified, and the first release's
// guarantee. Its adjacency is the ledger's; its delta is the total delta if none is specified.
type Terms struct {
	Epsilon, Delta float64
	First          privacy.Guarantee
}

// OpenAccount opens the ledger in a file, or begins one with a key from random. The file's mode is 0600. For an
// existing ledger, a different table or different terms are an error. Symbolic links are followed before the file is
// locked, and a file with several hard links is an error, so that all who spend from a ledger wait for each other.
func OpenAccount(path, program, table string, terms Terms, random io.Reader) (*Account, error) {
	path, err := realPath(path)
	if err != nil {
		return nil, err
	}
	a := &Account{path: path,
		lock: flock.New(filepath.Join(filepath.Dir(path), ".veilpath-"+filepath.Base(path)+".lock"))}
	switch locked, err := a.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
	case !locked:
		return nil, fmt.Errorf("%s: %w", path, ErrBusy)
	}
	if err := a.read(program, table, terms, random); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// read reads the ledger, or begins one.
func (a *Account) read(program, table string, terms Terms, random io.Reader) error {
	if info, err := os.Stat(a.path); err == nil && links(info) > 1 {
		return fmt.Errorf("%s has %d hard links, and a release would be counted in one of them; remove the others", a.path,
			links(info))
	}
	text, err := record.ReadFile(filepath.Dir(a.path), filepath.Base(a.path), largestLedger)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		var key [32]byte
		_, err = io.ReadFull(random, key[:])
		a.Ledger = Ledger{Program: program, Key: hex.EncodeToString(key[:]), Epsilon: terms.Epsilon,
			Delta: cmp.Or(terms.Delta, terms.First.Delta), Adjacency: terms.First.Adjacency, Releases: []Entry{}}
		a.Table = a.named(table)
		if err == nil && terms.Epsilon == 0 {
			err = option.Errorf("%s: there is no ledger yet; set {total} to the epsilon that all releases may spend together",
				a.path)
		}
	case err == nil:
		var found *Ledger
		if found, err = ParseLedger(text); err == nil {
			a.Ledger, err = *found, found.agrees(table, terms)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", a.path, err)
		}
	}
	return err
}

// agrees returns an error for a different table or different terms.
func (l *Ledger) agrees(table string, terms Terms) error {
	switch {
	case !hmac.Equal([]byte(l.Table), []byte(l.named(table))):
		return errors.New("it is the ledger of another table, with other agents, states or actions; name the ledger of " +
			"this one")
	case terms.Epsilon != 0 && terms.Epsilon != l.Epsilon:
		return option.Errorf("its total epsilon is %g, not {total} %g; the total cannot change, so leave {total} out",
			l.Epsilon, terms.Epsilon)
	case terms.Delta != 0 && terms.Delta != l.Delta:
		return option.Errorf("its total delta is %g, not %g; the total cannot change, so leave {total-delta} out", l.Delta,
			terms.Delta)
	case terms.First.Adjacency != l.Adjacency:
		return fmt.Errorf("its adjacency is %g, not %g; all releases of a table must have the same adjacency", l.Adjacency,
			terms.First.Adjacency)
	}
	return nil
}

// spend enters a release, or returns ErrOverspent if it exceeds the budget. After success the entry is on disk and
// the release may be published; after an error it must not be.
func (a *Account) spend(e Entry) error {
	before := a.Ledger
	if err := a.add(e); err != nil {
		return fmt.Errorf("%s: %w", a.path, err)
	}
	text, err := a.encode()
	if err == nil {
		err = record.WriteFile(a.path, 0o600, func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	if err != nil {
		a.Ledger = before
	}
	return err
}

// Close unlocks the ledger for other processes.
func (a *Account) Close() error { return a.lock.Unlock() }
