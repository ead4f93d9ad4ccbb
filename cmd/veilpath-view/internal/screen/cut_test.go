package screen

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// No text is cut off for lack of room but the line of settings on the bar, which panels and lists have whole.
func TestNoTextIsCutOff(t *testing.T) {
	for _, size := range [][2]float64{{1024, 640}, {640, 480}, {320, 568}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		d.Library = entries(3)
		d.Model.SetRuns(200)
		d.wholeAxis()
		look := func(what, last string) {
			ended := false
			for _, w := range d.written(false) {
				words, waits := strings.CutSuffix(w.text, " …") // "Flying …" is whole, a number has a unit
				_, err := strconv.ParseFloat(words, 64)
				cut := strings.HasSuffix(w.text, "…") && (!waits || err == nil || strings.Contains(words, "…"))
				if cut && !w.r.Overlaps(d.Layout.Bar) {
					t.Errorf("%v, %s: %q is cut off", size, what, w.text)
				}
				ended = ended || strings.HasSuffix(w.text, last)
			}
			if !ended {
				t.Errorf("%v, %s: the end %q is not shown", size, what, last)
			}
		}
		d.Tab = layout.TabFlights
		d.Model.SetRuns(1000)
		look("flights so far", "")
		d.Model.SetRuns(200)
		d.Tab = layout.TabSettings
		d.Model.SetRadius(0.0579)
		d.settled()
		look("a radius of many digits", "")
		d.Model.SetRadius(d.Standard.Adversary.RadiusKm)
		d.Tab = layout.TabFlights
		d.Model.SetEpsilon(0.1)
		d.settled()
		look("panel of flights, not compared", "")
		d.Model.SetEpsilon(d.Standard.Privacy.Epsilon)
		d.do("compare")
		d.Model.SetEpsilon(0.4)
		for tab := range layout.TabNone {
			d.Tab = tab
			look(fmt.Sprint("panel ", tab), "")
		}
		d.Choose(answer.Selection{Kind: answer.ByDistance, Spans: [2][2]float64{{40, 75}}})
		for _, tab := range []layout.Tab{layout.TabFlights, layout.TabMap} {
			d.Tab = tab
			of := either(d.Layout.Survey.Empty(), "", d.SurveyOf())
			look(fmt.Sprint("selected, panel ", tab), either(tab == layout.TabMap, of, lastWord(d.PairText())))
		}
		d.Choose(answer.Selection{})
		d.Tab = layout.TabWhy
		look("why", lastWord(d.Why().Sentence))
		for _, l := range append(d.sections(), panel.Section{}) {
			d.palette.Begin(l.Title)
			look("palette "+l.Title, "")
		}
		d.palette.Open = false
		for step := range d.Story.Steps {
			if err := d.Tell(step + 1); err != nil {
				t.Fatal(err)
			}
			for range 4 {
				d.Model.Work()
				d.step(ui.Input{Outside: true})
			}
			look(fmt.Sprint("step ", step+1), lastWord(d.storyText()))
		}
	}
}

func lastWord(text string) string { return text[strings.LastIndex(text, " ")+1:] }
