package campaign

import (
	"strings"
	"testing"

	"veilpath/internal/job"
	"veilpath/internal/record"
)

// Parts make up a study only where they follow each other from its first slot to its last one.
func TestPartsAdjoin(t *testing.T) {
	const slots = 10
	of := func(shares ...Part) (parts []job.Part) {
		for _, share := range shares {
			shard := record.NewShard(share.Index, share.Of, slots)
			parts = append(parts, job.Part{Folder: "p", Manifest: record.Manifest{Shard: shard}})
		}
		return parts
	}
	for name, c := range map[string]struct {
		parts []job.Part
		says  string
	}{
		"whole":         {of(Part{1, 1}), ""},
		"halves":        {of(Part{1, 2}, Part{2, 2}), ""},
		"two sharings":  {of(Part{1, 2}, Part{6, 10}, Part{7, 10}, Part{8, 10}, Part{9, 10}, Part{10, 10}), ""},
		"first missing": {of(Part{2, 2}), "missing between the beginning and p: runs 0 to 4, which is part 1/2"},
		"one slot missing": {of(Part{1, 10}, Part{3, 10}),
			"missing between p (part 1/10) and p: run 1, which is part 2/10"},
		"last slot missing": {of(Part{1, 2}, Part{6, 10}, Part{7, 10}, Part{8, 10}, Part{9, 10}),
			"missing between p (part 9/10) and the end: run 9, which is part 10/10"},
		"last parts missing": {of(Part{1, 5}), "missing between p (part 1/5) and the end: runs 2 to 9, which is parts " +
			"2/5 to 5/5"},
		"overlap": {of(Part{1, 2}, Part{5, 10}), "overlap: both have run 4"},
		"twice":   {of(Part{1, 2}, Part{1, 2}), "overlap: both have runs 0 to 4"},
	} {
		err := checkAdjacent(c.parts)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
	}
}
