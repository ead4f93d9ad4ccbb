package flightfile

import (
	"slices"

	"veilpath/adversary"
	"veilpath/internal/table"
)

// CurvesName is the name of the file with the detection curves of a study's flights.
const CurvesName = "curves.parquet"

// CurveStep is a step of the detection curve of a flight. Observers with radii from RadiusKm up to that of the
// flight's next step recognise the destination at DetectionKm. Observers with radii below the first step never
// recognise it.
type CurveStep struct {
	Flight         int
	RadiusKm       float64
	DetectionKm    float64
	BeforeHandover bool
}

// CurveColumns returns the columns of curves.parquet in order.
func CurveColumns() []table.Column[CurveStep] {
	return []table.Column[CurveStep]{
		{Name: "flight", Unit: "1", Meaning: "name of the flight, as in axis.parquet", Whole: true,
			Value: func(c *CurveStep) float64 { return float64(c.Flight) }},
		{Name: "radius_km", Unit: "km", Meaning: "smallest recognition radius for which this row holds, up to that of " +
			"the flight's next row; below the first, the flight is not recognised", Value: func(c *CurveStep) float64 {
			return c.RadiusKm
		}},
		{Name: "detection_km", Unit: "km", Meaning: "distance to the target at detection",
			Value: func(c *CurveStep) float64 { return c.DetectionKm }},
		{Name: "detected_before_handover", Unit: "1", Meaning: "1 where waypoints were still commanded there, otherwise 0",
			Whole: true, Value: func(c *CurveStep) float64 {
				if c.BeforeHandover {
					return 1
				}
				return 0
			}},
	}
}

// Curve appends the steps of a flight's curve to a slice, in the order of increasing radii.
func Curve(flight int, c *adversary.Curve, to []CurveStep) []CurveStep {
	for _, corner := range slices.Backward(c.Corners()) {
		to = append(to, CurveStep{Flight: flight, RadiusKm: corner.RadiusKm, DetectionKm: corner.DistanceKm,
			BeforeHandover: c.Detect(corner.RadiusKm).BeforeHandover})
	}
	return to
}
