package problem

import (
	"archive/zip"
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

// mostArray is the largest number of entries of an array: 512 MiB.
const mostArray = 1 << 26

// array is a NumPy array of numbers in C order.
type array struct {
	shape   []int
	entries []float64
}

func (a *array) is(shape ...int) bool { return a != nil && slices.Equal(a.shape, shape) }

// readNumPy reads an archive of numpy.savez: the transitions P[A,S,S] (MDPtoolbox) or Q[S,A,S] (QuantEcon), the
// rewards R[S], R[S,A] or R[A,S,S], where -inf marks an action that the state lacks, and optionally discount
// (or gamma, or beta), start and terminal[S].
func readNumPy(open Open, path string) (*Problem, error) {
	whole, err := readWhole(open, path)
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; want an archive of numpy.savez", path, err)
	}
	arrays := map[string]*array{}
	entries := 0
	for _, file := range archive.File {
		name := strings.TrimSuffix(file.Name, ".npy")
		switch name {
		case "P", "Q", "R", "discount", "gamma", "beta", "start", "terminal":
		default:
			return nil, fmt.Errorf("%s: array %q; want P or Q, R, and optionally discount, start and "+
				"terminal", path, name)
		}
		if arrays[name] != nil {
			return nil, fmt.Errorf("%s: array %s twice", path, name)
		}
		a, err := readArray(file, mostArray-entries)
		if err != nil {
			return nil, fmt.Errorf("%s: array %s: %w", path, name, err)
		}
		arrays[name] = a
		entries += len(a.entries)
	}
	n := numPy{path: path, arrays: arrays}
	return n.problem()
}

type numPy struct {
	path            string
	arrays          map[string]*array
	states, actions int
	transitions     *array
	actionFirst     bool
}

func (n *numPy) fail(problem string, args ...any) error {
	return fmt.Errorf("%s: %s", n.path, fmt.Sprintf(problem, args...))
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
	if !r.is(n.states) && !r.is(n.states, n.actions) && !r.is(n.actions, n.states, n.states) {
		return nil, n.fail("no rewards R of shape (%d,), (%d, %d) or (%d, %d, %d)", n.states, n.states, n.actions, n.actions,
			n.states, n.states)
	}
	terminal, err := n.terminal()
	if err != nil {
		return nil, err
	}
	rows := newRows(n.path)
	for s := range n.states {
		for a := range n.actions {
			if terminal == nil || !terminal[s] {
				if err := n.row(rows, r, s, a); err != nil {
					return nil, err
				}
			}
		}
	}
	made, err := rows.problem(Numbered(n.states), Numbered(n.actions))
	if err != nil {
		return nil, n.withoutLine(err)
	}
	for _, s := range made.Terminal {
		if terminal == nil || !terminal[s] {
			return nil, n.fail("state %d: every reward is -inf; want an action, or the state in terminal", s)
		}
	}
	return made, n.context(made)
}

// withoutLine removes the line number from an error, since an array has no lines.
func (n *numPy) withoutLine(err error) error {
	return errors.New(strings.Replace(err.Error(), n.path+":0:", n.path+":", 1))
}

// row adds the outcomes of a state and an action.
func (n *numPy) row(rows *rows, r *array, s, a int) error {
	at := (s*n.actions + a) * n.states
	if n.actionFirst {
		at = (a*n.states + s) * n.states
	}
	chances := n.transitions.entries[at : at+n.states]
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
	some := false
	for next, p := range chances {
		if p == 0 {
			continue
		}
		some = true
		if !(p >= 0) {
			return n.fail("state %d, action %d: probability %v of next state %d is outside [0, 1]", s, a, p, next)
		}
		if x := reward(next); math.IsNaN(x) || math.IsInf(x, 0) {
			return n.fail("state %d, action %d: reward %v; want a finite number, or -inf in R[S,A] for an action that the "+
				"state lacks", s, a, x)
		}
		rows.add(s, a, next, p, reward(next), 0)
	}
	if !some {
		return n.fail("state %d, action %d: the probabilities sum to 0; want 1 within %g, or -inf in R[S,A] for an action "+
			"that the state lacks", s, a, rowTolerance)
	}
	return nil
}

func (n *numPy) terminal() ([]bool, error) {
	t := n.arrays["terminal"]
	if t == nil {
		return nil, nil
	}
	if !t.is(n.states) {
		return nil, n.fail("terminal has the shape %v; want (%d,)", t.shape, n.states)
	}
	is := make([]bool, n.states)
	for s, x := range t.entries {
		is[s] = x != 0
	}
	return is, nil
}

// context reads the discount and the start.
func (n *numPy) context(p *Problem) error {
	for _, name := range []string{"discount", "gamma", "beta"} {
		if a := n.arrays[name]; a != nil {
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
		p.Start = int(a.entries[0])
	}
	return nil
}

var (
	descrOf   = regexp.MustCompile(`'descr'\s*:\s*'([<>|=]?)([a-z])([0-9]+)'`)
	fortranOf = regexp.MustCompile(`'fortran_order'\s*:\s*(True|False)`)
	shapeOf   = regexp.MustCompile(`'shape'\s*:\s*\(([0-9, ]*)\)`)
)

// readArray reads a .npy file with at most that many entries (NumPy enhancement proposal 1).
func readArray(file *zip.File, most int) (*array, error) {
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	magic := make([]byte, 8)
	if _, err := io.ReadFull(r, magic); err != nil || string(magic[:6]) != "\x93NUMPY" {
		return nil, errors.New("not in NumPy's format")
	}
	length := make([]byte, 4)
	if magic[6] == 1 {
		length = length[:2]
	}
	if _, err := io.ReadFull(r, length); err != nil {
		return nil, errors.New("truncated in the header")
	}
	n := 0
	for i, b := range length {
		n |= int(b) << (8 * i)
	}
	if n > 1<<16 {
		return nil, fmt.Errorf("a header of %d bytes", n)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, errors.New("truncated in the header")
	}
	descr, fortran, shape := descrOf.FindSubmatch(header), fortranOf.FindSubmatch(header), shapeOf.FindSubmatch(header)
	if descr == nil || fortran == nil || shape == nil {
		return nil, fmt.Errorf("its header %q has no supported type, order and shape; want plain arrays "+
			"of numbers, not objects or sparse matrices", bytes.TrimSpace(header))
	}
	a := &array{}
	size := 1
	for part := range strings.SplitSeq(string(shape[1]), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		d, ok := parseNumber([]byte(part))
		if !ok || d < 1 || d > most/size {
			return nil, fmt.Errorf("the shape (%s); want at most %d entries, and larger problems in .tra or .parquet", shape[1],
				most)
		}
		a.shape, size = append(a.shape, d), size*d
	}
	width, decode := decoder(string(descr[2])+string(descr[3]), string(descr[1]) == ">")
	if decode == nil {
		return nil, fmt.Errorf("numbers of type %s%s%s; want floats, integers or booleans", descr[1], descr[2],
			descr[3])
	}
	if a.entries, err = readEntries(r, size, width, decode); err != nil {
		return nil, err
	}
	if string(fortran[1]) == "True" {
		a.entries = transposed(a.shape, a.entries)
	}
	return a, nil
}

func readEntries(r io.Reader, size, width int, decode func([]byte) float64) ([]float64, error) {
	var entries []float64
	block := make([]byte, width*min(size, 1<<13))
	for len(entries) < size {
		part := block[:width*min(size-len(entries), len(block)/width)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, fmt.Errorf("truncated after %d of %d entries", len(entries), size)
		}
		for ; len(part) > 0; part = part[width:] {
			entries = append(entries, decode(part))
		}
	}
	return entries, nil
}

// decoder returns the size of a number type and the function that reads it.
func decoder(kind string, bigEndian bool) (width int, decode func([]byte) float64) {
	var order binary.ByteOrder = binary.LittleEndian
	if bigEndian {
		order = binary.BigEndian
	}
	switch kind {
	case "f8":
		return 8, func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }
	case "f4":
		return 4, func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }
	case "i8":
		return 8, func(b []byte) float64 { return float64(int64(order.Uint64(b))) }
	case "i4":
		return 4, func(b []byte) float64 { return float64(int32(order.Uint32(b))) }
	case "i2":
		return 2, func(b []byte) float64 { return float64(int16(order.Uint16(b))) }
	case "i1":
		return 1, func(b []byte) float64 { return float64(int8(b[0])) }
	case "u1", "b1":
		return 1, func(b []byte) float64 { return float64(b[0]) }
	}
	return 0, nil
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

func writeNumPy(p *Problem, create Create, path string) (lost []string, err error) {
	model, err := p.model("NumPy's arrays")
	if err != nil {
		return nil, err
	}
	n, m := model.States(), model.Actions()
	if n > mostArray/n/m {
		return nil, fmt.Errorf("an array P of %d x %d x %d entries exceeds the limit of %d; write .tra "+
			"or .parquet", m, n, n, mostArray)
	}
	lost = p.lostNames()
	transitions := make([]float64, m*n*n)
	for s := range n {
		for a := range m {
			next, chance := model.Transition(s, a)
			for i, y := range next {
				transitions[(a*n+s)*n+int(y)] = chance[i]
			}
		}
	}
	return lost, create(path, func(to io.Writer) error {
		archive := zip.NewWriter(to)
		w := arrayWriter{archive: archive}
		w.add("P", "<f8", []int{m, n, n}, bytesOf(transitions))
		w.add("R", "<f8", []int{n, m}, bytesOf(p.Rewards[0]))
		if p.Discount != 0 {
			w.add("discount", "<f8", nil, bytesOf([]float64{p.Discount}))
		}
		w.add("start", "<i8", nil, binary.LittleEndian.AppendUint64(nil, uint64(p.Start)))
		truths := make([]byte, n)
		for _, s := range p.Terminal {
			truths[s] = 1
		}
		w.add("terminal", "|b1", []int{n}, truths)
		return errors.Join(w.err, archive.Close())
	})
}

func bytesOf(numbers []float64) []byte {
	all := make([]byte, 0, 8*len(numbers))
	for _, x := range numbers {
		all = binary.LittleEndian.AppendUint64(all, math.Float64bits(x))
	}
	return all
}

// arrayWriter writes arrays into an archive, as numpy.savez does.
type arrayWriter struct {
	archive *zip.Writer
	err     error
}

func (w *arrayWriter) add(name, descr string, shape []int, content []byte) {
	if w.err != nil {
		return
	}
	file, err := w.archive.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
	if err != nil {
		w.err = err
		return
	}
	sizes := ""
	for _, d := range shape {
		sizes += strconv.Itoa(d) + ", "
	}
	if len(shape) > 1 {
		sizes = strings.TrimSuffix(sizes, ", ")
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr,
		strings.TrimSuffix(sizes, " "))
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	head := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	for _, part := range [][]byte{head, []byte(header), content} {
		if _, err := file.Write(part); err != nil {
			w.err = err
			return
		}
	}
}
