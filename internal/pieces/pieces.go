// Package pieces keeps the results of long work in a folder as pieces. A piece is a value that depends only on the
// identity of the work and on the key of the piece. [Do] returns the kept value, or computes and keeps it; [Ordered]
// does so for many small values, some of which make a piece together. The files of the answer appear when all are
// written, the manifest last, and then the pieces go.
//
// What follows from this alone: the same command goes on with work that was killed; work with more pieces extends it;
// part i of n does every n-th piece; parts are joined by reading the pieces of all of them; a damaged piece is computed
// again, and a part that lacks a piece or has a damaged one is refused; and processes that do the same work in one
// folder write equal values over each other. There are no locks.
//
// # Files
//
//	manifest.json       written last; its presence says that the answer is complete
//	pieces/work.json    the manifest of the work, with nothing done
//	pieces/KEY.piece    one piece: magic, SHA-256 of identity and key, payload, CRC-32C of all those
//	pieces/former.json  the manifest of the answer that is being replaced
//	pieces/next.json    the manifest of the answer that replaces it
//	pieces/.NAME-*      temporary files, also those of the answer
//
// # Assumptions and limitations
//
// The file system renames atomically. Pieces are not synced: after a power failure the checksum finds what is torn, and
// the piece is computed again. Files of the answer are synced before they get their names. All names are resolved below
// the folder by [os.Root], and a symbolic link in the place of a file is replaced or ignored, never followed. While a
// process gives files their names, another one must not do so with other work in the same folder.
package pieces

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"veilpath/internal/record"
)

// Work is the pieces of some work in a folder. Its methods may be called from several goroutines, but [Ordered] and
// [Kept] only from one.
type Work struct {
	*store
	shard *record.Shard // which part of the work is done; nil for the whole
}

// store is where the pieces are kept.
type store struct {
	folder   *Folder
	identity [32]byte
	parts    []*os.Root // folders whose pieces are read too
	buffers  sync.Pool  // of *[]byte
	rounds   int        // that have begun

	found, kept, damaged atomic.Int64 // see Result
}

// Result says how many pieces were found, are kept and were damaged.
type Result struct {
	Found   int // in the folder of the work or in those of parts
	Kept    int // in the folder of the work, before this process or by it
	Damaged int // and computed again
}

// Begin begins or continues the work of a manifest in a folder. Kept pieces of other work there are not used. The
// pieces in the folders of parts are used too; those folders are not changed, and one that lacks a piece is an error.
// Without a folder, it is work only if there are parts, and computed pieces are not kept.
func (f *Folder) Begin(m record.Manifest, parts ...string) (*Work, error) {
	if f == nil && len(parts) == 0 {
		return nil, nil
	}
	m.Build = Build()
	w := &Work{&store{folder: f, identity: m.PieceIdentity()}, m.Shard}
	for _, part := range parts {
		root, err := openPart(part)
		if err != nil {
			w.End()
			return nil, err
		}
		w.parts = append(w.parts, root)
	}
	if f == nil {
		return w, nil
	}
	err := f.replace(record.WorkName, true, func(to io.Writer) error { return record.WriteManifest(to, m) })
	if err != nil {
		w.End()
		return nil, err
	}
	return w, nil
}

// openPart opens the folder of a part, which must have as many pieces as its manifest says.
func openPart(path string) (*os.Root, error) {
	m, err := record.ReadManifest(path)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, record.Cause(err))
	}
	if n := countPieces(root); n < m.Kept {
		root.Close()
		return nil, fmt.Errorf("part %s lacks %d of its %d pieces; run the command of that part again", path, m.Kept-n,
			m.Kept)
	}
	return root, nil
}

// countPieces returns the number of pieces in a folder.
func countPieces(root *os.Root) int {
	names, _ := fs.Glob(root.FS(), dir+"/*"+ending)
	return len(names)
}

// End ends the use of the pieces. If none was kept, the folder has no unfinished work.
func (w *Work) End() {
	if w == nil {
		return
	}
	for _, root := range w.parts {
		root.Close()
	}
	if w.folder != nil && w.Result().Kept == 0 && !w.folder.kept {
		w.folder.root.Remove(record.WorkName)
	}
}

// Result returns what became of the pieces so far.
func (w *Work) Result() Result {
	if w == nil {
		return Result{}
	}
	return Result{int(w.found.Load()), int(w.kept.Load()), int(w.damaged.Load())}
}

// Do returns the kept value of a piece. If there is none, or it is damaged, Do computes the value and keeps it. The key
// is a plain file name. The storage may be reused for the value, as in pool.Work. If work is nil, nothing is kept.
//
// The value is encoded by its own AppendBinary and UnmarshalBinary, which must restore it exactly, or by gob. Gob loses
// what it does not encode, such as the sign of -0, so the value is then returned as decoded: the caller never sees
// whether it was kept.
func Do[T any](ctx context.Context, w *Work, key string, storage T,
	compute func(ctx context.Context, storage T) (T, error)) (T, error) {
	if w == nil {
		return compute(ctx, storage)
	}
	found, err := w.get(key, func(b []byte) error { return decode(b, &storage) })
	if found || err != nil {
		return storage, err
	}
	value, err := compute(ctx, storage)
	if err != nil {
		return value, err
	}
	return Put(w, key, value)
}

// Put keeps a value, and returns it as it is read back.
func Put[T any](w *Work, key string, value T) (T, error) {
	own, exact := any(value).(encoding.BinaryAppender)
	if exact {
		return value, w.put(key, own.AppendBinary)
	}
	var text bytes.Buffer
	if err := newEncoder(&text).Encode(value); err != nil {
		return value, fmt.Errorf("piece %s: %w", key, err)
	}
	var decoded T
	if err := decode(text.Bytes(), &decoded); err != nil {
		return value, fmt.Errorf("piece %s: %w", key, err)
	}
	return decoded, w.putBytes(key, text.Bytes())
}

// encoder and decoder are those of package gob.
type (
	encoder interface{ Encode(value any) error }
	decoder interface{ Decode(value any) error }
)

func decode(b []byte, value any) error {
	if own, is := value.(encoding.BinaryUnmarshaler); is {
		return own.UnmarshalBinary(b)
	}
	return newDecoder(bytes.NewReader(b)).Decode(value)
}

// nextRound returns the number of a round that begins, from 0.
func (w *Work) nextRound() int {
	w.rounds++
	return w.rounds - 1
}

const magic = "veilpath piece 1\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header appends what a piece begins with. Pieces of other work, or under another name, do not have it.
func (w *Work) header(key string, b []byte) []byte {
	sum := sha256.Sum256(append(w.identity[:], key...))
	return append(append(b, magic...), sum[:]...)
}

// get passes the payload of a piece to read, which must not retain it, and reports whether there is an undamaged piece.
// A damaged piece of a part is an error. An error of read, although the checksum is right, is an error of the program.
func (w *Work) get(key string, read func(b []byte) error) (bool, error) {
	buffer := w.take()
	defer w.buffers.Put(buffer)
	roots := w.parts
	if w.folder != nil {
		roots = append([]*os.Root{w.folder.root}, roots...)
	}
	for _, root := range roots {
		own := w.folder != nil && root == w.folder.root
		err := readInto(root, path.Join(dir, key+ending), buffer)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		b, head := *buffer, w.header(key, nil)
		end := len(b) - crc32.Size
		if err != nil || end < len(head) || !bytes.HasPrefix(b, head) ||
			crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
			if !own {
				return false, fmt.Errorf("part %s is damaged; run the command of that part again", root.Name())
			}
			w.damaged.Add(1)
			continue
		}
		if err := read(b[len(head):end]); err != nil {
			return false, fmt.Errorf("piece %s of %s: %w", key, root.Name(), err)
		}
		if w.found.Add(1); own {
			w.kept.Add(1)
		}
		return true, nil
	}
	return false, nil
}

// putBytes keeps a piece with a payload.
func (w *Work) putBytes(key string, payload []byte) error {
	return w.put(key, func(b []byte) ([]byte, error) { return append(b, payload...), nil })
}

// put keeps a piece whose payload encode appends.
func (w *Work) put(key string, encode func(b []byte) ([]byte, error)) error {
	if w.folder == nil {
		return nil
	}
	buffer := w.take()
	defer w.buffers.Put(buffer)
	b, err := encode(w.header(key, (*buffer)[:0]))
	if err != nil {
		return fmt.Errorf("piece %s: %w", key, err)
	}
	*buffer = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	err = w.folder.replace(path.Join(dir, key+ending), false, func(to io.Writer) error {
		_, err := to.Write(*buffer)
		return err
	})
	if err == nil {
		w.kept.Add(1)
	}
	return err
}

// take returns a buffer, which is put back after its use.
func (w *Work) take() *[]byte {
	if b, is := w.buffers.Get().(*[]byte); is {
		return b
	}
	return new([]byte)
}

// Build names the build of the program: the revision of an unchanged source, or the length and CRC-32C of the program,
// which take a few milliseconds. Pieces of one build are not used by another, whose results may differ.
var Build = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		vcs := map[string]string{}
		for _, s := range info.Settings {
			vcs[s.Key] = s.Value
		}
		if vcs["vcs.modified"] == "false" {
			return vcs["vcs.revision"]
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	program, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer program.Close()
	sum := crc32.New(castagnoli)
	length, err := io.Copy(sum, program)
	if err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%d-%08x", length, sum.Sum32())
})
