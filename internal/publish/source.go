package publish

import (
	"fmt"

	"veilpath/internal/option"
	"veilpath/internal/setup"
	"veilpath/planner/privacy"
	"veilpath/planner/release"
)

// Choice selects how rewards are released.
type Choice struct {
	Grid   float64 // step of the grid of values; 0 for the step that suits the guarantee
	Policy bool    // publish the policy instead of the rewards
	Joint  bool    // perturb the joint reward, as Algorithm 2 does
}

// Of draws a release of rewards, or of the policy planned for them. It writes nothing. Its errors reveal no
// reward.
func Of(p *setup.Private, guarantee privacy.Guarantee, c Choice, entropy *privacy.Entropy) (*Files, error) {
	f := &Files{}
	var original, names release.Original
	switch {
	case p.Input != nil:
		f.Instance = p.Input.Instance
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
	f.Table = TableOf(names)
	var err error
	if f.Release, err = release.New(original, guarantee, c.Grid, entropy); err == nil && c.Policy {
		f.Policy, err = Plan(f.Instance, original, f.Release)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return f, nil
}
