package panel

import (
	"fmt"
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Events is what happened when, one below the other. A click goes to the moment.
type Events struct {
	rows []eventRow
}

// Event is a moment at which something happens.
type Event struct {
	When, Text string
	Weight     int // how much it explains: where there is no room for all, those of the least are left out
}

// eventRow is an event that has room.
type eventRow struct {
	Event
	number int // among all
	area   draw.Rect
	lines  []string
}

// Sizes of a row, points: the height of a line, the air below it, and the room of the time.
const (
	eventLine = 16
	eventAir  = 4
	eventTime = 58
)

func (e *eventRow) height() float64 { return eventLine*float64(len(e.lines)) + eventAir }

// Place lays events out in an area, and returns how many have no room there.
func (p *Events) Place(l *draw.List, t *ui.Theme, area draw.Rect, events []Event) (left int) {
	p.rows = nil
	whole := 0.0
	for i, e := range events {
		row := eventRow{Event: e, number: i, lines: l.Wrap(t.Small, e.Text, area.W-eventTime)}
		p.rows = append(p.rows, row)
		whole += row.height()
	}
	for weight := 0; whole > area.H && len(p.rows) > 0; {
		at := slices.IndexFunc(p.rows, func(row eventRow) bool { return row.Weight <= weight })
		if at < 0 {
			weight++
			continue
		}
		whole -= p.rows[at].height()
		p.rows = slices.Delete(p.rows, at, at+1)
	}
	for i := range p.rows {
		p.rows[i].area, area = area.CutTop(p.rows[i].height())
	}
	return len(events) - len(p.rows)
}

// Shown returns the numbers of the events that have room, and where they are.
func (p *Events) Shown() (numbers []int, areas []draw.Rect) {
	for _, row := range p.rows {
		numbers, areas = append(numbers, row.number), append(areas, row.area)
	}
	return numbers, areas
}

// Draw writes the events.
func (p *Events) Draw(l *draw.List, t *ui.Theme) {
	for _, row := range p.rows {
		first, _ := row.area.Trim(0, eventAir/2, 0, 0).CutTop(eventLine)
		time, text := first.CutLeft(eventTime)
		l.TextIn(t.Small, time.Trim(8, 0, 4, 0), draw.Left, t.Muted, row.When)
		l.Lines(t.Small, text, draw.Left, t.Ink, row.lines)
	}
}

// DrawPast marks the events that have happened.
func (p *Events) DrawPast(l *draw.List, t *ui.Theme, happened func(number int) bool) {
	for _, row := range p.rows {
		ink := t.Grid
		if happened(row.number) {
			ink = t.Accent
		}
		l.Rect(draw.Rect{X: row.area.X, Y: row.area.Y + 1, W: 3, H: row.area.H - 2}, ink)
	}
}

// Operate returns the number of the event that is clicked, -1 for none.
func (p *Events) Operate(c *ui.Context) int {
	chosen := -1
	for i, row := range p.rows {
		if _, clicked := c.Spot(fmt.Sprintf("event.%d", i), row.area, ""); clicked {
			chosen = row.number
		}
	}
	return chosen
}
