package resume_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/clock"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/candidate/internal/blobs"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/resume"
)

func TestMain(m *testing.M) {
	if os.Getenv(doomedURL) != "" {
		uploadUntilKilled()
		return
	}
	testkit.Main(m)
}

const (
	personID = "usr_1"
	baseURL  = "https://api.vitae.example"
)

var (
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
	start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
)

// world is the service with its own database and directory.
type world struct {
	*resume.Service
	t     *testing.T
	pool  *pgxpool.Pool
	store *postgres.Stores
	dir   string
	clock *clock.Fake
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), clock: clock.NewFake(start)}
	url := testkit.Database(t, "candidate", postgres.Migrate)
	var err error
	if w.pool, err = pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: url, MaxConns: 8}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.pool.Close)
	if w.store, err = postgres.New(w.pool); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Profiles.CreateProfile(t.Context(), profile.Profile{Person: profile.Person{ID: personID, Name: "Layla"}}); err != nil {
		t.Fatal(err)
	}
	w.Service = w.with(folder(t, w.dir))
	return w
}

// with returns the service with a different Files.
func (w *world) with(files resume.Files) *resume.Service {
	w.t.Helper()
	s, err := resume.NewService(resume.Config{Store: w.store.Resumes, Files: files, Clock: w.clock, Log: quiet})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func folder(t *testing.T, dir string) *blobs.Bucket {
	t.Helper()
	b, err := openFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func openFolder(ctx context.Context, dir string) (*blobs.Bucket, error) {
	return blobs.Open(ctx, blobs.Config{URL: "file://" + dir, SigningKeys: testkit.Ring("blob_signing", "a"), BaseURL: baseURL})
}

// pdf returns content of the given size that is accepted as a PDF.
func pdf(size int) []byte {
	content := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
	copy(content, "%PDF-1.7\n")
	return content
}

func (w *world) upload(content []byte) resume.Resume {
	w.t.Helper()
	r, err := w.Upload(w.t.Context(), resume.Upload{PersonID: personID, Filename: "Layla.pdf"}, bytes.NewReader(content))
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// rows returns the number of resumes in the database.
func (w *world) rows() (n int) {
	w.t.Helper()
	if err := w.pool.QueryRow(w.t.Context(), "SELECT count(*) FROM resumes").Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// files returns the names and sizes of all files in the directory.
func (w *world) files() map[string]int64 {
	w.t.Helper()
	found := map[string]int64{}
	err := filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		found[path] = info.Size()
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

func (w *world) clean() {
	w.t.Helper()
	if err := w.Clean(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) wantNothing() {
	w.t.Helper()
	if n, files := w.rows(), w.files(); n != 0 || len(files) != 0 {
		w.t.Errorf("%d rows and the files %v were not removed", n, files)
	}
}

// claim adds an application with the given resume, and reports whether that succeeded.
func (w *world) claim(resumeID string) bool {
	w.t.Helper()
	tag, err := w.pool.Exec(w.t.Context(), `
		WITH claimed AS (
			UPDATE resumes SET application_id = 'apl_' || id WHERE id = $1 AND ready AND application_id IS NULL RETURNING id
		)
		INSERT INTO applications (id, job_id, company_id, app_id, person_id, status, applied_at, updated_at, source, answers, history_status, history_at)
		SELECT 'apl_' || id, 'job_' || id, 'com_1', 'app_1', $2, 'applied', now(), now(), '', '{}', '{}', '{}' FROM claimed`, resumeID, personID)
	if err != nil {
		w.t.Fatal(err)
	}
	return tag.RowsAffected() == 1
}
