//go:build !nobrowser

package app_test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/cvtest"
	"vitae.internal/services/cvrender/internal/template"
)

// Everything outside the content box of a page is clipped, so a marker without enough room would lose its
// outer half.
func TestListMarkersAreNotClipped(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	for side, c := range map[string]*cvv1.SharedCv{"left": cvtest.Senior(), "right": cvtest.Arabic()} {
		file := r.renderIn(t, c, templates[template.Classic]).file
		found := markers(t, file, side == "right")
		if len(found) < 5 {
			t.Errorf("%s: %d markers, want at least 5", side, len(found))
		}
		for _, box := range found {
			if off := box.Dx() - box.Dy(); off < -1 || off > 1 {
				t.Errorf("%s: a marker is %d wide and %d high", side, box.Dx(), box.Dy())
			}
		}
	}
}

// markers returns the bounds of the list markers on page 1, in tenths of a millimeter. A marker is a spot of
// ink that has the height of a marker, is on the border of the content box, and has no other ink next to it.
func markers(t *testing.T, file []byte, right bool) (found []image.Rectangle) {
	t.Helper()
	const margin, room = 180, 40
	const lowest, highest, widest = 7, 12, 20
	path := filepath.Join(t.TempDir(), "cv.pdf")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftoppm", "-gray", "-png", "-r", "254", "-f", "1", "-l", "1", path).Output()
	if err != nil {
		t.Fatalf("pdftoppm: %v", err)
	}
	picture, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	from := margin - 10
	if right {
		from = picture.Bounds().Dx() - margin - room
	}
	strip := image.Rect(from, margin, from+room+10, picture.Bounds().Dy()-margin)
	dark := func(x, y int) bool {
		lightness, _, _, _ := picture.At(x, y).RGBA()
		return lightness < 0x9000
	}
	// Find rows of ink that have white above and below them.
	for y := strip.Min.Y; y < strip.Max.Y; y++ {
		box := image.Rectangle{}
		for ; y < strip.Max.Y; y++ {
			row := image.Rectangle{}
			for x := strip.Min.X; x < strip.Max.X; x++ {
				if dark(x, y) {
					row = row.Union(image.Rect(x, y, x+1, y+1))
				}
			}
			if row.Empty() {
				break
			}
			box = box.Union(row)
		}
		if box.Dy() >= lowest && box.Dy() <= highest && box.Dx() <= widest {
			found = append(found, box)
		}
	}
	return found
}
