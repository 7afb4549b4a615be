package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // its first frame
	"image/jpeg"
	_ "image/png"
	"time"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	"vitae.internal/pkg/errs"
)

const (
	// MaxSide is the longer side of a picture of ours, in pixels, at most.
	MaxSide = 512
	// MaxBytes is more than the size of each picture of ours.
	MaxBytes = 100 << 10
	// maxPixels bounds the memory of decoding: a 16-bit PNG needs 8 bytes per pixel.
	maxPixels = 16_000_000
	// decoding is how long a picture may be decoded. A file of half a megabyte can ask for
	// hundreds of passes over the whole picture.
	decoding = 3 * time.Second
	// stride is how many bytes a decoder gets at once. Between two reads it cannot be
	// stopped.
	stride = 1 << 10
)

// qualities are tried until the file is small enough. At 512 pixels a photo takes some 60
// KiB at the first of them. Noise, which nothing compresses well, needs the last ones.
var qualities = []int{86, 75, 60, 40, 20}

// ErrUnreadable is a file that is no picture, that is broken, that has too many pixels, or
// that takes too long.
var ErrUnreadable = errs.New(errs.Invalid, "PICTURE_UNREADABLE", "The picture cannot be read.")

// Encoder makes pictures of ours. It is safe for concurrent use.
type Encoder struct{ places chan struct{} }

// NewEncoder makes an Encoder that decodes so many pictures at once. One of them may
// take 128 MB.
func NewEncoder(atOnce int) (*Encoder, error) {
	if atOnce < 1 {
		return nil, errors.New("picture: at least one picture at once is required")
	}
	return &Encoder{places: make(chan struct{}, atOnce)}, nil
}

// JPEG gives the picture in a JPEG, PNG, GIF or WebP file as a JPEG of at most MaxSide
// pixels and less than MaxBytes bytes, on white where it was transparent. It waits for
// its turn. Errors: ErrUnreadable; those of ctx.
func (e *Encoder) JPEG(ctx context.Context, file []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	select {
	case e.places <- struct{}{}:
		defer func() { <-e.places }()
	case <-ctx.Done():
		return nil, fmt.Errorf("picture: waiting: %w", ctx.Err())
	}
	small, err := decode(ctx, file)
	if err != nil {
		return nil, err
	}
	return encode(small)
}

// Small gives a JPEG that is less than MaxBytes already as it is, and others as JPEG does.
// It is for pictures of ours: it looks at nothing but the size.
func (e *Encoder) Small(ctx context.Context, jpeg []byte) ([]byte, error) {
	if len(jpeg) < MaxBytes {
		return jpeg, nil
	}
	return e.JPEG(ctx, jpeg)
}

// decode gives the picture in a file, upright and small.
func decode(ctx context.Context, file []byte) (*image.RGBA, error) {
	conf, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, ErrUnreadable.WithCause(err)
	}
	if conf.Width < 1 || conf.Height < 1 || conf.Width > maxPixels/conf.Height {
		return nil, ErrUnreadable.WithCause(fmt.Errorf("it has %d by %d pixels", conf.Width, conf.Height))
	}
	until, cancel := context.WithTimeout(ctx, decoding)
	defer cancel()
	whole, _, err := image.Decode(reader{until, bytes.NewReader(file)})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("picture: decoding: %w", ctx.Err())
	}
	if err != nil {
		return nil, ErrUnreadable.WithCause(err)
	}
	small := image.NewRGBA(fitting(whole.Bounds().Size()))
	draw.Draw(small, small.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(small, small.Bounds(), whole, whole.Bounds(), draw.Over, nil)
	if format == "jpeg" {
		small = upright(small, orientation(file))
	}
	return small, nil
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

// fitting gives the bounds of a picture whose longer side is at most MaxSide. A picture
// is never made larger, and no side becomes nothing.
func fitting(size image.Point) image.Rectangle {
	if longer := max(size.X, size.Y); longer > MaxSide {
		size.X, size.Y = max(1, size.X*MaxSide/longer), max(1, size.Y*MaxSide/longer)
	}
	return image.Rect(0, 0, size.X, size.Y)
}

func encode(m *image.RGBA) ([]byte, error) {
	var out bytes.Buffer
	for _, quality := range qualities {
		out.Reset()
		if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
			return nil, fmt.Errorf("picture: encode: %w", err)
		}
		if out.Len() < MaxBytes {
			return out.Bytes(), nil
		}
	}
	return nil, ErrUnreadable.WithCause(fmt.Errorf("it takes %d bytes as a JPEG", out.Len()))
}
