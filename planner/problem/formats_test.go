package problem

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
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
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, text := range map[string][]byte{
			"P.npy": npy(t, ">f8", "2, 2, 2", []float64{1, 0, 0, 1, 0.25, 0.75, 1, 0}), // of actions, states and next states
			"R.npy": npy(t, kind, "2, 2", rewards),                                     // of states and actions
		} {
			w, err := z.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(text)
		}
		z.Close()
		p := mustRead(t, memory{"p.npz": b.Bytes()}, "p.npz")
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
