package study

// ensemble is a list of blocks of runs. Each block covers a range of epsilon that lies within the range of the
// block before.
type ensemble struct {
	blocks []runBlock
	runs   int // in all blocks
}

// runBlock is a block of runs that were flown on one range of epsilon.
type runBlock struct {
	axis   Range
	pieces []Run // run by run, epsilon ascending, the first of each run at the low end of the range
}

// begin opens a block on a range; runs added later belong to it.
func (e *ensemble) begin(axis Range) { e.blocks = append(e.blocks, runBlock{axis: axis}) }

// axis is the range of the last block, which every run covers.
func (e *ensemble) axis() Range { return e.blocks[len(e.blocks)-1].axis }

// add adds the pieces of more runs on the range of the last block.
func (e *ensemble) add(pieces []Run) {
	for i := range pieces {
		if i == 0 || pieces[i].Run != pieces[i-1].Run {
			e.runs++
		}
	}
	last := &e.blocks[len(e.blocks)-1]
	last.pieces = append(last.pieces, pieces...)
}

// each yields the pieces of every run.
func (e *ensemble) each(yield func([]Run) bool) {
	for _, b := range e.blocks {
		if !b.each(yield) {
			return
		}
	}
}

// at yields, for every run that covers an epsilon, its piece at that epsilon.
func (e *ensemble) at(epsilon float64) func(yield func(*Run) bool) {
	return func(yield func(*Run) bool) {
		for _, b := range e.blocks {
			if b.axis.Contains(epsilon) && !b.each(func(run []Run) bool { return yield(&run[pieceAt(run, epsilon)]) }) {
				return
			}
		}
	}
}

// each yields the pieces of every run of the block. It returns false if yield stopped it.
func (b *runBlock) each(yield func([]Run) bool) bool {
	for rest := b.pieces; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Run == rest[0].Run {
			n++
		}
		if !yield(rest[:n]) {
			return false
		}
		rest = rest[n:]
	}
	return true
}

// sample returns the sample of a quantity over the runs that cover an epsilon.
func (e *ensemble) sample(epsilon float64, of func(*Run) float64) Sample {
	var values counter
	for r := range e.at(epsilon) {
		values.add(of(r))
	}
	return values.sample()
}
