package parquet

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// The codec compresses pages to the same bytes as parquet-go's codec, with little memory.
func TestCodecCompressesAsTheLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	own := newCodec()
	for _, size := range []int{0, 1, 200, 5000, 128 << 10, 128<<10 + 1, 300_000, maxPage} {
		page := make([]byte, size)
		for i := range page {
			page[i] = byte(rng.IntN(3) * rng.IntN(9)) // compressible
		}
		want, err := parquet.Zstd.Encode(nil, page)
		if err != nil {
			t.Fatal(err)
		}
		got, err := own.Encode(nil, page)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("a page of %d bytes is packed to %d bytes, want the library's %d (%v)", size, len(got), len(want), err)
		}
		if back, err := own.Decode(nil, got); err != nil || !bytes.Equal(back, page) {
			t.Errorf("a page of %d bytes comes back as %d (%v)", size, len(back), err)
		}
	}
	if used := allocated(func() { _, _ = newCodec().Encode(nil, make([]byte, maxPage)) }); used > 8<<20 {
		t.Errorf("packing a page takes %d bytes, want at most 8 MB", used)
	}
}

// allocated returns how many bytes a function allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
