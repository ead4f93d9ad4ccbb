package campaign

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

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
	Family        string       // of the rewards that the observer rebuilds: "table", "mission" or, for the problem's, empty
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
	if r.Family == "" {
		if r.Family = "table"; g.Mission != nil {
			r.Family = "mission"
		}
	}
	switch {
	case r.Family == "mission" && g.Mission != nil:
		s.Features = irl.MissionFeatures(s.Problem.Grid)
	case r.Family != "table":
		return nil, RequestErrorf("{family} %s: want table or, for a mission, mission", r.Family)
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
	words, notes, title, printed := rewardsScreen(rows, r.Given.Settings.Config, r)
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
		Next:  answer.Next{Files: []answer.Named{{Text: "page", File: PageName}}}}
	switch name := r.Given.Name; { // the goal may be revealed although the reward is not
	case name == configs.DefaultPreset:
		a.Next.Command = []string{"leak"}
	case r.Given.Mission != nil:
		a.Next.Command = []string{"leak", "--config=" + name}
	default:
		a.Next.Command = []string{"cost", name}
	}
	if f := figure.RewardsFigure(rows, title); f != nil {
		a.Figures = onlyFigure(f)
	}
	return a
}

// foundOut says how much of a reward is known at EPIC distances up to most. At the three limits the correlation with
// the true reward is 0.875, 0.5 and 0.155.
var foundOut = []struct {
	most  float64
	words string
}{{0.25, "nearly everything"}, {0.5, "much"}, {0.65, "a part"}, {math.Inf(1), "almost nothing"}}

// findsOut says by its interval how much of a reward is known at an EPIC distance.
func findsOut(distance leak.Interval) string {
	at := func(d float64) string {
		for _, f := range foundOut {
			if d <= f.most {
				return f.words
			}
		}
		return ""
	}
	if least, most := at(distance.High), at(distance.Low); least != most {
		return least + " to " + most
	}
	return at(distance.Low)
}

// rewardsAt is what the sentences say of the rewards at one epsilon.
type rewardsAt struct {
	Where string // at which epsilon, or with which mechanism
	Rows  []leak.RewardsRow
}

// finding says how much of the reward is found out from what, with the EPIC distances if asked for.
func (f *rewardsAt) finding(distances bool) string {
	var parts []string
	of, distance := " of the reward", "EPIC distance "
	for i := 0; i < len(f.Rows); {
		words := findsOut(f.Rows[i].Distance)
		var from []string
		for ; i < len(f.Rows) && findsOut(f.Rows[i].Distance) == words; i++ {
			text := f.Rows[i].Seen
			if distances {
				mean, between := intervalTexts(f.Rows[i].Distance, 1)
				text += " (" + distance + strings.TrimSuffix(mean+", "+between, ", ") + ")"
				distance = ""
			}
			from = append(from, text)
		}
		parts = append(parts, words+of+" from "+phrase.List(from))
		of = ""
	}
	return figure.Sentence(f.Where + " an observer finds out " + strings.Join(parts, "; "))
}

// lost says what is lost of the value by planning with what was found out from the first and the last sighting.
func (f *rewardsAt) lost() string {
	var parts []string
	for _, row := range []leak.RewardsRow{f.Rows[0], f.Rows[len(f.Rows)-1]} {
		text, between := intervalTexts(row.Lost, 100)
		if text += " %"; between != "" {
			text += " (" + between + ")"
		}
		parts = append(parts, text+" from "+row.Seen)
	}
	return "Planning with what is found out loses of the value " + phrase.List(slices.Compact(parts)) + "."
}

// intervalTexts writes a mean and its interval, empty if there is none, in a unit of which so many are 1.
func intervalTexts(i leak.Interval, units float64) (mean, between string) {
	decimals := min(phrase.Decimals(units*i.Mean, units*i.Low, units*i.High), mostRewardDecimals)
	low, high := phrase.Fixed(units*i.Low, decimals), phrase.Fixed(units*i.High, decimals)
	if low != high {
		between = low + " .. " + high
	}
	return phrase.Fixed(units*i.Mean, decimals), between
}

// mostRewardDecimals are those of EPIC distances.
const mostRewardDecimals = 3

// families says what the observer knows of the form of rewards.
var families = map[string]string{"table": "nothing of the form of rewards",
	"mission": "that rewards are distances to goals and costs of cells"}

// rewardsScreen returns what people read: words at one epsilon, and a table with a row for every sighting.
func rewardsScreen(rows []leak.RewardsRow, c configs.Config, r RewardsRequest) (words, notes []string, title string,
	out table.Plain) {
	const most = 3 // epsilons
	sightings := leak.Sightings()
	shown := table.Spread(len(rows)/len(sightings), most)
	at := func(e int) []leak.RewardsRow { return rows[e*len(sightings):][:len(sightings)] }
	middle := at(shown[(len(shown)-1)/2])
	f := rewardsAt{Where: atEpsilon(middle[0].Epsilon)}
	label := func(what string, epsilon float64) string {
		if math.IsNaN(epsilon) {
			return what + " " + c.Privacy.Mechanism
		}
		return what + " at " + configs.EpsilonText(epsilon)
	}
	if math.IsNaN(middle[0].Epsilon) {
		f.Where = "with the mechanism " + c.Privacy.Mechanism
	}
	out.Headings, out.Lead = []string{"what is seen"}, 1
	for i, e := range shown {
		out.Headings = append(out.Headings, strings.TrimSpace(label([]string{"EPIC", "", ""}[i], at(e)[0].Epsilon)))
	}
	out.Headings = append(out.Headings, label("value lost", middle[0].Epsilon))
	mostTold := math.NaN()
	for i, row := range middle {
		cells := []string{row.Seen}
		for _, e := range shown {
			mean, _ := intervalTexts(at(e)[i].Distance, 1)
			cells = append(cells, mean)
		}
		out.Rows = append(out.Rows, append(cells, phrase.Percent(row.Lost.Mean)))
		if sightings[i].Flights == 0 {
			row.Seen = "the " + row.Seen
		}
		if !math.IsNaN(row.Distance.Mean) {
			f.Rows = append(f.Rows, row)
		}
		if !math.IsNaN(row.ToldMost) {
			mostTold = row.ToldMost
		}
	}
	words = []string{f.finding(true) + ".", f.lost()}
	notes = []string{fmt.Sprintf("%s per epsilon; the observer knows %s. EPIC distance: 0 is the same reward up to shaping "+
		"and scale, 0.707 an unrelated one.", table.Count(r.Draws, "draw"), families[r.Family])}
	if !math.IsNaN(mostTold) {
		out.Headings = append(out.Headings, label("told apart", middle[0].Epsilon))
		for i, row := range middle {
			out.Rows[i] = append(out.Rows[i], phrase.Percent(row.Told.Mean))
		}
		notes = append(notes, fmt.Sprintf("Told apart: which of two rewards, %g apart in one entry, was planned with; 50 %% is "+
			"guessing, and the guarantee allows %s.", c.Privacy.Adjacency, phrase.Percent(mostTold)))
	}
	return words, notes, f.finding(false), out
}
