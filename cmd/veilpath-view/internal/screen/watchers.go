package screen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// watchers is what observers make of the flight on show, each worked out once for every change; nil for those who
// infer the goal.
type watchers struct {
	version uint64
	known   map[string]*model.Watcher
}

// watcher returns what an observer makes of the flight on show, nil for one who infers the goal.
func (s *Screen) watcher(name string) *model.Watcher {
	c := &s.watchers
	if c.version != s.Model.Version || c.known == nil {
		*c = watchers{s.Model.Version, map[string]*model.Watcher{}}
	}
	w, known := c.known[name]
	if !known {
		if all := s.Model.Watchers([]string{name}); len(all) > 0 {
			w = &all[0]
		}
		c.known[name] = w
	}
	return w
}

// alsoWatching returns the observers that are switched on beside the one in force.
func (s *Screen) alsoWatching() []*model.Watcher {
	var also []*model.Watcher
	for _, name := range s.Also {
		if w := s.watcher(name); w != nil && name != s.Model.Config.Adversary.Observer {
			also = append(also, w)
		}
	}
	return also
}

// spoken is an observer's name as people read it.
func spoken(observer string) string { return strings.ReplaceAll(observer, "_", " ") }

// watcherItems lists who may watch, and below whose guesses are drawn too, with where each recognises the flight on
// show.
func (s *Screen) watcherItems() []panel.Item {
	var items, also []panel.Item
	for _, m := range adversary.Models() {
		items = append(items, panel.Item{ID: "watcher." + m.Name, Text: spoken(m.Name) + ": " + m.Meaning,
			On:     m.Name == s.Model.Config.Adversary.Observer,
			Choose: func() { s.Model.SetObserver(m.Name) }})
		if w := s.watcher(m.Name); w != nil {
			also = append(also, panel.Item{ID: "also." + m.Name,
				Text:   "Draw its guess too: " + spoken(m.Name) + ", " + caughtText(w),
				On:     slices.Contains(s.Also, m.Name),
				Choose: func() { s.switchWatcher(m.Name) }})
		}
	}
	return append(items, also...)
}

// switchWatcher draws the guesses of an observer beside those of the one in force, or no longer.
func (s *Screen) switchWatcher(name string) {
	if at := slices.Index(s.Also, name); at >= 0 {
		s.Also = slices.Delete(slices.Clone(s.Also), at, at+1)
		return
	}
	s.Also = append(slices.Clone(s.Also), name)
}

// caughtText says where an observer recognises the flight on show.
func caughtText(w *model.Watcher) string {
	if !w.Detection.Detected {
		return "never recognised"
	}
	return "recognised " + fixed(w.Detection.DistanceKm, 1) + " km from the target"
}

// watcherInk is the colour of an observer that is switched On: none that the kept flight has beside them.
func (s *Screen) watcherInk(i int) colour {
	t := s.theme()
	inks := []colour{t.Marks[2], t.Muted, s.keptInk()}
	if s.Model.Pair != nil {
		inks = inks[:2]
	}
	return inks[i%len(inks)]
}

// watcherLines draws the errors of the observers that are switched on.
func (s *Screen) watcherLines(l *draw.List, p *chart.Plot) {
	f := s.Model.Flight()
	for i, w := range s.alsoWatching() {
		p.Curve(l, &s.line, len(w.ErrorKm), func(k int) (float64, float64) { return s.errorX(f, k), w.ErrorKm[k] }, 1.4,
			s.watcherInk(i))
		if w.Detection.Detected {
			at := w.Detection.Sample
			l.Ring(p.At(s.errorX(f, at), math.Max(w.ErrorKm[at], leastErrorKm)), 4, 1.6, s.watcherInk(i))
		}
	}
}

// watcherNames names those lines, over all of them.
func (s *Screen) watcherNames(l *draw.List, p *chart.Plot) {
	t := s.theme()
	for i, w := range s.alsoWatching() {
		text := spoken(w.Name)
		if w.Detection.Detected {
			text += " " + fixed(w.Detection.DistanceKm, 1) + " km"
		}
		box := draw.Rect{X: p.Area.X + 3, Y: p.Area.Y + 17 + 15*float64(i), W: l.Width(t.Small, text) + 8, H: 15}
		l.RoundRect(box, 3, ui.Faded(t.Panel, 0.85))
		l.TextIn(t.Small, box, draw.Center, s.watcherInk(i), text)
	}
}

// watcherErrors says how far off the guesses of the observers that are switched on are at a sample.
func (s *Screen) watcherErrors(sample int) string {
	text := ""
	for _, w := range s.alsoWatching() {
		text += fmt.Sprintf("; that of %s by %s", spoken(w.Name), distanceText(w.ErrorKm[sample]))
	}
	return text
}

// parseAlso reads names of observers with commas in between.
func parseAlso(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	names := strings.Split(text, ",")
	for _, name := range names {
		if m, err := adversary.Find(name); err != nil || m.Goal {
			return nil, fmt.Errorf("the link draws the guesses of %q too, who is no observer of where flights end", name)
		}
	}
	return names, nil
}
