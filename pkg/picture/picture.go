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
	// MaxSide is the longer side of a picture of ours, in pixels, at most.
	MaxSide = 512
	// MaxBytes is more than the size of each picture of ours.
	MaxBytes = 100 << 10
	// decoding ends a decoder that hangs. Inspect bounds the work, to a few seconds of one
	// core, so no picture needs nearly as long.
	decoding = time.Minute
)

// qualities are tried until the file is small enough. At 512 pixels a photo takes some 60
// KiB at the first of them. Noise, which nothing compresses well, needs the last ones.
var qualities = []int{86, 75, 60, 40, 20}

// ErrUnreadable is a file that is no picture, that is broken, or that asks for too much
// work. It is a fault of the file, whatever the machine does meanwhile.
var ErrUnreadable = errs.New(errs.Invalid, "PICTURE_UNREADABLE", "The picture cannot be read.")

// Encoder makes pictures of ours. It is safe for concurrent use.
type Encoder struct{ memory *memory }

// NewEncoder returns an Encoder whose pictures count against the memory of the process.
func NewEncoder() *Encoder { return &Encoder{memory: ofProcess()} }

// NewEncoderWithin returns an Encoder whose pictures take at most so many bytes together, of the memory
// of the process.
func NewEncoderWithin(most int64) *Encoder {
	m := newMemory(most)
	m.outer = ofProcess()
	return &Encoder{memory: m}
}

// JPEG gives the picture in a JPEG, PNG, GIF or WebP file as a JPEG of at most MaxSide
// pixels and less than MaxBytes bytes, on white where it was transparent. It waits for
// its turn. Errors: ErrUnreadable; Unavailable if this machine is too slow now; those of
// ctx.
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

// Small gives a JPEG that is less than MaxBytes already as it is, and others as JPEG does.
// It is for pictures of ours: it looks at nothing but the size.
func (e *Encoder) Small(ctx context.Context, jpeg []byte) ([]byte, error) {
	if len(jpeg) < MaxBytes {
		return jpeg, nil
	}
	return e.JPEG(ctx, jpeg)
}

// decode gives the picture in a file, upright and small.
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

// fitting gives the size of a picture whose longer side is at most MaxSide. A picture is
// never made larger, and no side becomes nothing.
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
