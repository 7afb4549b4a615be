package picture_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/picture"
)

// webp is a lossy WebP file with one pixel.
var webp, _ = base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")

func newEncoder(t testing.TB) *picture.Encoder {
	t.Helper()
	return picture.NewEncoder()
}

// halves returns a picture that is dark at the top and light at the bottom.
func halves(w, h int) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetGray(x, y, color.Gray{Y: []uint8{10, 240}[2*y/h]})
		}
	}
	return m
}

// noise returns the kind of picture that JPEG compresses worst.
func noise(side int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	source := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = uint8(source.Uint32())
	}
	return m
}

func encoded(t testing.TB, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := encode(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func pngOf(t testing.TB, m image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, m) })
}

func jpegOf(t testing.TB, m image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) })
}

// withOrientation returns a JPEG with an EXIF segment added to it.
func withOrientation(file []byte, o uint16) []byte {
	tiff := []byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")
	binary.BigEndian.PutUint16(tiff[18:], o)
	body := append([]byte("Exif\x00\x00"), tiff...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(body)+2))
	return bytes.Join([][]byte{file[:2], segment, body, file[2:]}, nil)
}

// read decodes a JPEG and checks its limits.
func read(t testing.TB, file []byte) image.Image {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if size := m.Bounds().Size(); size.X > picture.MaxSide || size.Y > picture.MaxSide || len(file) >= picture.MaxBytes {
		t.Errorf("the picture has %d by %d pixels in %d bytes, which exceeds a limit", size.X, size.Y, len(file))
	}
	return m
}

func TestEveryFormatBecomesSmallJPEG(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		want image.Point
	}{
		"PNG":             {pngOf(t, halves(2000, 1000)), image.Pt(512, 256)},
		"JPEG":            {jpegOf(t, halves(300, 900)), image.Pt(170, 512)},
		"GIF":             {encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, halves(40, 30), nil) }), image.Pt(40, 30)},
		"WebP":            {webp, image.Pt(1, 1)},
		"a line":          {pngOf(t, halves(3000, 1)), image.Pt(512, 1)},
		"the largest one": {pngOf(t, image.NewGray(image.Rect(0, 0, 4000, 4000))), image.Pt(512, 512)},
	} {
		got, err := newEncoder(t).JPEG(t.Context(), c.file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if size := read(t, got).Bounds().Size(); size != c.want {
			t.Errorf("%s: size %v, want %v", name, size, c.want)
		}
	}
}

func TestNoiseStaysBelowMaxBytes(t *testing.T) {
	got, err := newEncoder(t).JPEG(t.Context(), pngOf(t, noise(700)))
	if err != nil {
		t.Fatal(err)
	}
	read(t, got)
}

func TestMetadataAndTrailingDataAreRemoved(t *testing.T) {
	secret := []byte("25.2048N 55.2708E")
	comment := append([]byte{0xff, 0xfe, 0, byte(len(secret) + 2)}, secret...)
	file := jpegOf(t, halves(50, 50))
	file = bytes.Join([][]byte{file[:2], comment, file[2:], []byte("<script>")}, nil)
	got, err := newEncoder(t).JPEG(t.Context(), file)
	if err != nil || bytes.Contains(got, secret) || bytes.Contains(got, []byte("script")) {
		t.Errorf("metadata or trailing data remains in %q, %v", got, err)
	}
}

func TestTransparencyBecomesWhite(t *testing.T) {
	got, err := newEncoder(t).JPEG(t.Context(), pngOf(t, image.NewNRGBA(image.Rect(0, 0, 8, 8))))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := read(t, got).At(4, 4).RGBA(); min(r, g, b) < 0xf000 {
		t.Errorf("color %x %x %x, want white", r, g, b)
	}
}

func TestUnreadableFilesAreRejected(t *testing.T) {
	for name, file := range map[string][]byte{
		"nothing": nil, "text": []byte("hello"), "SVG": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"cut off": pngOf(t, halves(50, 50))[:60],
	} {
		_, err := newEncoder(t).JPEG(t.Context(), file)
		if e, refused := errs.As(err); !refused || e.Code != picture.ErrUnreadable.Code || e.Unwrap() == nil {
			t.Errorf("%s: %v, want ErrUnreadable with a cause", name, err)
		}
	}
}

// held is an image format whose decoder waits for the test.
type held struct{ begun, end chan struct{} }

// holds is the test that is currently decoding pictures in this format.
var holds atomic.Pointer[held]

func init() {
	image.RegisterFormat("held", "HELD", func(io.Reader) (image.Image, error) {
		h := holds.Load()
		h.begun <- struct{}{}
		<-h.end
		return halves(2, 2), nil
	}, func(io.Reader) (image.Config, error) { return image.Config{Width: 2, Height: 2}, nil })
}

// The limit is on the amount of work and not on time, because a timeout would depend on how busy
// the machine is.
func TestTooManyPassesAreRejected(t *testing.T) {
	file := jpegOf(t, image.NewGray(image.Rect(0, 0, 4000, 4000)))
	pass := []byte{0xff, 0xda}
	if _, err := picture.Inspect(append(bytes.Clone(file), bytes.Repeat(pass, 11)...)); err != nil {
		t.Errorf("twelve passes: %v", err)
	}
	if _, err := picture.Inspect(append(bytes.Clone(file), bytes.Repeat(pass, 12)...)); !errs.HasCode(err, picture.ErrUnreadable.Code) {
		t.Errorf("thirteen passes: %v", err)
	}
	if _, err := picture.Inspect(append(jpegOf(t, halves(400, 400)), bytes.Repeat(pass, 100)...)); err != nil {
		t.Errorf("many passes over a small picture: %v", err)
	}
}

// The memory is sufficient for only one of the pictures.
func TestPicturesWaitForMemory(t *testing.T) {
	one, err := picture.Inspect([]byte("HELD"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := picture.NewEncoderOf(one.Bytes-1).JPEG(t.Context(), []byte("HELD")); !errs.HasCode(err, picture.ErrUnreadable.Code) {
		t.Errorf("a picture that exceeds the limit alone: %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		h := &held{begun: make(chan struct{}), end: make(chan struct{})}
		holds.Store(h)
		e := picture.NewEncoderOf(2*one.Bytes - 1)
		first := make(chan error, 1)
		go func() { _, err := e.JPEG(context.Background(), []byte("HELD")); first <- err }()
		<-h.begun
		ctx, leave := context.WithCancel(t.Context())
		second := make(chan error, 1)
		go func() { _, err := e.JPEG(ctx, []byte("HELD")); second <- err }()
		synctest.Wait() // until the second call waits for memory
		select {
		case <-h.begun:
			t.Error("two pictures are decoded at the same time")
		default:
		}
		leave()
		synctest.Wait()
		select {
		case err := <-second:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the cancelled call returned %v", err)
			}
		default:
			t.Error("the cancelled call is still waiting")
		}
		close(h.end)
		if err := <-first; err != nil {
			t.Error(err)
		}
		go func() { <-h.begun }()
		if _, err := e.JPEG(t.Context(), []byte("HELD")); err != nil {
			t.Errorf("the memory was not released: %v", err)
		}
	})
}

func TestSmallConvertsOnlyLargePictures(t *testing.T) {
	e, small := newEncoder(t), jpegOf(t, halves(9, 9))
	if got, err := e.Small(t.Context(), small); err != nil || !bytes.Equal(got, small) {
		t.Errorf("a small picture was changed: %v", err)
	}
	large := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, noise(472), &jpeg.Options{Quality: 95}) })
	got, err := e.Small(t.Context(), large)
	if err != nil {
		t.Fatal(err)
	}
	if size := read(t, got).Bounds().Size(); size != image.Pt(472, 472) {
		t.Errorf("size %v, want 472 by 472", size)
	}
}

func FuzzJPEG(f *testing.F) {
	f.Add(pngOf(f, halves(3, 3)))
	f.Add(withOrientation(jpegOf(f, halves(3, 5)), 6))
	f.Add(webp)
	e := newEncoder(f)
	f.Fuzz(func(t *testing.T, file []byte) {
		if conf, _, err := image.DecodeConfig(bytes.NewReader(file)); err == nil && conf.Width*conf.Height > 1<<20 {
			return // allowed, but slow to fuzz
		}
		got, err := e.JPEG(t.Context(), file)
		switch {
		case err == nil:
			read(t, got)
		case !errs.HasCode(err, picture.ErrUnreadable.Code):
			t.Error(err)
		}
	})
}

// leaves cancels the call that decodes a picture in the format "left". left then receives the error of
// the decoder's reads.
var (
	leaves atomic.Pointer[context.CancelFunc]
	left   = make(chan error, 1)
)

// readAll reads until an error and returns it. It returns nil if there is none.
func readAll(r io.Reader) error {
	for range 10_000 { // the whole file takes about 1,000 reads
		if _, err := r.Read(make([]byte, 4<<10)); err != nil {
			return err
		}
	}
	return nil
}

func init() {
	image.RegisterFormat("left", "LEFT", func(r io.Reader) (image.Image, error) {
		(*leaves.Load())()
		left <- readAll(r)
		return halves(2, 2), nil
	}, func(io.Reader) (image.Config, error) { return image.Config{Width: 2, Height: 2}, nil })
}

func TestDecoderStopsWhenContextIsDone(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	leaves.Store(&leave)
	file := append([]byte("LEFT"), make([]byte, 1<<20)...)
	if _, err := newEncoder(t).JPEG(ctx, file); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the decoder continued: %v", err)
	}
}

// Phones take pictures of 12, 24 and 48 megapixels. A process with a memory limit of 512 MB may use
// half of it for pictures.
func TestPhonePhotosFitIntoMemory(t *testing.T) {
	t.Parallel()
	m := image.NewYCbCr(image.Rect(0, 0, 5712, 4284), image.YCbCrSubsampleRatio420)
	for i := range m.Y {
		m.Y[i] = []uint8{16, 235}[2*i/len(m.Y)]
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = 128, 128
	}
	file := withOrientation(jpegOf(t, m), 6)
	f, err := picture.Inspect(file)
	if err != nil || f.Bytes > 60<<20 {
		t.Fatalf("24 megapixels: %d bytes, %v", f.Bytes, err)
	}
	got, err := picture.NewEncoderWithin(f.Bytes).JPEG(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	small := read(t, got)
	if want := image.Pt(384, 512); small.Bounds().Size() != want {
		t.Errorf("size %v, want %v", small.Bounds().Size(), want)
	}
	for at, light := range map[image.Point]bool{{376, 250}: false, {196, 5}: false, {188, 500}: true, {5, 250}: true} {
		if r, g, b, _ := small.At(at.X, at.Y).RGBA(); (min(r, g, b) > 0xe000) != light || (max(r, g, b) < 0x2000) == light {
			t.Errorf("the pixel at %v is %x %x %x", at, r>>8, g>>8, b>>8)
		}
	}
	size := bytes.LastIndex(file, []byte{4284 >> 8, 4284 & 0xff, 5712 >> 8, 5712 & 0xff}) // the size in the frame header
	binary.BigEndian.PutUint32(file[size:], 6048<<16|8064)
	if f, err := picture.Inspect(file); err != nil || f.Bytes > 105<<20 {
		t.Errorf("48 megapixels: %d bytes, %v", f.Bytes, err)
	}
}
