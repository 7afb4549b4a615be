package resume_test

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"gocloud.dev/blob/driver"
	"gocloud.dev/blob/fileblob"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/id"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/candidate/internal/blobs"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/resume"
)

// signed returns the query of a signed URL.
func signed(t *testing.T, blobKey string, life time.Duration) string {
	t.Helper()
	return sign(t, testkit.Secret("a"), blobKey, life)
}

// foreign returns the query of a URL that was signed with an unknown key.
func foreign(t *testing.T, blobKey string, life time.Duration) string {
	t.Helper()
	return sign(t, testkit.Secret("b"), blobKey, life)
}

func sign(t *testing.T, key []byte, blobKey string, life time.Duration) string {
	t.Helper()
	u, err := fileblob.NewURLSignerHMAC(&url.URL{}, key).URLFromKey(t.Context(), blobKey, &driver.SignedURLOptions{Expiry: life, Method: "GET"})
	if err != nil {
		t.Fatal(err)
	}
	return u.RawQuery
}

// unfinished returns a resume whose upload was interrupted before its last statement.
func (w *world) unfinished() resume.Resume {
	w.t.Helper()
	newID := id.New("res")
	r := resume.Resume{
		ID: newID, PersonID: personID, ContentType: "application/pdf", Size: 100,
		Key: newID[len(newID)-2:] + "/" + newID, CreatedAt: w.clock.Now(),
	}
	if err := w.store.Resumes.AddResume(w.t.Context(), r); err != nil {
		w.t.Fatal(err)
	}
	if err := folder(w.t, w.dir).Put(w.t.Context(), r.Key, bytes.NewReader(pdf(100)), resume.Headers{ContentType: r.ContentType}); err != nil {
		w.t.Fatal(err)
	}
	return r
}

func TestCleanRemovesOnlyUnsubmitted(t *testing.T) {
	w := open(t)
	submitted, waiting := w.upload(pdf(100)), w.upload(pdf(200))
	if !w.claim(submitted.ID) {
		t.Fatal("the resume was not claimed")
	}
	w.unfinished()

	w.clock.Advance(time.Hour)
	w.clean()
	if w.rows() != 3 || len(w.files()) != 3 {
		t.Errorf("after an hour, these files are left: %v", w.files())
	}
	w.clock.Advance(time.Second)
	w.clean()
	if w.rows() != 2 || len(w.files()) != 2 {
		t.Errorf("the interrupted upload was not removed: %v", w.files())
	}
	w.clock.Advance(23*time.Hour - time.Second)
	w.clean()
	if r, err := w.store.Resumes.Resume(t.Context(), waiting.ID); err != nil || !r.Ready {
		t.Errorf("the unsubmitted resume after almost a day: %+v, %v", r, err)
	}
	w.clock.Advance(time.Second)
	w.clean()
	if _, err := w.store.Resumes.Resume(t.Context(), submitted.ID); err != nil || w.rows() != 1 || len(w.files()) != 1 {
		t.Errorf("these files are left: %v: %v", w.files(), err)
	}
}

func TestReplicasCleanConcurrently(t *testing.T) {
	w := open(t)
	for range 250 {
		w.unfinished()
	}
	w.clock.Advance(2 * time.Hour)
	var wg sync.WaitGroup
	for range 3 {
		s := w.with(folder(t, w.dir))
		wg.Go(func() {
			if err := s.Clean(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	w.clean() // removes the resumes that the other replica was processing
	w.wantNothing()
}

func TestResumeIsSubmittedOrRemoved(t *testing.T) {
	w := open(t)
	var all []resume.Resume
	for range 60 {
		all = append(all, w.upload(pdf(50)))
	}
	w.clock.Advance(25 * time.Hour)
	claimed := make([]bool, len(all))
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := w.Clean(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	for i, r := range all {
		claimed[i] = w.claim(r.ID)
	}
	wg.Wait()
	kept := 0
	for i, r := range all {
		_, body, err := w.Download(t.Context(), signed(t, r.Key, time.Minute))
		if claimed[i] != (err == nil) {
			t.Errorf("claimed: %v, but reading the resume returned %v", claimed[i], err)
		}
		if err == nil {
			kept++
			_ = body.Close()
		}
	}
	if w.rows() != kept || len(w.files()) != kept {
		t.Errorf("%d resumes were submitted, but there are %d rows and %d files", kept, w.rows(), len(w.files()))
	}
}

func TestExpiredUploadIsNotFinished(t *testing.T) {
	w := open(t)
	r := w.unfinished()
	if err := w.store.Resumes.FinishResume(t.Context(), r.ID, r.CreatedAt); err == nil {
		t.Error("the expired upload was finished")
	}
	if err := w.store.Resumes.FinishResume(t.Context(), r.ID, r.CreatedAt.Add(-time.Second)); err != nil {
		t.Error(err)
	}
}

// doomedURL and doomedDir are environment variables that make a test process start an upload,
// during which the process is killed.
const (
	doomedURL = "VITAE_TEST_DOOMED_POSTGRES_URL"
	doomedDir = "VITAE_TEST_DOOMED_DIR"
)

// stalling is a bucket whose writes block halfway.
type stalling struct{ *blobs.Bucket }

func (s stalling) Put(ctx context.Context, key string, content io.Reader, h resume.Headers) error {
	const half = 1 << 20
	stop := readerFunc(func([]byte) (int, error) {
		_, _ = os.Stdout.WriteString("half\n")
		select {}
	})
	return s.Bucket.Put(ctx, key, io.MultiReader(io.LimitReader(content, half), stop), h)
}

// uploadUntilKilled runs in the process that is killed.
func uploadUntilKilled() {
	ctx := context.Background()
	pool, err := pkgpostgres.Open(ctx, pkgpostgres.Config{URL: os.Getenv(doomedURL), MaxConns: 2})
	if err != nil {
		panic(err)
	}
	bucket, err := openFolder(ctx, os.Getenv(doomedDir))
	if err != nil {
		panic(err)
	}
	store, err := postgres.New(pool)
	if err != nil {
		panic(err)
	}
	s, err := resume.NewService(resume.Config{Store: store.Resumes, Files: stalling{bucket}, Clock: clock.NewFake(start), Log: quiet})
	if err != nil {
		panic(err)
	}
	_, err = s.Upload(ctx, resume.Upload{PersonID: personID}, bytes.NewReader(pdf(5<<20)))
	panic(err)
}

func TestInterruptedUploadIsCleanedUp(t *testing.T) {
	w := open(t)
	doomed := exec.CommandContext(t.Context(), os.Args[0])
	doomed.Env = append(os.Environ(), doomedURL+"="+w.pool.Config().ConnString(), doomedDir+"="+w.dir)
	out, err := doomed.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := doomed.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, len("half\n"))
	if _, err := io.ReadFull(out, line); err != nil || string(line) != "half\n" {
		t.Errorf("the process printed %q: %v", line, err)
	}
	if err := doomed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = doomed.Wait() // fails, because the process was killed

	files := w.files()
	if w.rows() != 1 || len(files) != 1 {
		t.Fatalf("the process was killed at the wrong time: %d rows, files %v", w.rows(), files)
	}
	for name, size := range files {
		if size != 1<<20 {
			t.Errorf("%s has %d bytes", name, size)
		}
	}
	w.clean()
	if len(w.files()) != 1 {
		t.Error("the clean-up job removed an upload that may still be running")
	}
	w.clock.Advance(2 * time.Hour)
	w.clean()
	w.wantNothing()
}
