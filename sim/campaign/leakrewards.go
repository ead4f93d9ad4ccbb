package campaign

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/phrase"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/planner/irl"
	"veilpath/sim/cost"
	"veilpath/sim/leak"
)

// RewardsRequest is the request for what observers find out about rewards. Given is what Problem reads.
type RewardsRequest struct {
	Given         *setup.Input `json:"-"`
	ProblemSHA256 string       // set by NewRewards
	Epsilons      string       // a list; none means no noise
	Family        string       // of the rewards that the observer rebuilds: "table", or "mission"
	Draws         int          // at each epsilon
}

// Rewards asks what observers find out about rewards, a [Asker].
type Rewards struct{ question Question }

// Question implements Asker.
func (r *Rewards) Question() Question { return r.question }

// Draws is the work of studies of rewards.
const Draws Kind = "draws"

// NewRewards prepares a study of what observers find out about rewards.
func NewRewards(p *Program, r RewardsRequest) (*Rewards, error) {
	g := r.Given
	c := g.Settings.Config
	r.ProblemSHA256 = ProblemSHA256(g)
	s := &leak.Rewards{Guarantee: g.Guarantee(), Draws: r.Draws, Seed: c.Study.Seed, Workers: c.Study.Workers}
	var err error
	if s.Epsilons, err = ParseEpsilonsOrNone(r.Epsilons); err != nil {
		return nil, RequestErrorf("{epsilons}: %w", err)
	}
	switch {
	case c.Privacy.DrawsGoal():
		return nil, RequestErrorf("privacy.mechanism %s plans for another goal, and protects no reward; veilpath leak "+
			"mechanisms measures what its flights reveal", c.Privacy.Mechanism)
	case g.Mission != nil:
		e, err := p.Builder().Experiment(c)
		if err != nil {
			return nil, err
		}
		s.Problem, s.Mechanism = e.Mission.Solved, e.Mechanism
	case c.Privacy.Mechanism == configs.OnReward:
		s.Mechanism = planner.Standard()
	default:
		if s.Mechanism, err = p.FindMechanism(c.Privacy.Mechanism, c.Exec.Timeout()); err != nil {
			return nil, RequestErrorf("{mechanism}: %w", err)
		}
	}
	if s.Problem == nil {
		if s.Problem, err = cost.SolveAccurately(g.Problem, g.Tolerance); err != nil {
			return nil, RequestErrorf("%w", err)
		}
	}
	if c.Privacy.Deceives() { // it has no epsilon
		s.Epsilons = []float64{math.NaN(), leak.Unprivate}
	}
	switch grid := s.Problem.Grid; {
	case r.Family == "mission" && grid != nil:
		s.Features = irl.MissionFeatures(grid)
	case r.Family != "table":
		return nil, RequestErrorf("{family} %s: want table, or mission for a problem with a grid", r.Family)
	}
	if err := s.Check(); err != nil {
		return nil, RequestErrorf("%w", err)
	}
	p.RemarkCommands()
	solve := func(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
		s.Kept = kept
		draws, releases := s.Work()
		rows, err := s.Measure(ctx, p.Counter(Draws, draws), p.Counter(Releases, releases))
		if err != nil {
			return nil, err
		}
		return rewardsAnswer(p, r, rows), nil
	}
	return &Rewards{Question{Verb: "leak", Settings: g.Settings, Request: r, Commands: CommandsOf(s.Mechanism),
		Solve: solve}}, nil
}

// rewardsAnswer returns the answer in words, with a row of the table for every sighting.
func rewardsAnswer(p *Program, r RewardsRequest, rows []leak.RewardsRow) *answer.Answer {
	words, notes, printed := rewardsScreen(rows, r.Given.Settings.Config, r.Draws)
	sheet := leak.NewRewardsSheet(rows)
	a := &answer.Answer{Words: words, Notes: notes, Table: printed, Effort: table.Count(r.Draws, "draw") + " per epsilon",
		CSV: answer.File{Name: sheet.Name + ".csv", Write: sheet.WriteCSV},
		JSON: answer.File{Name: AnswerName, Write: func(w io.Writer) error {
			return table.WriteJSON(w, map[string]any{"in_words": slices.Concat(words, notes), "family": r.Family,
				"draws": r.Draws, sheet.Name: sheet})
		}},
		Files: map[string]func(io.Writer) error{sheet.Name + ".parquet": func(w io.Writer) error {
			return parquet.Write(w, sheet.Typed(), p.Version, sheet.Rows)
		}},
		More:  []table.Section{{Text: "\n", Table: sheet, Full: true}},
		Facts: record.Facts{Runs: r.Draws},
		Page:  answer.Page{Kicker: "What plans and flights give away of the reward", Sheets: []*table.Sheet{sheet}},
		Next:  answer.Next{Files: []answer.Named{{Text: "page", File: PageName}}, Command: []string{"leak"}}}
	if f := figure.RewardsFigure(rows, words[0]); f != nil {
		a.Figures = onlyFigure(f)
	}
	return a
}

// givenAway says how much of a reward is known at EPIC distances up to most. The correlation with the true reward is
// 0.875, 0.5 and 0.155 at the limits.
var givenAway = []struct {
	most  float64
	words string
}{{0.25, "nearly everything"}, {0.5, "much"}, {0.65, "a part"}, {math.Inf(1), "almost nothing"}}

// givesAway says by its interval how much of a reward is known at an EPIC distance.
func givesAway(distance leak.Interval) string {
	at := func(d float64) string {
		for _, g := range givenAway {
			if d <= g.most {
				return g.words
			}
		}
		return "an unknown part"
	}
	if least, most := at(distance.High), at(distance.Low); least != most {
		return least + " to " + most
	}
	return at(distance.Low)
}

// rewardsScreen returns what people read: at one epsilon in words, and at three epsilons in the table.
func rewardsScreen(rows []leak.RewardsRow, c configs.Config, draws int) (words, notes []string, out table.Plain) {
	const most = 3 // epsilons
	sightings := leak.Sightings()
	n := len(rows) / len(sightings)
	shown := table.Spread(n, most)
	at := shown[(len(shown)-1)/2]
	of := func(epsilon, seen int) leak.RewardsRow { return rows[epsilon*len(sightings)+seen] }
	epsilon := rows[at*len(sightings)].Epsilon
	column, clause := "at "+configs.EpsilonText(epsilon), " "+atEpsilon(epsilon)
	if math.IsNaN(epsilon) {
		column, clause = "", " of the mechanism "+c.Privacy.Mechanism
	}
	out.Headings, out.Lead = []string{"what is seen"}, 1
	for _, e := range shown {
		heading := "EPIC"
		if epsilon := rows[e*len(sightings)].Epsilon; !math.IsNaN(epsilon) {
			heading += " at " + configs.EpsilonText(epsilon)
		}
		out.Headings = append(out.Headings, heading)
	}
	out.Headings = append(out.Headings, "value lost "+column, "told apart "+column)
	var known, lost []string
	told := math.NaN()
	for i, seen := range sightings {
		row := of(at, i)
		cells := []string{seen.Name}
		for _, e := range shown {
			d := of(e, i).Distance
			cells = append(cells, phrase.Fixed(d.Mean, min(phrase.Decimals(d.Mean, d.Low, d.High), mostEPICDecimals)))
		}
		out.Rows = append(out.Rows, append(cells, phrase.Percent(row.Lost.Mean), phrase.Percent(row.Told.Mean)))
		if math.IsNaN(row.Distance.Mean) {
			continue
		}
		told = max(row.ToldMost, told)
		known = append(known, fmt.Sprintf("a %s gives away %s of the reward (%s)", seen.Name, givesAway(row.Distance),
			distanceText(row.Distance)))
		lost = append(lost, seen.Name)
	}
	_ = lost
	words = []string{figure.Sentence(phrase.List(known)) + clause + "."}
	_ = told
	notes = []string{fmt.Sprintf("%d draws", draws)}
	return words, notes, out
}

const mostEPICDecimals = 3

// distanceText writes an EPIC distance with its interval.
func distanceText(d leak.Interval) string {
	text := phrase.Fixed(d.Mean, min(phrase.Decimals(d.Mean, d.Low, d.High), mostEPICDecimals))
	if between := phrase.Interval(d.Low, d.High); between != "-" {
		text += ", " + between
	}
	return text
}
