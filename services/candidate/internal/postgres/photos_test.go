package postgres_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/picture"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/candidate/internal/photo"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/profile"
)

// inline is a picture as a data URL.
func inline(t *testing.T, side int) string {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, side, side))); err != nil {
		t.Fatal(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(out.Bytes())
}

func photosOn(t *testing.T, store photo.Store, pictures profile.Pictures) *photo.Service {
	t.Helper()
	s, err := photo.NewService(photo.Config{Store: store, Pictures: pictures, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func encoder(t *testing.T) *picture.Encoder {
	t.Helper()
	return picture.NewEncoder()
}

// photographed adds a profile as a replica of the release before does.
func photographed(t *testing.T, pool *pgxpool.Pool, personID, address string) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `INSERT INTO profiles (person_id, email, email_verified, name, username, headline, locale, avatar_url,
		uae_pass_verified, open_to_work, profile_public, phone, address, date_of_birth, gender, marital_status, nationality, residence,
		visa_residency, national_service, dependents, content, has_main_cv, created_at, updated_at)
		VALUES ($1, 'a@example.com', true, 'Sara', '', '', '', $2, false, false, false, '', '', '', '', '', '', '', '', '', '',
		'{"version":1}', false, $3, $3)`, personID, address, start)
	if err != nil {
		t.Fatal(err)
	}
}

func addressOf(t *testing.T, pool *pgxpool.Pool, personID string) (address string, updated time.Time) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), `SELECT avatar_url, updated_at FROM profiles WHERE person_id = $1`, personID).Scan(&address, &updated); err != nil {
		t.Fatal(err)
	}
	return address, updated
}

func TestInlinePhotosFromBeforeAreMovedAndSeenMeanwhile(t *testing.T) {
	t.Parallel()
	earlier := before(t, "00007_photos.sql")
	url := testkit.Database(t, "candidate before the photos", func(ctx context.Context, url string) error {
		return pkgpostgres.Migrate(ctx, url, earlier)
	})
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: url, MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	for i := range 45 { // more than two batches
		photographed(t, pool, fmt.Sprint("usr_", i), inline(t, 9))
	}
	photographed(t, pool, "usr_inline", inline(t, 700))
	photographed(t, pool, "usr_broken", "data:image/png;base64,AAAA")
	photographed(t, pool, "usr_remote", "https://img.example/p.png")
	photographed(t, pool, "usr_none", "")
	if err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	pool.Reset()
	s, err := postgres.New(pool)
	if err != nil {
		t.Fatal(err)
	}
	photos := photosOn(t, s, encoder(t))
	meanwhile, err := photos.Get(t.Context(), "usr_inline")
	if err != nil || len(meanwhile.JPEG) == 0 {
		t.Errorf("before the move: %v", err)
	}
	if _, err := photos.Get(t.Context(), "usr_broken"); !errs.HasCode(err, "PHOTO_NOT_FOUND") {
		t.Errorf("a photo that is none: %v", err)
	}
	for range 2 { // a second round finds nothing to do
		if err := photos.Move(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var left int
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM profiles WHERE length(avatar_url) > 30`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d photos are left in profiles, %v", left, err)
	}
	for person, want := range map[string]string{
		"usr_inline": profile.KeptPhoto, "usr_broken": "", "usr_remote": "https://img.example/p.png", "usr_none": "",
	} {
		if got, updated := addressOf(t, pool, person); got != want || !updated.Equal(start.Truncate(time.Microsecond)) {
			t.Errorf("%s: %q, updated at %s", person, got, updated)
		}
	}
	if moved, err := photos.Get(t.Context(), "usr_inline"); err != nil || !bytes.Equal(moved.JPEG, meanwhile.JPEG) {
		t.Errorf("after the move: %v", err)
	}
}

// overtaken encodes pictures after something else was written.
type overtaken struct {
	*picture.Encoder
	by func()
}

func (o overtaken) JPEG(ctx context.Context, file []byte) ([]byte, error) {
	o.by()
	return o.Encoder.JPEG(ctx, file)
}

func TestAPhotoThatIsReplacedWhileTheOldOneIsMovedStays(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	photographed(t, pool, "usr_1", inline(t, 9))
	write := func() {
		if _, err := pool.Exec(t.Context(), `UPDATE profiles SET avatar_url = 'https://img.example/new.png' WHERE person_id = 'usr_1'`); err != nil {
			t.Fatal(err)
		}
	}
	photos := photosOn(t, s, overtaken{encoder(t), write})
	if err := photos.Move(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := photos.Get(t.Context(), "usr_1"); err != nil || got.Address != "https://img.example/new.png" || got.JPEG != nil {
		t.Errorf("%+v, %v", got, err)
	}
	var kept int
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM photos`).Scan(&kept); err != nil || kept != 0 {
		t.Errorf("%d pictures are kept, %v", kept, err)
	}
}

// A replica of the release before knows avatar_url alone.
func TestWhatAReplicaOfTheReleaseBeforeWritesCounts(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	photos := photosOn(t, s, encoder(t))
	add(t, s, "usr_1", "sara") // with a picture that is kept
	for _, address := range []string{"", "https://img.example/p.png", inline(t, 12)} {
		if _, err := pool.Exec(t.Context(), `UPDATE profiles SET avatar_url = $1 WHERE person_id = 'usr_1'`, address); err != nil {
			t.Fatal(err)
		}
		got, err := photos.Get(t.Context(), "usr_1")
		switch address {
		case "":
			if !errs.HasCode(err, "PHOTO_NOT_FOUND") {
				t.Errorf("cleared: %v", err)
			}
		case "https://img.example/p.png":
			if got.Address != address || got.JPEG != nil {
				t.Errorf("elsewhere: %+v, %v", got, err)
			}
		default:
			if len(got.JPEG) == 0 || bytes.Contains(got.JPEG, []byte("usr_1")) {
				t.Errorf("inline: %+v, %v", got, err)
			}
		}
		if p, err := s.ProfileByID(t.Context(), "usr_1"); err != nil || p.PhotoAddress() != address {
			t.Errorf("the profile has %.40q, %v", p.PhotoAddress(), err)
		}
	}
}

func TestAPictureIsWrittenWithItsProfileOrNotAtAll(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	add(t, s, "usr_1", "sara")
	if err := s.CreateProfile(t.Context(), full("usr_2", "sara")); !errs.HasCode(err, "USERNAME_TAKEN") {
		t.Fatal(err)
	}
	renamed := full("usr_9", "noor")
	if _, err := s.UpdateProfile(t.Context(), renamed, []profile.Field{profile.FieldAvatarURL}); !errs.HasCode(err, "PROFILE_NOT_FOUND") {
		t.Fatal(err)
	}
	var owners []string
	if err := pool.QueryRow(t.Context(), `SELECT array_agg(person_id) FROM photos`).Scan(&owners); err != nil || len(owners) != 1 {
		t.Errorf("pictures of %q, %v", owners, err)
	}
	cleared := profile.Profile{Person: profile.Person{ID: "usr_1"}}
	if _, err := s.UpdateProfile(t.Context(), cleared, []profile.Field{profile.FieldAvatarURL}); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM photos`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d pictures outlive their photo, %v", left, err)
	}
}
