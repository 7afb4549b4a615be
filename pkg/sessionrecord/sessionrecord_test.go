package sessionrecord_test

import (
	"context"
	"crypto/sha256"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var ref = sessionrecord.Ref{AccountID: "dev_1", Hash: sha256.Sum256([]byte("svc_at_one"))}

func open(t testing.TB, url string) redis.UniversalClient {
	t.Helper()
	rdb, err := redisx.Open(redisx.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rdb.Close() })
	return rdb
}

func on(t *testing.T, rdb redis.UniversalClient) *redisx.Replicas {
	t.Helper()
	replicas, err := redisx.NewReplicas(redisx.ReplicasConfig{Client: rdb, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	return replicas
}

func record(person string) *authv1.SessionRecord {
	return &authv1.SessionRecord{Principal: &identityv1.Principal{PersonId: person, Scopes: []string{"profile"}}}
}

func begin(t *testing.T, rdb redis.UniversalClient) sessionrecord.Lease {
	t.Helper()
	lease, err := sessionrecord.BeginFill(t.Context(), rdb, ref)
	if err != nil {
		t.Fatal(err)
	}
	return lease
}

func complete(t *testing.T, rdb redis.UniversalClient, lease sessionrecord.Lease, r *authv1.SessionRecord) bool {
	t.Helper()
	return completeWith(t, rdb, sealOf(t, "a"), lease, r)
}

// completeWith is like complete, with the given seal.
func completeWith(t *testing.T, rdb redis.UniversalClient, seal *sessionrecord.Seal, lease sessionrecord.Lease, r *authv1.SessionRecord) bool {
	t.Helper()
	ok, err := sessionrecord.CompleteFill(t.Context(), rdb, seal, ref, lease, r, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// sealOf returns a seal whose key ring has the given ids.
func sealOf(t testing.TB, ids ...string) *sessionrecord.Seal {
	t.Helper()
	seal, err := sessionrecord.NewSeal(testkit.Ring("record", ids...))
	if err != nil {
		t.Fatal(err)
	}
	return seal
}

// read returns the record of ref, or nil if there is none. A stored record must have a valid seal.
func read(t *testing.T, rdb redis.UniversalClient) *authv1.SessionRecord {
	t.Helper()
	stored, err := sessionrecord.Read(t.Context(), rdb, ref)
	if err != nil {
		t.Fatal(err)
	}
	if stored == nil {
		return nil
	}
	r, err := sealOf(t, "a").Open(ref, stored, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFillIsReadBackAndExpires(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	if got := read(t, rdb); got != nil {
		t.Fatalf("empty Redis returned %v", got)
	}
	want := limited("usr_1") // the credential expires in an hour
	if !complete(t, rdb, begin(t, rdb), want) {
		t.Fatal("an undisturbed fill did not write")
	}
	if got := read(t, rdb); !proto.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, key := range rdb.Keys(t.Context(), "*").Val() {
		ttl := rdb.PTTL(t.Context(), key).Val()
		if ttl <= 0 || ttl > 24*time.Hour {
			t.Errorf("%s does not expire: %v", key, ttl)
		}
	}
	if ttl := rdb.PTTL(t.Context(), keyOf(ref)).Val(); ttl <= 0 || ttl > sessionrecord.Life {
		t.Errorf("TTL %v, want at most %v", ttl, sessionrecord.Life)
	}
}

func TestRecordDoesNotOutliveCredential(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	r := record("usr_1")
	r.ExpiresAt = timestamppb.New(time.Now().Add(2 * time.Second))
	if !complete(t, rdb, begin(t, rdb), r) {
		t.Fatal("not written")
	}
	if ttl := rdb.PTTL(t.Context(), keyOf(ref)).Val(); ttl <= 0 || ttl > 2*time.Second {
		t.Errorf("TTL %v, want at most 2s, after which the credential expires", ttl)
	}
	r.ExpiresAt = timestamppb.New(time.Now().Add(-time.Second))
	if complete(t, rdb, begin(t, rdb), r) {
		t.Error("a record of an expired credential was written")
	}
}

// A fill must not write if its lease breaks between reading the state and writing.
func TestFillDuringRevocationDoesNotWrite(t *testing.T) {
	t.Parallel()
	breaks := map[string]func(t *testing.T, rdb redis.UniversalClient) error{
		"revoke": func(t *testing.T, rdb redis.UniversalClient) error {
			return sessionrecord.Forget(t.Context(), on(t, rdb), ref.AccountID, ref.Hash)
		},
		"suspension": func(t *testing.T, rdb redis.UniversalClient) error {
			return sessionrecord.ForgetAccount(t.Context(), on(t, rdb), ref.AccountID)
		},
		"FLUSHALL": func(t *testing.T, rdb redis.UniversalClient) error { return rdb.FlushDB(t.Context()).Err() },
		"revoke, then another fill": func(t *testing.T, rdb redis.UniversalClient) error {
			err := sessionrecord.Forget(t.Context(), on(t, rdb), ref.AccountID, ref.Hash)
			begin(t, rdb)
			return err
		},
		"FLUSHALL, then another fill": func(t *testing.T, rdb redis.UniversalClient) error {
			err := rdb.FlushDB(t.Context()).Err()
			begin(t, rdb)
			return err
		},
	}
	for name, breakLease := range breaks {
		t.Run(name, func(t *testing.T) {
			rdb := open(t, testkit.Redis(t))
			lease := begin(t, rdb)
			if err := breakLease(t, rdb); err != nil {
				t.Fatal(err)
			}
			if complete(t, rdb, lease, record("usr_1")) {
				t.Error("the stale fill wrote")
			}
			if got := read(t, rdb); got != nil {
				t.Errorf("a record remains: %v", got)
			}
		})
	}
}

func TestForgetDeletesRecords(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	for name, forget := range map[string]func() error{
		"credential": func() error { return sessionrecord.Forget(t.Context(), on(t, rdb), ref.AccountID, ref.Hash) },
		"account":    func() error { return sessionrecord.ForgetAccount(t.Context(), on(t, rdb), ref.AccountID) },
	} {
		if !complete(t, rdb, begin(t, rdb), record("usr_1")) {
			t.Fatal("not written")
		}
		if err := forget(); err != nil {
			t.Fatal(err)
		}
		if got := read(t, rdb); got != nil {
			t.Errorf("%s: a record remains: %v", name, got)
		}
	}
}

func TestForgetAccountKeepsOtherAccounts(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	if !complete(t, rdb, begin(t, rdb), record("usr_1")) {
		t.Fatal("not written")
	}
	if err := sessionrecord.ForgetAccount(t.Context(), on(t, rdb), "dev_2"); err != nil {
		t.Fatal(err)
	}
	if read(t, rdb) == nil {
		t.Error("the record of a different account was deleted")
	}
}

func TestForgetDeletesManyRecords(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	hashes := make([]credential.Digest, 1201)
	for i := range hashes {
		hashes[i] = sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		r := sessionrecord.Ref{AccountID: ref.AccountID, Hash: hashes[i]}
		lease, err := sessionrecord.BeginFill(t.Context(), rdb, r)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := sessionrecord.CompleteFill(t.Context(), rdb, sealOf(t, "a"), r, lease, record("usr_1"), time.Now()); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if err := sessionrecord.Forget(t.Context(), on(t, rdb), ref.AccountID, hashes...); err != nil {
		t.Fatal(err)
	}
	for i, h := range hashes {
		if got, err := sessionrecord.Read(t.Context(), rdb, sessionrecord.Ref{AccountID: ref.AccountID, Hash: h}); got != nil || err != nil {
			t.Fatalf("hash %d: %v, %v", i, got, err)
		}
	}
}

// Concurrent fills share a lease, so that they do not make each other start again.
func TestConcurrentFillsAllSucceed(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			lease, err := sessionrecord.BeginFill(context.Background(), rdb, ref)
			if err != nil {
				t.Error(err)
				return
			}
			if ok, err := sessionrecord.CompleteFill(context.Background(), rdb, sealOf(t, "a"), ref, lease, record("usr_1"), time.Now()); !ok || err != nil {
				t.Error(ok, err)
			}
		})
	}
	wg.Wait()
}

// The limits script compares this field with the gateway's clock; 0 means that the credential does
// not expire.
func TestRecordStoresCredentialExpiry(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	ends := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	for name, c := range map[string]struct {
		at   *timestamppb.Timestamp
		want string
	}{
		"no expiry": {nil, "0"}, "an hour": {timestamppb.New(ends), strconv.FormatInt(ends.UnixMicro(), 10)},
	} {
		r := record("usr_1")
		r.ExpiresAt = c.at
		if !complete(t, rdb, begin(t, rdb), r) {
			t.Fatal("not written")
		}
		if got := rdb.HGet(t.Context(), keyOf(ref), "expires").Val(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestUnavailableRedisReturnsErrors(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	rdb := open(t, server.URL())
	lease := begin(t, rdb)
	if err := server.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := sessionrecord.Read(t.Context(), rdb, ref); err == nil {
		t.Error("Read succeeded")
	}
	if _, err := sessionrecord.BeginFill(t.Context(), rdb, ref); err == nil {
		t.Error("BeginFill succeeded")
	}
	if written, err := sessionrecord.CompleteFill(t.Context(), rdb, sealOf(t, "a"), ref, lease, record("usr_1"), time.Now()); err == nil || written {
		t.Error("CompleteFill succeeded")
	}
	if err := sessionrecord.Forget(t.Context(), on(t, rdb), ref.AccountID, ref.Hash); err == nil {
		t.Error("Forget succeeded")
	}
	if err := sessionrecord.ForgetAccount(t.Context(), on(t, rdb), ref.AccountID); err == nil {
		t.Error("ForgetAccount succeeded")
	}
}
