package inventory_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/id"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/candidate/internal/blobs"
	"vitae.internal/services/candidate/internal/inventory"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/resume"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// world is an Inventory with its own database and directory.
type world struct {
	*inventory.Inventory
	t      *testing.T
	store  *postgres.Stores
	bucket *blobs.Bucket
	dir    string
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: filepath.Join(t.TempDir(), "resumes")}
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: testkit.Database(t, "candidate", postgres.Migrate), MaxConns: 4})
	w.must(err)
	t.Cleanup(pool.Close)
	w.store, err = postgres.New(pool)
	w.must(err)
	w.must(w.store.Profiles.CreateProfile(t.Context(), profile.Profile{Person: profile.Person{ID: "usr_1", Name: "Layla"}}))
	w.bucket, err = blobs.Open(t.Context(), blobs.Config{
		URL: "file://" + w.dir + "?create_dir=true", SigningKeys: testkit.Ring("blob_signing", "a"), BaseURL: "https://api.vitae.example",
	})
	w.must(err)
	t.Cleanup(func() { _ = w.bucket.Close() })
	w.Inventory, err = inventory.New(inventory.Config{Rows: w.store.Resumes, Files: w.bucket})
	w.must(err)
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// resume adds a row and its file, and returns the file's key.
func (w *world) resume(ready bool) (key string) {
	w.t.Helper()
	made := id.New("res")
	key = made[len(made)-2:] + "/" + made
	now := time.Now()
	w.must(w.store.Resumes.AddResume(w.t.Context(), resume.Resume{ID: made, PersonID: "usr_1", Size: 5, Key: key, CreatedAt: now}))
	if ready {
		w.must(w.store.Resumes.FinishResume(w.t.Context(), made, now.Add(-time.Minute)))
	}
	w.put(key, "bytes")
	return key
}

func (w *world) put(key, content string) {
	w.t.Helper()
	w.must(w.bucket.Put(w.t.Context(), key, strings.NewReader(content), resume.Headers{}))
}

func (w *world) there(key string) bool {
	w.t.Helper()
	_, there, err := w.bucket.Size(w.t.Context(), key)
	w.must(err)
	return there
}

func (w *world) check() inventory.Report {
	w.t.Helper()
	r, err := w.Check(w.t.Context())
	w.must(err)
	slices.Sort(r.Ownerless)
	return r
}

// ownerless adds a file without a row, such as a restore may leave behind.
func (w *world) ownerless() (key string) {
	w.t.Helper()
	made := id.New("res")
	key = made[len(made)-2:] + "/" + made
	w.put(key, "bytes")
	return key
}

func TestCheckReportsNoDifferences(t *testing.T) {
	w := open(t)
	for range 3 {
		w.resume(true)
	}
	w.put(w.resume(false)+".tmp", "by")
	if r := w.check(); r.Rows != 3 || r.Files != 5 || len(r.Lost)+len(r.Ownerless)+len(r.Foreign) != 0 {
		t.Errorf("the report is %+v", r)
	}
}

func TestMissingAndTruncatedFilesAreLost(t *testing.T) {
	w := open(t)
	gone, cut := w.resume(true), w.resume(true)
	w.resume(true)
	w.must(w.bucket.Remove(t.Context(), gone))
	w.put(cut, "byte")
	r := w.check()
	var lost []string
	for _, row := range r.Lost {
		lost = append(lost, row.Key)
	}
	slices.Sort(lost)
	want := []string{gone, cut}
	slices.Sort(want)
	if !slices.Equal(lost, want) || len(r.Ownerless) != 0 {
		t.Errorf("the report is %+v, want %v to be lost", r, want)
	}
}

func TestRemoveNeedsExpectedNumber(t *testing.T) {
	w := open(t)
	kept, unfinished, ownerless := w.resume(true), w.resume(false), w.ownerless()
	left := w.ownerless() + ".tmp"
	w.put(left, "by")
	w.put("notes/readme.txt", "not ours")
	w.put("xx/res_elsewhere", "not where a resume is")
	r := w.check()
	if len(r.Ownerless) != 3 || len(r.Foreign) != 2 || r.Rows != 1 {
		t.Fatalf("the report is %+v", r)
	}
	if err := w.Remove(t.Context(), r, 2); err == nil || !w.there(ownerless) {
		t.Errorf("with a wrong number: %v", err)
	}
	w.must(w.Remove(t.Context(), r, 3))
	for key, want := range map[string]bool{kept: true, unfinished: true, ownerless: false, left: false, "notes/readme.txt": true, "xx/res_elsewhere": true} {
		if got := w.there(key); got != want {
			t.Errorf("%s exists: %v, want %v", key, got, want)
		}
	}
}

func TestMissingBucketIsError(t *testing.T) {
	w := open(t)
	w.resume(true)
	w.must(os.Rename(w.dir, w.dir+".away"))
	if r, err := w.Check(t.Context()); err == nil {
		t.Errorf("a missing bucket is reported as lost files: %+v", r)
	}
}

// many is a fake with more rows and files than fit in a batch.
type many struct{ files int }

func (m many) ReadyResumes(_ context.Context, after string, atMost int) (rows []inventory.Row, err error) {
	for n := 1000; n < 1000+m.files && len(rows) < atMost; n++ {
		if made := name(n); made > after {
			rows = append(rows, inventory.Row{ID: made, Key: made[len(made)-2:] + "/" + made, Size: int64(n)})
		}
	}
	return rows, nil
}

func (m many) UnknownResumes(_ context.Context, ids []string) ([]string, error) {
	if len(ids) > 500 {
		return nil, errors.New("too many")
	}
	return ids, nil
}

func (m many) Each(_ context.Context, do func(string) error) error {
	for n := 1000; n < 1000+m.files; n++ {
		made := name(n)
		if err := do(made[len(made)-2:] + "/" + made); err != nil {
			return err
		}
	}
	return nil
}

func (m many) Size(context.Context, string) (int64, bool, error) { return 0, false, nil }
func (m many) Remove(context.Context, string) error              { return nil }

func name(n int) string { return fmt.Sprintf("res_%d", n) }

func TestCheckComparesAllBatches(t *testing.T) {
	for _, files := range []int{0, 1, 499, 500, 501} {
		m := many{files}
		i, err := inventory.New(inventory.Config{Rows: m, Files: m})
		if err != nil {
			t.Fatal(err)
		}
		r, err := i.Check(t.Context())
		if err != nil || r.Rows != files || r.Files != files || len(r.Lost) != files || len(r.Ownerless) != files {
			t.Errorf("with %d files: %d rows, %d files, %d lost, %d ownerless, %v", files, r.Rows, r.Files, len(r.Lost), len(r.Ownerless), err)
		}
	}
}
