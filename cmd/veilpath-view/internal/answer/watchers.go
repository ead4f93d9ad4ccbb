package answer

import (
	"strings"

	"veilpath/cmd/veilpath-view/internal/model"
)

// Watcher returns what an observer makes of the flight on show, nil for one who infers the goal.
func (a *Answers) Watcher(name string) *model.Watcher {
	known := a.watchers.Get(a.Model.Version, func() map[string]*model.Watcher { return map[string]*model.Watcher{} })
	w, ok := known[name]
	if !ok {
		if all := a.Model.Watchers([]string{name}); len(all) > 0 {
			w = &all[0]
		}
		known[name] = w
	}
	return w
}

// AlsoWatching returns the observers that are switched on beside the one in force.
func (a *Answers) AlsoWatching() []*model.Watcher {
	var also []*model.Watcher
	for _, name := range a.Also {
		if w := a.Watcher(name); w != nil && name != a.Model.Config.Adversary.Observer {
			also = append(also, w)
		}
	}
	return also
}

// Spoken is an observer's name as people read it.
func Spoken(observer string) string { return strings.ReplaceAll(observer, "_", " ") }

// CaughtText says where an observer recognises the flight on show.
func CaughtText(w *model.Watcher) string {
	return recognisedText(w.Detection.Detected, w.Detection.DistanceKm, 1)
}
