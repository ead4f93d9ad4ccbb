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

	numpy "github.com/sbinet/npyio/npy"
)

// mostArray is the largest number of entries of an array: 512 MiB.
const mostArray = 1 << 26

// mostInflated is the largest number of bytes that deflate compresses into one.
const mostInflated = 1032

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
		if file.UncompressedSize64 > mostInflated*uint64(len(whole)) {
			return nil, fmt.Errorf("%s: array %s: truncated", path, name)
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

// readArray reads a .npy file with at most that many entries (NumPy enhancement proposal 1).
func readArray(file *zip.File, most int) (*array, error) {
	opened, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	content := bufio.NewReaderSize(opened, 1<<16)
	before, err := checkHeader(content)
	if err != nil {
		return nil, err
	}
	r, err := numpy.NewReader(content)
	if err != nil {
		return nil, err
	}
	layout := &r.Header.Descr
	read := entriesOf[layout.Type[1:]]
	if read == nil {
		return nil, fmt.Errorf("numbers of type %s; want floats, integers or booleans", layout.Type)
	}
	size := 1
	for _, d := range layout.Shape {
		if d < 1 || d > most/size {
			return nil, fmt.Errorf("the shape %v; want at most %d entries, and larger problems in .tra or .parquet",
				layout.Shape, most)
		}
		size *= d
	}
	width := int(layout.Type[2] - '0')
	if held := int(file.UncompressedSize64) - before; held != size*width {
		return nil, fmt.Errorf("%d bytes of entries; want %d entries of %d bytes", held, size, width)
	}
	entries, err := read(r)
	if err == nil {
		_, err = content.Peek(1) // the end, where the archive's checksum is compared
	}
	if err != io.EOF {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	if layout.Fortran {
		entries = transposed(layout.Shape, entries)
	}
	return &array{layout.Shape, entries}, nil
}

// headerOf matches the header that NumPy writes of an array of numbers.
var headerOf = regexp.MustCompile(`^\{'descr': '[<>|][a-z][0-9]+', 'fortran_order': (True|False), ` +
	`'shape': \(([0-9]{1,18}, ?)*([0-9]{1,18})?\), \} *\n$`)

// checkHeader returns the number of bytes before the entries, and leaves them to be read. It refuses what NumPy does
// not write: npyio finds the fields by their positions, so that it panics on other headers or misreads them.
func checkHeader(r *bufio.Reader) (length int, err error) {
	start, _ := r.Peek(12)
	if len(start) < 12 || !bytes.HasPrefix(start, numpy.Magic[:]) {
		return 0, errors.New("not in NumPy's format")
	}
	text := 10
	length = text + int(binary.LittleEndian.Uint16(start[8:]))
	switch version := start[6]; version {
	case 1:
	case 2:
		text = 12
		length = text + int(binary.LittleEndian.Uint32(start[8:]))
	default:
		return 0, fmt.Errorf("version %d of NumPy's format; want an array of numbers, which numpy.savez writes in "+
			"version 1", version)
	}
	start, err = r.Peek(length)
	if err != nil {
		return 0, fmt.Errorf("truncated in a header of %d bytes, or this is too long", length)
	}
	if !headerOf.Match(start[text:]) {
		return 0, fmt.Errorf("its header %q has no supported type, order and shape; want plain arrays "+
			"of numbers, not objects or sparse matrices", bytes.TrimSpace(start[text:]))
	}
	return length, nil
}

// entriesOf reads entries of a type. Booleans are bytes, of which npyio would take every one but 1 for false.
var entriesOf = map[string]func(*numpy.Reader) ([]float64, error){
	"f8": entries[float64], "f4": entries[float32], "i8": entries[int64], "i4": entries[int32], "i2": entries[int16],
	"i1": entries[int8], "u1": entries[uint8], "b1": func(r *numpy.Reader) ([]float64, error) {
		r.Header.Descr.Type = "|u1"
		return entries[uint8](r)
	},
}

func entries[T float64 | float32 | int64 | int32 | int16 | int8 | uint8](r *numpy.Reader) ([]float64, error) {
	var read []T
	err := r.Read(&read)
	if same, ok := any(read).([]float64); ok {
		return same, err
	}
	all := make([]float64, len(read))
	for i, x := range read {
		all[i] = float64(x)
	}
	return all, err
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
