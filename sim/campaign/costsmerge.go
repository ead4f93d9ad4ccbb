package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"veilpath/internal/option"
	"veilpath/internal/record"
	"veilpath/sim/cost"
)

// VerbOf returns the verb that wrote a folder; empty where that cannot be told.
func (p *Program) VerbOf(folder string) string {
	m, err := p.ReadManifest(folder)
	if err != nil {
		return ""
	}
	return m.Verb
}

// costPart is a folder with part of the runs.
type costPart struct {
	folder   string
	manifest record.Manifest
	asked    costsAsked
}

// MergeCosts joins the parts of a study of costs that was shared out. Parts of different studies, parts that overlap
// and parts that are missing or unfinished are refused by name.
func (p *Program) MergeCosts(ctx context.Context, folders []string) (*Costs, error) {
	parts, err := p.costParts(ctx, folders)
	if err != nil {
		return nil, err
	}
	whole := parts[0].asked
	whole.Shard = nil
	settings, err := p.recordedSettings(parts[0].folder, parts[0].manifest)
	if err != nil {
		return nil, err
	}
	s := &Costs{program: p, settings: settings, asked: whole, most: parts[0].asked.Shard.Runs,
		tally: cost.NewTally(whole.Facts, 0)}
	for _, part := range parts {
		rows, err := p.readCosts(part.folder, CostsName, whole.Mechanisms)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(part.folder, CostsName)
		if err := s.take(path, rows); err != nil {
			return nil, err
		}
		if s.Runs() != part.asked.Shard.End {
			return nil, fmt.Errorf("%s: ends at run %d, not %d; it is not the file that was written", path, s.Runs(),
				part.asked.Shard.End)
		}
		if err := s.takePieces(part); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// takePieces takes over what the runs of a part cost on a range of epsilon, if there is one.
func (s *Costs) takePieces(part costPart) error {
	if s.asked.Axis == nil {
		return nil
	}
	text, err := record.ReadFile(s.program.disk(), part.folder, record.AxisName, mostOfCosts)
	if err != nil {
		return err
	}
	path := filepath.Join(part.folder, record.AxisName)
	pieces, err := readCostPieces(bytes.NewReader(text), int64(len(text)), s.asked.Mechanisms)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	next := part.asked.Shard.First
	for _, piece := range pieces {
		if piece.Run == next {
			next++
		}
		if piece.Run != next-1 {
			return fmt.Errorf("%s: run %d is not the next one; it is not the file that was written", path, piece.Run)
		}
	}
	if next != part.asked.Shard.End {
		return fmt.Errorf("%s: ends at run %d, not %d; it is not the file that was written", path, next, part.asked.Shard.End)
	}
	s.pieces = append(s.pieces, pieces...)
	return nil
}

// costParts reads the parts, in the order of their runs.
func (p *Program) costParts(ctx context.Context, folders []string) ([]costPart, error) {
	var parts []costPart
	for _, folder := range folders {
		part, err := p.costPart(ctx, folder)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	slices.SortStableFunc(parts, func(a, b costPart) int { return a.asked.Shard.First - b.asked.Shard.First })
	next := 0
	for i, part := range parts {
		shard := part.asked.Shard
		if first := parts[0]; first.asked.Version != part.asked.Version {
			return nil, fmt.Errorf("veilpath %s did %s and veilpath %s %s; do one of them again with the other's program",
				first.asked.Version, first.folder, part.asked.Version, part.folder)
		} else if !first.asked.same(part.asked) {
			return nil, fmt.Errorf("%s and %s are parts of different studies; compare their %s", first.folder, part.folder,
				CostsRequestName)
		}
		switch {
		case i > 0 && shard.First < next:
			return nil, fmt.Errorf("%s and %s overlap in run %d; leave one of them out", parts[i-1].folder, part.folder,
				shard.First)
		case shard.First > next:
			return nil, fmt.Errorf("runs %d to %d are in none of the folders; add the part that has them", next, shard.First-1)
		}
		next = shard.End
	}
	if runs := parts[0].asked.Shard.Runs; next != runs {
		return nil, fmt.Errorf("runs %d to %d are in none of the folders; add the part that has them", next, runs-1)
	}
	return parts, nil
}

// costPart reads a part, whose files must be those of its manifest.
func (p *Program) costPart(ctx context.Context, folder string) (part costPart, err error) {
	part.folder = folder
	if part.manifest, err = p.ReadManifest(folder); err != nil {
		return part, err
	}
	switch {
	case part.manifest.Verb != "cost":
		return part, option.Errorf("%s: not a part of a study of costs: it holds a %s; name the folders that veilpath cost "+
			"{shard} wrote", folder, part.manifest.Verb)
	case !part.manifest.Complete:
		return part, option.Errorf("%s is unfinished; finish it with the command that began it and {resume}", folder)
	}
	if err := record.CheckFiles(ctx, p.disk(), folder, part.manifest); err != nil {
		return part, err
	}
	text, err := record.ReadFile(p.disk(), folder, CostsRequestName, mostOfCosts)
	if err == nil {
		err = json.Unmarshal(text, &part.asked)
	}
	if err == nil && part.asked.Shard == nil {
		err = option.Errorf("not a part of a study: it was done without {shard}; name the folders that veilpath cost " +
			"{shard} wrote")
	}
	if err != nil {
		return part, fmt.Errorf("%s: %w", folder, err)
	}
	return part, nil
}

// same reports whether two parts are of one study.
func (a costsAsked) same(b costsAsked) bool {
	if a.Shard.Runs != b.Shard.Runs || a.Shard.Of != b.Shard.Of {
		return false
	}
	a.Shard, b.Shard = nil, nil
	first, err := json.Marshal(a)
	second, failed := json.Marshal(b)
	return err == nil && failed == nil && string(first) == string(second)
}
