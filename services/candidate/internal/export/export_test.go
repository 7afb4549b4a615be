package export_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/photo"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/resume"
)

var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// fakes replaces the store, the bucket and the other services.
type fakes struct {
	clock *clock.Fake
	rows  map[string]*row
	files map[string][]byte
	// renderFails and announceFails are the errors that the other services return.
	renderFails, announceFails error
	announced                  int
	// submitted and applied hold the applications as they were submitted and as the person sees them.
	submitted []export.Submitted
	applied   []applicant.Application
	// rendering is called before each PDF.
	rendering func()
}

type row struct {
	export.Export
	due time.Time
}

func newFakes(t *testing.T) (*fakes, *export.Service) {
	t.Helper()
	h := &fakes{clock: clock.NewFake(began), rows: map[string]*row{}, files: map[string][]byte{}, rendering: func() {}}
	s, err := export.NewService(export.Config{
		Store: h, Profiles: h, Files: h, Account: h, Renderer: h, Shared: h, Applied: h, Photos: h, Clock: h.clock, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return h, s
}

func (h *fakes) Exports(_ context.Context, personID string, since time.Time) (all []export.Export, _ error) {
	for _, r := range h.rows {
		if r.PersonID == personID && (r.RequestedAt.After(since) || r.State != export.Removed) {
			all = append(all, r.Export)
		}
	}
	slices.SortFunc(all, func(a, b export.Export) int { return b.RequestedAt.Compare(a.RequestedAt) })
	return all, nil
}

func (h *fakes) AddExport(_ context.Context, e export.Export) (bool, error) {
	for _, r := range h.rows {
		if r.State == export.Ready {
			r.State, r.due = export.Removed, e.RequestedAt
		}
	}
	h.rows[e.ID] = &row{e, e.RequestedAt}
	return true, nil
}

func (h *fakes) LeaseExport(_ context.Context, now, until time.Time) ([]export.Export, error) {
	for _, id := range slices.Sorted(maps.Keys(h.rows)) {
		if r := h.rows[id]; !r.due.After(now) {
			if r.due = until; r.State == export.BeingMade {
				r.Attempts++
			}
			return []export.Export{r.Export}, nil
		}
	}
	return nil, nil
}

// held returns the row of an export if the caller holds the lease on the export.
func (h *fakes) held(e export.Export) (*row, bool) {
	r, ok := h.rows[e.ID]
	return r, ok && r.Attempts == e.Attempts && r.State == export.BeingMade
}

func (h *fakes) StepExport(_ context.Context, e export.Export, until time.Time) (bool, error) {
	r, ok := h.held(e)
	if ok {
		r.Done, r.Steps, r.due = e.Done, e.Steps, until
	}
	return ok, nil
}

func (h *fakes) FinishExport(_ context.Context, e export.Export, now time.Time) (bool, error) {
	r, ok := h.held(e)
	if ok {
		r.State, r.Size, r.ExpiresAt, r.due = export.Ready, e.Size, e.ExpiresAt, now
	}
	return ok, nil
}

func (h *fakes) MoveExport(_ context.Context, e export.Export, at time.Time) error {
	if r, ok := h.rows[e.ID]; ok && r.Attempts == e.Attempts {
		r.State, r.Announced, r.due = e.State, e.Announced, at
	}
	return nil
}

func (h *fakes) DeleteExport(_ context.Context, id string) error {
	delete(h.rows, id)
	return nil
}

func (h *fakes) ProfileByID(_ context.Context, personID string) (profile.Profile, error) {
	return profile.Profile{Person: profile.Person{ID: personID, Name: "Layla", HasMainCv: true}, Content: &cv.Content{Summary: "S"}}, nil
}

func (h *fakes) CvsOf(context.Context, string) ([]profile.Cv, error) { return nil, nil }

func (h *fakes) DraftsOf(context.Context, string) ([]profile.Draft, error) {
	return []profile.Draft{{Document: profile.MainCvID, Form: "headline=half+a+sen&version=3"}}, nil
}

func (h *fakes) ApplicationsOf(context.Context, string, string, int) ([]export.Submitted, error) {
	return h.submitted, nil
}

func (h *fakes) Put(_ context.Context, key string, content io.Reader, _ resume.Headers) error {
	raw, err := io.ReadAll(content)
	if err == nil {
		h.files[key] = raw
	}
	return err
}

func (h *fakes) Open(_ context.Context, key string) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(h.files[key])), nil
}

func (h *fakes) Remove(_ context.Context, key string) error {
	maps.DeleteFunc(h.files, func(k string, _ []byte) bool { return strings.HasPrefix(k, key) })
	return nil
}

func (h *fakes) Read(_ context.Context, personID string) (export.AccountData, bool, error) {
	return export.AccountData{ID: personID}, true, nil
}

func (h *fakes) Announce(context.Context, export.Export) error {
	h.announced++
	return h.announceFails
}

func (h *fakes) Render(context.Context, string, projection.SharedCv) ([]byte, error) {
	h.rendering()
	return []byte("%PDF"), h.renderFails
}

func (h *fakes) Document(context.Context, string, string) (projection.SharedCv, error) {
	return projection.SharedCv{SharedCv: &cvv1.SharedCv{Document: &cvv1.CvDocument{}}}, nil
}

func (h *fakes) Documents(context.Context, string) ([]profile.Document, error) {
	return []profile.Document{{CvReference: profile.CvReference{ID: profile.MainCvID}, Template: profile.Compact}}, nil
}

// List returns one application per page, newest first.
func (h *fakes) List(_ context.Context, _, after string) (applicant.Page, error) {
	at := 0
	for at < len(h.applied) && after != "" && h.applied[at].ID != after {
		at++
	}
	if after != "" {
		at++
	}
	if at >= len(h.applied) {
		return applicant.Page{}, nil
	}
	page := applicant.Page{Applications: h.applied[at : at+1]}
	if at+1 < len(h.applied) {
		page.Next = h.applied[at].ID
	}
	return page, nil
}

func (h *fakes) Get(context.Context, string) (photo.Photo, error) {
	return photo.Photo{}, photo.ErrNotFound
}

func start(t *testing.T, s *export.Service) export.Export {
	t.Helper()
	e, err := s.Start(t.Context(), "usr_1", "en")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func round(t *testing.T, s *export.Service) {
	t.Helper()
	if err := s.Round(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestExportExpiresAfterADay(t *testing.T) {
	h, s := newFakes(t)
	e := start(t, s)
	if again := start(t, s); again.ID != e.ID {
		t.Error("two exports are in progress at once")
	}
	if _, _, err := s.Open(t.Context(), "usr_1", e.ID); !errs.HasCode(err, export.ErrNotFound.Code) {
		t.Errorf("Open of an unfinished export: %v", err)
	}
	round(t, s)
	got, content, err := s.Open(t.Context(), "usr_1", e.ID)
	if err != nil || got.Size == 0 || h.announced != 1 {
		t.Fatalf("export %+v, announced %d times, error %v", got, h.announced, err)
	}
	if raw, err := io.ReadAll(content); err != nil || int64(len(raw)) != got.Size {
		t.Errorf("%d bytes of %d, %v", len(raw), got.Size, err)
	}
	for _, wrong := range [][2]string{{"usr_2", e.ID}, {"usr_1", "exp_other"}} {
		if _, _, err := s.Open(t.Context(), wrong[0], wrong[1]); !errs.HasCode(err, export.ErrNotFound.Code) {
			t.Errorf("Open of %v: %v", wrong, err)
		}
	}
	h.clock.Advance(export.Life)
	if _, err := s.Latest(t.Context(), "usr_1"); !errs.HasCode(err, export.ErrNotFound.Code) {
		t.Errorf("after a day: %v", err)
	}
	round(t, s)
	if len(h.rows) != 0 || len(h.files) != 0 || h.announced != 1 {
		t.Errorf("%d rows, %d files, announced %d times", len(h.rows), len(h.files), h.announced)
	}
}

func TestExportShowsApplicationsAsApplicantSees(t *testing.T) {
	h, s := newFakes(t)
	read := []applicant.Read{{AppName: "Acme Jobs", Day: "2026-02-27", Count: 2, Latest: began}}
	for id, job := range map[string]applicant.Heading{
		"apl_open":   {Title: "Designer", Employer: "Acme"},
		"apl_masked": {Title: "Designer", Employer: "A bank", Masked: true},
		"apl_gone":   {},
	} {
		h.submitted = append(h.submitted, export.Submitted{Application: application.Application{ID: id, JobID: "job_of_" + id, CompanyID: "cmp_1"}})
		h.applied = append(h.applied, applicant.Application{Made: applicant.Made{ID: id}, Job: job, Reads: read})
	}
	e := start(t, s)
	round(t, s)
	_, content, err := s.Open(t.Context(), "usr_1", e.ID)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Cvs []struct {
			Template string
			Draft    struct{ Fields map[string][]string }
		}
		Applications []struct {
			ID, CompanyID, JobTitle, Employer string
			Reads                             []struct {
				AppName string
				Count   int
			}
		}
	}
	readDocument(t, content, &d)
	if len(d.Cvs) != 1 || d.Cvs[0].Template != "compact" || len(d.Cvs[0].Draft.Fields["headline"]) != 1 || d.Cvs[0].Draft.Fields["headline"][0] != "half a sen" {
		t.Errorf("CVs %+v", d.Cvs)
	}
	for _, a := range d.Applications {
		if got := a.CompanyID != ""; got != (a.ID == "apl_open") {
			t.Errorf("%s reveals the company %q", a.ID, a.CompanyID)
		}
		if (a.JobTitle == "") != (a.ID == "apl_gone") || len(a.Reads) != 1 || a.Reads[0].AppName != "Acme Jobs" || a.Reads[0].Count != 2 {
			t.Errorf("%+v", a)
		}
	}
	if len(d.Applications) != 3 {
		t.Errorf("%d applications", len(d.Applications))
	}
}

// readDocument reads export.json from an archive.
func readDocument(t *testing.T, content io.Reader, into any) {
	t.Helper()
	raw, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := archive.Open("export.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(file).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func TestThreeExportsPerDay(t *testing.T) {
	h, s := newFakes(t)
	for range export.MostOften {
		start(t, s)
		round(t, s)
		h.clock.Advance(time.Hour)
	}
	if len(h.files) != 1 {
		t.Errorf("%d files: a new export should replace the previous one", len(h.files))
	}
	_, err := s.Start(t.Context(), "usr_1", "en")
	if e, _ := errs.As(err); !errs.HasCode(err, export.ErrTooOften.Code) || e.RetryAfter != export.Within-export.MostOften*time.Hour {
		t.Fatalf("a fourth: %v", err)
	}
	h.clock.Advance(export.Within - export.MostOften*time.Hour)
	start(t, s)
}

func TestExportRestartsAfterWorkerDied(t *testing.T) {
	h, s := newFakes(t)
	e := start(t, s)
	// The worker stops as if it had been killed, so it writes nothing more.
	dying, kill := context.WithCancel(t.Context())
	h.rendering = func() { kill() }
	h.renderFails = errors.New("cut")
	if err := s.Round(dying); err == nil {
		t.Fatal("the stopped worker reported success")
	}
	h.rendering, h.renderFails = func() {}, nil
	round(t, s)
	if h.rows[e.ID].State != export.BeingMade {
		t.Error("another worker took the export before the lease ended")
	}
	h.clock.Advance(time.Minute)
	round(t, s)
	if r := h.rows[e.ID]; r.State != export.Ready || r.Attempts != 2 {
		t.Errorf("%+v", r)
	}
}

func TestLostExportLeavesNothing(t *testing.T) {
	h, s := newFakes(t)
	e := start(t, s)
	h.rendering = func() { delete(h.rows, e.ID) } // the person is deleted in the meantime
	round(t, s)
	if len(h.rows) != 0 || len(h.files) != 0 {
		t.Errorf("%d rows, files %v", len(h.rows), slices.Collect(maps.Keys(h.files)))
	}
}

func TestExportRetriesThenOmitsPDFs(t *testing.T) {
	h, s := newFakes(t)
	e := start(t, s)
	h.renderFails = errors.New("down")
	for h.rows[e.ID].State == export.BeingMade {
		if h.rows[e.ID].Attempts > 10 {
			t.Fatal("it is attempted forever")
		}
		round(t, s)
		h.clock.Advance(time.Minute)
	}
	if r := h.rows[e.ID]; r.State != export.Ready {
		t.Errorf("%+v", r)
	}
}

func TestFailedAnnouncementIsRetried(t *testing.T) {
	h, s := newFakes(t)
	start(t, s)
	h.announceFails = errors.New("auth is down")
	if err := s.Round(t.Context()); err == nil {
		t.Error("the failure was not reported")
	}
	h.announceFails = nil
	h.clock.Advance(time.Minute)
	round(t, s)
	round(t, s)
	if h.announced != 2 {
		t.Errorf("announced %d times", h.announced)
	}
}

func TestKeyHidesPerson(t *testing.T) {
	if key := export.KeysOf("usr_1"); strings.Contains(key, "usr_1") || !export.IsKey(key) || export.KeysOf("usr_2") == key {
		t.Error(key)
	}
}

// The schema allows no other fields, so an export that contains a field missing from the schema would
// be invalid.
func TestSchemaHasEveryFieldOfACV(t *testing.T) {
	t.Parallel()
	type schema struct {
		Properties map[string]schema
		Items      *schema
		Defs       map[string]schema `json:"$defs"`
	}
	var all schema
	if err := json.Unmarshal(export.Schema, &all); err != nil {
		t.Fatal(err)
	}
	var check func(s schema, m protoreflect.MessageDescriptor)
	check = func(s schema, m protoreflect.MessageDescriptor) {
		for i := range m.Fields().Len() {
			f := m.Fields().Get(i)
			property, ok := s.Properties[f.JSONName()]
			if !ok {
				t.Errorf("the schema has no %s", f.FullName())
			}
			if f.IsList() && f.Message() != nil && property.Items != nil {
				check(*property.Items, f.Message())
			}
		}
	}
	check(all.Defs["content"], (&candidatev1.CvContent{}).ProtoReflect().Descriptor())
	check(all.Defs["profile"].Properties["personalDetails"], (&cvv1.PersonalDetails{}).ProtoReflect().Descriptor())
}
