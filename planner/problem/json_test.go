package problem

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// readSteps reads gymnasium's dictionary with the standard library.
func readSteps(text []byte) (steps []step, err error) {
	if !json.Valid(text) {
		return nil, errors.New("no JSON")
	}
	defer func() {
		if recover() != nil {
			err = errors.New("of another shape")
		}
	}()
	d := json.NewDecoder(bytes.NewReader(text))
	token := func() json.Token {
		read, err := d.Token()
		if err != nil {
			panic(err)
		}
		return read
	}
	open := func(bracket rune) {
		if token() != json.Delim(bracket) {
			panic("another bracket")
		}
	}
	key := func() int32 {
		n, ok := parseNumber([]byte(token().(string)))
		if !ok {
			panic("no number")
		}
		return int32(n)
	}
	line := func() int32 { return 1 + int32(bytes.Count(text[:d.InputOffset()], []byte("\n"))) }
	for open('{'); d.More(); token() {
		state := key()
		for open('{'); d.More(); token() {
			action := key()
			for open('['); d.More(); {
				open('[')
				p, next, reward, ends := token().(float64), token().(float64), token().(float64), token().(bool)
				s := step{state, action, int32(next), line(), p, reward, ends}
				if open(']'); p < 0 || float64(s.next) != next || next < 0 || next >= mostStates || action >= mostActions {
					panic("out of range")
				}
				steps = append(steps, s)
			}
		}
	}
	return steps, nil
}

// agrees fails where the reader and the standard library read a dictionary differently.
func agrees(t *testing.T, text []byte) {
	t.Helper()
	// which a reader may ignore: RFC 8259, section 8.1
	steps, refused := readSteps(bytes.TrimPrefix(text, []byte(byteOrderMark)))
	want := newRows("p.json")
	for _, s := range steps {
		next := int(s.next)
		if s.terminated {
			next = ^next
		}
		want.add(int(s.state), int(s.action), next, s.probability, s.reward, int(s.line))
	}
	open := func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	read, err := openText(open, "p.json")
	if err != nil {
		t.Fatal(err)
	}
	g := newGymnasium(read)
	err = g.read()
	if (err != nil) != (refused != nil) {
		t.Fatalf("error %v, with the standard library %v:\n%s", err, refused, text)
	}
	if got := g.rows; err == nil && !(slices.Equal(got.pieces, want.pieces) && slices.Equal(got.next, want.next) &&
		slices.Equal(got.chance, want.chance)) {
		t.Fatalf("%v, with the standard library %v:\n%s", got, want, text)
	}
}

var dictionaries = []string{
	`{"0": {"0": [[0.5, 0, 1e3, false], [0.5, 1, 0, true]]}, "1": {}}`,
	"{\n\t\"0\" :\r\n{ \"0\":[\n[1.0 ,0 , -0.125E+2,true]\n]\n}\n}\n",
	`{"\u0030": {"0": [[0.30000000000000004, 0, 12345678901234567890, false], [1e-400, 0, 0, true]]}}`,
	`{"0": {"0": []}, "0": {"0": [[1, 0, 0, true]], "0": [[0, 2, 0, true]]}}`,
	`{}`, `{"0": {}}`, ``, `[`, `{"0": {"0": [[1, 0, 0, true]],}}`, `{"0": {"0": [[1, 0, 0, true],]}}`,
	`{"0": {"0": [[1, 0, 0, true]]}} 1`,
	`{"0": {"0": [[01, 0, 0, true]]}}`, `{"0": {"0": [[1., 0, 0, true]]}}`, `{"0": {"0": [[.5, 0, 0, true]]}}`,
	`{"0": {"0": [[+1, 0, 0, true]]}}`,
	`{"0": {"0": [[1, 0, -, true]]}}`, `{"0": {"0": [[1, 0, 1e, true]]}}`, `{"0": {"0": [[1, 0, 1e999, true]]}}`,
	`{"0": {"0": [[1, 0, NaN, true]]}}`,
	`{"0": {"0": [[1, 0.5, 0, true]]}}`, `{"0": {"0": [[1, 0, 0, True]]}}`, `{"0": {"0": [[1, 0, 0, truely]]}}`,
	`{"0": {"0": [[1, 0, 0]]}}`,
	`{"0": {"0": [[1, 0, 0, true, 1]]}}`, `{"0" {"0": [[1, 0, 0, true]]}}`, `{0: {"0": [[1, 0, 0, true]]}}`, `{"00": {}}`,
	`{"0": {"1": [[1, null, 0, true]]}}`,
	`{"0": {"` + strings.Repeat("9", 2*longestToken) + `": []}}`, `{"\q": {}}`, `{"0": {"0": [[1, 0, 0, true`,
	"{\"0\x00\": {}}", "\ufeff{}", "{\"0\":{\"0\":[[0,0,0,true\n]]}}",
}

// Gymnasium's dictionaries are read as the standard library reads JSON, in whatever pieces the file gives.
func TestDictionariesAreJSON(t *testing.T) {
	for _, text := range dictionaries {
		agrees(t, []byte(text))
	}
	agrees(t, []byte(taxi().json()))
	lake := frozenLake(lake4).json()
	open := func(string) (io.ReadCloser, error) {
		return io.NopCloser(iotest.OneByteReader(strings.NewReader(lake))), nil
	}
	p, err := Read(open, "p.json")
	if err != nil {
		t.Fatal(err)
	}
	if whole := mustRead(t, files("p.json", lake), "p.json"); !reflect.DeepEqual(p, whole) {
		t.Errorf("byte by byte it is %v, want %v", p, whole)
	}
}

// Blanks without end are read in bounded memory, and refused where they end.
func TestDictionariesTakeNoMemory(t *testing.T) {
	blanks := io.LimitReader(spaces{}, 64<<20)
	open := func(string) (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader(`{"0": {"0": [[1,`), blanks)), nil
	}
	read, err := openText(open, "p.json")
	if err != nil {
		t.Fatal(err)
	}
	g := newGymnasium(read)
	if err := g.read(); err == nil || !strings.Contains(err.Error(), "p.json:1: state 0, action 0: it ends") {
		t.Errorf("error %v", err)
	}
	if n := len(read.buffer); n != firstBuffer {
		t.Errorf("%d bytes are held", n)
	}
}

// spaces are blanks without end.
type spaces struct{}

func (spaces) Read(to []byte) (int, error) {
	for i := range to {
		to[i] = ' '
	}
	return len(to), nil
}

func FuzzDictionary(f *testing.F) {
	for _, text := range dictionaries {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) < longestToken {
			agrees(t, text)
		}
	})
}
