package screen

import (
	"slices"
	"strings"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// watcherItems lists who may watch, and below whose guesses are drawn too, with where each recognises the flight on
// show.
func (s *Screen) watcherItems() []panel.Item {
	var items, also []panel.Item
	for _, m := range model.Observers() {
		items = append(items, panel.Item{ID: "watcher." + m.Name, Text: answer.Spoken(m.Name + ": " + m.Meaning),
			On:     m.Name == s.Model.Config.Adversary.Observer,
			Choose: func() { s.Model.SetObserver(m.Name) }})
		if w := s.Watcher(m.Name); w != nil {
			also = append(also, panel.Item{ID: "also." + m.Name,
				Text:   "Draw its guess too: " + answer.Spoken(m.Name) + ", " + answer.CaughtText(w),
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
	s.fold(layout.PanelGuess, false) // which draws it
}

// parseAlso reads names of observers with commas in between.
func parseAlso(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	names := strings.Split(text, ",")
	for _, name := range names {
		if m, err := adversary.Find(name); err != nil || m.Goal {
			return nil, link.Refuse(link.Also, name, "observers of where flights end")
		}
	}
	return names, nil
}
