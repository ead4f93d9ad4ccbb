package problem

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// npy returns an array as NumPy saves it, of a type such as >f8.
func npy(tb testing.TB, kind, shape string, numbers any) []byte {
	tb.Helper()
	var b bytes.Buffer
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", kind, shape)
	b.WriteString("\x93NUMPY\x01\x00")
	order := binary.ByteOrder(binary.LittleEndian)
	if kind[0] == '>' {
		order = binary.BigEndian
	}
	if err := binary.Write(&b, binary.LittleEndian, uint16(len(header))); err != nil {
		tb.Fatal(err)
	}
	b.WriteString(header)
	if err := binary.Write(&b, order, numbers); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// Numbers of every type and byte order are read as what NumPy wrote. The bits of <f2 are those of numpy.float16.
func TestNumPyTypesAndByteOrders(t *testing.T) {
	for _, c := range []struct {
		kind    string
		rewards any
		want    []float64
	}{
		{"<f8", []float64{1, -2, 3, 0.1}, []float64{1, -2, 3, 0.1}},
		{">f8", []float64{1, -2, 3, 4}, []float64{1, -2, 3, 4}},
		{"<f4", []float32{1, -2, 3, 4}, []float64{1, -2, 3, 4}},
		{">f4", []float32{1, -2, 3, 4}, []float64{1, -2, 3, 4}},
		{"<f2", []uint16{0x3c00, 0xc000, 0x2e66, 0x0001}, []float64{1, -2, 0.0999755859375, 0x1p-24}},
		{">f2", []uint16{0x3c00, 0x8000, 0x7bff, 0x0400}, []float64{1, 0, 65504, 0x1p-14}},
		{"<i8", []int64{1, -2, 3, 4}, []float64{1, -2, 3, 4}},
		{">i4", []int32{1, -2, 3, 4}, []float64{1, -2, 3, 4}},
		{"<i2", []int16{1, -2, 3, 4}, []float64{1, -2, 3, 4}},
		{"|i1", []int8{1, -2, 3, 4}, []float64{1, -2, 3, 4}},
		{"<u8", []uint64{1, 1 << 53, 3, 4}, []float64{1, 1 << 53, 3, 4}},
		{">u4", []uint32{1, 1 << 31, 3, 4}, []float64{1, 1 << 31, 3, 4}},
		{"<u2", []uint16{1, 1 << 15, 3, 4}, []float64{1, 1 << 15, 3, 4}},
		{"|u1", []uint8{1, 255, 3, 4}, []float64{1, 255, 3, 4}},
	} {
		p := mustRead(t, memory{"p.npz": zipped(t, map[string][]byte{
			"P.npy": npy(t, ">f8", "2, 2, 2", []float64{1, 0, 0, 1, 0.25, 0.75, 1, 0}), // of actions, states and next states
			"R.npy": npy(t, c.kind, "2, 2", c.rewards),                                 // of states and actions
		})}, "p.npz")
		if got := p.Rewards[0]; !slices.Equal(got, c.want) {
			t.Errorf("%s: rewards %v, want %v", c.kind, got, c.want)
		}
		if o := p.Law.AppendOutcomes(nil, 0, 1); fmt.Sprint(o) != "[{0 0.25} {1 0.75}]" {
			t.Errorf("%s: state 0, action 1 leads to %v", c.kind, o)
		}
	}
}

// Outcomes of a state and action that stand apart in a file count each with its reward and probability, in any order.
func TestRewardsOfOutcomesThatStandApart(t *testing.T) {
	rows := []string{"0,0,0,0.25,8", "1,0,1,1,0", "0,0,1,0.5,4", "0,1,0,1,1", "0,0,2,0.25,4", "2,0,0,1,7"}
	const want = 0.25*8 + 0.5*4 + 0.25*4
	orders := 0
	var each func(rest, chosen []string)
	each = func(rest, chosen []string) {
		for i, row := range rest {
			each(slices.Delete(slices.Clone(rest), i, i+1), append(slices.Clone(chosen), row))
		}
		if len(rest) > 0 {
			return
		}
		orders++
		text := "state,action,next,probability,reward\n"
		for _, row := range chosen {
			text += row + "\n"
		}
		p := mustRead(t, files("p.csv", text), "p.csv")
		// rounding of three sums
		if got := p.Rewards[0]; math.Abs(got[0]-want) > 1e-15*want*8 || got[1] != 1 || got[2] != 0 || got[4] != 7 {
			t.Fatalf("%q: rewards %v, want %g first", chosen, got, want)
		}
	}
	each(rows, nil)
	if orders != 720 {
		t.Errorf("%d orders", orders)
	}
}

// Two states and one action need rewards by state, by state and action, or by action, state and next state.
func TestShapesOfArrays(t *testing.T) {
	p := npy(t, "<f8", "1, 2, 2", []float64{0, 1, 1, 0})
	for _, c := range []struct {
		rewards, terminal []byte
		says              string
	}{
		{nil, nil, "no rewards R of shape (2,), (2, 1) or (1, 2, 2)"},
		{npy(t, "<f8", "3", []float64{1, 2, 3}), nil, "no rewards R of shape"},
		{npy(t, "<f8", "1, 2", []float64{1, 2}), nil, "no rewards R of shape"},
		{npy(t, "<f8", "2", []float64{1, 2}), npy(t, "<f8", "1", []float64{0}), "terminal has the shape [1]; want (2,)"},
		{npy(t, "<f8", "2, 1", []float64{1, 2}), nil, ""},
		{npy(t, "<f8", "1, 2, 2", []float64{1, 2, 3, 4}), nil, ""},
	} {
		arrays := map[string][]byte{"P.npy": p}
		for name, array := range map[string][]byte{"R.npy": c.rewards, "terminal.npy": c.terminal} {
			if array != nil {
				arrays[name] = array
			}
		}
		_, err := Read(memory{"p.npz": zipped(t, arrays)}.open, "p.npz", Options{})
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("error %v, want %q", err, c.says)
		}
	}
}

// Arrays other than those that NumPy writes, and damaged ones, are refused before anything large is allocated.
func TestArraysThatNumPyDoesNotWriteAreRefused(t *testing.T) {
	const rest = "'fortran_order': False, 'shape': (1, 1, 1), }"
	array := func(version byte, header string, entries int) string {
		length := string([]byte{byte(len(header)), byte(len(header) >> 8)})
		if version > 1 {
			length += "\x00\x00"
		}
		return "\x93NUMPY" + string([]byte{version, 0}) + length + header + strings.Repeat("\x00", entries)
	}
	sound := "{'descr': '<f8', " + rest + "\n"
	for _, c := range []struct{ array, says string }{
		{array(1, sound, 8), "state 0, action 0: the probabilities sum to 0"}, // which is read
		{array(2, sound, 8), "state 0, action 0: the probabilities sum to 0"},
		{array(3, sound, 8), "state 0, action 0: the probabilities sum to 0"},
		{array(1, sound, 7), "7 bytes of entries; want 1 entries of 8 bytes"},
		{array(1, sound, 9), "9 bytes of entries; want 1 entries of 8 bytes"},
		{array(1, "{'descr': '<f8', "+rest, 8), "no supported type, order and shape"},
		{array(1, strings.Replace(sound, "), }", ")}", 1), 8), "no supported type, order and shape"},
		{array(1, "{"+rest[:len(rest)-1]+"'descr': '<f8', }\n", 8), "no supported type, order and shape"},
		{array(1, strings.Replace(sound, "'<f8'", "'|O'", 1), 8), "no supported type, order and shape"},
		{array(1, strings.Replace(sound, "<f8", "<c8", 1), 8), "no supported type, order and shape"},
		{array(1, strings.Replace(sound, "(1,", "(0,", 1), 8), "the shape (0, 1, 1); want at most"},
		{array(1, strings.Replace(sound, "1, 1)", "8192, 8193)", 1), 8), "the shape (1, 8192, 8193); want at most"},
		{array(1, strings.Replace(sound, "1, 1)", "99999999999999999999)", 1), 8), "no supported type, order and"},
		{array(1, sound, 8)[:40], "truncated in a header of 63 bytes"},
		{array(1, sound, 8)[:11], "not in NumPy's format"},
		{"\x93NUMPY\x02\x00\xff\xff\xff\x7f", "truncated in a header of"},
	} {
		archive := zipped(t, map[string][]byte{"P.npy": []byte(c.array), "R.npy": []byte(array(1, sound, 8))})
		_, err := Read(memory{"p.npz": archive}.open, "p.npz", Options{})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: error %v, want one that says %s", c.array, err, c.says)
		}
	}
}

// An array with a wrong checksum is refused, and so is one of a small archive that claims to be large.
func TestDamagedArraysAreRefused(t *testing.T) {
	header := "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 8192, 8192), }\n"
	for says, size := range map[string]uint64{"truncated": uint64(10 + len(header) + 8<<26), "bytes of entries": 90} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateRaw(&zip.FileHeader{Name: "P.npy", CompressedSize64: 90, UncompressedSize64: size})
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte("\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header))
		z.Close()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = Read(memory{"p.npz": b.Bytes()}.open, "p.npz", Options{})
		runtime.ReadMemStats(&after)
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || !strings.Contains(err.Error(), says) ||
			taken > 1 {
			t.Errorf("%d bytes: error %v, want one that says %s; %d MiB", size, err, says, taken)
		}
	}
	whole := zipped(t, map[string][]byte{"P.npy": npy(t, "<f8", "1, 1, 1", []float64{1}),
		"R.npy": npy(t, "<f8", "1", []float64{7})})
	mustRead(t, memory{"p.npz": whole}, "p.npz")
	damaged := bytes.Replace(whole, binary.LittleEndian.AppendUint64(nil, math.Float64bits(7)),
		binary.LittleEndian.AppendUint64(nil, math.Float64bits(8)), 1)
	if _, err := Read(memory{"p.npz": damaged}.open, "p.npz", Options{}); err == nil || !strings.Contains(err.Error(),
		"array R: damaged: zip: checksum error") {
		t.Errorf("a damaged archive: error %v", err)
	}
}

// Fortran's order is the transpose; R[A,S,S] is an expectation; start and discount are those of the archive.
func TestNumPyOrdersAndContext(t *testing.T) {
	fortran := npy(t, "<f8", "1, 2, 2", []float64{0.5, 0.25, 0.5, 0.75})
	fortran = bytes.Replace(fortran, []byte("False"), []byte("True "), 1)
	fortran = bytes.Replace(fortran, []byte("True ,"), []byte("True,"), 1)
	fortran[8]-- // its header is one byte shorter
	p := mustRead(t, memory{"p.npz": zipped(t, map[string][]byte{
		"P.npy": fortran, "R.npy": npy(t, "<f8", "1, 2, 2", []float64{4, 8, 4, 8}),
		"start.npy": npy(t, "<i8", "", []int64{1}), "gamma.npy": npy(t, "<f8", "", []float64{0.5}),
	})}, "p.npz")
	if got := fmt.Sprint(p.Rewards[0], p.Start, p.Discount); got != "[6 7] 1 0.5" {
		t.Errorf("rewards, start and discount %s", got)
	}
}

// The bound on entries is for all arrays together.
func TestEntriesAreBoundedTogether(t *testing.T) {
	archive := zipped(t, map[string][]byte{"P.npy": npy(t, "<f8", "1, 2, 2", []float64{0, 1, 1, 0}),
		"R.npy": npy(t, "<f8", "2", []float64{1, 0})})
	for left, says := range map[int]string{6: "", 5: "want at most"} {
		n := numPy{path: "p.npz", arrays: map[string]*array{}, entriesLeft: left}
		if err := n.read(archive); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%d entries: %v", left, err)
		}
	}
}

// A terminal state may not lose outcomes or rewards, and an integer may not be rounded.
func TestNumPyLosesNothing(t *testing.T) {
	for says, change := range map[string]map[string][]byte{
		"state 1 is terminal, but has the reward 3":           {"R.npy": npy(t, "<f8", "2", []float64{1, 3})},
		"state 1 is terminal, but action 0 leads to state 0":  {"P.npy": npy(t, "<f8", "1, 2, 2", []float64{0, 1, 1, 0})},
		"array R: the integer 18446744073709551616 is beyond": {"R.npy": npy(t, "<u8", "2", []uint64{1, math.MaxUint64})},
		"the probabilities sum to 0.9998779296875": {
			"P.npy": npy(t, "<f2", "1, 2, 2", []uint16{0x2e66, 0x3b33, 0, 0x3c00})},
		"gamma beside another discount": {"discount.npy": npy(t, "<f8", "", []float64{0.5}),
			"gamma.npy": npy(t, "<f8", "", []float64{0.5})},
		"array \"arr_2\"; want P or Q, R":                      {"arr_2.npy": npy(t, "<f8", "", []float64{0.5})},
		"state 0, action 0: probability -1 of next state 0 is": {"P.npy": npy(t, "<i1", "1, 2, 2", []int8{-1, 2, 0, 1})},
	} {
		arrays := map[string][]byte{"P.npy": npy(t, "<f8", "1, 2, 2", []float64{0, 1, 0, 1}),
			"R.npy": npy(t, "<f8", "2", []float64{1, 0}), "terminal.npy": npy(t, "|b1", "2", []byte{0, 1})}
		mustRead(t, memory{"p.npz": zipped(t, arrays)}, "p.npz")
		maps.Copy(arrays, change)
		if _, err := Read(memory{"p.npz": zipped(t, arrays)}.open, "p.npz", Options{}); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
}

// Booleans are true if any bit of theirs is set, as in NumPy.
func TestBooleansOfAnyBitAreTrue(t *testing.T) {
	p := mustRead(t, memory{"p.npz": zipped(t, map[string][]byte{
		"P.npy":        npy(t, "<f8", "1, 3, 3", []float64{0, 1, 0, 0, 1, 0, 0, 0, 1}),
		"R.npy":        npy(t, "<f8", "3", []float64{1, 0, 0}),
		"terminal.npy": npy(t, "|b1", "3", []byte{0, 1, 2}),
	})}, "p.npz")
	if !slices.Equal(p.Terminal, []int32{1, 2}) {
		t.Errorf("terminal states %v, want 1 and 2", p.Terminal)
	}
}

// zipped returns an archive of files.
func zipped(tb testing.TB, files map[string][]byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name})
		if err != nil {
			tb.Fatal(err)
		}
		w.Write(text)
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}
