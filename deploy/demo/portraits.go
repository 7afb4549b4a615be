//go:build ignore

// Command portraits draws the photos of the demo people and writes them into world.json as data: URLs, so that the demo
// needs no network and does not show real faces. The output is deterministic:
//
//	go run deploy/demo/portraits.go deploy/demo/world.json
package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"math"
	"os"
)

const (
	side    = 320
	samples = 4 // per pixel and direction, so that outlines are smooth
	quality = 82
)

// shape is an ellipse. Only its rows from top to bottom are painted.
type shape struct {
	x, y, rx, ry float64
	top, bottom  float64
	paint        uint32 // 0xRRGGBB
}

// full returns a whole ellipse.
func full(x, y, rx, ry float64, paint uint32) shape {
	return shape{x, y, rx, ry, 0, side, paint}
}

// portrait is a picture of shapes, painted in order on a background that fades from the color above to the color below.
type portrait struct {
	above, below uint32
	shapes       []shape
}

const (
	light, tan, brown = 0xe9bd9a, 0xd6a07a, 0xb98562
	black, dark       = 0x2a2523, 0x3b2c26
	white             = 0xf7f5f0
)

// head returns a neck and a face.
func head(skin, shadow uint32) []shape {
	return []shape{full(160, 218, 27, 44, shadow), full(160, 150, 55, 68, skin)}
}

func person(above, below uint32, behind []shape, skin, shadow uint32, front ...shape) portrait {
	return portrait{above, below, append(append(behind, head(skin, shadow)...), front...)}
}

// scarf returns a portrait with a headscarf that covers the hair and shoulders, but not the face.
func scarf(above, below, cloth, fold, skin uint32) portrait {
	return portrait{above, below, []shape{
		full(160, 345, 142, 120, cloth), full(160, 160, 82, 104, cloth), full(160, 250, 66, 42, fold),
		full(160, 152, 51, 64, skin), {160, 126, 54, 44, 0, 104, fold},
	}}
}

var portraits = map[string]portrait{
	"layla": person(0xf4d6c6, 0xe3a99a,
		[]shape{full(160, 178, 86, 118, dark), full(160, 350, 128, 112, 0x2f6f73)},
		light, 0xd3a37f, shape{160, 138, 62, 66, 0, 112, dark}),
	"rashid": person(0xc9d8d5, 0x7fa39d,
		[]shape{full(160, 184, 86, 118, white), full(160, 352, 138, 112, white)},
		tan, 0xb9845f,
		shape{160, 150, 55, 68, 178, side, dark}, full(160, 184, 24, 7, 0xc48f6c),
		shape{160, 152, 66, 86, 0, 120, white},
		shape{160, 152, 66, 86, 92, 100, black}, shape{160, 152, 66, 86, 104, 112, black}),
	"aisha": scarf(0xe4dccb, 0xc3b18d, 0x23343f, 0x2f4552, light),
	"khalid": person(0xd9dfe9, 0x97a8c4,
		[]shape{full(160, 352, 134, 112, 0x33435e), full(160, 138, 62, 66, black)},
		tan, 0xb9845f,
		shape{160, 136, 58, 62, 0, 104, black}, shape{160, 150, 55, 68, 182, side, black}, full(160, 188, 22, 6, 0xc48f6c)),
	"yousef": person(0xe6e1f0, 0xa99cc9,
		[]shape{full(160, 352, 130, 112, 0xe2b657), full(160, 134, 64, 64, dark)},
		brown, 0x9c6c4c, shape{160, 132, 60, 60, 0, 108, dark}),
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run deploy/demo/portraits.go WORLD.json")
	}
	world, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for ref, p := range portraits {
		if world, err = put(world, ref, p); err != nil {
			log.Fatal(err)
		}
	}
	if err := os.WriteFile(os.Args[1], world, 0o644); err != nil {
		log.Fatal(err)
	}
}

// put sets the avatarUrl of the person whose ref is ref, and changes nothing else.
func put(world []byte, ref string, p portrait) ([]byte, error) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, p.draw(), &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	_, after, found := bytes.Cut(world, fmt.Appendf(nil, "%q: %q", "ref", ref))
	_, url, hasURL := bytes.Cut(after, []byte(`"avatarUrl": "`))
	end := bytes.IndexByte(url, '"')
	if !found || !hasURL || end < 0 {
		return nil, fmt.Errorf("no person %q with an avatarUrl", ref)
	}
	start := len(world) - len(url)
	out := append([]byte(nil), world[:start]...)
	out = append(out, "data:image/jpeg;base64,"+base64.StdEncoding.EncodeToString(file.Bytes())...)
	return append(out, url[end:]...), nil
}

func (p portrait) draw() image.Image {
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			img.SetRGBA(x, y, p.pixel(float64(x), float64(y)))
		}
	}
	return img
}

func (p portrait) pixel(x, y float64) color.RGBA {
	var sum [3]float64
	for i := range samples * samples {
		sx := x + (float64(i%samples)+0.5)/samples
		sy := y + (float64(i/samples)+0.5)/samples
		for c, v := range p.at(sx, sy) {
			sum[c] += v
		}
	}
	n := float64(samples * samples)
	return color.RGBA{uint8(math.Round(sum[0] / n)), uint8(math.Round(sum[1] / n)), uint8(math.Round(sum[2] / n)), 0xff}
}

func (p portrait) at(x, y float64) [3]float64 {
	from, to := rgb(p.above), rgb(p.below)
	out := from
	for c := range out {
		out[c] += (to[c] - from[c]) * y / side
	}
	for _, s := range p.shapes {
		dx, dy := (x-s.x)/s.rx, (y-s.y)/s.ry
		if dx*dx+dy*dy <= 1 && y >= s.top && y < s.bottom {
			out = rgb(s.paint)
		}
	}
	return out
}

func rgb(v uint32) [3]float64 {
	return [3]float64{float64(v >> 16), float64(v >> 8 & 0xff), float64(v & 0xff)}
}
