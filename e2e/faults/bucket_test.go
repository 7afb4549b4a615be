package faults_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	// resumeSize is larger than one chunk of a download.
	resumeSize  = 200 << 10
	resumeEvery = 20 * time.Millisecond
)

// bucketFault makes the folder of the resumes unavailable and restores it. Changing file modes would
// not suffice, because root, as which the tests may run, can read everything.
type bucketFault struct {
	name          string
	take, restore func(dir, away string) error
}

func bucketFaults() []bucketFault {
	back := func(dir, away string) error { return os.Rename(away, dir) }
	return []bucketFault{
		{"moved", func(dir, away string) error { return os.Rename(dir, away) }, back},
		{
			"replaced by a file",
			func(dir, away string) error { return errors.Join(os.Rename(dir, away), os.WriteFile(dir, nil, 0o600)) },
			func(dir, away string) error { return errors.Join(os.Remove(dir), back(dir, away)) },
		},
	}
}

func TestBucketOutageBreaksNoResume(t *testing.T) {
	s := newSystem(t)
	for _, f := range bucketFaults() {
		t.Run(f.name, func(t *testing.T) { bucketRound(t, s, f) })
	}
}

func bucketRound(t *testing.T, s *system, f bucketFault) {
	dir := filepath.Join(s.dir, "resumes")
	before := len(filesBelow(t, dir))
	c := newScene(t, s, fault{unharmed: everyRead})
	b := &bucketWatch{scene: c, uploads: candidatev1.NewResumeServiceClient(suite.Dial(t, s.Stack, s.note.GRPC.Candidate, "candidate", "internal"))}
	if b.upload(t.Context()); len(b.kept) != 1 {
		t.Fatal("cannot upload a resume")
	}
	b.first, b.address = b.kept[0].content, c.submit(t, b.kept[0])
	stop := b.run(t)
	load.Await(t, "downloads", &b.whole, 10)
	if err := f.take(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	load.Await(t, "refused downloads", &b.refused, 10)
	load.Await(t, "refused uploads", &b.refusedUploads, 5)
	if err := f.restore(dir, dir+".away"); err != nil {
		t.Fatalf("cannot restore the folder: %v", err)
	}
	load.Await(t, "downloads", &b.whole, 10)
	load.Await(t, "uploads", &b.uploaded, 3)
	stop()
	b.audit(t, dir, before)
}

// bucketWatch uploads and downloads resumes, and checks the responses.
type bucketWatch struct {
	*scene
	uploads candidatev1.ResumeServiceClient
	first   []byte   // content of the first resume
	address *url.URL // its download URL
	// whole and refused count downloads; the other counters count uploads.
	whole, refused, uploaded, refusedUploads atomic.Int64

	kept []resume // acknowledged; only one goroutine uploads
}

type resume struct {
	id      string
	content []byte
}

func (b *bucketWatch) run(t *testing.T) (stop func()) {
	return b.Every(t, func(each func(time.Duration, func(context.Context))) {
		each(resumeEvery, b.upload)
		for edge := range edges {
			each(resumeEvery, func(ctx context.Context) { b.download(ctx, edge) })
			for _, r := range b.Reads() {
				each(4*readEvery, func(ctx context.Context) { b.Read(ctx, r, edge) })
			}
		}
	})
}

// upload uploads a new file.
func (b *bucketWatch) upload(ctx context.Context) {
	content := make([]byte, resumeSize)
	_, _ = rand.Read(content) // does not fail
	copy(content, "%PDF-1.7\n")
	id, err := b.send(ctx, content)
	switch {
	case err == nil:
		b.kept = append(b.kept, resume{id, content})
		b.uploaded.Add(1)
	case errs.KindOf(err) == errs.Unavailable:
		b.refusedUploads.Add(1)
	default:
		b.Broken("upload: %v", err)
	}
}

func (b *bucketWatch) send(ctx context.Context, content []byte) (id string, err error) {
	stream, err := b.uploads.UploadResume(ctx)
	if err != nil {
		return "", err
	}
	pieces := []*candidatev1.UploadResumeRequest{
		{Piece: &candidatev1.UploadResumeRequest_Description{Description: &candidatev1.ResumeDescription{PersonId: b.People[0], Filename: "cv.pdf"}}},
		{Piece: &candidatev1.UploadResumeRequest_Chunk{Chunk: content}},
	}
	for _, p := range pieces {
		if err := stream.Send(p); err != nil {
			break // CloseAndRecv returns the cause
		}
	}
	made, err := stream.CloseAndRecv()
	return made.GetResumeId(), err
}

func (b *bucketWatch) download(ctx context.Context, edge int) {
	a, err := partner.Get(ctx, b.BaseURLs[edge]+b.address.RequestURI(), "")
	switch {
	case err != nil: // includes truncated responses
		b.Broken("download: %v", err)
	case a.Status == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != "":
		b.refused.Add(1)
	case a.Status != http.StatusOK || !bytes.Equal(a.Body, b.first):
		b.Broken("download: %d with %d bytes, %s", a.Status, len(a.Body), a.Code())
	default:
		b.whole.Add(1)
	}
}

// submit applies for a new job with a resume, and returns the employer's download URL.
func (c *scene) submit(t *testing.T, r resume) *url.URL {
	t.Helper()
	job := load.ID(expect.Must(c.Employer(0).CreateJob(t.Context(), c.Company, world.Live()))(t))
	made := expect.Must(c.Intake.Apply(t.Context(), &candidatev1.ApplyRequest{
		JobId: job, PersonId: c.People[0], Submission: &candidatev1.ApplyRequest_ResumeId{ResumeId: r.id},
		Source: candidatev1.ApplicationSource_APPLICATION_SOURCE_TABBIO_APP,
	}))(t)
	a := expect.Must(c.Employer(0).Candidate(t.Context(), made.GetApplication().GetApplicationId()))(t)
	body := expect.Must(a.JSON())(t)
	data, _ := body["data"].(map[string]any)
	held, _ := data["resume"].(map[string]any)
	address, _ := held["downloadUrl"].(string)
	if address == "" {
		t.Fatalf("no resume: %s", a)
	}
	return expect.Must(url.Parse(address))(t)
}

// audit downloads every acknowledged resume, and asserts that no files of other uploads remain.
func (b *bucketWatch) audit(t *testing.T, dir string, before int) {
	t.Helper()
	for _, r := range b.kept[1:] {
		a := expect.Must(partner.Get(t.Context(), b.submit(t, r).String(), ""))(t)
		if a.Status != http.StatusOK || !bytes.Equal(a.Body, r.content) {
			t.Errorf("an acknowledged resume: %d with %d bytes, %s", a.Status, len(a.Body), a.Code())
		}
	}
	if left := filesBelow(t, dir); len(left) != before+len(b.kept) {
		t.Errorf("%d files, want %d of acknowledged uploads and %d from before: %v", len(left), len(b.kept), before, left)
	}
	t.Logf("%d downloads succeeded and %d were refused; %d uploads succeeded and %d were refused", b.whole.Load(), b.refused.Load(), len(b.kept), b.refusedUploads.Load())
	b.Report(t)
}

// filesBelow returns the files below a folder, or none if the folder is missing.
func filesBelow(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(fmt.Errorf("files below %s: %w", dir, err))
	}
	return files
}
