package photo

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
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/picture"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// halves returns a picture whose top half is dark and whose bottom half is light.
func halves(w, h int) *image.Paletted {
	m := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Gray{Y: 10}, color.Gray{Y: 240}})
	for y := h / 2; y < h; y++ {
		for x := range w {
			m.SetColorIndex(x, y, 1)
		}
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

// webp is a lossy WebP image of 1 by 1 pixels.
var webp, _ = base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")

func newSource(t *testing.T, allow []netip.Prefix, clk clock.Clock) *Source {
	t.Helper()
	s, err := NewSource(Config{Allow: allow, Clock: clk})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// redone returns a photo after all processing steps.
func redone(file []byte) ([]byte, error) {
	f, err := picture.Inspect(file)
	if err != nil {
		return nil, err
	}
	return square(context.Background(), f)
}

func TestEveryFormatBecomesSmallSquareJPEG(t *testing.T) {
	for name, file := range map[string][]byte{
		"png":  pngOf(t, halves(900, 600)),
		"jpeg": jpegOf(t, halves(600, 900)),
		"gif":  encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, halves(100, 100), nil) }),
		"webp": webp,
	} {
		out, err := redone(file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		conf, format, err := image.DecodeConfig(bytes.NewReader(out))
		if err != nil || format != "jpeg" || conf.Width != conf.Height || conf.Width > side {
			t.Errorf("%s: the result is %v, %s, %dx%d", name, err, format, conf.Width, conf.Height)
		}
	}
}

func TestTransparencyBecomesWhite(t *testing.T) {
	out, err := redone(pngOf(t, image.NewNRGBA(image.Rect(0, 0, 20, 20))))
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if r, _, _, _ := m.At(10, 10).RGBA(); r < 0xf000 {
		t.Errorf("the red value is %x, want white", r)
	}
}

func TestPhotoIsRotatedUpright(t *testing.T) {
	for o, darkest := range map[int]image.Point{1: {32, 4}, 3: {32, 60}, 6: {60, 32}, 8: {4, 32}} {
		out, err := redone(withOrientation(jpegOf(t, halves(64, 64)), o))
		if err != nil {
			t.Fatal(err)
		}
		m, err := jpeg.Decode(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		if r, _, _, _ := m.At(darkest.X, darkest.Y).RGBA(); r > 0x4000 {
			t.Errorf("orientation %d: the pixel (%d,%d) is light", o, darkest.X, darkest.Y)
		}
		if bytes.Contains(out, []byte("Exif")) {
			t.Error("the result contains metadata")
		}
	}
}

// withOrientation adds an EXIF segment to a JPEG.
func withOrientation(file []byte, o int) []byte {
	tiff := []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")
	binary.BigEndian.PutUint16(tiff[18:], uint16(o))
	body := append([]byte("Exif\x00\x00"), tiff...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(body)+2))
	return append(append(append([]byte{}, file[:2]...), append(segment, body...)...), file[2:]...)
}

func TestInvalidOrLargePictureIsRejected(t *testing.T) {
	huge := pngOf(t, halves(1, 1))
	// The header has 70 bytes and claims that the picture has 60,000 by 60,000 pixels.
	binary.BigEndian.PutUint32(huge[16:], 60_000)
	binary.BigEndian.PutUint32(huge[20:], 60_000)
	for name, file := range map[string][]byte{
		"empty": nil, "html": []byte("<html><script>1</script>"), "svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"huge": huge, "a truncated file": pngOf(t, halves(50, 50))[:60],
	} {
		if _, err := redone(file); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestRedirectsAreLimited(t *testing.T) {
	var asked atomic.Int32
	var host *httptest.Server
	host = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.Redirect(w, r, host.URL, http.StatusFound)
	}))
	defer host.Close()
	if _, err := newSource(t, loopback, clock.System{}).Get(t.Context(), "usr_1", host.URL); err == nil {
		t.Error("too many redirects were followed")
	}
	if n := asked.Load(); n != maxRedirects+1 {
		t.Errorf("the server got %d requests, want %d", n, maxRedirects+1)
	}
}

// The address filter sees only the IP address of a redirect's target, not the rest of its URL.
func TestRedirectIsChecked(t *testing.T) {
	var reached atomic.Int32
	photo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		_, _ = w.Write(pngOf(t, halves(10, 10)))
	}))
	defer photo.Close()
	for userinfo, want := range map[string]int32{"": 1, "user:secret@": 0} {
		reached.Store(0)
		target := strings.Replace(photo.URL, "http://", "http://"+userinfo, 1)
		host := httptest.NewServer(http.RedirectHandler(target, http.StatusFound))
		_, err := newSource(t, loopback, clock.System{}).Get(t.Context(), "usr_1", host.URL)
		host.Close()
		if (err == nil) != (want == 1) || reached.Load() != want {
			t.Errorf("a redirect to %s: %v, and %d requests reached it", target, err, reached.Load())
		}
	}
}

func TestProxyOfEnvironmentIsIgnored(t *testing.T) {
	var proxied atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { proxied.Add(1) }))
	defer proxy.Close()
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	if _, err := newSource(t, loopback, clock.System{}).Get(t.Context(), "usr_1", "http://host.invalid/p.png"); err == nil {
		t.Error("the fetch of an unreachable host succeeded")
	}
	if proxied.Load() != 0 {
		t.Error("the proxy was called")
	}
}

func TestPhotosAndFailuresAreCached(t *testing.T) {
	var asked atomic.Int32
	var broken atomic.Bool
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		if broken.Load() {
			http.Error(w, "no", http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(pngOf(t, halves(10, 10)))
	}))
	defer host.Close()
	now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	s := newSource(t, loopback, now)
	step := func(advance time.Duration, wantErr bool, wantAsked int32) {
		t.Helper()
		now.Advance(advance)
		if _, err := s.Get(t.Context(), "usr_1", host.URL); (err != nil) != wantErr {
			t.Errorf("the error is %v, want one: %t", err, wantErr)
		}
		if n := asked.Load(); n != wantAsked {
			t.Errorf("the server got %d requests, want %d", n, wantAsked)
		}
	}
	step(0, false, 1)
	step(59*time.Second, false, 1)
	broken.Store(true)
	step(2*time.Second, true, 2)
	step(14*time.Second, true, 2)
	broken.Store(false)
	step(2*time.Second, false, 3)
}

func TestFetchContinuesAfterCallerLeaves(t *testing.T) {
	open := make(chan struct{})
	reached := make(chan struct{})
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(reached)
		<-open
		_, _ = w.Write(pngOf(t, halves(10, 10)))
	}))
	defer host.Close()
	s := newSource(t, loopback, clock.System{})
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() { _, err := s.Get(ctx, "usr_1", host.URL); left <- err }()
	<-reached
	stayed := make(chan error, 1)
	go func() { _, err := s.Get(t.Context(), "usr_1", host.URL); stayed <- err }()
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller that gave up got %v", err)
	}
	close(open)
	if err := <-stayed; err != nil {
		t.Errorf("the other caller got %v", err)
	}
}

func FuzzReencode(f *testing.F) {
	f.Add(pngOf(f, halves(3, 3)))
	f.Add(withOrientation(jpegOf(f, halves(3, 3)), 6))
	f.Add(webp)
	f.Fuzz(func(t *testing.T, file []byte) {
		if conf, _, err := image.DecodeConfig(bytes.NewReader(file)); err == nil && conf.Width*conf.Height > 1<<20 {
			return // allowed, but too slow to fuzz
		}
		if out, err := redone(file); err == nil {
			if _, err := jpeg.Decode(bytes.NewReader(out)); err != nil {
				t.Errorf("the result is not a JPEG: %v", err)
			}
		}
	})
}
