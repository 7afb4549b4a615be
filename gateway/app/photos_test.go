package app_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

func (s *scene) photoSigner() *signedurl.Signer {
	s.t.Helper()
	signer, err := signedurl.New(testkit.Ring("cv_link", "a"), baseURL)
	if err != nil {
		s.t.Fatal(err)
	}
	return signer
}

// photoPath returns the path of con_1's photo.
func (s *scene) photoPath() string {
	s.t.Helper()
	return strings.TrimPrefix(s.photoSigner().ConsentPhoto("con_1", photoVersion), baseURL)
}

func (s *scene) applicantPath(personID string, at time.Time) string {
	s.t.Helper()
	return strings.TrimPrefix(s.photoSigner().ApplicantPhoto(personID, at), baseURL)
}

func (s *scene) openPhoto(headers ...string) answer {
	return s.do(http.MethodGet, s.photoPath(), "", headers...)
}

func TestPhotoIsServed(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, path := range []string{s.photoPath(), s.applicantPath("usr_1", time.Now())} {
		a := s.do(http.MethodGet, path, "")
		tag := a.Header.Get("ETag")
		if a.StatusCode != 200 || a.body != "a JPEG" || a.ContentLength != 6 || len(tag) < 20 || !strings.HasPrefix(tag, `"`) {
			t.Fatalf("%s: %d %q %v", path, a.StatusCode, a.body, a.Header)
		}
		for name, want := range map[string]string{
			"Content-Type": "image/jpeg", "Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex", "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Set-Cookie": "", "Location": "",
		} {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s: %s %q, want %q", path, name, got, want)
			}
		}
		same := s.do(http.MethodGet, path, "", "If-None-Match", `"x", W/`+tag)
		if same.StatusCode != 304 || same.body != "" || same.Header.Get("ETag") != tag {
			t.Errorf("%s: current ETag: status %d, %q", path, same.StatusCode, same.body)
		}
		if head := s.do(http.MethodHead, path, ""); head.StatusCode != 200 || head.body != "" || head.ContentLength != 6 || head.Header.Get("ETag") != tag {
			t.Errorf("%s: HEAD %d %v", path, head.StatusCode, head.Header)
		}
		s.photos.set(func(f *fakePhotos) { f.jpeg = "another JPEG" })
		if changed := s.do(http.MethodGet, path, "", "If-None-Match", tag); changed.StatusCode != 200 || changed.Header.Get("ETag") == tag {
			t.Errorf("%s: changed photo: status %d, %v", path, changed.StatusCode, changed.Header)
		}
		s.photos.set(func(f *fakePhotos) { f.jpeg = "a JPEG" })
	}
}

func TestExternalPhotoIsFetchedByRenderer(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.photos.set(func(f *fakePhotos) { f.address = "https://elsewhere.example/p.png" })
	a := s.openPhoto()
	if a.StatusCode != 200 || a.body != "a JPEG" || strings.Join(s.photos.fetched, ",") != "usr_1 https://elsewhere.example/p.png" {
		t.Errorf("%d %q, fetched %q", a.StatusCode, a.body, s.photos.fetched)
	}
	s.photos.set(func(f *fakePhotos) { f.jpeg = "" })
	s.openPhoto().wantEnvelope(t, 404, "PHOTO_NOT_FOUND")
	s.stop["cvrender"]()
	a = s.openPhoto()
	a.wantEnvelope(t, 503, "SERVICE_UNAVAILABLE")
	if a.Header.Get("Location") != "" || strings.Contains(a.body, "elsewhere") {
		t.Error(a.body)
	}
}

func TestInvalidPhotoURLIsNotFound(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	good := s.photoPath()
	changed := good[:len(good)-1] + "_"
	if changed == good {
		changed = good[:len(good)-1] + "-"
	}
	for name, path := range map[string]string{
		"a modified token": changed, "an invalid token": "/v1/photos/made-up", "not UTF-8": "/v1/photos/%ff",
		"a long token": "/v1/photos/" + strings.Repeat("A", 2000), "a durable link": strings.Replace(s.linkPath(), "cv-links", "photos", 1),
		"an applicant's URL after five minutes": s.applicantPath("usr_1", time.Now().Add(-signedurl.ApplicantLife-time.Second)),
	} {
		a := s.do(http.MethodGet, path, "")
		a.wantEnvelope(t, 404, "PHOTO_NOT_FOUND")
		if got := a.message(t); got != "This photo does not exist or is no longer shared." || a.Header.Get("ETag") != "" || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %q %v", name, got, a.Header)
		}
	}
	if len(s.photos.asked) != 0 || s.auth.lookups() != 0 {
		t.Errorf("candidate was called for %q", s.photos.asked)
	}
	s.photos.set(func(f *fakePhotos) { f.shown++ })
	s.do(http.MethodGet, good, "").wantEnvelope(t, 404, "PHOTO_NOT_FOUND")
	s.do(http.MethodGet, s.applicantPath("usr_2", time.Now()), "").wantEnvelope(t, 404, "PHOTO_NOT_FOUND")
	s.do(http.MethodGet, strings.Replace(good, "photos", "cv-links", 1), "").wantEnvelope(t, 404, "CV_LINK_NOT_FOUND")
}

func TestPrincipalHasPhotoOnlyIfShared(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	want := baseURL + s.photoPath()
	for _, open := range []func() answer{
		func() answer { return s.get("/v1/me") }, func() answer { return s.get("/v1/me/cv") }, func() answer { return s.link() },
	} {
		if a := open(); a.StatusCode != 200 || s.me.principal().GetPhotoUrl() != want {
			t.Errorf("%d, principal %v", a.StatusCode, s.me.principal())
		}
	}
	p := fullPrincipal()
	p.SharePhoto = false
	s.auth.put(s.auth.token, &authv1.SessionRecord{Principal: p})
	if a := s.get("/v1/me"); a.StatusCode != 200 || s.me.principal().GetPhotoUrl() != "" {
		t.Errorf("%d, principal %v", a.StatusCode, s.me.principal())
	}
	older := newLegacyScene(t)
	shares := legacyPrincipal()
	shares.SharePhoto, shares.PhotoVersion = true, 5
	older.auth.put(older.token, &authv1.SessionRecord{Principal: shares})
	if older.profile(); older.legacy.seen.GetPhotoUrl() != older.photoSigner().ConsentPhoto("con_9", 5) {
		t.Errorf("principal %v", older.legacy.seen)
	}
}

func TestApplicantPhotoURLExpires(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for path, m := range map[string]func(*wrapperspb.StringValue) proto.Message{
		"/v1/jobs/job_1/candidates": func(image *wrapperspb.StringValue) proto.Message {
			return &candidatev1.ListJobApplicationsResponse{Applications: []*candidatev1.Application{
				{Candidate: &candidatev1.Candidate{UserId: "usr_1", Image: image}},
			}}
		},
		"/v1/candidates/apl_1": func(image *wrapperspb.StringValue) proto.Message {
			return &candidatev1.GetApplicationResponse{Application: &candidatev1.ApplicationDetail{
				Candidate: &candidatev1.Candidate{UserId: "usr_1", Image: image},
			}}
		},
	} {
		s.partner.willReturn(m(wrapperspb.String("usr_1")), nil)
		a := s.do(http.MethodGet, path, "", "Authorization", "Bearer "+s.auth.key)
		_, after, found := strings.Cut(a.body, `"image":"`+baseURL)
		photo, _, _ := strings.Cut(after, `"`)
		if a.StatusCode != 200 || !found {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
		if a := s.do(http.MethodGet, photo, ""); a.StatusCode != 200 || a.body != "a JPEG" {
			t.Errorf("%s: %d %q", photo, a.StatusCode, a.body)
		}
		s.partner.willReturn(m(nil), nil)
		if a := s.do(http.MethodGet, path, "", "Authorization", "Bearer "+s.auth.key); !strings.Contains(a.body, `"image":null`) {
			t.Errorf("without a photo: %d %s", a.StatusCode, a.body)
		}
	}
}

func TestPDFGetsPhotoInsteadOfURL(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	shared := func(address *wrapperspb.StringValue) {
		s.me.set(func(f *fakeMe) { f.cv = &cvv1.SharedCv{Document: &cvv1.CvDocument{AvatarUrl: address}} })
	}
	inline := "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString([]byte("a JPEG"))
	for name, c := range map[string]struct {
		shared *wrapperspb.StringValue
		stored func(*fakePhotos)
		want   string
	}{
		"kept here":     {wrapperspb.String(baseURL + s.photoPath()), func(*fakePhotos) {}, inline},
		"external":      {wrapperspb.String(baseURL + s.photoPath()), func(f *fakePhotos) { f.address = "https://e.example/p" }, "https://e.example/p"},
		"removed since": {wrapperspb.String(baseURL + s.photoPath()), func(f *fakePhotos) { f.jpeg = "" }, ""},
		"not shared":    {nil, func(*fakePhotos) {}, ""},
	} {
		shared(c.shared)
		s.photos.set(func(f *fakePhotos) { f.jpeg, f.address = "a JPEG", ""; c.stored(f) })
		for _, a := range []answer{s.get("/v1/me/cv.pdf"), s.link()} {
			if got := s.renderer.request().GetCv().GetDocument().GetAvatarUrl().GetValue(); a.StatusCode != 200 || got != c.want {
				t.Errorf("%s: status %d, cvrender received the photo %q", name, a.StatusCode, got)
			}
		}
	}
	shared(wrapperspb.String(baseURL + s.photoPath()))
	s.photos.set(func(f *fakePhotos) { f.fault = errs.New(errs.Unavailable, "DOWN", "down") })
	s.get("/v1/me/cv.pdf").wantEnvelope(t, 503, "SERVICE_UNAVAILABLE")
}
