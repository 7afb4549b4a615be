package photo

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"

	"vitae.internal/pkg/picture"
)

const (
	// fewPixels and fewBytes are the limits of a small picture. Decoding it takes a fraction of the
	// time that a large one takes.
	fewPixels = 2_000_000
	fewBytes  = 64 << 20
	// side is the length of each side of the square photo in pixels: 30 mm at 400 dpi.
	side    = 472
	quality = 86
)

// square converts a picture to a small square JPEG without metadata. It stops when ctx is done.
func square(ctx context.Context, file picture.File) ([]byte, error) {
	small, err := file.Scale(ctx, func(whole image.Rectangle) (image.Point, image.Rectangle) {
		size := min(side, whole.Dx(), whole.Dy())
		return image.Pt(size, size), center(whole)
	})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, small, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("photo: encode: %w", err)
	}
	return out.Bytes(), nil
}

// center returns the largest square in the middle of a picture. In a tall picture the square is a
// little above the middle, where faces usually are.
func center(r image.Rectangle) image.Rectangle {
	w, h := r.Dx(), r.Dy()
	if w >= h {
		left := r.Min.X + (w-h)/2
		return image.Rect(left, r.Min.Y, left+h, r.Max.Y)
	}
	top := r.Min.Y + (h-w)/3
	return image.Rect(r.Min.X, top, r.Max.X, top+w)
}
