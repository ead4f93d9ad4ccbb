package publish

import (
	"crypto/sha256"
	"fmt"
	"io"

	"veilpath/internal/pieces"
	"veilpath/planner/privacy"
	"veilpath/planner/privacy/loss"
	"veilpath/planner/problem"
	"veilpath/planner/release"
)

// The files of a release.
const (
	ReleaseName   = "release.csv"
	PolicyName    = "policy.csv"
	GuaranteeName = "guarantee.json" // the guarantee, written last: a folder without it holds no release
)

// Names returns the names of all files of releases. The guarantee comes first, because a folder without it holds
// no release.
func Names() []string { return []string{GuaranteeName, ReleaseName, PolicyName} }

// Files holds what a release publishes: private rewards, or the policy planned for them.
type Files struct {
	Table    string // identity of the rewards, see TableOf; not to be published
	Program  string // name and version
	Release  *release.Release
	Instance *problem.Instance // problem of the policy; nil for a bare table
	Policy   []int32           // nil if the rewards are published
}

// content returns the name, kind and writer of the published file.
func (f *Files) content() (name, what string, write func(io.Writer) error) {
	if f.Policy != nil {
		return PolicyName, "policy", func(w io.Writer) error { return writePolicy(f.Instance, w, f.Policy) }
	}
	return ReleaseName, "rewards", f.Release.Write
}

// Write writes the files, the guarantee last. If account is not nil, the release is first entered there. A process
// killed at any time therefore leaves no release that the ledger has not counted.
func (f *Files) Write(folder *pieces.Folder, account *Account) (release.Statement, error) {
	name, what, write := f.content()
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
		panic("publish: writing a release twice gives different bytes")
	}
	if err == nil {
		err = folder.FinishWith(GuaranteeName, statement.Write)
	}
	if err != nil {
		return release.Statement{}, f.counted(account, err)
	}
	return statement, nil
}

// enter enters the release in the ledger, and its place there in the guarantee.
func (f *Files) enter(account *Account, s *release.Statement, what string) error {
	mechanism := "input"
	if f.Release.IsJoint() {
		mechanism = "output"
	}
	e := Entry{SHA256: s.ReleaseSHA256, What: what, Mechanism: mechanism, Epsilon: s.Epsilon, Delta: s.Delta,
		Calibration: s.Calibration}
	switch l := f.Release.Loss().(type) {
	case loss.Gaussian:
		e.Mu = l.Mu
	case loss.DiscreteGaussian:
		e.Sigma, e.Steps = l.Sigma, l.Steps
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

// counted adds to an error that the ledger has counted the release.
func (f *Files) counted(account *Account, err error) error {
	if account == nil {
		return err
	}
	return fmt.Errorf("%w; %s has counted the release, which was not published", err, account.path)
}
