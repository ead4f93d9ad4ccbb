package campaign

import (
	"context"
	"fmt"
	"math"
	"slices"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/pieces"
	"veilpath/internal/table"
	"veilpath/sim/leak"
)

// newReleases prepares a study of several flights to one goal, for every number of flights in Counts. The default for
// adversary.policies depends on the largest of them.
func newReleases(ctx context.Context, p *Program, r LeakRequest) (*Leak, error) {
	r.At, r.Radii = "0", "0"
	listed, err := configs.ParseRange(r.Counts)
	releases := &leak.Releases{}
	for _, n := range listed {
		const most = 1024
		if n != math.Trunc(n) || n < 1 || n > most {
			err = fmt.Errorf("%g is not a whole number from 1 to %d", n, most)
			break
		}
		releases.Counts = append(releases.Counts, int(n))
	}
	if err != nil {
		return nil, RequestErrorf("{counts} %s: %w", r.Counts, err)
	}
	slices.Sort(releases.Counts)
	several := slices.Max(releases.Counts)
	if !r.Settings.IsSet("adversary.policies") {
		r.Settings.Config.Adversary.Policies = leak.PoliciesFor(several)
	}
	study, _, err := newStudy(ctx, p, r)
	if err != nil {
		return nil, err
	}
	study.Alike = true
	releases.Study = *study
	if err := releases.Check(); err != nil {
		return nil, RequestErrorf("%w", err)
	}
	find := func(ctx context.Context, kept *pieces.Work, done func(n int)) (*found, error) {
		releases.Kept = kept
		rows, err := releases.Fly(ctx, done)
		if err != nil {
			return nil, err
		}
		priorBits := study.World().PriorBits()
		f := releasesScreen(rows, study.Flights, len(study.World().Goals), priorBits, study.Ways[0].AtDelta())
		f.json, f.Figures = facts(study), onlyFigure(figure.ReleasesFigure(rows, priorBits))
		f.Page = answer.Page{Kicker: "What several flights to one goal reveal",
			Sheets: []*table.Sheet{leak.NewReleasesSheet(rows)}}
		return f, nil
	}
	return ofStudy(p, r, study, several, releases.Work(), find), nil
}
