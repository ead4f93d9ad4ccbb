package problem

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxEntries is the largest number of entries of all arrays: 512 MiB.
const maxEntries = 1 << 26

// maxInflation is the largest number of bytes that deflate compresses into one.
const maxInflation = 1032

// array is a NumPy array of numbers in C order.
type array struct {
	shape   []int
	entries []float64
}

func (a *array) hasShape(shape ...int) bool { return a != nil && slices.Equal(a.shape, shape) }

// readNumPy reads an archive of numpy.savez: the transitions P[A,S,S] (MDPtoolbox) or Q[S,A,S] (QuantEcon), the
// rewards R[S], R[S,A] or R[A,S,S], where -inf marks an action that the state lacks, and optionally discount
// (or gamma, or beta), start and terminal[S]. Two arrays without names are the transitions and the rewards.
func readNumPy(open Open, path string, _ Options) (*Problem, error) {
	whole, err := readWhole(open, path)
	if err != nil {
		return nil, err
	}
	n := numPy{path: path, arrays: map[string]*array{}, entriesLeft: maxEntries}
	if err := n.read(whole); err != nil {
		return nil, err
	}
	return n.problem()
}

// read reads the arrays of an archive.
func (n *numPy) read(whole []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		return n.fail("%w; want an archive of numpy.savez", err)
	}
	for _, file := range archive.File {
		name := strings.TrimSuffix(file.Name, ".npy")
		if file.UncompressedSize64 > maxInflation*uint64(len(whole)) {
			return n.fail("array %s: truncated", name)
		}
		a, err := readArray(file, n.entriesLeft)
		if err != nil {
			return n.fail("array %s: %w", name, err)
		}
		n.entriesLeft -= len(a.entries)
		switch {
		case name == "arr_0" && len(a.shape) == 3 && a.shape[1] == a.shape[2]:
			name = "P"
			n.positions = "array 0 as P[A,S,S] and array 1 as R"
		case name == "arr_0":
			name = "Q"
			n.positions = "array 0 as Q[S,A,S] and array 1 as R"
		case name == "arr_1":
			name = "R"
		}
		switch name {
		case "P", "Q", "R", "discount", "gamma", "beta", "start", "terminal":
		default:
			return n.fail("array %q; want P or Q, R, and optionally discount, start and terminal", name)
		}
		if n.arrays[name] != nil {
			return n.fail("array %s twice", name)
		}
		n.arrays[name] = a
	}
	return nil
}

type numPy struct {
	path            string
	arrays          map[string]*array
	entriesLeft     int    // entries that may still be read
	positions       string // the meaning of arrays without names
	states, actions int
	transitions     *array
	actionFirst     bool
}

func (n *numPy) fail(problem string, args ...any) error {
	return fmt.Errorf("%s: %w", n.path, fmt.Errorf(problem, args...))
}

func (n *numPy) problem() (*Problem, error) {
	p, q := n.arrays["P"], n.arrays["Q"]
	switch {
	case p != nil && q != nil:
		return nil, n.fail("both P and Q; want the transitions once")
	case p != nil && len(p.shape) == 3 && p.shape[1] == p.shape[2]:
		n.transitions, n.actionFirst, n.actions, n.states = p, true, p.shape[0], p.shape[1]
	case q != nil && len(q.shape) == 3 && q.shape[0] == q.shape[2]:
		n.transitions, n.states, n.actions = q, q.shape[0], q.shape[1]
	default:
		return nil, n.fail("no transitions P of shape (A, S, S) or Q of shape (S, A, S)")
	}
	r := n.arrays["R"]
	if !r.hasShape(n.states) && !r.hasShape(n.states, n.actions) && !r.hasShape(n.actions, n.states, n.states) {
		return nil, n.fail("no rewards R of shape (%d,), (%d, %d) or (%d, %d, %d)", n.states, n.states, n.actions, n.actions,
			n.states, n.states)
	}
	terminal, err := n.terminal()
	if err != nil {
		return nil, err
	}
	rows := rows{path: n.path, tolerance: arrayTolerance}
	for s := range n.states {
		for a := range n.actions {
			if err := n.row(&rows, r, s, a, terminal != nil && terminal[s]); err != nil {
				return nil, err
			}
		}
	}
	built, err := rows.problem(Numbered(n.states), Numbered(n.actions))
	if err != nil {
		return nil, err
	}
	for _, s := range built.Terminal {
		if terminal == nil || !terminal[s] {
			return nil, n.fail("state %d: every reward is -inf; want an action, or the state in terminal", s)
		}
	}
	built.rewardsFrom = []string{"R[S]", "R[S,A]", "R[A,S,S]"}[len(r.shape)-1]
	if n.positions != "" {
		built.rewardsFrom += ", with " + n.positions
	}
	return built, n.context(built)
}

// row adds the outcomes of a state and an action. A terminal state has none; it may only lead back to itself, without
// a reward.
func (n *numPy) row(rows *rows, r *array, s, a int, terminal bool) error {
	at := (s*n.actions + a) * n.states
	if n.actionFirst {
		at = (a*n.states + s) * n.states
	}
	reward := func(int) float64 { return r.entries[s] }
	switch len(r.shape) {
	case 2:
		reward = func(int) float64 { return r.entries[s*n.actions+a] }
	case 3:
		reward = func(next int) float64 { return r.entries[(a*n.states+s)*n.states+next] }
	}
	if len(r.shape) == 2 && math.IsInf(reward(0), -1) {
		return nil
	}
	if terminal && len(r.shape) < 3 && reward(s) != 0 {
		return n.fail("state %d is terminal, but has the reward %v; take it from the array terminal, or clear its rewards",
			s, reward(s))
	}
	hasOutcome := false
	for next, p := range n.transitions.entries[at : at+n.states] {
		if p == 0 {
			continue
		}
		hasOutcome = true
		if x := reward(next); math.IsNaN(x) || math.IsInf(x, 0) {
			return n.fail("state %d, action %d: reward %v; want a finite number, or -inf in R[S,A] for an action that the "+
				"state lacks", s, a, x)
		}
		if terminal && (next != s || reward(next) != 0) {
			return n.fail("state %d is terminal, but action %d leads to state %d with reward %v; take it from the array "+
				"terminal, or clear its outcomes and rewards", s, a, next, reward(next))
		}
		if terminal {
			continue
		}
		rows.add(outcome{int32(s), int32(a), int32(next), 0, p, reward(next)})
	}
	if !hasOutcome && !terminal {
		return n.fail("state %d, action %d: the probabilities sum to 0; want 1 within %g, or -inf in R[S,A] for an action "+
			"that the state lacks", s, a, arrayTolerance)
	}
	return nil
}

func (n *numPy) terminal() ([]bool, error) {
	t := n.arrays["terminal"]
	if t == nil {
		return nil, nil
	}
	if !t.hasShape(n.states) {
		return nil, n.fail("terminal has the shape %v; want (%d,)", t.shape, n.states)
	}
	terminal := make([]bool, n.states)
	for s, x := range t.entries {
		terminal[s] = x != 0
	}
	return terminal, nil
}

// context reads the discount and the start.
func (n *numPy) context(p *Problem) error {
	for _, name := range []string{"discount", "gamma", "beta"} {
		if a := n.arrays[name]; a != nil {
			if p.Discount != 0 {
				return n.fail("%s beside another discount; want one of discount, gamma and beta", name)
			}
			if len(a.entries) != 1 || !(a.entries[0] > 0 && a.entries[0] < 1) {
				return n.fail("%s is %v; want one number above 0 and below 1", name, a.entries)
			}
			p.Discount = a.entries[0]
		}
	}
	if a := n.arrays["start"]; a != nil {
		if len(a.entries) != 1 || !(a.entries[0] >= 0 && a.entries[0] < float64(n.states)) ||
			a.entries[0] != math.Trunc(a.entries[0]) {
			return n.fail("start is %v; want a state from 0 to %d", a.entries, n.states-1)
		}
		p.Start, p.startFrom = int(a.entries[0]), "from array start"
	}
	return nil
}

// headerOf matches the header that NumPy writes of an array of numbers: order of bytes, type, width, order of
// entries, and shape.
var headerOf = regexp.MustCompile(`^\{'descr': '([<>|])([biuf])([1248])', 'fortran_order': (True|False), ` +
	`'shape': \(((?:[0-9]{1,18}, ?)*(?:[0-9]{1,18})?)\), \} *\n$`)

// readArray reads a .npy file with at most that many entries (NumPy enhancement proposal 1).
func readArray(file *zip.File, maxSize int) (*array, error) {
	opened, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	content := bufio.NewReaderSize(opened, 1<<16)
	start, _ := content.Peek(12)
	if len(start) < 12 || string(start[:6]) != "\x93NUMPY" {
		return nil, errors.New("not in NumPy's format")
	}
	text, length := 10, int(binary.LittleEndian.Uint16(start[8:]))
	if start[6] >= 2 {
		text, length = 12, int(binary.LittleEndian.Uint32(start[8:]))
	}
	header, err := content.Peek(text + length)
	if err != nil {
		return nil, fmt.Errorf("truncated in a header of %d bytes, or this is too long", length)
	}
	parts := headerOf.FindSubmatch(header[text:])
	if parts == nil {
		return nil, fmt.Errorf("its header %q has no supported type, order and shape; want plain arrays of integers, "+
			"floats or booleans, not objects or sparse matrices", bytes.TrimSpace(header[text:]))
	}
	var shape []int
	size := 1
	for _, word := range strings.FieldsFunc(string(parts[5]), func(c rune) bool { return c == ',' || c == ' ' }) {
		d, err := strconv.Atoi(word)
		if err != nil || d < 1 || d > maxSize/size {
			return nil, fmt.Errorf("the shape (%s); want at most %d entries, and larger problems as CSV or DRN", parts[5],
				maxSize)
		}
		shape, size = append(shape, d), size*d
	}
	width := int(parts[3][0] - '0')
	if held := int(file.UncompressedSize64) - text - length; held != size*width {
		return nil, fmt.Errorf("%d bytes of entries; want %d entries of %d bytes", held, size, width)
	}
	content.Discard(text + length)
	entries := make([]float64, size)
	one := make([]byte, width)
	for i := range entries {
		if _, err := io.ReadFull(content, one); err != nil {
			return nil, fmt.Errorf("damaged: %w", err)
		}
		if parts[1][0] == '>' {
			slices.Reverse(one)
		}
		if entries[i], err = numberOf(parts[2][0], one); err != nil {
			return nil, err
		}
	}
	if _, err := content.Peek(1); err != io.EOF { // at the end, the archive compares its checksum
		return nil, fmt.Errorf("damaged: %w", err)
	}
	if string(parts[4]) == "True" {
		entries = transposed(shape, entries)
	}
	return &array{shape, entries}, nil
}

// numberOf returns the number of a type that little-endian bytes hold.
func numberOf(kind byte, bytes []byte) (float64, error) {
	var word [8]byte
	copy(word[:], bytes)
	bits, unused := binary.LittleEndian.Uint64(word[:]), 64-8*len(bytes)
	x := 0.0
	switch kind {
	case 'b':
		if bits != 0 {
			x = 1
		}
		return x, nil
	case 'u':
		x = float64(bits)
	case 'i':
		x = float64(int64(bits<<unused) >> unused)
	default:
		switch len(bytes) {
		case 8:
			return math.Float64frombits(bits), nil
		case 4:
			return float64(math.Float32frombits(uint32(bits))), nil
		case 2:
			return half(uint16(bits)), nil
		}
		return 0, errors.New("floats of one byte")
	}
	if math.Abs(x) > 1<<53 {
		return 0, fmt.Errorf("the integer %.0f is beyond 2^53; save floats", x)
	}
	return x, nil
}

// half returns a number of IEEE 754's binary16.
func half(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	x := math.Ldexp(1024+fraction, exponent-25)
	switch {
	case exponent == 0:
		x = math.Ldexp(fraction, -24)
	case exponent == 31 && fraction == 0:
		x = math.Inf(1)
	case exponent == 31:
		x = math.NaN()
	}
	if bits>>15 == 1 {
		x = -x
	}
	return x
}

// transposed converts entries from Fortran order to C order.
func transposed(shape []int, entries []float64) []float64 {
	out := make([]float64, len(entries))
	at := make([]int, len(shape))
	for _, x := range entries {
		to := 0
		for i, d := range shape {
			to = to*d + at[i]
		}
		out[to] = x
		for i := range at {
			if at[i]++; at[i] < shape[i] {
				break
			}
			at[i] = 0
		}
	}
	return out
}
