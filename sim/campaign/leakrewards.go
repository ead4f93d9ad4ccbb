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
	ProblemSHA256 string       // set by RewardsQuestion
	Epsilons      string       // a list; none means no noise
	Family        string       // of rewards that the observer rebuilds: "table", "mission"; empty for the problem's
	Draws         int          // at each epsilon
}

// Draws is the work of studies of rewards.
const Draws Kind = "draws"

// RewardsQuestion asks what observers find out about rewards.
func RewardsQuestion(p *Program, r RewardsRequest) (q Question, err error) {
	g := r.Given
	c := g.Settings.Config
	r.ProblemSHA256 = ProblemSHA256(g)
	s := &leak.Rewards{Guarantee: g.Guarantee(), Draws: r.Draws, Seed: c.Study.Seed, Workers: c.Study.Workers}
	if s.Epsilons, err = ParseEpsilonsOrNone(r.Epsilons); err != nil {
		return q, RequestErrorf("{epsilons}: %w", err)
	}
	switch {
	case c.Privacy.DrawsGoal():
		return q, RequestErrorf("privacy.mechanism %s plans for another goal, and protects no reward; veilpath leak "+
			"mechanisms measures what its flights reveal", c.Privacy.Mechanism)
	case g.Mission != nil:
		e, err := p.Builder().Experiment(c)
		if err != nil {
			return q, err
		}
		s.Mechanism = e.Mechanism
	case c.Privacy.Mechanism == configs.OnReward:
		s.Mechanism = planner.Standard()
	default:
		if s.Mechanism, err = p.FindMechanism(c.Privacy.Mechanism, c.Exec.Timeout()); err != nil {
			return q, RequestErrorf("{mechanism}: %w", err)
		}
	}
	if s.Problem, err = cost.SolveAccurately(g.Problem, g.Tolerance); err != nil {
		return q, RequestErrorf("%w", err)
	}
	if c.Privacy.Deceives() { // it has no epsilon
		s.Epsilons = []float64{math.NaN(), leak.Unprivate}
	}
	const mostCells = 2500 // whose features fill half a gigabyte
	switch {
	case g.Mission != nil && r.Family != "table" && g.Law.States() > mostCells:
		return q, RequestErrorf("{family} mission is for at most %d cells, and this mission has %d; want {family} table",
			mostCells, g.Law.States())
	case g.Mission != nil && (r.Family == "" || r.Family == "mission"):
		r.Family, s.Features = "mission", irl.MissionFeatures(s.Problem.Grid)
	case r.Family == "":
		r.Family = "table"
	case r.Family == "mission":
		return q, RequestErrorf("{family} mission: this problem is no mission; want table")
	case r.Family != "table":
		return q, RequestErrorf("{family} %s: want table or, for a mission, mission", r.Family)
	}
	if joint := s.Problem.Rewards.Joint; slices.Min(joint) == slices.Max(joint) {
		return q, RequestErrorf("all rewards are equal, so there is nothing to find out; take rewards that differ")
	}
	if err := s.Check(); err != nil {
		return q, RequestErrorf("%w", err)
	}
	p.RemarkCommands()
	solve := func(ctx context.Context, kept *pieces.Work) (*answer.Answer, error) {
		s.Kept = kept
		rows, err := s.Measure(ctx, p.Counter(Draws, len(s.Epsilons)*s.Draws), p.Counter(Releases, -1))
		if err != nil {
			return nil, err
		}
		return rewardsAnswer(r, rows), nil
	}
	return Question{Verb: "leak", Settings: g.Settings, Request: r, Commands: CommandsOf(s.Mechanism), Solve: solve}, nil
}

// rewardsAnswer returns the answer in words, with a row of the table for every sighting.
func rewardsAnswer(r RewardsRequest, rows []leak.RewardsRow) *answer.Answer {
	sheet := leak.NewRewardsSheet(rows)
	a := &answer.Answer{Effort: table.Count(r.Draws, "draw") + " per epsilon",
		CSV:   answer.File{Name: sheet.Name + ".csv", Write: sheet.WriteCSV},
		More:  []table.Section{{Text: "\n", Table: sheet, Full: true}},
		Facts: record.Facts{Runs: r.Draws},
		Page:  answer.Page{Kicker: "What plans and flights give away of the reward", Sheets: []*table.Sheet{sheet}},
		Next:  answer.Next{Files: []answer.Named{{Text: "page", File: PageName}}}}
	if r.Given.Mission != nil { // its goal may be revealed although its reward is not
		a.Next.Command = []string{"leak", "{config}=" + r.Given.Name}
	}
	title := rewardsScreen(a, r, rows)
	a.JSON = answer.File{Name: AnswerName, Write: func(w io.Writer) error {
		return table.WriteJSON(w, map[string]any{"in_words": slices.Concat(a.Words, a.Notes), sheet.Name: sheet})
	}}
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
	words := func(d float64) string {
		i := 0
		for d > foundOut[i].most {
			i++
		}
		return foundOut[i].words
	}
	if least, most := words(distance.High), words(distance.Low); least != most {
		return least + " to " + most
	}
	return words(distance.Mean)
}

// meanText writes a mean and its interval in a unit of which so many are 1.
func meanText(i leak.Interval, units float64, unit string) string {
	const most = 3 // decimals
	mean, low, high := units*i.Mean, units*i.Low, units*i.High
	decimals := min(most, phrase.Decimals(mean, low, high))
	text := phrase.Fixed(mean, decimals) + unit
	if low < high {
		text += " (" + phrase.Fixed(low, decimals) + " .. " + phrase.Fixed(high, decimals) + ")"
	}
	return text
}

// toldText writes how often rewards are told apart, with half of its interval.
func toldText(i leak.Interval) string {
	if math.IsNaN(i.Mean) {
		return phrase.Percent(i.Mean)
	}
	return fmt.Sprintf("%.0f +- %.0f %%", 100*i.Mean, 50*(i.High-i.Low))
}

// rewardsScreen adds what people read: words at one epsilon, and a table with a row for every sighting. It returns the
// words without numbers.
func rewardsScreen(a *answer.Answer, r RewardsRequest, rows []leak.RewardsRow) (title string) {
	const most = 3 // epsilons
	sightings := leak.Sightings()
	shown := table.Spread(len(rows)/len(sightings), most)
	at := func(e int) []leak.RewardsRow { return rows[e*len(sightings):][:len(sightings)] }
	middle := at(shown[(len(shown)-1)/2])
	label := func(rows []leak.RewardsRow) string {
		if math.IsNaN(rows[0].Epsilon) {
			return "with " + r.Given.Settings.Privacy.Mechanism
		}
		return "at " + configs.EpsilonText(rows[0].Epsilon)
	}
	begin := atEpsilon(middle[0].Epsilon)
	if math.IsNaN(middle[0].Epsilon) {
		begin = label(middle)
	}
	out := table.Plain{Headings: []string{"what is seen"}, Lead: 1}
	for _, e := range shown {
		out.Headings = append(out.Headings, label(at(e)))
	}
	out.Headings[1] = "EPIC " + out.Headings[1]
	out.Headings = append(out.Headings, "value lost "+label(middle), "told apart "+label(middle))
	var parts, short []string
	for i, row := range middle {
		cells := []string{row.Seen}
		for _, e := range shown {
			mean, _, _ := strings.Cut(meanText(at(e)[i].Distance, 1, ""), " ")
			cells = append(cells, mean)
		}
		out.Rows = append(out.Rows, append(cells, phrase.Percent(row.Lost.Mean), toldText(row.Told)))
		if sightings[i].Of != "" && !math.IsNaN(row.Distance.Mean) {
			gives := "the " + row.Seen + " " + findsOut(row.Distance)
			if parts == nil {
				gives = "the " + row.Seen + " gives away " + findsOut(row.Distance) + " of the reward"
			}
			distance := strings.ReplaceAll(meanText(row.Distance, 1, ""), " (", ", ")
			parts = append(parts, gives+" (EPIC distance "+strings.TrimSuffix(distance, ")")+")")
			short = append(short, gives)
		}
	}
	last := middle[len(middle)-1]
	begin = figure.Sentence(begin) + " "
	a.Words = []string{begin + strings.Join(parts, ", ") + ".",
		"Planning with what an observer rebuilds from " + last.Seen + " loses " + meanText(last.Lost, 100, " %") +
			" of the value."}
	a.Table = out
	a.Notes = []string{fmt.Sprintf("%s per epsilon; the observer knows the family %s of rewards. EPIC distance: 0 is the "+
		"same reward up to shaping and scale, 0.707 an unrelated one.", table.Count(r.Draws, "draw"), r.Family)}
	if most := middle[0].ToldMost; most > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("Told apart: which of two rewards, %g apart in one entry, was planned with; "+
			"50 %% is guessing, and the mechanism promises at most %s.", r.Given.Settings.Privacy.Adjacency,
			phrase.Percent(most)))
	}
	return begin + phrase.List(short)
}
