package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"time"

	"vitae.internal/pkg/errs"
)

const (
	// MaxSide is the maximum length of the longer side of an encoded picture, in pixels.
	MaxSide = 512
	// MaxBytes is the size limit of an encoded picture, in bytes. Every picture is smaller.
	MaxBytes = 100 << 10
	// decoding is the timeout for a hanging decoder. Inspect limits the work to a few seconds of one
	// core.
	decoding = time.Minute
)

// qualities lists the JPEG qualities to try until the file is small enough. A photo of 512 pixels takes
// about 60 KiB with the first one. Only noise, which does not compress, needs the last ones.
var qualities = []int{86, 75, 60, 40, 20}

// ErrUnreadable is the error for a file that is not a valid picture or needs too much work. It never
// depends on how busy the machine is.
var ErrUnreadable = errs.New(errs.Invalid, "PICTURE_UNREADABLE", "The picture cannot be read.")

// Encoder encodes pictures for serving. It is safe for concurrent use.
type Encoder struct{ memory *memory }

// NewEncoder returns an Encoder that is limited only by the process-wide memory for pictures.
func NewEncoder() *Encoder { return &Encoder{memory: ofProcess()} }

// NewEncoderWithin returns an Encoder that also uses at most the given number of bytes for all its
// pictures together.
func NewEncoderWithin(most int64) *Encoder {
	m := newMemory(most)
	m.outer = ofProcess()
	return &Encoder{memory: m}
}

// JPEG converts a JPEG, PNG, GIF or WebP file to a JPEG of at most MaxSide pixels and less than
// MaxBytes bytes. Transparent areas become white. JPEG waits until enough memory is available. It
// returns ErrUnreadable if the file is invalid or needs too much memory, and an errs.Unavailable error
// if the machine is currently too slow. It wraps the error of ctx if ctx is done.
func (e *Encoder) JPEG(ctx context.Context, file []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	f, err := Inspect(file)
	if err != nil {
		return nil, err
	}
	release, err := e.memory.reserve(ctx, f)
	if err != nil {
		return nil, err
	}
	defer release()
	small, err := decode(ctx, f)
	if err != nil {
		return nil, err
	}
	return encode(small)
}

// Small returns a JPEG smaller than MaxBytes unchanged, and converts a larger one with JPEG. It checks
// only the size, so it is only for pictures that this package encoded.
func (e *Encoder) Small(ctx context.Context, jpeg []byte) ([]byte, error) {
	if len(jpeg) < MaxBytes {
		return jpeg, nil
	}
	return e.JPEG(ctx, jpeg)
}

// decode returns the picture in a file, upright and scaled down.
func decode(ctx context.Context, f File) (*image.RGBA, error) {
	work, cancel := context.WithTimeout(ctx, decoding)
	defer cancel()
	small, err := f.Scale(work, func(whole image.Rectangle) (image.Point, image.Rectangle) {
		return fitting(whole.Size()), whole
	})
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("picture: decoding: %w", ctx.Err())
	case err != nil && work.Err() != nil:
		return nil, errs.New(errs.Unavailable, errs.CodeUnavailable, "The picture cannot be read now.").WithCause(err)
	}
	return small, err
}

// fitting returns a size whose longer side is at most MaxSide, with the same proportions. Pictures are
// never enlarged, and no side becomes 0.
func fitting(size image.Point) image.Point {
	if longer := max(size.X, size.Y); longer > MaxSide {
		size.X, size.Y = max(1, size.X*MaxSide/longer), max(1, size.Y*MaxSide/longer)
	}
	return size
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
