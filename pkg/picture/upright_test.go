package picture

import (
	"image"
	"image/color"
	"strings"
	"testing"
)

// letters returns a picture with one letter per pixel, stored as the red value. text is the
// inverse.
func letters(rows string) *image.RGBA {
	lines := strings.Split(rows, "/")
	m := image.NewRGBA(image.Rect(0, 0, len(lines[0]), len(lines)))
	for y, line := range lines {
		for x, letter := range []byte(line) {
			m.SetRGBA(x, y, color.RGBA{R: letter, A: 0xff})
		}
	}
	return m
}

func text(m *image.RGBA) string {
	var lines []string
	for y := range m.Bounds().Dy() {
		var line []byte
		for x := range m.Bounds().Dx() {
			line = append(line, m.RGBAAt(x, y).R)
		}
		lines = append(lines, string(line))
	}
	return strings.Join(lines, "/")
}

// Exif 2.32, 4.6.4 defines the numbers.
func TestUprightHandlesEachOrientation(t *testing.T) {
	for o, want := range map[int]string{
		1: "abc/def", 2: "cba/fed", 3: "fed/cba", 4: "def/abc", 5: "ad/be/cf", 6: "da/eb/fc", 7: "fc/eb/da", 8: "cf/be/ad",
	} {
		if got := text(upright(letters("abc/def"), o)); got != want {
			t.Errorf("orientation %d: %s, want %s", o, got, want)
		}
	}
}

func TestOrientationIsFoundAnywhereInIFD(t *testing.T) {
	const head, other, entry = "MM\x00*\x00\x00\x00\x08", "\x01\x0f\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00", "\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"
	for name, c := range map[string]struct {
		tiff string
		want int
	}{
		"second entry":         {head + "\x00\x02" + other + entry, 6},
		"beyond the count":     {head + "\x00\x01" + other + entry, 1},
		"table at an offset":   {"MM\x00*\x00\x00\x00\x0a??\x00\x01" + entry, 6},
		"empty table":          {head + "\x00\x00", 1},
		"count too large":      {head + "\x00\x09" + entry, 6},
		"one byte short":       {(head + "\x00\x01" + entry)[:21], 1},
		"truncated count":      {head + "\x00", 1},
		"table beyond the end": {"MM\x00*\xff\xff\xff\xff\x00\x01" + entry, 1},
		"truncated header":     {head[:7], 1},
		"no header":            {"", 1},
	} {
		segment := "\xff\xd8\xff\xe1\x00" + string([]byte{byte(len(c.tiff) + 8)}) + "Exif\x00\x00" + c.tiff
		if got := orientation([]byte(segment)); got != c.want {
			t.Errorf("%s: orientation %d, want %d", name, got, c.want)
		}
	}
}

func TestFittingNeverEnlarges(t *testing.T) {
	for size, want := range map[image.Point]image.Point{
		{X: 1, Y: 1}: {X: 1, Y: 1}, {X: 512, Y: 512}: {X: 512, Y: 512}, {X: 513, Y: 512}: {X: 512, Y: 511}, {X: 512, Y: 513}: {X: 511, Y: 512},
		{X: 1024, Y: 512}: {X: 512, Y: 256}, {X: 10_000, Y: 1}: {X: 512, Y: 1}, {X: 1, Y: 10_000}: {X: 1, Y: 512}, {X: 511, Y: 3}: {X: 511, Y: 3},
	} {
		if got := fitting(size); got != want {
			t.Errorf("fitting(%v) = %v, want %v", size, got, want)
		}
	}
}
