package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // its first frame
	_ "image/jpeg"
	_ "image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

const (
	// maxPixels bounds the size of a picture, as the documents promise. Phones take pictures of up
	// to 50 megapixels.
	maxPixels = 51_000_000
	// maxBytes bounds the memory of decoding and scaling, in bytes. A progressive JPEG of 16
	// megapixels takes as much, with three components and all samples of each.
	maxBytes = 240_000_000
	// maxWork bounds the time of decoding, in pixels times passes over them. A progressive
	// JPEG has some ten passes, of which a hostile one has hundreds in half a megabyte. A
	// bound on the work refuses the same files on a busy machine as on an idle one.
	maxWork = 192_000_000
	// stride is how many bytes a decoder gets at once. Between two reads it cannot be
	// stopped, and a few bytes can ask for a pass over the whole picture.
	stride = 1 << 10
)

// File is a JPEG, PNG, GIF or WebP file whose header promises a picture that may be
// decoded. Inspect makes one, so nothing else is decoded.
type File struct {
	bytes  []byte
	format string
	// Pixels is the size of the picture.
	Pixels int
	// Bytes is the memory that decoding and scaling take at most.
	Bytes int64
}

// Format is the format of the file: "jpeg", "png", "gif" or "webp".
func (f File) Format() string { return f.format }

// Inspect reads the header of a file. Errors: ErrUnreadable.
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

// startOfScan begins each pass of a JPEG over its pixels (ITU-T T.81 B.2.3). The data of a
// pass never holds it.
var startOfScan = []byte{0xff, 0xda}

// passes is how often decoding goes over all pixels, at most.
func (f File) passes() int {
	if f.format != "jpeg" {
		return 1
	}
	return bytes.Count(f.bytes, startOfScan)
}

// Shape says how large a scaled picture is, and which part of the whole it shows.
type Shape func(whole image.Rectangle) (size image.Point, part image.Rectangle)

// Scale decodes the picture and scales it, upright, on white where it was transparent.
// The size is that before it is turned upright. Errors: ErrUnreadable; that of ctx when
// it ends first.
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

// reader reads a file until ctx ends. Package image cannot be stopped otherwise.
type reader struct {
	ctx  context.Context //nolint:containedctx // an io.Reader gets no other
	file *bytes.Reader
}

// Read implements io.Reader.
func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.file.Read(p[:min(len(p), stride)])
}
