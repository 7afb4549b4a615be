package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit/picturetest"
)

// allocated returns the number of bytes that f allocates. The count covers the whole process, so
// tests that use it cannot be parallel.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// A decoder allocates at least as much as its peak memory, so the allocation is an upper bound for
// the peak.
func TestCostMatchesDecoders(t *testing.T) {
	const side = 1000
	square := image.Rect(0, 0, side, side)
	as := func(encode func(io.Writer, image.Image) error, m image.Image) []byte {
		var out bytes.Buffer
		if err := encode(&out, m); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	see := func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }
	interlaced := func(file []byte) []byte { // the decoder detects that the file is invalid only after the first passes
		file[28] = 1
		binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
		return file
	}
	for name, file := range map[string][]byte{
		"JPEG":                      as(see, image.NewRGBA(square)),
		"grey JPEG":                 as(see, image.NewGray(square)),
		"progressive JPEG":          picturetest.ProgressiveJPEG(side, side, 3),
		"progressive CMYK":          picturetest.ProgressiveJPEG(side, side, 4),
		"progressive, narrow":       picturetest.ProgressiveJPEG(1, 60_000, 4),
		"PNG":                       as(png.Encode, image.NewNRGBA(square)),
		"grey PNG":                  as(png.Encode, image.NewGray(square)),
		"PNG with a palette":        as(png.Encode, image.NewPaletted(square, palette.WebSafe)),
		"PNG of 16 bits":            as(png.Encode, image.NewNRGBA64(square)),
		"PNG of 16 bits, one row":   as(png.Encode, image.NewNRGBA64(image.Rect(0, 0, side*side, 1))),
		"interlaced PNG of 16 bits": interlaced(as(png.Encode, image.NewNRGBA64(square))),
		"lossy WebP":                webp(lossy(side, side, 0)),
		"lossy WebP, long file":     webp(lossy(side, side, 1<<20)),
		"GIF":                       as(func(w io.Writer, m image.Image) error { return gif.Encode(w, m, nil) }, image.NewPaletted(square, palette.WebSafe)),
	} {
		conf, format, err := image.DecodeConfig(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c := costOf(file, format, conf)
		took := allocated(func() { _, _, err = image.Decode(bytes.NewReader(file)) })
		// Readers and tables need less than a megabyte.
		if took > c.decoding+1<<20 {
			t.Errorf("%s: decoding allocated %d bytes, but costOf returned %d (%v)", name, took, c.decoding, err)
		}
		if c.decoding > 3*took+1<<20 {
			t.Errorf("%s: decoding allocated %d bytes, but costOf returned far more: %d", name, took, c.decoding)
		}
	}
}

type chunk struct {
	id   string
	body []byte
}

// lossy returns a VP8 chunk with a frame header and zeros.
func lossy(w, h uint16, zeros int) chunk {
	head := []byte{0x10, 1, 0, 0x9d, 1, 0x2a} // a visible key frame with a first partition of 8 bytes
	head = binary.LittleEndian.AppendUint16(head, w)
	return chunk{"VP8 ", append(binary.LittleEndian.AppendUint16(head, h), make([]byte, 64+zeros)...)}
}

// lossless returns a VP8L chunk with a header and zeros.
func lossless(w, h uint32, zeros int) chunk {
	return chunk{"VP8L", append(binary.LittleEndian.AppendUint32([]byte{0x2f}, w-1|(h-1)<<14), make([]byte, zeros)...)}
}

// extended returns a VP8X chunk with the alpha flag.
func extended(w, h uint32) chunk {
	body := binary.LittleEndian.AppendUint32([]byte{1 << 4, 0, 0, 0}, w-1)[:7]
	return chunk{"VP8X", binary.LittleEndian.AppendUint32(body, h-1)[:10]}
}

func webp(chunks ...chunk) []byte {
	body := []byte("WEBP")
	for _, c := range chunks {
		body = binary.LittleEndian.AppendUint32(append(body, c.id...), uint32(len(c.body)))
		body = append(append(body, c.body...), make([]byte, len(c.body)%2)...)
	}
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func TestPictureAboveMemoryLimitIsRejected(t *testing.T) {
	t.Parallel()
	baseline := func(file []byte) []byte { return bytes.Replace(file, []byte{0xff, 0xc2}, []byte{0xff, 0xc0}, 1) }
	behind := func(file []byte) []byte {
		return append([]byte{0xff, 0xd8, 0xff, 0xe1, 0, 6, 0xff, 0xc0, 0, 0}, file[2:]...)
	}
	long := func(webp []byte, length uint32) []byte { // set the lengths in the headers
		binary.LittleEndian.PutUint32(webp[4:], 4+8+length)
		binary.LittleEndian.PutUint32(webp[16:], length)
		return webp
	}
	for name, c := range map[string]struct {
		file []byte
		want bool
	}{
		"progressive, three components":        {picturetest.ProgressiveJPEG(4000, 4000, 3), true},
		"progressive, four components":         {picturetest.ProgressiveJPEG(4000, 4000, 4), false},
		"progressive, four, after a thumbnail": {behind(picturetest.ProgressiveJPEG(4000, 4000, 4)), false},
		"progressive, four, smaller":           {picturetest.ProgressiveJPEG(3000, 3000, 4), true},
		"four components":                      {baseline(picturetest.ProgressiveJPEG(4000, 4000, 4)), true},
		"lossy WebP":                           {webp(lossy(4000, 4000, 500<<10)), true},
		"lossy WebP with alpha":                {webp(extended(4000, 4000), chunk{"ALPH", make([]byte, 100<<10)}, lossy(4000, 4000, 500<<10)), true},
		"lossy WebP with many trees in alpha":  {webp(extended(4000, 4000), chunk{"ALPH", make([]byte, 500<<10)}, lossy(4000, 4000, 0)), false},
		"lossy WebP with a chunk after alpha":  {webp(extended(4000, 4000), chunk{"ALPH", make([]byte, 500<<10)}, chunk{"EXIF", nil}, lossy(4000, 4000, 0)), false},
		"lossy WebP with a huge chunk length":  {long(webp(lossy(4000, 4000, 0)), 1<<28), false},
		"lossless WebP":                        {webp(lossless(4000, 4000, 100<<10)), true},
		"lossless WebP with many trees":        {webp(lossless(4000, 4000, 500<<10)), false},
		"a tall line, width is scaled first":   {header(1, 16_000_000), false},
		"a long line, with weights":            {header(16_000_000, 1), false},
	} {
		f, err := Inspect(c.file)
		if (err == nil) != c.want || err != nil && !errs.HasCode(err, ErrUnreadable.Code) {
			t.Errorf("%s: %d bytes, %v", name, f.Bytes, err)
		}
	}
}

func TestScalingCostIsUpperBound(t *testing.T) {
	for _, size := range []image.Point{{900, 900}, {2100, 2200}, {60_000, 1}, {1, 60_000}} {
		f, err := Inspect(picturetest.ProgressiveJPEG(size.X, size.Y, 3))
		if err != nil {
			t.Fatal(err)
		}
		took := allocated(func() { _, err = decode(t.Context(), f) })
		conf := image.Config{Width: size.X, Height: size.Y, ColorModel: color.YCbCrModel}
		c := costOf(f.bytes, f.format, conf)
		if most := c.decoding + scalingCost(f.format, conf) + 3<<20; err != nil || took > most {
			t.Errorf("%v: scaling allocated %d bytes, want at most %d, %v", size, took, most, err)
		}
	}
}
