package photo

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // its first frame
	"image/jpeg"
	_ "image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

const (
	// maxPixels bounds the memory of decoding: a 16-bit PNG needs 8 bytes per pixel.
	maxPixels = 16_000_000
	// side of the square photo in a CV, in pixels: 30 mm at 400 dpi.
	side    = 472
	quality = 86
)

// reencode turns a JPEG, PNG, GIF or WebP into a small square JPEG, upright,
// without metadata, on white where it was transparent.
func reencode(file []byte) ([]byte, error) {
	conf, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("photo: no picture: %w", err)
	}
	if conf.Width < 1 || conf.Height < 1 || conf.Width > maxPixels/conf.Height {
		return nil, fmt.Errorf("photo: %d by %d pixels is too large", conf.Width, conf.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("photo: broken %s: %w", format, err)
	}
	size := min(side, picture.Bounds().Dx(), picture.Bounds().Dy())
	square := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(square, square.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(square, square.Bounds(), picture, centre(picture.Bounds()), draw.Over, nil)
	if format == "jpeg" {
		square = upright(square, orientation(file))
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
