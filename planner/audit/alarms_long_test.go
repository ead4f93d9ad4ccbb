//go:build long

package audit_test

import (
	"fmt"
	"testing"
)

// shapes are numbers of releases and of entries.
var shapes = [][2]int{
	{2, 2}, {2, 3}, {2, 200}, {3, 2}, {3, 3}, {4, 4}, {5, 40}, {8, 2}, {8, 3}, {8, 4}, {8, 6}, {8, 100}, {12, 12}, {16, 3},
	{20, 20},
	{30, 2}, {30, 10}, {60, 5}, {60, 60}, {100, 3}, {200, 2},
}

// Noise that is as described alarms no more often than is stated, at every size.
func TestFalseAlarmsOfTablesOfEverySize(t *testing.T) { falseAlarms(t, 100, shapes[:16]) }

// Every mechanism with a guarantee passes a hundred audits.
func TestMechanismsPassManyAudits(t *testing.T) { passes(t, 100) }

// BenchmarkFalseAlarms says how often noise that is as described alarms at stated rates, as alarms@rate: b.N audits
// each.
func BenchmarkFalseAlarms(b *testing.B) {
	rates := []float64{0.1, 0.05, 0.01}
	for _, l := range laws {
		for _, shape := range shapes {
			b.Run(fmt.Sprintf("%s/%dx%d", l.name, shape[0], shape[1]), func(b *testing.B) {
				for i, count := range alarms(b, l, shape, b.N, rates) {
					b.ReportMetric(float64(count)/float64(b.N), fmt.Sprintf("alarms@%g", rates[i]))
				}
			})
		}
	}
}
