package main

import (
	"fmt"
	"io"
	"sync"

	"veilpath/assets"
	"veilpath/configs"
	"veilpath/sim/record"
	"veilpath/sim/report"
)

// draw writes the figure of a study as PNG and SVG.
func (r *studyResult) draw(folder *record.Folder) error {
	e := r.study.Experiment
	published, err := publishedFor(r.loaded.Config)
	if err != nil {
		return err
	}
	figure, err := report.StudyFigure(report.StudyResult{
		Summaries:   r.summaries[0],
		DetectionKm: r.tally.DetectionKm,
		Nominal:     e.Nominal,
		HandoverKm:  e.Scenario.HandoverKm,
		Delta:       e.Mechanism.Delta,
		RadiusKm:    e.Adversary.RadiusKm,
		Published:   published,
	})
	if err != nil {
		return err
	}
	return writeFigure(folder, "figure", figure)
}

// writeFigure writes a figure as name.png and name.svg, both at once.
func writeFigure(folder *record.Folder, name string, figure *report.Figure) error {
	var drawing sync.WaitGroup
	var errPNG, errSVG error
	drawing.Go(func() {
		errPNG = folder.Write(name+".png", func(w io.Writer) error { return figure.WritePNG(w) })
	})
	errSVG = folder.Write(name+".svg", func(w io.Writer) error { return figure.WriteSVG(w) })
	drawing.Wait()
	if errPNG != nil {
		return errPNG // what keeps one from being written mostly keeps the other
	}
	return errSVG
}

// publishedFor returns the paper's curve of mean detection distances for the closed loop it was published
// for, and nil for any other. Which epsilons are flown, how often and with which noise does not matter.
func publishedFor(c configs.Config) (*report.Series, error) {
	paper := configs.Default()
	c.Study, c.Privacy.Epsilon = paper.Study, paper.Privacy.Epsilon
	if c.SHA256() != paper.SHA256() {
		return nil, nil
	}
	file, err := assets.Published.Open("published/fig_ex3_detection_distance_vs_eps.csv")
	if err != nil {
		return nil, fmt.Errorf("reading the published curve: %w", err)
	}
	defer file.Close()
	curve, err := report.ReadSeries(file, "eps", "private_mean_detection_distance_km")
	if err != nil {
		return nil, err
	}
	curve.Label, curve.Mark, curve.Hue = "published mean\n(arXiv 2309.12476)", report.Published, 1
	return &curve, nil
}
