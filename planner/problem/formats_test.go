package problem

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
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

// Numbers of every type and byte order are read as what NumPy wrote.
func TestNumPyTypesAndByteOrders(t *testing.T) {
	for kind, rewards := range map[string]any{
		"<f8": []float64{1, -2, 3, 4}, ">f8": []float64{1, -2, 3, 4}, "<f4": []float32{1, -2, 3, 4},
		">f4": []float32{1, -2, 3, 4},
		"<i8": []int64{1, -2, 3, 4}, ">i8": []int64{1, -2, 3, 4}, "<i4": []int32{1, -2, 3, 4}, ">i4": []int32{1, -2, 3, 4},
		"<i2": []int16{1, -2, 3, 4}, ">i2": []int16{1, -2, 3, 4}, "|i1": []int8{1, -2, 3, 4},
	} {
		archive := zipped(t, map[string][]byte{
			"P.npy": npy(t, ">f8", "2, 2, 2", []float64{1, 0, 0, 1, 0.25, 0.75, 1, 0}), // of actions, states and next states
			"R.npy": npy(t, kind, "2, 2", rewards),                                     // of states and actions
		})
		p := mustRead(t, memory{"p.npz": archive}, "p.npz")
		if got := p.Rewards[0]; !slices.Equal(got, []float64{1, -2, 3, 4}) {
			t.Errorf("%s: rewards %v", kind, got)
		}
		model, err := p.model("")
		if err != nil {
			t.Fatal(err)
		}
		if next, chance := model.Transition(0, 1); !slices.Equal(next, []int32{0, 1}) ||
			!slices.Equal(chance, []float64{0.25, 0.75}) {
			t.Errorf("%s: state 0, action 1 leads to %v with %v", kind, next, chance)
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

// A reward in Cassandra's grammar that is for all next states replaces those that were said of some before it.
func TestCassandraRewardsReplaceEarlierOnes(t *testing.T) {
	const model = "discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\nT: 0\n0.5 0.5\n0.5 0.5\n"
	for rewards, want := range map[string][]float64{
		"R: 0 : 0 : 1 : * 8\n":                                       {4, 0},
		"R: 0 : 0 : 1 : * 8\nR: 0 : 0 : * : * 2\n":                   {2, 0},
		"R: 0 : 0 : * : * 2\nR: 0 : 0 : 1 : * 8\n":                   {5, 0},
		"R: 0 : * : 1 : * 8\nR: 0 : 0 : * : * 2\n":                   {2, 4},
		"R: 0 : 0 : 0 : * 6\nR: * : * : * : * 1\nR: 0 : 1 : 1 : * 3": {1, 2},
	} {
		if got := mustRead(t, files("p.mdp", model+rewards), "p.mdp").Rewards[0]; !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", rewards, got, want)
		}
	}
}

// Rewards of some outcomes of a choice, and rewards that differ between them, count with their probabilities.
func TestTransitionRewardsAreExpected(t *testing.T) {
	const transitions = "mdp\n0 0 0 0.25\n0 0 1 0.75\n0 1 1 1\n1 0 0 1\n"
	for rewards, want := range map[string][]float64{
		"0 0 0 8\n0 0 1 8\n0 1 1 3\n": {8, 3},
		"0 0 0 8\n0 0 1 4\n0 1 1 3\n": {0.25*8 + 0.75*4, 3},
		"0 0 0 8\n0 1 1 3\n":          {0.25 * 8, 3}, // the other outcome earns nothing
		"0 0 1 8\n":                   {0.75 * 8, 0},
	} {
		m := memory{"p.tra": []byte(transitions), "p.trew": []byte(rewards)}
		if got := mustRead(t, m, "p.tra").Rewards[0]; !slices.Equal(got[:2], want) {
			t.Errorf("%q: %v, want %v", rewards, got, want)
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
		{array(3, sound, 8), "version 3 of NumPy's format; want"},
		{array(1, sound, 7), "7 bytes of entries; want 1 entries of 8 bytes"},
		{array(1, sound, 9), "9 bytes of entries; want 1 entries of 8 bytes"},
		{array(1, "{'descr': '<f8', "+rest, 8), "no supported type, order and shape"},
		{array(1, strings.Replace(sound, "), }", ")}", 1), 8), "no supported type, order and shape"},
		{array(1, "{"+rest[:len(rest)-1]+"'descr': '<f8', }\n", 8), "no supported type, order and shape"},
		{array(1, strings.Replace(sound, "'<f8'", "'|O'", 1), 8), "no supported type, order and shape"},
		{array(1, strings.Replace(sound, "<f8", "<c8", 1), 8), "numbers of type <c8; want floats"},
		{array(1, strings.Replace(sound, "(1,", "(0,", 1), 8), "the shape [0 1 1]; want at most"},
		{array(1, strings.Replace(sound, "1, 1)", "8192, 8193)", 1), 8), "the shape [1 8192 8193]; want at most"},
		{array(1, strings.Replace(sound, "1, 1)", "99999999999999999999)", 1), 8), "no supported type, order and"},
		{array(1, sound, 8)[:40], "truncated in a header of 73 bytes"},
		{array(1, sound, 8)[:11], "not in NumPy's format"},
		{"\x93NUMPY\x02\x00\xff\xff\xff\x7f", "truncated in a header of"},
	} {
		archive := zipped(t, map[string][]byte{"P.npy": []byte(c.array), "R.npy": []byte(array(1, sound, 8))})
		_, err := Read(memory{"p.npz": archive}.open, "p.npz")
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
		_, err = Read(memory{"p.npz": b.Bytes()}.open, "p.npz")
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
	if _, err := Read(memory{"p.npz": damaged}.open, "p.npz"); err == nil || !strings.Contains(err.Error(),
		"array R: damaged: zip: checksum error") {
		t.Errorf("a damaged archive: error %v", err)
	}
}

// Booleans are true if any bit of theirs is set, as in NumPy.
func TestBooleansOfAnyBitAreTrue(t *testing.T) {
	p := mustRead(t, memory{"p.npz": zipped(t, map[string][]byte{
		"P.npy":        npy(t, "<f8", "1, 3, 3", []float64{0, 1, 0, 0, 0, 1, 0, 0, 1}),
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
