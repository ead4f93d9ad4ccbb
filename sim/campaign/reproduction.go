package campaign

import (
	"context"
	"fmt"
	"time"

	"veilpath/configs"
	"veilpath/sim/pool"
	"veilpath/sim/record"
	"veilpath/sim/reproduce"
)

// Reproduction is the work of recomputing what the paper publishes.
type Reproduction struct {
	Items   []*reproduce.Item
	Results []*reproduce.Result // nil before Do
	Wall    time.Duration

	program  *Program
	loaded   *configs.Loaded
	settings *reproduce.Settings
}

// Samples is the work of reproductions.
const Samples Work = "samples"

// NewReproduction prepares the recomputing of items with settings, which loaded holds.
func (p *Program) NewReproduction(items []*reproduce.Item, loaded *configs.Loaded,
	settings *reproduce.Settings) *Reproduction {
	return &Reproduction{Items: items, program: p, loaded: loaded, settings: settings}
}

// Asked is all that the answer depends on.
func (r *Reproduction) Asked() Asked {
	var names []string
	for _, item := range r.Items {
		names = append(names, item.Name)
	}
	return Asked{Verb: "reproduce", Settings: r.loaded, Request: names}
}

// Do computes the items, after the samples that the keeper has.
func (r *Reproduction) Do(ctx context.Context, keeper pool.Keeper) (err error) {
	start, done, total := r.program.now(), 0, reproduce.Work(r.Items, r.settings)
	r.Results, err = reproduce.Run(ctx, r.Items, r.settings, keeper, func(n int) {
		done += n
		r.program.progress(Samples, done, total)
	})
	r.Wall = r.program.now().Sub(start)
	return err
}

// Write writes every number, the figures and the report.
func (r *Reproduction) Write(folder *record.Folder) error {
	made := fmt.Sprintf("veilpath %s, seed %d", r.program.Version, r.settings.Seed)
	return r.program.writeAnswer(folder, r.Asked(), Results{
		Files: reproduce.Files(r.Results, made), Figures: reproduce.Drawings(r.Results), Wall: r.Wall,
	})
}
