package screen

import (
	"veilpath/cmd/veilpath-view/internal/model"
)

// Facts are the numbers on screen, for tests that drive the program from outside.
type Facts struct {
	Epsilon     float64 `json:"epsilon"`
	RadiusKm    float64 `json:"radius_km"`
	Run         int     `json:"run"`
	Seed        uint64  `json:"seed"`
	Direct      bool    `json:"direct"`
	Planned     bool    `json:"planned"`
	DetectionKm float64 `json:"detection_km"`
	TimeS       float64 `json:"time_s"`
	Playing     bool    `json:"playing"`
	Runs        int     `json:"runs"`
	Fresh       int     `json:"fresh"`
	Message     string  `json:"message"`
	Hint        string  `json:"hint"`      // on what is pointed at
	Finished    bool    `json:"finished"`  // everything that is to be flown has been
	Preparing   bool    `json:"preparing"` // settings, which are not on show yet
	Record      string  `json:"record"`
	Recorded    float64 `json:"recorded_mean_km"` // of the record for these settings; 0 for none
	MeanKm      float64 `json:"mean_km"`          // 0 for none
}

// Facts returns the numbers on screen.
func (s *Screen) Facts() Facts {
	m := s.Model
	f := Facts{
		Epsilon: m.Config.Privacy.Epsilon, RadiusKm: m.Config.Adversary.RadiusKm, Run: m.RunNumber, Seed: m.Config.Study.Seed,
		Direct: m.Show == model.ShowDirect, Planned: m.Show == model.ShowPlanned, DetectionKm: m.Flight().Run.DetectionKm,
		TimeS: m.Clock.TimeS, Playing: m.Clock.Playing,
		Runs: m.Runs(), Fresh: m.Ensemble.Fresh,
		Message: m.Message.Text, Hint: s.UI.HintText(),
		Finished:  m.Ensemble.Complete() && (m.AxisComplete() || !m.HasAxis()),
		Preparing: m.Preparing(),
	}
	if m.Record != nil {
		row, _ := m.Recorded(f.Epsilon)
		f.Record, f.Recorded = m.Record.Name, row.MeanKm
	}
	if m.Ensemble.Fresh > 0 {
		f.MeanKm = m.Ensemble.Summary().MeanKm
	}
	return f
}
