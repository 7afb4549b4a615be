package resume_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"gocloud.dev/blob/memblob"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/blobs"
	"vitae.internal/services/candidate/internal/resume"
)

func TestUploadRoundTrip(t *testing.T) {
	w := open(t)
	content := pdf(300_000)
	kept := w.upload(content)
	if kept.ContentType != "application/pdf" || kept.Size != len(content) || kept.Filename != "Layla.pdf" || !strings.HasPrefix(kept.ID, "res_") {
		t.Errorf("the stored resume is %+v", kept)
	}
	link, err := w.Link(t.Context(), kept.Key)
	if err != nil {
		t.Fatal(err)
	}
	query, ours := strings.CutPrefix(link.URL, baseURL+"/resumes?")
	if !ours || !link.ExpiresAt.Equal(start.Add(5*60e9)) {
		t.Errorf("the link is %+v", link)
	}
	got, body, err := w.Download(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	read, err := io.ReadAll(body)
	if err != nil || !bytes.Equal(read, content) || got != kept {
		t.Errorf("the download has %d bytes, the resume is %+v, %v", len(read), got, err)
	}
}

// Links are signed with the computer's clock, not with the clock in world.
func TestLinkExpires(t *testing.T) {
	w := open(t)
	kept := w.upload(pdf(100))
	before := time.Now().Truncate(time.Second)
	link, err := w.Link(t.Context(), kept.Key)
	if err != nil {
		t.Fatal(err)
	}
	after := time.Now()
	address, err := url.Parse(link.URL)
	if err != nil {
		t.Fatal(err)
	}
	seconds, err := strconv.ParseInt(address.Query().Get("expiry"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if ends := time.Unix(seconds, 0); ends.Before(before.Add(5*time.Minute)) || ends.After(after.Add(5*time.Minute)) {
		t.Errorf("the link was signed between %v and %v, and is valid until %v", before, after, ends)
	}
}

// counting counts the bytes that are read from it.
type counting struct {
	io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

func TestFileSizeIsLimited(t *testing.T) {
	w := open(t)
	kept := w.upload(pdf(resume.MaxSize))
	if kept.Size != 10<<20 {
		t.Errorf("%d bytes were stored", kept.Size)
	}
	endless := &counting{Reader: io.MultiReader(bytes.NewReader(pdf(1000)), neverEnding{})}
	_, err := w.Upload(t.Context(), resume.Upload{PersonID: personID}, endless)
	if e, ok := errs.As(err); !ok || e.Kind != errs.Invalid || e.Field() != "chunk" {
		t.Errorf("a file that is too large: %v", err)
	}
	if endless.n > resume.MaxSize+1 {
		t.Errorf("%d bytes of a file that is too large were read", endless.n)
	}
	if w.rows() != 1 || len(w.files()) != 1 {
		t.Errorf("a file that is too large left files: %v", w.files())
	}
}

type neverEnding struct{}

func (neverEnding) Read(p []byte) (int, error) { return len(p), nil }

func TestRejectedUploadLeavesNothing(t *testing.T) {
	w := open(t)
	gone := errors.New("the caller went away")
	for name, tc := range map[string]struct {
		upload  resume.Upload
		content io.Reader
		want    func(error) bool
	}{
		"empty":                        {resume.Upload{PersonID: personID}, strings.NewReader(""), invalidChunk},
		"an HTML page":                 {resume.Upload{PersonID: personID, Filename: "cv.pdf"}, strings.NewReader("<html>"), invalidChunk},
		"an interrupted upload":        {resume.Upload{PersonID: personID}, io.MultiReader(bytes.NewReader(pdf(100)), iotest.ErrReader(gone)), func(err error) bool { return errors.Is(err, gone) }},
		"an unknown person":            {resume.Upload{PersonID: "usr_nobody"}, bytes.NewReader(pdf(100)), hasCode("PROFILE_NOT_FOUND")},
		"an invalid person id":         {resume.Upload{PersonID: "usr\x00"}, bytes.NewReader(pdf(100)), hasCode("PROFILE_NOT_FOUND")},
		"a dry run":                    {resume.Upload{PersonID: "usr_nobody", ValidateOnly: true}, bytes.NewReader(pdf(100)), func(err error) bool { return err == nil }},
		"a dry run of an invalid file": {resume.Upload{ValidateOnly: true}, strings.NewReader("MZ"), invalidChunk},
	} {
		if r, err := w.Upload(t.Context(), tc.upload, tc.content); !tc.want(err) || r.ID != "" {
			t.Errorf("%s: the resume is %+v, the error %v", name, r, err)
		}
	}
	w.wantNothing()
}

func TestLongNameIsRejectedBeforeReading(t *testing.T) {
	w := open(t)
	upload := resume.Upload{PersonID: personID, Filename: strings.Repeat("س", 256)}
	refused := func(content io.Reader) (fields []string) {
		_, err := w.Upload(t.Context(), upload, content)
		if e, ok := errs.As(err); ok {
			for _, v := range e.Violations {
				fields = append(fields, v.Field)
			}
		}
		return fields
	}
	if got := refused(iotest.ErrReader(errors.New("the content was read"))); !slices.Equal(got, []string{"description.filename"}) {
		t.Errorf("an upload names the invalid fields %q", got)
	}
	upload.ValidateOnly = true
	if got := refused(strings.NewReader("MZ")); !slices.Equal(got, []string{"description.filename", "chunk"}) {
		t.Errorf("a dry run names the invalid fields %q", got)
	}
	w.wantNothing()
	if _, err := w.Upload(t.Context(), resume.Upload{PersonID: personID, Filename: strings.Repeat("س", 255)}, bytes.NewReader(pdf(100))); err != nil {
		t.Errorf("a name of maximum length: %v", err)
	}
}

func invalidChunk(err error) bool {
	e, ok := errs.As(err)
	return ok && e.Kind == errs.Invalid && e.Code == "INVALID_ARGUMENT" && e.Field() == "chunk"
}

func hasCode(code string) func(error) bool {
	return func(err error) bool { return errs.HasCode(err, code) }
}

func TestOnlyValidURLOpensFile(t *testing.T) {
	w := open(t)
	one, other := w.upload(pdf(100)), w.upload(pdf(200))
	query := func(r resume.Resume) string {
		link, err := w.Link(t.Context(), r.Key)
		if err != nil {
			t.Fatal(err)
		}
		_, q, _ := strings.Cut(link.URL, "?")
		return q
	}
	good := query(one)
	unfinished := w.unfinished()
	for name, q := range map[string]string{
		"empty":                           "",
		"not a query":                     "%zz",
		"a different file":                strings.Replace(good, one.ID, other.ID, 1),
		"a later expiry":                  strings.Replace(good, "expiry=", "expiry=9", 1),
		"a different method":              strings.Replace(good, "method=GET", "method=PUT", 1),
		"a wrong signature":               good[:len(good)-1] + "x",
		"no signature":                    good[:strings.Index(good, "&signature")],
		"a signature with an unknown key": foreign(t, one.Key, 60e9),
		"expired":                         signed(t, one.Key, -60e9),
		"a key that is not a resume's":    signed(t, "../secrets.json", 60e9),
		"a missing file":                  signed(t, "aa/res_00000000000000000000000000", 60e9),
		"an interrupted upload":           query(unfinished),
	} {
		if _, body, err := w.Download(t.Context(), q); !errs.HasCode(err, "RESUME_NOT_FOUND") || errs.KindOf(err) != errs.NotFound {
			t.Errorf("%s: %v, %v", name, body, err)
		}
	}
	if _, body, err := w.Download(t.Context(), good); err != nil {
		t.Errorf("a valid URL: %v", err)
	} else if err := body.Close(); err != nil {
		t.Error(err)
	}
}

func TestMissingFileIsNotFound(t *testing.T) {
	w := open(t)
	kept := w.upload(pdf(100))
	if err := folder(t, w.dir).Remove(t.Context(), kept.Key); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Download(t.Context(), signed(t, kept.Key, 60e9)); !errs.HasCode(err, "RESUME_NOT_FOUND") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestBucketOutageIsUnavailable(t *testing.T) {
	w := open(t)
	closed := memblob.OpenBucket(nil)
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	s := w.with(blobs.New(closed, nil))
	_, err := s.Upload(t.Context(), resume.Upload{PersonID: personID}, bytes.NewReader(pdf(100)))
	if e, ok := errs.As(err); !ok || e.Kind != errs.Unavailable || e.RetryAfter == 0 || strings.Contains(e.Message, "blob") {
		t.Errorf("an upload while the bucket is down: %v", err)
	}
	if _, err := s.Link(t.Context(), "aa/res"); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("a link while the bucket is down: %v", err)
	}
	if _, _, err := s.Download(t.Context(), signed(t, "aa/res", 60e9)); !errs.HasCode(err, "RESUME_NOT_FOUND") {
		t.Errorf("a URL for a bucket that signs its own: %v", err)
	}
	// The row remains until the clean-up job removes it.
	if w.rows() != 1 {
		t.Errorf("%d rows remain, want 1", w.rows())
	}
	w.clock.Advance(61 * 60e9)
	if err := s.Clean(t.Context()); errs.KindOf(err) != errs.Internal && errs.KindOf(err) != errs.Unavailable || w.rows() != 1 {
		t.Errorf("a row was deleted although its bytes remain: %v", err)
	}
	w.clean()
	w.wantNothing()
}

func TestUploadsWaitForSlot(t *testing.T) {
	w := open(t)
	first, inside := make(chan struct{}), make(chan struct{}, 100)
	blocked := readerFunc(func([]byte) (int, error) {
		inside <- struct{}{}
		<-first
		return 0, io.EOF
	})
	ended := make(chan error, 8)
	for range 8 {
		go func() {
			_, err := w.Upload(context.WithoutCancel(t.Context()), resume.Upload{PersonID: personID}, blocked)
			ended <- err
		}()
	}
	for range 8 {
		<-inside
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Upload(ctx, resume.Upload{PersonID: personID}, bytes.NewReader(pdf(100))); !errors.Is(err, context.Canceled) {
		t.Errorf("the ninth upload: %v", err)
	}
	close(first)
	for range 8 {
		if err := <-ended; !invalidChunk(err) {
			t.Errorf("one of the first uploads: %v", err)
		}
	}
	w.upload(pdf(100))
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
