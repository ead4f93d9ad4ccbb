package reproduce

import (
	"fmt"
	"slices"
)

// tally is the number of numbers with an agreement.
type tally struct {
	Agreement Agreement
	Class     string
	Count     int
	Of        int // number of all numbers; 0 if all have this agreement
	Meaning   string
}

// tallyOf lists the agreements that occur, best first.
func tallyOf(counts map[Agreement]int, of int) []tally {
	var all []tally
	for _, r := range rules() {
		if n := counts[r.Agreement]; n > 0 {
			all = append(all, tally{r.Agreement, r.Class, n, of, r.Meaning})
		}
	}
	return all
}

// rule describes an agreement and the condition for it.
type rule struct {
	Agreement            Agreement
	Class, Meaning, Rule string // Class is the name in the style sheet
}

func rules() []rule {
	return []rule{
		{Exact, "exact", "equal in floating point, or a claimed limit that holds",
			"A closed form within 1e-9 of the published value, relative. An “at most” that holds counts too."},
		{Digits, "digits", "equal in every printed digit, or nearer to it than half a step of a simulation",
			"A closed form that rounds to the printed digits. A number observed at a step of a flight may differ by " +
				"half a step more."},
		{MonteCarlo, "sampled", "within the sampling error of both",
			"A sampled mean, in the paper or here, within the tolerance given below."},
		{AfterChange, "changed", "one of these, after a named change of what the paper says",
			"One of the three above, under a reading that makes a change. The note names the change."},
		{NotReproduced, "missed", "under none of the readings that were tried",
			"The number does not agree under the picked reading."},
		{Contradicted, "contradicted", "impossible by a proof or by another number of the paper",
			"The number does not agree. It exceeds a limit that is proved for the picked reading, or it is quoted from " +
				"the paper's figure, which shows another number."},
	}
}

// rule returns the rule of the agreement.
func (v Agreement) rule() rule {
	all := rules()
	return all[slices.IndexFunc(all, func(r rule) bool { return r.Agreement == v })]
}

// Class returns the name of the agreement in the style sheet.
func (v Agreement) Class() string { return v.rule().Class }

// Meaning returns what the agreement means.
func (v Agreement) Meaning() string { return v.rule().Meaning }

// group is a list of quantities with the same outcome.
type group struct {
	Title      string
	Quantities []outcome
}

// outcome is a quantity in the summary.
type outcome struct {
	Item, Where, Name string
	Tally             []tally
	Why               string
}

// newGroups groups the quantities by their agreements.
func newGroups(results []*Result) []group {
	groups := []group{
		{Title: "Agrees with the paper as printed"}, {Title: "Agrees after a named change"}, {Title: "Agrees in part"},
		{Title: "Not reproduced"}, {Title: "Contradicted"},
	}
	for _, r := range results {
		for _, same := range sameName(r.Judgements) {
			counts := map[Agreement]int{}
			numbers := 0
			for _, j := range same {
				for _, row := range j.Rows {
					counts[row.Agreement]++
					numbers++
				}
			}
			of := 0
			if len(counts) > 1 {
				of = numbers
			}
			at := groupOf(counts, numbers)
			groups[at].Quantities = append(groups[at].Quantities,
				outcome{r.Item.Name, r.Item.Name, same[0].Name, tallyOf(counts, of), why(same)})
		}
	}
	return groups
}

// groupOf returns the index of the group for a quantity's agreements.
func groupOf(counts map[Agreement]int, numbers int) int {
	switch {
	case counts[Contradicted] > 0:
		return 4
	case counts[Exact]+counts[Digits]+counts[MonteCarlo] == numbers:
		return 0
	case counts[AfterChange] == numbers:
		return 1
	case counts[NotReproduced] == numbers:
		return 3
	}
	return 2
}

// sameName groups judgements with the same name, such as the cells of a column.
func sameName(judgements []*Judgement) [][]*Judgement {
	var gathered [][]*Judgement
	at := map[string]int{}
	for _, j := range judgements {
		i, known := at[j.Name]
		if !known {
			i = len(gathered)
			at[j.Name] = i
			gathered = append(gathered, nil)
		}
		gathered[i] = append(gathered[i], j)
	}
	return gathered
}

// why returns the reason for the outcome: the proof, the change, or the setting.
func why(same []*Judgement) string {
	text := ""
	for _, j := range same {
		switch reading := j.Reading(); {
		case j.Because != "" && j.Rows[len(j.Rows)-1].Agreement == Contradicted:
			return j.Because
		case j.Itself && j.Rows[0].Agreement == Contradicted:
			return fmt.Sprintf("the text says %s; %s it is %s", number(j.Rows[0].Published), reading.Name,
				brief(j.Rows[0].Computed))
		case !j.agrees() && len(j.Readings) > 1:
			return "nearest reading: " + reading.Name
		case reading.Change != "":
			text = reading.Change
		case text == "":
			text = reading.Name
		}
	}
	return text
}
