package app_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// pngOf returns a PNG image filled with one color.
func pngOf(t *testing.T, width, height int, c color.Color) []byte {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{c})
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (w *world) setLogo(c client, file []byte) (*authv1.App, error) {
	return w.change(c, &authv1.UpdateAppRequest{Logo: file}, "logo")
}

func (w *world) logo(appID, version string) ([]byte, error) {
	resp, err := w.logos.GetAppLogo(w.Context(), &authv1.GetAppLogoRequest{AppId: appID, Version: version})
	return resp.GetJpeg(), err
}

func TestUploadedLogoIsResizedAndVersioned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	red, err := w.setLogo(c, pngOf(t, 1200, 600, color.RGBA{R: 255, A: 255}))
	w.must(err)
	served, err := w.logo(c.app.GetId(), red.GetLogoVersion())
	w.must(err)
	m, err := jpeg.Decode(bytes.NewReader(served))
	w.must(err)
	if m.Bounds().Dx() != 512 || m.Bounds().Dy() != 256 {
		t.Errorf("the logo's size is %v", m.Bounds())
	}
	again, err := w.setLogo(c, pngOf(t, 1200, 600, color.RGBA{R: 255, A: 255}))
	w.must(err)
	if again.GetLogoVersion() != red.GetLogoVersion() {
		t.Error("the same picture has a different version")
	}
	blue, err := w.setLogo(c, append(pngOf(t, 10, 10, color.RGBA{B: 255, A: 255}), "<script>"...))
	w.must(err)
	if served, err := w.logo(c.app.GetId(), blue.GetLogoVersion()); err != nil || bytes.Contains(served, []byte("<script>")) {
		t.Errorf("a small file is served without re-encoding, %v", err)
	}
	if blue.GetLogoVersion() == red.GetLogoVersion() {
		t.Error("a different picture has the same version")
	}
	_, err = w.logo(c.app.GetId(), red.GetLogoVersion())
	wantCode(t, err, "APP_LOGO_NOT_FOUND")
	kept, err := w.change(c, &authv1.UpdateAppRequest{Name: "Noor"}, "name")
	w.must(err)
	if kept.GetLogoVersion() != blue.GetLogoVersion() {
		t.Error("renaming the app removed the logo")
	}
	none, err := w.setLogo(c, nil)
	w.must(err)
	if none.GetLogoVersion() != "" {
		t.Errorf("after removing the logo, its version is %q", none.GetLogoVersion())
	}
	_, err = w.logo(c.app.GetId(), blue.GetLogoVersion())
	wantCode(t, err, "APP_LOGO_NOT_FOUND")
}

func TestLogoLivesAsLongAsItsApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made, err := w.developers.CreateApp(t.Context(), &authv1.CreateAppRequest{
		AccountId: w.account(), Name: "Noor", ClientType: confidential, Logo: pngOf(t, 64, 64, color.White),
	})
	w.must(err)
	app := made.GetApp()
	_, err = w.logo(app.GetId(), app.GetLogoVersion())
	w.must(err)
	for _, wrong := range [][2]string{{app.GetId(), "0"}, {id.New("app"), app.GetLogoVersion()}, {"app\x00", "x"}, {app.GetId(), "\x00"}} {
		_, err := w.logo(wrong[0], wrong[1])
		wantCode(t, err, "APP_LOGO_NOT_FOUND")
	}
	w.must(w.deleteApp(client{app: app}))
	_, err = w.logo(app.GetId(), app.GetLogoVersion())
	wantCode(t, err, "APP_LOGO_NOT_FOUND")
}

// claimed returns a PNG file whose header declares the given size, regardless of the image data.
func claimed(file []byte, width, height uint32) []byte {
	out := bytes.Clone(file)
	binary.BigEndian.PutUint32(out[16:], width)
	binary.BigEndian.PutUint32(out[20:], height)
	binary.BigEndian.PutUint32(out[29:], crc32.ChecksumIEEE(out[12:29]))
	return out
}

func TestHostileLogoIsRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	good := pngOf(t, 64, 64, color.White)
	held, err := w.setLogo(c, good)
	w.must(err)
	var animation bytes.Buffer
	w.must(gif.Encode(&animation, image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.White}), nil))
	for name, file := range map[string][]byte{
		"a bomb":                pngOf(t, 3000, 3000, color.White),
		"a header that lies":    claimed(good, 2000, 2000),
		"a giant header":        claimed(good, 1<<31-1, 1<<31-1),
		"nothing in the header": claimed(good, 0, 0),
		"a GIF":                 animation.Bytes(),
		"an SVG":                []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"HTML":                  []byte("<!doctype html><script>alert(1)</script>"),
		"half a file":           good[:len(good)/2],
		"a signature alone":     good[:8],
		"an invalid WebP":       []byte("RIFF\x00\x00\x00\x00WEBPVP8 "),
		"more than a mebibyte":  append(bytes.Clone(good), make([]byte, 1<<20)...),
	} {
		if _, err := w.setLogo(c, file); !errs.HasCode(err, "INVALID_ARGUMENT") {
			t.Errorf("%s: %v", name, err)
		} else if e, _ := errs.As(err); e.Field() != "logo" {
			t.Errorf("%s: the error names %q", name, e.Field())
		}
	}
	read, err := w.developers.GetApp(t.Context(), &authv1.GetAppRequest{Id: c.app.GetId()})
	w.must(err)
	if read.GetApp().GetLogoVersion() != held.GetLogoVersion() {
		t.Error("the logo has changed")
	}
}
