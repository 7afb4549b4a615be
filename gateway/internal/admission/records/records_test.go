package records_test

import (
	"crypto/sha256"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/admission/records"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

var ref = sessionrecord.Ref{AccountID: "dev_1", Hash: sha256.Sum256([]byte("a key"))}

// reader is a gateway that reads records in Redis.
type reader struct {
	*testing.T
	rdb    redis.UniversalClient
	seal   *sessionrecord.Seal
	now    *clock.Fake
	opener *records.Opener
}

func newReader(t *testing.T) *reader {
	t.Helper()
	rdb, err := redisx.Open(redisx.Config{URL: testkit.Redis(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	seal, err := sessionrecord.NewSeal(testkit.Ring("record", "a"))
	if err != nil {
		t.Fatal(err)
	}
	now := clock.NewFake(time.Now())
	opener, err := records.New(records.Config{Seal: seal, Clock: now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return &reader{T: t, rdb: rdb, seal: seal, now: now, opener: opener}
}

// write writes a record for an app as the auth service does.
func (r *reader) write(app string) *sessionrecord.Stored {
	r.Helper()
	lease, err := sessionrecord.BeginFill(r.Context(), r.rdb, ref)
	if err != nil {
		r.Fatal(err)
	}
	record := &authv1.SessionRecord{Principal: &identityv1.Principal{AccountId: ref.AccountID, AppId: app}}
	if ok, err := sessionrecord.CompleteFill(r.Context(), r.rdb, r.seal, ref, lease, record, r.now.Now()); !ok || err != nil {
		r.Fatal(ok, err)
	}
	return r.stored()
}

func (r *reader) stored() *sessionrecord.Stored {
	r.Helper()
	stored, err := sessionrecord.Read(r.Context(), r.rdb, ref)
	if err != nil || stored == nil {
		r.Fatal(stored, err)
	}
	return stored
}

// set changes a field of the record in Redis.
func (r *reader) set(field, value string) *sessionrecord.Stored {
	r.Helper()
	record, _ := ref.Keys()
	if err := r.rdb.HSet(r.Context(), record, field, value).Err(); err != nil {
		r.Fatal(err)
	}
	return r.stored()
}

func TestRecordIsVerifiedOnce(t *testing.T) {
	r := newReader(t)
	first := r.opener.Open(t.Context(), ref, r.write("app_1"))
	if first.GetPrincipal().GetAppId() != "app_1" {
		t.Fatalf("Open returned %v", first)
	}
	stored := r.stored()
	if again := r.opener.Open(t.Context(), ref, stored); again != first {
		t.Errorf("the same record was decoded again: %v", again)
	}
	if n := testing.AllocsPerRun(100, func() { r.opener.Open(t.Context(), ref, stored) }); n > 0 {
		t.Errorf("Open allocates %v times", n)
	}
}

func TestChangedRecordIsVerifiedAgain(t *testing.T) {
	r := newReader(t)
	if r.opener.Open(t.Context(), ref, r.write("app_1")) == nil {
		t.Fatal("a valid record was rejected")
	}
	if got := r.opener.Open(t.Context(), ref, r.write("app_2")); got.GetPrincipal().GetAppId() != "app_2" {
		t.Errorf("Open returned %v for the record that auth wrote later", got)
	}
	other := ref
	other.AccountID = "dev_2"
	if got := r.opener.Open(t.Context(), other, r.stored()); got != nil {
		t.Errorf("Open returned %v for a different account", got)
	}
	for field, value := range map[string]string{"suspended": "1", "per_minute": "9", "per_day": "9", "expires": "9", "record": "x"} {
		r.write("app_1")
		before := r.opener.Open(t.Context(), ref, r.stored())
		if got := r.opener.Open(t.Context(), ref, r.set(field, value)); got != nil {
			t.Errorf("with a changed %s, Open returned %v", field, got)
		}
		if got := r.opener.Open(t.Context(), ref, r.write("app_1")); !proto.Equal(got, before) {
			t.Errorf("after auth wrote it again, Open returned %v", got)
		}
	}
}

func TestVerifiedRecordStillExpires(t *testing.T) {
	r := newReader(t)
	stored := r.write("app_1")
	for after, believed := range map[time.Duration]bool{
		0: true, sessionrecord.WaitOut: true, sessionrecord.WaitOut + time.Microsecond: false,
	} {
		now := clock.NewFake(r.now.Now().Add(after))
		r.opener.Clock = now
		if got := r.opener.Open(t.Context(), ref, stored); (got != nil) != believed {
			t.Errorf("after %v, Open returned %v", after, got)
		}
		r.opener.Clock = r.now
	}
}

func TestMain(m *testing.M) { testkit.Main(m) }
