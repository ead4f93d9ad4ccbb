package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"veilpath/sim/record"
	"veilpath/sim/study"
)

func (a *app) mergeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "merge FOLDER...",
		Short: "Join the parts of a study that was shared out",
		Long: `merge joins the parts that veilpath study --shard wrote, in any order, into one study. The files are byte
for byte those of the study flown in one piece, the manifest's wall_time_s and workers aside. Parts of
different studies, parts that overlap and parts that are missing or unfinished are refused by name.`,
		Example: `  veilpath study --runs 3000 --shard 1/2 --out parts/1
  veilpath study --runs 3000 --shard 2/2 --out parts/2
  veilpath merge parts/1 parts/2 --out out/whole`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("merge: no parts; name the folders that veilpath study --shard wrote")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.merge(cmd, args) },
	}
}

// part is a folder with a shard of a study.
type part struct {
	folder   string
	manifest record.Manifest
}

func (a *app) merge(cmd *cobra.Command, folders []string) error {
	if err := a.checkFormat(); err != nil {
		return err
	}
	if names := asked(cmd); len(names) > 0 {
		return usageError{fmt.Errorf("--%s: merge takes the settings from the parts; leave it out", names[0])}
	}
	for _, folder := range folders {
		if sameFile(folder, a.out) {
			return usageError{fmt.Errorf("--out %s: it is one of the parts; name another folder", a.out)}
		}
	}
	parts, err := a.readParts(folders)
	if err != nil {
		return err
	}
	whole := parts[0].manifest.Whole()
	o, err := a.recordedOrder(cmd, parts[0].folder, whole)
	if err != nil {
		return err
	}
	s, err := newSitting(o)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err := checkSlots(p.manifest.Shard, s.campaign.Slots()); err != nil {
			return fmt.Errorf("%s: %w", p.folder, err)
		}
	}
	s.manifest = whole
	folder, err := a.freshFolder("merge")
	if err != nil {
		return err
	}
	if err := folder.Write(record.RunsName, func(w io.Writer) error { return a.join(cmd.Context(), s, parts, w) }); err != nil {
		folder.Discard()
		return err
	}
	result := s.result(true)
	if err := result.write(folder); err != nil {
		return err
	}
	if err := a.printStudy(*result); err != nil {
		return err
	}
	a.remark("%s, %s, written to %s", count(len(parts), "part"), count(result.flights(), "flight"), folder.Path())
	return nil
}

// join writes the runs of all parts as one table and counts them.
func (a *app) join(ctx context.Context, s *sitting, parts []part, w io.Writer) error {
	runs := record.NewRunWriter(w, s.order.sweep, s.manifest.Version)
	bar := a.newProgress(s.schedule.Flights(), "flights")
	defer bar.end()
	for _, p := range parts {
		shard := p.manifest.Shard
		err := a.readRecorded(ctx, p.folder, p.manifest, s.campaign, s.campaign.NewSlots(shard.First, shard.End), func(point int, records []study.Run) error {
			s.add(point, records)
			bar.add(len(records))
			return runs.Add(point, records)
		})
		if err != nil {
			return err
		}
	}
	if err := runs.Close(); err != nil {
		return err
	}
	s.manifest.RunsSHA256 = runs.SHA256()
	return nil
}

// readParts reads the parts' manifests, in the order of their slots. They must make up one whole study.
func (a *app) readParts(folders []string) ([]part, error) {
	parts := make([]part, len(folders))
	for i, folder := range folders {
		m, err := a.readManifest(folder)
		switch {
		case err != nil:
			return nil, err
		case m.Verb != "study":
			return nil, fmt.Errorf("%s: not a part of a study: it holds a %s; name the folders that veilpath study --shard wrote", folder, m.Verb)
		case m.Shard == nil:
			return nil, fmt.Errorf("%s: not a part of a study: it was flown without --shard", folder)
		case !m.Complete:
			return nil, fmt.Errorf("%s: part %s is unfinished; finish it with: veilpath study --resume --out %s", folder, m.Shard, folder)
		}
		parts[i] = part{folder, m}
	}
	first := parts[0]
	for _, p := range parts[1:] {
		if p.manifest.Whole().Identity() != first.manifest.Whole().Identity() {
			return nil, fmt.Errorf("%s and %s are parts of different studies: %s", first.folder, p.folder,
				differences(first.manifest.Whole(), p.manifest.Whole()))
		}
	}
	slices.SortStableFunc(parts, func(p, q part) int {
		return cmp.Or(cmp.Compare(p.manifest.Shard.First, q.manifest.Shard.First), cmp.Compare(p.manifest.Shard.End, q.manifest.Shard.End))
	})
	return parts, adjoin(parts)
}

// adjoin refuses sorted parts that overlap or leave a gap.
func adjoin(parts []part) error {
	next, before := 0, "the beginning"
	for i, p := range parts {
		shard := p.manifest.Shard
		switch {
		case shard.First < next:
			return fmt.Errorf("%s (part %s) and %s (part %s) overlap: both hold %s; leave one out",
				parts[i-1].folder, parts[i-1].manifest.Shard, p.folder, shard, slotsText(p.manifest, shard.First, min(next, shard.End)))
		case shard.First > next:
			return gap(next, shard.First, before, p.folder, p.manifest)
		}
		next, before = shard.End, fmt.Sprintf("%s (part %s)", p.folder, shard)
	}
	if last := parts[len(parts)-1].manifest; next < last.Shard.Slots {
		return gap(next, last.Shard.Slots, before, "the end", last)
	}
	return nil
}

// gap says which slots are missing, and what parts they are where the parts are of one sharing, like that
// of a manifest.
func gap(first, end int, before, after string, like record.Manifest) error {
	var missing []string
	for i := 1; i <= like.Shard.Of; i++ {
		if s := record.NewShard(i, like.Shard.Of, like.Shard.Slots); s.First < end && s.End > first {
			missing = append(missing, s.String())
		}
	}
	names := "part " + missing[0]
	if len(missing) > 1 {
		names = "parts " + missing[0] + " to " + missing[len(missing)-1]
	}
	return fmt.Errorf("missing between %s and %s: %s, which is %s; fly that with --shard, or name its folder", before, after, slotsText(like, first, end), names)
}

// slotsText names the runs of the slots [first, end), and in a sweep their points.
func slotsText(m record.Manifest, first, end int) string {
	points := 1
	for _, s := range m.Sweep {
		points *= len(s.Values)
	}
	perPoint := max(1, m.Shard.Slots/points)
	from, to := first%perPoint, (end-1)%perPoint
	at, until := pointText(m.Sweep, first/perPoint), pointText(m.Sweep, (end-1)/perPoint)
	switch {
	case at != until:
		return fmt.Sprintf("run %d%s to run %d%s", from, at, to, until)
	case from != to:
		return fmt.Sprintf("runs %d to %d%s", from, to, at)
	}
	return fmt.Sprintf("run %d%s", from, at)
}

// pointText names a point of a sweep, in the manner of --set; without a sweep there is nothing to name.
func pointText(sweep []record.Swept, point int) string {
	if len(sweep) == 0 {
		return ""
	}
	var settings []string
	for i, v := range record.PointValues(sweep, point) {
		settings = append(settings, sweep[i].Key+"="+record.SweptText(v))
	}
	return " at " + strings.Join(settings, " ")
}
