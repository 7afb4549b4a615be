package photo

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // its first frame
	"image/jpeg"
	_ "image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	ours "vitae.internal/pkg/picture"
)

const (
	// maxPixels bounds the memory of decoding. A progressive JPEG needs 12 bytes of
	// coefficients and 3 of picture per pixel, a 16-bit PNG 8.
	maxPixels = 16_000_000
	// fewPixels is the size up to which a picture counts as small: 30 MB at most, and a
	// fraction of the time.
	fewPixels = 2_000_000
	// side of the square photo in a CV, in pixels: 30 mm at 400 dpi.
	side    = 472
	quality = 86
	// stride is how many bytes a decoder gets at once. Between two reads it cannot be
	// stopped, and a few bytes can ask for a pass over the whole picture.
	stride = 1 << 10
)

// header is what a picture says of itself before it is decoded.
type header struct {
	format string
	pixels int
}

// inspect reads the header of a JPEG, PNG, GIF or WebP, and refuses one that promises
// more pixels than are decoded.
func inspect(file []byte) (header, error) {
	conf, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return header{}, fmt.Errorf("photo: no picture: %w", err)
	}
	if conf.Width < 1 || conf.Height < 1 || conf.Width > maxPixels/conf.Height {
		return header{}, fmt.Errorf("photo: %d by %d pixels is too large", conf.Width, conf.Height)
	}
	return header{format: format, pixels: conf.Width * conf.Height}, nil
}

// until reads until ctx ends. Package image cannot be stopped otherwise.
type until struct {
	ctx  context.Context
	file *bytes.Reader
}

func (u until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.file.Read(p[:min(len(p), stride)])
}

// reencode turns a picture that was inspected into a small square JPEG, upright, without
// metadata, on white where it was transparent. It stops when ctx ends.
func reencode(ctx context.Context, file []byte, format string) ([]byte, error) {
	whole, _, err := image.Decode(until{ctx, bytes.NewReader(file)})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("photo: decoding takes too long: %w", ctx.Err())
	}
	if err != nil {
		return nil, fmt.Errorf("photo: broken %s: %w", format, err)
	}
	size := min(side, whole.Bounds().Dx(), whole.Bounds().Dy())
	square := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(square, square.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(square, square.Bounds(), whole, centre(whole.Bounds()), draw.Over, nil)
	if format == "jpeg" {
		square = ours.Upright(square, file)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, square, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("photo: encode: %w", err)
	}
	return out.Bytes(), nil
}

// centre gives the largest square in the middle of a picture. In a tall picture it lies a
// little higher, where faces are.
func centre(r image.Rectangle) image.Rectangle {
	w, h := r.Dx(), r.Dy()
	if w >= h {
		left := r.Min.X + (w-h)/2
		return image.Rect(left, r.Min.Y, left+h, r.Max.Y)
	}
	top := r.Min.Y + (h-w)/3
	return image.Rect(r.Min.X, top, r.Max.X, top+w)
}
