package reproduce

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"veilpath/assets"
)

// published is a table of the paper.
type published struct{ *assets.Published }

// open reads a table of the paper.
func open(name string) (published, error) {
	table, err := assets.OpenPublished(name)
	if err != nil {
		return published{}, fmt.Errorf("reproduce: %w", err)
	}
	return published{table}, nil
}

// fullPrecision is the smallest number of significant digits of a number printed in full, which may have lost
// zeros at its end.
const fullPrecision = 13

// halfUnit returns half a unit of the last digit of a printed number, 0 for a number printed in full.
func halfUnit(text string) float64 {
	digits := strings.NewReplacer(".", "", "-", "").Replace(text)
	if len(strings.TrimLeft(digits, "0")) >= fullPrecision {
		return 0
	}
	_, decimals, _ := strings.Cut(text, ".")
	unit, err := strconv.ParseFloat("5e-"+strconv.Itoa(len(decimals)+1), 64)
	if err != nil {
		panic("reproduce: " + err.Error()) // the text is made of digits
	}
	return unit
}

// numbers reads column y at the places in column x. Rows in which y is blank are left out. All numbers of a curve
// have the precision of the most precise one; in a table each number has its own precision.
func (p published) numbers(x, y, label string, curve bool) ([]Number, error) {
	xAt, err := p.Column(x)
	if err != nil {
		return nil, err
	}
	yAt, err := p.Column(y)
	if err != nil {
		return nil, err
	}
	var numbers []Number
	for _, row := range p.Rows {
		if row[yAt] == "" {
			continue
		}
		n := Number{Label: label + row[xAt], HalfUnit: halfUnit(row[yAt])}
		if n.X, err = strconv.ParseFloat(row[xAt], 64); err == nil {
			n.Published, err = strconv.ParseFloat(row[yAt], 64)
		}
		if err != nil {
			return nil, fmt.Errorf("reproduce: %s: %w", p.Name, err)
		}
		numbers = append(numbers, n)
	}
	if curve {
		finest := numbers[0].HalfUnit
		for _, n := range numbers {
			finest = min(finest, n.HalfUnit)
		}
		for i := range numbers {
			numbers[i].HalfUnit = finest
		}
	}
	return numbers, nil
}

// scalar reads a number of the text.
func scalar(name, label string) (Number, error) {
	p, err := open("scalars")
	if err != nil {
		return Number{}, err
	}
	for _, row := range p.Rows {
		if row[0] == name {
			v, err := strconv.ParseFloat(row[1], 64)
			return Number{Label: label, Published: v, HalfUnit: halfUnit(row[1])}, err
		}
	}
	return Number{}, fmt.Errorf("reproduce: the paper's scalars have no %s", name)
}

// numbersAt reads the numbers of a curve at some places. If there are none the error is a SettingError.
func (p published) numbersAt(x, y, label string, places []float64) ([]Number, error) {
	all, err := p.numbers(x, y, label, true)
	if err != nil {
		return nil, err
	}
	var printed []float64
	for _, n := range all {
		printed = append(printed, n.X)
	}
	numbers := slices.DeleteFunc(all, func(n Number) bool { return !slices.Contains(places, n.X) })
	if len(numbers) == 0 {
		return nil, settingError("the paper prints %s at %s = %v, and none of these is among %v; choose some of them", y, x,
			printed, places)
	}
	return numbers, nil
}
