package campaign

import (
	"io"
	"os"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner/problem"
)

// Problem reads a problem with its settings, for the packages costs, tuning and policies. Its name is that of a preset,
// of a file of settings, or of a file of a problem in a format of package problem, also with .gz. The settings of a
// preset or a file of settings take the place of settings.Config.
func Problem(name string, settings configs.Request) (*setup.Input, error) {
	return setup.Source{
		Open:  problem.Unzipped(func(path string) (io.ReadCloser, error) { return os.Open(path) }),
		Whole: os.ReadFile,
		Load: func(config string) (*configs.Loaded, error) {
			if config != "" {
				settings.Config = config
			}
			return configs.Load(settings)
		},
	}.Problem(name, setup.Choice{})
}
