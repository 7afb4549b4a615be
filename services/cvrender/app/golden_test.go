//go:build !nobrowser

package app_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/cvtest"
)

var updatePictures = flag.Bool("update-pictures", false, "write new pictures of the pages")

// At this resolution, a picture shows the layout, but hardly any differences in the rendering of edges.
const picturesPerInch = "48"

// mostOff is the maximum percentage of a page's ink that may differ. It tolerates slight shifts of letter
// edges between Chromium versions, but not a missing line.
const mostOff = 4

// TestPagesLookUnchanged compares pages with stored pictures. It covers both templates, each language, both
// languages on one page, and text that is too wide for its line. After an intended change, run go test ./app
// -run TestPagesLook -update-pictures, and look at the new pictures.
func TestPagesLookUnchanged(t *testing.T) {
	r := sharedRig(t)
	for name, number := range templates {
		for person, c := range map[string]*cvv1.SharedCv{"en": cvtest.Senior(), "ar": cvtest.Arabic(), "both": cvtest.Both(), "wide": cvtest.Wide()} {
			d := r.renderIn(t, c, number)
			for i, page := range pictures(t, d.file) {
				path := filepath.Join("testdata", fmt.Sprintf("%s-%s-%d.png", name, person, i+1))
				if *updatePictures {
					if err := os.WriteFile(path, page, 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if off := difference(t, page, path); off > mostOff {
					t.Errorf("%s: %.1f %% of the ink differs", path, off)
				}
			}
		}
	}
}

// pictures converts the pages of a PDF to PNG files.
func pictures(t *testing.T, file []byte) [][]byte {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "cv.pdf")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("pdftoppm", "-gray", "-png", "-r", picturesPerInch, path, filepath.Join(dir, "page")).CombinedOutput(); err != nil {
		t.Fatalf("pdftoppm: %v (apt-get install poppler-utils): %s", err, out)
	}
	names, err := filepath.Glob(filepath.Join(dir, "page*.png"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	var out [][]byte
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

// difference returns how much the ink differs between two pictures, as a percentage of the ink in the stored
// picture.
func difference(t *testing.T, page []byte, path string) float64 {
	t.Helper()
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, b := gray(t, page), gray(t, kept)
	if a.Rect != b.Rect {
		t.Fatalf("%s: size %v, want %v", path, a.Rect, b.Rect)
	}
	ink, off := 0, 0
	for i := range b.Pix {
		ink += 255 - int(b.Pix[i])
		off += max(int(a.Pix[i]), int(b.Pix[i])) - min(int(a.Pix[i]), int(b.Pix[i]))
	}
	return 100 * float64(off) / float64(ink)
}

func gray(t *testing.T, b []byte) *image.Gray {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewGray(picture.Bounds())
	draw.Draw(out, out.Rect, picture, picture.Bounds().Min, draw.Src)
	return out
}
