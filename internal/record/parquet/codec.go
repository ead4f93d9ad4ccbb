package parquet

import (
	"sync"

	klauspost "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// codec compresses to the same bytes as parquet-go's codec, and keeps only as much history as a page is long. The
// library's codec takes 16 MB for every column that is compressed at the same time.
type codec struct {
	zstd.Codec
	encoders sync.Pool
}

// longestHistory is the length of a zstd window, a power of two, that holds any page.
const longestHistory = 1 << 20

var _ = [longestHistory - maxPage]struct{}{}

func newCodec() *codec {
	return &codec{encoders: sync.Pool{New: func() any {
		e, err := klauspost.NewWriter(nil, klauspost.WithEncoderConcurrency(1), klauspost.WithZeroFrames(true),
			klauspost.WithEncoderCRC(false), klauspost.WithWindowSize(longestHistory), klauspost.WithLowerEncoderMem(true))
		if err != nil {
			panic("parquet: " + err.Error()) // the options are fixed
		}
		return e
	}}}
}

// Encode implements compress.Codec.
func (c *codec) Encode(to, page []byte) ([]byte, error) {
	e := c.encoders.Get().(*klauspost.Encoder)
	defer c.encoders.Put(e)
	return e.EncodeAll(page, to[:0]), nil
}
