package publish

import (
	"fmt"
	"os"
	"path/filepath"

	"veilpath/internal/option"
	"veilpath/internal/setup"
	"veilpath/planner/privacy"
	"veilpath/planner/release"
)

// Choice is how rewards are released.
type Choice struct {
	Grid   float64 // step; 0 for the one that the guarantee suggests
	Policy bool    // the policy is published instead of the rewards
	Joint  bool    // the joint reward gets the noise: Algorithm 2
}

// Of makes a release of rewards, or of the policy planned for it. Nothing is written yet. An error tells no reward.
func Of(p *setup.Private, guarantee privacy.Guarantee, c Choice, entropy *privacy.Entropy) (*Files, error) {
	f := &Files{}
	var original, names release.Original
	switch {
	case p.Given != nil:
		f.Instance = p.Given.Instance
		names = Rewards(f.Instance)
		if original = names; c.Joint {
			original = Joint(f.Instance)
		}
	case c.Policy:
		return nil, option.Errorf("%s is a table of rewards, and a policy needs transitions too; give a problem, or "+
			"leave {policy} out", p.Name)
	case c.Joint:
		return nil, option.Errorf("%s is a table of rewards, and a joint reward needs a team; give a problem, or leave "+
			"{mechanism} out", p.Name)
	default:
		original = release.Table(p.Table)
		names = original
	}
	var err error
	if f.Table, err = TableOf(names); err != nil {
		return nil, err
	}
	if f.Release, err = release.New(original, guarantee, c.Grid, entropy); err == nil && c.Policy {
		f.Policy, err = Plan(f.Instance, original, f.Release)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return f, nil
}

// CheckOutside refuses a folder for the release that holds the original, which would be replaced, or published
// along with it. Links are followed.
func CheckOutside(path, out string) error {
	if out == "" {
		return nil
	}
	published, err := os.Stat(out)
	if err != nil {
		return nil // a folder that does not exist holds nothing
	}
	original, err := filepath.EvalSymlinks(path)
	if err == nil {
		original, err = filepath.Abs(original)
	}
	if err != nil {
		return nil // reading it says why
	}
	for parent := filepath.Dir(original); ; parent = filepath.Dir(parent) {
		if found, err := os.Stat(parent); err == nil && os.SameFile(found, published) {
			return option.Errorf("{out} %s holds %s, which must stay secret; name a folder for what is published", out,
				path)
		}
		if parent == filepath.Dir(parent) {
			return nil
		}
	}
}
