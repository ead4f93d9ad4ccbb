package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"veilpath/cmd/internal/terminal"
	"veilpath/sim/campaign"
)

func (a *app) runCommand() *cobra.Command {
	var run int
	var nominal, view bool
	var from string
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Fly one run and say where it was recognised",
		Long: `run flies a single run: the private policy of run number --run at --epsilon, the same flight that a study
with the same seed makes of it, or with --nominal the flight without privacy. With --out it writes the
flight step by step, trajectory.csv and trajectory.parquet, and manifest.json. With --from it repeats a run
of a recorded study under that study's settings, and checks that it comes out as recorded, to the bit. With
--view it hands the flight to the viewer, in the browser, until Ctrl-C.`,
		Example: `  veilpath run --epsilon 0.4 --run 3
  veilpath run --nominal --format json
  veilpath run --epsilon 1 --run 12 --out out/flight
  veilpath run --from out/study-001 --epsilon 0.4 --run 17 --view`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.checkRunFlags(cmd); err != nil {
				return err
			}
			var flight *campaign.Flight
			var err error
			if from != "" {
				flight, err = a.flyAgain(cmd, from, run)
			} else {
				flight, err = a.flyOne(cmd, run, nominal)
			}
			if err != nil {
				return err
			}
			if view && !a.keeps() { // the viewer reads files all the same
				if a.out, err = os.MkdirTemp("", "veilpath-run-"); err != nil {
					return err
				}
				defer os.RemoveAll(a.out)
			}
			folder := ""
			if a.out != "" || view { // to the next free folder without --out
				if folder, err = a.writeFlight(flight); err != nil {
					return err
				}
			}
			if err := a.printFlight(describe(flight)); err != nil || !view {
				return err
			}
			return a.view(cmd.Context(), folder, 0, true, a.stderr) // standard output has the flight
		},
	}
	flags := cmd.Flags()
	flags.String("epsilon", "", "strength of privacy (privacy.epsilon)")
	flags.Var(terminal.Whole(&run, 0, 0, mostRun), "run", "`number` of the run within the study, from 0")
	flags.BoolVar(&nominal, "nominal", false, "fly without privacy, straight to the target")
	flags.StringVar(&from, "from", "", "repeat a run of the study in this `folder`; --epsilon and, where it swept a key, --set say which")
	flags.BoolVar(&view, "view", false, "play the flight back in the browser; its address is printed")
	return cmd
}

// mostRun is beyond the runs that a study may have.
const mostRun = 1_000_000_000

// checkRunFlags refuses flags of run that do not go together.
func (a *app) checkRunFlags(cmd *cobra.Command) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	if cmd.Flag("nominal").Value.String() != "true" {
		return nil
	}
	for _, c := range []struct{ flag, why string }{
		{"epsilon", "is without privacy"},
		{"run", "is without privacy, and every run of it the same"},
		{"from", "is in no record of a study"},
	} {
		if cmd.Flag(c.flag).Changed {
			return usageError{fmt.Errorf("--nominal and --%s exclude each other: the nominal flight %s; leave one out", c.flag, c.why)}
		}
	}
	return nil
}

// flightResult is one flight, as printed.
type flightResult struct {
	Nominal         bool     `json:"nominal"`
	Epsilon         *float64 `json:"epsilon,omitempty"`
	Delta           *float64 `json:"delta,omitempty"`
	Sigma           *float64 `json:"sigma,omitempty"`
	Seed            *uint64  `json:"seed,omitempty"`
	Run             *int     `json:"run,omitempty"`
	Detected        bool     `json:"detected"`
	DetectionKm     float64  `json:"detection_km"`
	BeforeHandover  bool     `json:"detected_before_handover"`
	HandoverKm      float64  `json:"handover_km"`
	HeadingErrorDeg float64  `json:"heading_error_deg"`
	FlightTimeS     float64  `json:"flight_time_s"`
	Transitions     int      `json:"transitions"`
	Fallback        bool     `json:"fallback"`
	TimedOut        bool     `json:"timed_out"`
	CostOfPrivacy   float64  `json:"cost_of_privacy"`
	PathOverhead    float64  `json:"path_overhead"`
}

// flyOne flies a run of the settings given.
func (a *app) flyOne(cmd *cobra.Command, run int, nominal bool) (*campaign.Flight, error) {
	loaded, err := a.load(cmd, map[string]string{"epsilon": "privacy.epsilon"})
	if err != nil {
		return nil, err
	}
	program, _ := a.program()
	return program.Fly(loaded, run, nominal)
}

// flyAgain repeats a run of a recorded study.
func (a *app) flyAgain(cmd *cobra.Command, from string, run int) (*campaign.Flight, error) {
	for _, name := range []string{"config", "seed"} {
		if cmd.Flag(name).Changed {
			return nil, usageError{fmt.Errorf("--%s: --from takes the settings from %s; leave it out", name, from)}
		}
	}
	if sameFile(from, a.out) {
		return nil, usageError{fmt.Errorf("--out %s: it holds the study; name another folder for the flight", a.out)}
	}
	program, _ := a.program()
	flight, err := program.Refly(cmd.Context(), campaign.Recorded{Folder: from, Epsilon: cmd.Flag("epsilon").Value.String(), Sets: a.sets, Run: run})
	if err != nil {
		return nil, advise(err)
	}
	a.remark("as recorded in %s, to the bit", from)
	return flight, nil
}

// writeFlight writes the time history and the manifest, and returns where.
func (a *app) writeFlight(flight *campaign.Flight) (string, error) {
	folder, err := a.freshFolder("run")
	if err != nil {
		return "", err
	}
	defer folder.Close()
	if err := flight.Write(folder); err != nil {
		return "", err
	}
	a.remark("written to %s", folder.Path())
	return folder.Path(), nil
}

// describe returns a flight as it is printed.
func describe(f *campaign.Flight) flightResult {
	r := f.Run
	result := flightResult{
		Nominal: f.Nominal, Detected: r.Detected, DetectionKm: r.DetectionKm, BeforeHandover: r.BeforeHandover,
		HandoverKm: r.HandoverKm, HeadingErrorDeg: r.HeadingErrorDeg, FlightTimeS: r.FlightTimeS,
		Transitions: r.Transitions, Fallback: r.Fallback, TimedOut: r.TimedOut,
		CostOfPrivacy: r.CostOfPrivacy, PathOverhead: r.PathOverhead,
	}
	if !f.Nominal {
		result.Epsilon, result.Delta, result.Sigma = &f.Draw.Epsilon, &f.Settings.Privacy.Delta, &f.Sigma
		result.Seed, result.Run = &f.Draw.Seed, &f.Draw.Run
	}
	return result
}

// fields lists a flight as name and value in the order people read it.
func (r *flightResult) fields() [][2]string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	var rows [][2]string
	if !r.Nominal {
		rows = append(rows, [2]string{"epsilon", number(*r.Epsilon)}, [2]string{"delta", number(*r.Delta)}, [2]string{"sigma", number(*r.Sigma)},
			[2]string{"seed", strconv.FormatUint(*r.Seed, 10)}, [2]string{"run", strconv.Itoa(*r.Run)})
	}
	return append(rows,
		[2]string{"detected", strconv.FormatBool(r.Detected)},
		[2]string{"detection_km", number(r.DetectionKm)},
		[2]string{"detected_before_handover", strconv.FormatBool(r.BeforeHandover)},
		[2]string{"handover_km", number(r.HandoverKm)},
		[2]string{"heading_error_deg", number(r.HeadingErrorDeg)},
		[2]string{"flight_time_s", number(r.FlightTimeS)},
		[2]string{"transitions", strconv.Itoa(r.Transitions)},
		[2]string{"fallback", strconv.FormatBool(r.Fallback)},
		[2]string{"timed_out", strconv.FormatBool(r.TimedOut)},
		[2]string{"cost_of_privacy", number(r.CostOfPrivacy)},
		[2]string{"path_overhead", number(r.PathOverhead)},
	)
}

// printFlight prints a flight in the format asked for.
func (a *app) printFlight(r flightResult) error {
	switch a.format {
	case "json":
		return a.printJSON(r)
	case "csv":
		table := csv.NewWriter(a.stdout)
		var names, values []string
		for _, f := range r.fields() {
			names, values = append(names, f[0]), append(values, f[1])
		}
		return table.WriteAll([][]string{names, values})
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, f := range r.fields() {
		fmt.Fprintf(table, "%s\t%s\n", f[0], f[1])
	}
	return table.Flush()
}
