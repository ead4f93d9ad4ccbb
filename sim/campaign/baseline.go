package campaign

import (
	"fmt"
	"math"
	"strings"

	"veilpath/configs"
)

// BaselineSentence returns a sentence on where the baselines of the first point are recognised. A part of a sweep
// may have no flight at that point.
func (r *Result) BaselineSentence() string {
	s := &r.Summaries[0][0]
	if s.Runs == 0 {
		return "There are no flights of the first point, and so no baselines."
	}
	return BaselineSentence(r.Settings.Config, true, s.PlannedKm, s.DirectKm)
}

// BaselineSentence returns a sentence on where the planned and the direct flight are recognised, km. directKm is
// NaN if there is no direct flight. With means, the distances are means over runs, which differ if runs draw more than
// noise.
func BaselineSentence(c configs.Config, means bool, plannedKm, directKm float64) string {
	recognised := func(km float64) string {
		text := RecognisedAt(Decimals(c), km)
		drawn := c.Vehicle.Heading.Random || c.Privacy.SpreadKm > 0
		if at, is := strings.CutPrefix(text, "recognised "); is && means && drawn {
			return "recognised on average " + at
		}
		return text
	}
	flight := directFlight(c, "that plan")
	direct := fmt.Sprintf("a %s is %s", flight, recognised(directKm))
	switch {
	case math.IsNaN(directKm) && c.Vehicle.Heading.Random:
		direct = fmt.Sprintf("not every run has a %s, because a cell in planner.keep_out may be in the way", flight)
	case math.IsNaN(directKm):
		direct = fmt.Sprintf("there is no %s, because a cell in planner.keep_out is in the way", flight)
	}
	return fmt.Sprintf("The plan without noise is %s; %s.", recognised(plannedKm), direct)
}

// settingsAt returns the settings of a point for sentences on its direct flight.
func (r *Result) settingsAt(point int) configs.Config {
	c := r.Settings.Config
	c.Vehicle.Heading.LineOfSight = !r.Points[point].Experiment.DirectTurns()
	return c
}

// directFlight describes the direct flight, to follow an article. With several goals it ends at the one of the plan
// without noise, which plan names.
func directFlight(c configs.Config, plan string) string {
	flight := "flight straight to "
	if !c.Vehicle.Heading.LineOfSight {
		flight = "flight that turns from its first heading to "
	}
	if len(c.Planner.Goals) > 0 { // beside target_km
		return flight + "the goal of " + plan
	}
	return flight + "the target"
}
