package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // decodes only the first frame
	_ "image/jpeg"
	_ "image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

const (
	// maxPixels is the maximum number of pixels of a picture, as documented. Phones take pictures of
	// up to 50 megapixels.
	maxPixels = 51_000_000
	// maxBytes is the maximum memory for decoding and scaling, in bytes. It is sufficient for a
	// progressive JPEG of 16 megapixels that has three components without subsampling.
	maxBytes = 240_000_000
	// maxWork is the maximum work of decoding, in pixels times passes. A progressive JPEG usually has
	// about ten passes; a hostile one has hundreds in half a megabyte. A limit on the work rejects
	// the same files on busy and on idle machines.
	maxWork = 192_000_000
	// stride is the maximum number of bytes that a decoder can read at once. A decoder can be stopped
	// only between two reads, and a few bytes can require a pass over the whole picture.
	stride = 1 << 10
)

// File is a JPEG, PNG, GIF or WebP file that Inspect has accepted. Only a File can be decoded.
type File struct {
	bytes  []byte
	format string
	// Pixels is the number of pixels.
	Pixels int
	// Bytes is the maximum memory for decoding and scaling, in bytes.
	Bytes int64
}

// Format returns the format: "jpeg", "png", "gif" or "webp".
func (f File) Format() string { return f.format }

// Inspect checks a file without decoding its pixels. It returns ErrUnreadable if the file is not a
// supported picture, or if decoding it would take too much memory or time.
func Inspect(file []byte) (File, error) {
	conf, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return File{}, ErrUnreadable.WithCause(err)
	}
	if conf.Width < 1 || conf.Height < 1 || conf.Width > maxPixels/conf.Height {
		return File{}, ErrUnreadable.WithCause(fmt.Errorf("it has %d by %d pixels", conf.Width, conf.Height))
	}
	f := File{bytes: file, format: format, Pixels: conf.Width * conf.Height}
	f.Bytes = costOf(file, format, conf).atMost(scalingCost(format, conf))
	if f.Bytes > maxBytes {
		return File{}, ErrUnreadable.WithCause(fmt.Errorf("it takes %d bytes to decode", f.Bytes))
	}
	if n := f.passes(); n > maxWork/f.Pixels {
		return File{}, ErrUnreadable.WithCause(fmt.Errorf("it has %d passes over %d pixels", n, f.Pixels))
	}
	return f, nil
}

// startOfScan is the marker at the start of each pass of a JPEG (ITU-T T.81 B.2.3). It does not occur
// in the data of a pass.
var startOfScan = []byte{0xff, 0xda}

// passes returns the maximum number of passes over all pixels.
func (f File) passes() int {
	if f.format != "jpeg" {
		return 1
	}
	return bytes.Count(f.bytes, startOfScan)
}

// Shape returns the size of a scaled picture, and the part of the original to show.
type Shape func(whole image.Rectangle) (size image.Point, part image.Rectangle)

// Scale decodes the picture, scales it, and turns it upright. Transparent areas become white. shape
// returns the size before turning. Scale returns ErrUnreadable if the file is invalid, and wraps the
// error of ctx if ctx is done.
func (f File) Scale(ctx context.Context, shape Shape) (*image.RGBA, error) {
	whole, _, err := image.Decode(reader{ctx, bytes.NewReader(f.bytes)})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("picture: decoding: %w", ctx.Err())
	}
	if err != nil {
		return nil, ErrUnreadable.WithCause(err)
	}
	whole = shrunk(whole)
	size, part := shape(whole.Bounds())
	scaled := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(scaled, scaled.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(scaled, scaled.Bounds(), whole, part, draw.Over, nil)
	if f.format == "jpeg" {
		scaled = upright(scaled, orientation(f.bytes))
	}
	return scaled, nil
}

// reader returns an error once ctx is done, which is the only way to stop package image.
type reader struct {
	ctx  context.Context //nolint:containedctx // io.Reader has no context
	file *bytes.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.file.Read(p[:min(len(p), stride)])
}
