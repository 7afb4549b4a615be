package resume

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, int(600*time.Millisecond), time.UTC)

// shelf is a fake Store and Files that records its calls. fails maps calls to the errors they
// return.
type shelf struct {
	calls   []string
	fails   map[string]error
	row     Resume
	headers Headers
	given   [][]Resume
	// until is the deadline of the last Put. after is the argument of the last FinishResume.
	until, after        time.Time
	unfinished, unowned time.Time
	atMost              int
	life                time.Duration
}

func (s *shelf) note(call, what string) error {
	s.calls = append(s.calls, call+" "+what)
	return s.fails[call]
}

func (s *shelf) AddResume(_ context.Context, r Resume) error {
	s.row = r
	return s.note("add", r.PersonID)
}

func (s *shelf) FinishResume(_ context.Context, id string, createdAfter time.Time) error {
	s.after = createdAfter
	return s.note("finish", id)
}
func (s *shelf) Resume(_ context.Context, id string) (Resume, error) {
	return s.row, s.note("row", id)
}

func (s *shelf) GiveUpResumes(_ context.Context, unfinished, unclaimed time.Time, atMost int) ([]Resume, error) {
	s.unfinished, s.unowned, s.atMost = unfinished, unclaimed, atMost
	var next []Resume
	if len(s.given) > 0 {
		next, s.given = s.given[0], s.given[1:]
	}
	return next, s.fails["give up"]
}
func (s *shelf) DeleteResume(_ context.Context, id string) error { return s.note("delete", id) }

func (s *shelf) Put(ctx context.Context, key string, content io.Reader, h Headers) error {
	s.headers = h
	s.until, _ = ctx.Deadline()
	all, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	return s.note("put", key+" "+string(all[:5]))
}

func (s *shelf) Open(_ context.Context, key string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("bytes")), s.note("open", key)
}
func (s *shelf) Remove(_ context.Context, key string) error {
	if err := s.fails["remove "+key]; err != nil {
		return err
	}
	return s.note("remove", key)
}

func (s *shelf) SignedURL(_ context.Context, key string, life time.Duration) (string, error) {
	s.life = life
	return "https://x.example/" + key, s.note("sign", key)
}
func (s *shelf) KeyOf(_ context.Context, query string) (string, bool) { return query, query != "" }

func at(t *testing.T, s *shelf) (*Service, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	service, err := NewService(Config{Store: s, Files: s, Clock: clock.NewFake(now), Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return service, &log
}

func TestFilesAreServedWithHeaders(t *testing.T) {
	for kind, c := range map[string]struct {
		content              []byte
		contentType, unnamed string
	}{
		"pdf":  {pdfFile(), "application/pdf", "resume.pdf"},
		"doc":  {docFile(), "application/msword", "resume.doc"},
		"docx": {docxFile(), "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "resume.docx"},
		"rtf":  {rtfFile(), "application/rtf", "resume.rtf"},
	} {
		for filename, shown := range map[string]string{"": c.unnamed, "/home/../Layla.x": "Layla.x"} {
			s := &shelf{}
			service, _ := at(t, s)
			r, err := service.Upload(t.Context(), Upload{PersonID: "usr_1", Filename: filename}, bytes.NewReader(c.content))
			if err != nil || !r.Ready || r.ContentType != c.contentType || r.Size != len(c.content) || !r.CreatedAt.Equal(now) {
				t.Errorf("%s %q: %+v, %v", kind, filename, r, err)
			}
			if s.headers.ContentType != c.contentType || !strings.HasPrefix(s.headers.ContentDisposition, "attachment") || !strings.Contains(s.headers.ContentDisposition, shown) {
				t.Errorf("%s %q: the headers are %+v", kind, filename, s.headers)
			}
			key := r.ID[len(r.ID)-2:] + "/" + r.ID
			if want := []string{"add usr_1", "put " + key + " " + string(c.content[:5]), "finish " + r.ID}; r.Key != key || !slices.Equal(s.calls, want) {
				t.Errorf("%s: calls %q, want %q", kind, s.calls, want)
			}
			if s.row.Ready || !s.after.Equal(now.Add(-30*time.Minute)) {
				t.Errorf("the row was added as ready: %t; it is finished if created after %v", s.row.Ready, s.after)
			}
			if left := time.Until(s.until); left <= 0 || left > time.Minute {
				t.Errorf("the time limit of a put is %v", left)
			}
		}
	}
}

func TestUploadStopsAtFirstError(t *testing.T) {
	down := errors.New("down")
	for call, calls := range map[string]int{"add": 1, "put": 2, "finish": 3} {
		s := &shelf{fails: map[string]error{call: down}}
		service, _ := at(t, s)
		r, err := service.Upload(t.Context(), Upload{PersonID: "usr_1"}, bytes.NewReader(pdfFile()))
		if !errors.Is(err, down) || r != (Resume{}) || len(s.calls) != calls {
			t.Errorf("%s: %+v, %v; calls %q", call, r, err, s.calls)
		}
	}
}

func TestOnlyReadyResumesAreServed(t *testing.T) {
	const id = "res_00000000000000000000000000"
	ready := Resume{ID: id, Key: "00/" + id, Ready: true}
	unready := ready
	unready.Ready = false
	down := errs.New(errs.Unavailable, errs.CodeUnavailable, "down")
	for name, c := range map[string]struct {
		query string
		row   Resume
		fails map[string]error
		want  error // nil for success
		calls int
		says  bool
	}{
		"ready":                 {"00/" + id, ready, nil, nil, 2, false},
		"an invalid signature":  {"", ready, nil, ErrNotFound, 0, false},
		"a wrong folder":        {"01/" + id, ready, nil, ErrNotFound, 0, false},
		"an additional folder":  {"x/00/" + id, ready, nil, ErrNotFound, 0, false},
		"no id":                 {"id/res_", ready, nil, ErrNotFound, 0, false},
		"not ready":             {"00/" + id, unready, nil, ErrNotFound, 1, false},
		"no row":                {"00/" + id, ready, map[string]error{"row": ErrNotFound}, ErrNotFound, 1, false},
		"missing bytes":         {"00/" + id, ready, map[string]error{"open": ErrNotFound}, ErrNotFound, 2, true},
		"a bucket that is down": {"00/" + id, ready, map[string]error{"open": down}, down, 2, false},
	} {
		s := &shelf{row: c.row, fails: c.fails}
		service, log := at(t, s)
		r, body, err := service.Download(t.Context(), c.query)
		if !errors.Is(err, c.want) || len(s.calls) != c.calls || (log.Len() > 0) != c.says {
			t.Errorf("%s: %+v, %v; calls %q; logs %q", name, r, err, s.calls, log)
		}
		if c.want == nil && (r != ready || body == nil) {
			t.Errorf("%s: the resume is %+v", name, r)
		}
	}
	s := &shelf{}
	service, _ := at(t, s)
	link, err := service.Link(t.Context(), "00/x")
	if err != nil || link.URL != "https://x.example/00/x" || s.life != 5*time.Minute || !link.ExpiresAt.Equal(now.Truncate(time.Second).Add(5*time.Minute)) {
		t.Errorf("the link is %+v, valid for %v, %v", link, s.life, err)
	}
}

func batch(n int) []Resume {
	all := make([]Resume, n)
	for i := range all {
		all[i] = Resume{ID: "r", Key: "k"}
	}
	return all
}

func TestCleanStopsAtError(t *testing.T) {
	down := errors.New("down")
	for name, c := range map[string]struct {
		given [][]Resume
		fails map[string]error
		calls int
		left  int
	}{
		"nothing":                         {nil, nil, 0, 0},
		"a few":                           {[][]Resume{batch(99), batch(1)}, nil, 198, 1},
		"many":                            {[][]Resume{batch(100), batch(100), batch(3)}, nil, 406, 0},
		"no resumes returned":             {[][]Resume{nil, batch(1)}, map[string]error{"give up": down}, 0, 1},
		"one file that cannot be removed": {[][]Resume{append([]Resume{{ID: "b", Key: "bad"}}, batch(99)...), batch(1)}, map[string]error{"remove bad": down}, 198, 1},
		"rows that cannot be deleted":     {[][]Resume{batch(2)}, map[string]error{"delete": down}, 4, 0},
		"files that cannot be removed":    {[][]Resume{batch(2)}, map[string]error{"remove": down}, 2, 0},
	} {
		s := &shelf{given: c.given, fails: c.fails}
		service, _ := at(t, s)
		if err := service.Clean(t.Context()); errors.Is(err, down) != (c.fails != nil) || err != nil && c.fails == nil || len(s.calls) != c.calls || len(s.given) != c.left {
			t.Errorf("%s: %v; %d calls, %d batches are left", name, err, len(s.calls), len(s.given))
		}
		if s.atMost != 100 || !s.unfinished.Equal(now.Add(-time.Hour)) || !s.unowned.Equal(now.Add(-24*time.Hour)) {
			t.Errorf("%s: up to %d resumes were requested, created before %v and %v", name, s.atMost, s.unfinished, s.unowned)
		}
	}
	service, _ := at(t, &shelf{})
	if every := service.CleanUpJob().Every; every != 10*time.Minute {
		t.Errorf("the job runs every %v", every)
	}
}
