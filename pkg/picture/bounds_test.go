package picture

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"vitae.internal/pkg/errs"
)

// header returns the first bytes of a PNG file, which contain its size.
func header(w, h uint32) []byte {
	head := []byte("IHDR\x00\x00\x00\x00\x00\x00\x00\x00\x08\x02\x00\x00\x00")
	binary.BigEndian.PutUint32(head[4:], w)
	binary.BigEndian.PutUint32(head[8:], h)
	file := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(head))
}

// Inspect must check only the header: the files contain no image data, so decoding them would fail anyway.
func TestInspectRejectsLargePictures(t *testing.T) {
	for size, want := range map[[2]uint32]bool{
		{4000, 4000}: true, {64_000, 796}: true, {64_000, 797}: false, {8000, 6000}: false, {3_200_000, 5}: false, {64_000, 250}: true, {51_000_001, 1}: false, {1<<31 - 1, 1<<31 - 1}: false, {1, 51_000_001}: false, {1, 1}: true,
	} {
		f, err := Inspect(header(size[0], size[1]))
		if (err == nil) != want || want && f.Pixels != int(size[0]*size[1]) || !want && !errs.HasCode(err, ErrUnreadable.Code) {
			t.Errorf("%d by %d: %d pixels, %v", size[0], size[1], f.Pixels, err)
		}
	}
}

// pace is the time that decoding a file of the test format "pace" takes.
var pace time.Duration

func init() {
	image.RegisterFormat("pace", "PACE", func(r io.Reader) (image.Image, error) {
		time.Sleep(pace)
		if _, err := io.ReadAll(r); err != nil {
			return nil, err
		}
		return image.NewGray(image.Rect(0, 0, 2, 2)), nil
	}, func(io.Reader) (image.Config, error) { return image.Config{Width: 2, Height: 2}, nil })
}

// A timeout indicates a slow machine, not a bad file: files that need too much work are rejected by a
// separate limit.
func TestHangingDecoderIsUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := NewEncoder()
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for _, c := range []struct {
			pace time.Duration
			ctx  context.Context
			want func(error) bool
		}{
			{decoding - 1, t.Context(), func(err error) bool { return err == nil }},
			{decoding + 1, t.Context(), func(err error) bool { return errs.HasCode(err, errs.CodeUnavailable) }},
			{2 * time.Second, brief, func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }},
		} {
			pace = c.pace
			if _, err := e.JPEG(c.ctx, []byte("PACE")); !c.want(err) || errs.HasCode(err, ErrUnreadable.Code) {
				t.Errorf("with a decoder that takes %v: %v", c.pace, err)
			}
		}
	})
}

func TestOrientationIsReadFromExif(t *testing.T) {
	tiff := func(order string, o byte) string {
		if order == "II" {
			return "II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00" + string([]byte{o, 0, 0, 0})
		}
		return "MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01" + string([]byte{0, o, 0, 0})
	}
	segment := func(marker byte, body string) string {
		return string(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2))) + body
	}
	const exif, start = "Exif\x00\x00", "\xff\xd8"
	for name, c := range map[string]struct {
		file string
		want int
	}{
		"big-endian":               {start + segment(0xe1, exif+tiff("MM", 6)), 6},
		"little-endian":            {start + segment(0xe1, exif+tiff("II", 3)), 3},
		"after another segment":    {start + segment(0xe0, "JFIF") + segment(0xe1, exif+tiff("MM", 8)), 8},
		"after an empty segment":   {start + segment(0xe0, "") + segment(0xe1, exif+tiff("MM", 8)), 8},
		"different marker":         {start + segment(0xe2, exif+tiff("MM", 6)), 1},
		"different name":           {start + segment(0xe1, "exif\x00\x00"+tiff("MM", 6)), 1},
		"in the image data":        {start + segment(0xda, "x") + segment(0xe1, exif+tiff("MM", 6)), 1},
		"after an invalid segment": {start + "\xff\xe0\x00\x01" + segment(0xe1, exif+tiff("MM", 6)), 1},
		"longer than the file":     {start + segment(0xe1, exif+tiff("MM", 6))[:30], 1},
		"no orientation":           {start + segment(0xe1, exif+tiff("MM", 0)), 1},
		"unknown orientation":      {start + segment(0xe1, exif+tiff("MM", 9)), 1},
		"invalid byte order":       {start + segment(0xe1, exif+"XX"+tiff("MM", 6)[2:]), 1},
		"no table":                 {start + segment(0xe1, exif+tiff("MM", 6)[:8]), 1},
		"half an entry":            {start + segment(0xe1, exif+tiff("MM", 6)[:21]), 1},
		"nothing":                  {start, 1},
	} {
		if got := orientation([]byte(c.file)); got != c.want {
			t.Errorf("%s: orientation %d, want %d", name, got, c.want)
		}
	}
}

// The test is not parallel, because it reserves memory that all tests of the process share.
func TestEncodersShareMemoryLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := header(4000, 4000) // the missing image data is detected only during decoding
		f, err := Inspect(file)
		if err != nil {
			t.Fatal(err)
		}
		encode := func() error {
			brief, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := NewEncoder().JPEG(brief, file)
			return err
		}
		for range ofProcess().most/f.Bytes - 1 {
			release, err := f.Reserve(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer release()
		}
		release, err := f.Reserve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := encode(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("without memory left: %v", err)
		}
		release()
		if err := encode(); !errs.HasCode(err, ErrUnreadable.Code) {
			t.Errorf("with memory for one picture: %v", err)
		}
	})
}
