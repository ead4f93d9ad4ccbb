package publish

import (
	"crypto/sha256"
	"fmt"
	"io"

	"veilpath/internal/record"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/planner/release"
)

// The files of a release.
const (
	ReleaseName   = "release.csv"
	PolicyName    = "policy.csv"
	GuaranteeName = "guarantee.json" // the promise; without it nothing vouches for the others
)

// Names returns the names of all files of releases, the promise first: without it nothing vouches for the others.
func Names() []string { return []string{GuaranteeName, ReleaseName, PolicyName} }

// Files is what a release leaves: private rewards, or the policy that is planned for them.
type Files struct {
	Table    string // what a ledger knows the rewards by, see TableOf
	Program  string // with its version
	Release  *release.Release
	Instance *problem.Instance // of a policy
	Policy   []int32           // nil where the rewards are published
}

// what says what is published.
func (f *Files) what() (name, what string, write func(io.Writer) error) {
	if f.Policy != nil {
		return PolicyName, "policy", func(w io.Writer) error { return writePolicy(f.Instance, w, f.Policy) }
	}
	return ReleaseName, "rewards", f.Release.Write
}

// Write writes the files, the promise last. With an account the release is entered there before anything else of it
// exists: killed at any time it leaves no release that was not counted.
func (f *Files) Write(folder *record.Folder, account *Account) (release.Statement, error) {
	name, what, write := f.what()
	hash := sha256.New()
	if err := write(hash); err != nil {
		return release.Statement{}, err
	}
	statement := f.Release.Statement(what, name, [sha256.Size]byte(hash.Sum(nil)), f.Program)
	if account != nil {
		if err := f.enter(account, &statement, what); err != nil {
			return release.Statement{}, err
		}
	}
	err := folder.Write(name, write)
	if err == nil && folder.SHA256(name) != statement.ReleaseSHA256 {
		panic("publish: a release is not written twice the same")
	}
	if err == nil {
		err = folder.Vouch(GuaranteeName, statement.Write)
	}
	if err != nil {
		return release.Statement{}, f.counted(account, err)
	}
	return statement, nil
}

// enter enters the release and says so in its promise.
func (f *Files) enter(account *Account, s *release.Statement, what string) error {
	mechanism := "input"
	if f.Release.IsJoint() {
		mechanism = "output"
	}
	e := Entry{SHA256: s.ReleaseSHA256, What: what, Mechanism: mechanism, Epsilon: s.Epsilon, Delta: s.Delta,
		Calibration: s.Calibration}
	if mu, err := f.Release.Mu(); err == nil { // else only the sums count it
		e.Mu = mu
	}
	if err := account.spend(e); err != nil {
		return err
	}
	spent, err := account.Spent()
	if err != nil {
		return err
	}
	left, err := account.Left(s.Delta, privacy.Calibration(s.Calibration))
	s.Ledger = &release.Place{LeftEpsilon: floor(left), Number: len(account.Releases), Seal: account.Seal,
		TotalEpsilon: account.Epsilon, TotalDelta: account.Delta, SpentEpsilon: spent.Epsilon, SpentDelta: spent.EpsilonDelta}
	return err
}

// counted says of an error that the release is counted all the same.
func (f *Files) counted(account *Account, err error) error {
	if account == nil {
		return err
	}
	return fmt.Errorf("%w; %s has counted the release, which was not published", err, account.path)
}
