package main

import (
	"errors"
	"veilpath/sim/campaign"

	"github.com/spf13/cobra"

	"veilpath/configs"
	"veilpath/internal/reproduce"
)

func (a *app) reproduceCommand() *cobra.Command {
	var flags workFlags
	cmd := verb("reproduce", nil, func(cmd *cobra.Command, names []string) error {
		return a.reproduce(cmd, names, flags)
	})
	addWorkFlags(cmd, &flags)
	return cmd
}

func (a *app) reproduce(cmd *cobra.Command, names []string, flags workFlags) error {
	items, err := reproduce.Select(names)
	if err != nil {
		return usageError{err}
	}
	loaded, examples, err := a.reproduceSettings(cmd)
	if err != nil {
		return err
	}
	program := a.program()
	r, err := campaign.NewReproduction(program, items, loaded, examples)
	if err != nil {
		return err
	}
	err = a.ask(cmd, flags, program, r)
	if setting := (reproduce.SettingError{}); errors.As(err, &setting) {
		return usageError{err}
	}
	return err
}

// reproduceSettings loads the three presets with the same flags.
func (a *app) reproduceSettings(cmd *cobra.Command) (waypoints *configs.Loaded, examples [2]configs.Config, err error) {
	if waypoints, err = a.load(cmd, nil); err != nil {
		return nil, examples, err
	}
	for i, preset := range []string{configs.TwoState, configs.Gridworld} {
		request := a.request(cmd, nil)
		request.Config = preset
		loaded, err := configs.Load(request)
		if err != nil {
			return nil, examples, err
		}
		examples[i] = loaded.Config
	}
	return waypoints, examples, nil
}
