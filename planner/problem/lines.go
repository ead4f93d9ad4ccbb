package problem

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"

	"veilpath/sim/pool"
)

// quad is a line of a file: three whole numbers and another number, where it is plain, and then perhaps more words.
type quad struct {
	state, choice, next int32
	plain, more         bool
	value               float64
	from, to            int32 // in its block
}

// block is whole lines of a file.
type block struct {
	text  []byte
	quads []quad
}

// parse finds the lines of the block.
func (b *block) parse() {
	b.quads = b.quads[:0]
	for from := 0; from < len(b.text); {
		to := len(b.text)
		if i := bytes.IndexByte(b.text[from:], '\n'); i >= 0 {
			to = from + i
		}
		q := quad{from: int32(from), to: int32(to)}
		c := cursor{bytes.TrimSuffix(b.text[from:to], []byte{'\r'})}
		state, ok1 := c.number()
		choice, ok2 := c.number()
		next, ok3 := c.number()
		value, ok4 := parseFloat(c.word())
		if ok1 && ok2 && ok3 && ok4 {
			q.state, q.choice, q.next, q.value, q.plain, q.more = int32(state), int32(choice), int32(next), value, true, c.word() != nil
		}
		b.quads = append(b.quads, q)
		from = to + 1
	}
}

// quads passes the lines that are left to a function, in their order, read and parsed beside it on all cores.
func (t *text) quads(use func(q *quad, line []byte) error) error {
	var reading error
	spare := sync.Pool{New: func() any { return new([]byte) }}
	parse := func(_ context.Context, text *[]byte, b block) (block, error) {
		b.text = *text
		b.parse()
		return b, nil
	}
	pieces := t.blocks(&spare, &reading)
	for r, err := range pool.Ordered(context.Background(), 0, pieces, func() pool.Work[*[]byte, block] { return parse }) {
		if err != nil {
			return err
		}
		for i := range r.Value.quads {
			q := &r.Value.quads[i]
			t.line++
			if err := use(q, bytes.TrimSuffix(r.Value.text[q.from:q.to], []byte{'\r'})); err != nil {
				return err
			}
		}
		spare.Put(r.Piece)
	}
	return reading
}

// blocks yields the rest of the file in blocks that end with a line. What goes wrong is left in the error once the last
// block is taken.
func (t *text) blocks(spare *sync.Pool, failed *error) func(yield func(*[]byte) bool) {
	return func(yield func(*[]byte) bool) {
		var begun []byte // of a line
		for {
			piece := spare.Get().(*[]byte)
			if cap(*piece) < 2*longestLine {
				*piece = make([]byte, 0, 2*longestLine)
			}
			*piece = append((*piece)[:0], begun...)
			n, err := io.ReadFull(t.r, (*piece)[len(begun):len(begun)+longestLine])
			*piece = (*piece)[:len(begun)+n]
			t.left -= int64(n)
			last := err == io.EOF || err == io.ErrUnexpectedEOF
			switch {
			case err != nil && !last:
				*failed = fmt.Errorf("%s: %w", t.path, err)
			case t.left < 0:
				*failed = fmt.Errorf("%s: more than %d GiB", t.path, largestText>>30)
			}
			if *failed != nil {
				return
			}
			if last {
				if len(*piece) > 0 {
					yield(piece)
				}
				return
			}
			end := bytes.LastIndexByte(*piece, '\n') + 1
			begun = append(begun[:0], (*piece)[end:]...)
			if len(begun) > longestLine {
				*failed = fmt.Errorf("%s: a line of more than %d bytes", t.path, longestLine)
				return
			}
			if *piece = (*piece)[:end]; end > 0 && !yield(piece) {
				return
			}
		}
	}
}
