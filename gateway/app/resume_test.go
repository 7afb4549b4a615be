package app_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

// resume returns the messages with which the candidate service streams a file.
func resume(filename, contentType string, size int32, chunks ...string) []*candidatev1.DownloadResumeResponse {
	out := []*candidatev1.DownloadResumeResponse{{Piece: &candidatev1.DownloadResumeResponse_File{
		File: &candidatev1.ResumeFile{Filename: filename, ContentType: contentType, Size: size}}}}
	for _, c := range chunks {
		out = append(out, &candidatev1.DownloadResumeResponse{Piece: &candidatev1.DownloadResumeResponse_Chunk{Chunk: []byte(c)}})
	}
	return out
}

const signed = "obj=res_1&expiry=1772600767&signature=a%2Fb%3D"

func TestResumeKeepsFilename(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.partner.set(func(f *fakePartner) { f.pieces = resume("سيرة.docx", docx, 10, "PK\x03\x04", "abcdef") })
	a := s.do("GET", "/resumes?"+signed, "")
	if a.StatusCode != 200 || a.body != "PK\x03\x04abcdef" || a.ContentLength != 10 {
		t.Fatalf("%d %q", a.StatusCode, a.body)
	}
	for name, want := range map[string]string{
		"Content-Type":            docx,
		"Content-Disposition":     `attachment; filename="resume.docx"; filename*=UTF-8''%D8%B3%D9%8A%D8%B1%D8%A9.docx`,
		"Cache-Control":           "private, no-store",
		"X-Content-Type-Options":  "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox",
		"Referrer-Policy":         "no-referrer",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	request, p, _, _ := s.partner.last()
	if r, ok := request.(*candidatev1.DownloadResumeRequest); !ok || r.GetQuery() != signed || p != nil {
		t.Errorf("candidate received %v from the principal %v", request, p)
	}
	head := s.do("HEAD", "/resumes?"+signed, "")
	if head.StatusCode != 200 || head.body != "" || head.ContentLength != 10 || head.Header.Get("Content-Disposition") != a.Header.Get("Content-Disposition") {
		t.Errorf("HEAD: %d %v", head.StatusCode, head.Header)
	}
}

func TestInvalidResumeURLIsNotFound(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, fault := range []error{
		errs.New(errs.NotFound, "RESUME_NOT_FOUND", "expired"),
		errs.New(errs.Invalid, "INVALID_ARGUMENT", "query: too long").WithField("query"),
	} {
		s.partner.set(func(f *fakePartner) { f.fault = fault })
		for _, method := range []string{"GET", "HEAD"} {
			a := s.do(method, "/resumes?"+signed, "")
			if method == "HEAD" {
				if a.StatusCode != 404 {
					t.Errorf("HEAD: %d", a.StatusCode)
				}
				continue
			}
			a.wantEnvelope(t, 404, "NOT_FOUND")
			if got := a.message(t); got != "This address does not exist or is no longer valid." {
				t.Error(got)
			}
			if a.Header.Get("Content-Disposition") != "" {
				t.Errorf("headers %v", a.Header)
			}
		}
	}
	_, _, _, before := s.partner.last()
	for _, target := range []string{"/resumes", "/resumes?", "/resumes?" + strings.Repeat("x", 3000), "/resumes?\xff", "/resumes/", "/v1/resumes?" + signed} {
		s.do("GET", target, "").wantEnvelope(t, 404, "NOT_FOUND")
	}
	if _, _, _, after := s.partner.last(); after != before {
		t.Error("candidate was called for URLs that cannot be valid")
	}
	s.do("POST", "/resumes?"+signed, "").wantEnvelope(t, 405, "METHOD_NOT_ALLOWED")
}

func TestResumeIsNeverTruncated(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	gone := errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "gone")
	for name, c := range map[string]struct {
		pieces []*candidatev1.DownloadResumeResponse
		fault  error
		status int // 0 if the connection is aborted
	}{
		"fails before the first byte": {resume("a.pdf", "application/pdf", 10), gone, 503},
		"does not exist":              {nil, gone, 503},
		"ends without a message":      {nil, nil, 500},
		"no description":              {resume("", "", 10)[1:], nil, 500},
		"breaks off":                  {resume("a.pdf", "application/pdf", 10, "12345"), gone, 0},
		"ends too early":              {resume("a.pdf", "application/pdf", 10, "12345"), nil, 0},
		"is too long":                 {resume("a.pdf", "application/pdf", 4, "123", "45"), nil, 0},
	} {
		s.partner.set(func(f *fakePartner) { f.pieces, f.fault = c.pieces, c.fault })
		resp, err := client.Get(s.url + "/resumes?" + signed)
		if err != nil {
			if c.status != 0 {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		raw, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if c.status == 0 && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: received %d bytes, %v", name, len(raw), err)
		}
		if c.status != 0 && (err != nil || resp.StatusCode != c.status) {
			t.Errorf("%s: %d %s, %v", name, resp.StatusCode, raw, err)
		}
	}
}

func TestResumesAreLimitedPerIP(t *testing.T) {
	t.Parallel()
	s := tiers(t)
	there := resume("a.pdf", "application/pdf", 4, "%PDF")
	s.partner.set(func(f *fakePartner) { f.pieces = there })
	if a := s.do("GET", "/resumes?"+signed, ""); a.StatusCode != 200 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	s.partner.set(func(f *fakePartner) { f.pieces, f.fault = nil, errs.New(errs.NotFound, "RESUME_NOT_FOUND", "made up") })
	s.do("GET", "/resumes?made=up", "").wantEnvelope(t, 404, "NOT_FOUND")
	_, _, _, before := s.partner.last()
	for range 3 {
		a := s.do("GET", "/resumes?made=up", "")
		a.wantLimited(t, "RATE_LIMIT_EXCEEDED")
		if got := a.Header.Get("RateLimit-Policy"); got != `"burst";q=2;w=3600, "sustained";q=100;w=3600` {
			t.Errorf("RateLimit-Policy %q", got)
		}
	}
	if _, _, _, after := s.partner.last(); after != before {
		t.Error("candidate was called for a request above the tier")
	}
	s.partner.set(func(f *fakePartner) { f.pieces, f.fault = there, nil })
	if a := s.do("GET", "/resumes?"+signed, "", "X-Forwarded-For", "192.0.2.1"); a.StatusCode != 200 {
		t.Errorf("a different IP address: %d %s", a.StatusCode, a.body)
	}
}
