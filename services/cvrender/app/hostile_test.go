//go:build !nobrowser

package app_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/picture"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/cvrender/internal/cvtest"
)

// newCanary starts a server on the loopback address that every attack in this file targets. It counts the
// requests to the server.
func newCanary(t *testing.T, answer http.HandlerFunc) (*httptest.Server, *atomic.Int32) {
	t.Helper()
	return newHost(t, "127.0.0.1", answer)
}

func newHost(t *testing.T, address string, answer http.HandlerFunc) (*httptest.Server, *atomic.Int32) {
	t.Helper()
	var hits atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		answer(w, r)
	}))
	l, err := net.Listen("tcp", address+":0")
	if err != nil {
		t.Fatal(err)
	}
	_ = s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	return s, &hits
}

func TestHostileCVIsShownAsText(t *testing.T) {
	canary, hits := newCanary(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "x") })
	u := canary.URL
	attacks := []string{
		`<script>fetch("` + u + `/script")</script>`,
		`<img src=` + u + `/img>`,
		`<img src=x onerror="location='` + u + `/onerror'">`,
		`<iframe src="file:///etc/passwd"></iframe>`,
		`<object data="file:///etc/hostname"></object>`,
		`<style>@import url(` + u + `/import);</style>`,
		`</style><style>body{background:url(` + u + `/css)}</style>`,
		`"><link rel=stylesheet href=` + u + `/link>`,
		`<meta http-equiv=refresh content="0;url=` + u + `/refresh">`,
		`<svg><image href="` + u + `/svg"/></svg>`,
		`<base href="` + u + `/"><video src=v autoplay></video>`,
		`</title></head><body onload=alert(1)>`,
		`{{.Style}} ${7*7} <!-- comment -->`,
	}
	text := wrapperspb.String
	hostile := &cvv1.SharedCv{Document: &cvv1.CvDocument{
		Name: attacks[0], Title: text(attacks[1]), Summary: text(strings.Join(attacks, "\n")), Bio: text(attacks[6]), Location: text(attacks[7]),
		ContactEmail: text(`a@b.example" onclick="x`), AvatarUrl: text(u + "/avatar"), PublicCvUrl: text("javascript:fetch('" + u + "')"),
		Socials: map[string]string{
			"phone": attacks[1], "website": "file:///etc/passwd", "linkedin": "javascript:alert(1)",
			`"><img src=` + u + `/key>`: u + "/social", "github": "data:text/html,<script>1</script>",
		},
		Skills: attacks, Languages: attacks[:2],
		SkillGroups:    []*cvv1.SkillGroup{{Category: attacks[0], Items: attacks}},
		Highlights:     []*cvv1.Highlight{{Title: attacks[2], Desc: attacks[3]}},
		Experiences:    []*cvv1.Experience{{Title: attacks[0], Company: attacks[1], StartDate: text(attacks[5]), Overview: text(attacks[6]), Bullets: attacks}},
		Educations:     []*cvv1.Education{{School: attacks[4], Degree: text(attacks[9]), Description: text(attacks[8])}},
		Certifications: []*cvv1.Certification{{Name: attacks[9], Issuer: attacks[10], IssueDate: text(attacks[0]), CredentialUrl: text("file:///etc/shadow")}},
		Projects:       []*cvv1.Project{{Title: attacks[11], Description: text(attacks[12]), Link: text("javascript:1"), Technologies: attacks}},
	}, PersonalDetails: &cvv1.PersonalDetails{DateOfBirth: text(attacks[0]), Nationality: text(attacks[1])}}
	r := sharedRig(t)
	for _, language := range []string{"en", "ar"} {
		hostile.Language = language
		file := r.render(t, hostile).file
		text := pdfText(t, file)
		for _, sign := range []string{"<script>fetch(", "onerror=", "<iframe", "@import url(", "http-equiv=refresh", "{{.Style}}", "<!-- comment -->", "<svg>"} {
			if !strings.Contains(text, sign) {
				t.Errorf("%s: %q is not shown as text", language, sign)
			}
		}
		if strings.Contains(text, "root:x:0:0") {
			t.Error("a local file was read")
		}
		objects := withoutStreams(t, file)
		for _, target := range []string{"/URI (javascript:", "/URI (file:", "/URI (data:", "/JS", "/JavaScript", "/Launch"} {
			if bytes.Contains(objects, []byte(target)) {
				t.Errorf("the PDF has an action %s", target)
			}
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the canary received %d requests", n)
	}
}

var streams = regexp.MustCompile(`(?s)\bstream\r?\n.*?endstream`)

// withoutStreams returns the objects of a file without the data in its streams, because compressed bytes
// can contain any short word by chance. Chromium does not put objects into streams.
func withoutStreams(t *testing.T, file []byte) []byte {
	t.Helper()
	objects := streams.ReplaceAll(file, nil)
	if bytes.Contains(objects, []byte("/ObjStm")) {
		t.Fatal("the PDF keeps objects in streams")
	}
	if !bytes.Contains(objects, []byte("/Catalog")) {
		t.Fatal("no objects were found in the PDF")
	}
	return objects
}

func TestPhotoIsShownAndChangesETag(t *testing.T) {
	host, hits := newHost(t, photoHost, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain") // the declared type must not matter
		_, _ = w.Write(pngFile(t, 300))
	})
	r := photoRig(t)
	c := cvtest.Junior()
	without := r.render(t, c)
	for _, address := range []string{host.URL + "/me.png", "data:image/png;base64," + base64.StdEncoding.EncodeToString(pngFile(t, 200))} {
		c.Document.AvatarUrl = wrapperspb.String(address)
		d := r.render(t, c)
		if images := poppler(t, d.file, "pdfimages", "-list", "FILE"); !strings.Contains(images, "jpeg") {
			t.Errorf("no picture:\n%s", images)
		}
		if d.head.GetEtag() == without.head.GetEtag() {
			t.Error("the ETag is the same with and without the photo")
		}
		if structure := poppler(t, d.file, "pdfinfo", "-struct", "FILE"); !strings.Contains(structure, "Figure") {
			t.Error("the photo is not tagged as a figure")
		}
		wantNothingWrong(t, "with a photo", d.file)
		wantAccessible(t, "with a photo", d.file)
	}
	c.Document.AvatarUrl = wrapperspb.String(host.URL + "/me.png")
	r.render(t, c)
	if n := hits.Load(); n != 1 {
		t.Errorf("the photo was fetched %d times, want once", n)
	}
}

func pngFile(t *testing.T, side int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			m.Set(x, y, color.RGBA{R: uint8(x), G: uint8(y), B: 120, A: 255})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestPhotosComeFromPublicHostsOnly(t *testing.T) {
	file := pngFile(t, 900) // created before the fetch, which has a timeout
	host, hits := newHost(t, photoHost, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(file) })
	fetch := func(r *rig) ([]byte, error) {
		got, err := r.client.FetchPhoto(t.Context(), &cvrenderv1.FetchPhotoRequest{Address: host.URL + "/p.png", Share: "usr_1"})
		return got.GetJpeg(), err
	}
	_, err := fetch(sharedRig(t))
	if !errs.HasCode(err, "PHOTO_NOT_FOUND") || strings.Contains(err.Error(), photoHost) || hits.Load() != 0 {
		t.Errorf("host that is not public: error %v, %d requests", err, hits.Load())
	}
	got, err := fetch(photoRig(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.DecodeConfig(bytes.NewReader(got))
	if err != nil || max(m.Width, m.Height) > picture.MaxSide || len(got) >= picture.MaxBytes {
		t.Errorf("%d by %d pixels in %d bytes, %v", m.Width, m.Height, len(got), err)
	}
}
