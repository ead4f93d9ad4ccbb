package screen

import (
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// watcherItems lists who may watch.
func (s *Screen) watcherItems() []panel.Item {
	var items []panel.Item
	for _, m := range model.Observers() {
		items = append(items, panel.Item{ID: "watcher." + m.Name, Text: answer.Spoken(m.Name + ": " + m.Meaning),
			On:     m.Name == s.Model.Config.Adversary.Observer,
			Choose: func() { s.Model.SetObserver(m.Name) }})
	}
	return items
}
