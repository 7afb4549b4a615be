package sessionrecord_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// other is a credential of a different account.
var other = sessionrecord.Ref{AccountID: "dev_2", Hash: sha256.Sum256([]byte("svc_at_two"))}

// keyOf returns the Redis key of a credential's record.
func keyOf(r sessionrecord.Ref) string {
	return "{" + r.AccountID + "}:cred:" + hex.EncodeToString(r.Hash[:])
}

func generationOf(r sessionrecord.Ref) string { return "{" + r.AccountID + "}:gen" }

// write stores a record as the auth service does.
func write(t *testing.T, rdb redis.UniversalClient, r sessionrecord.Ref, record *authv1.SessionRecord) {
	t.Helper()
	lease, err := sessionrecord.BeginFill(t.Context(), rdb, r)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := sessionrecord.CompleteFill(t.Context(), rdb, sealOf(t, "a"), r, lease, record, time.Now()); !ok || err != nil {
		t.Fatal(ok, err)
	}
}

// openAt reads and opens the record of r as the gateway does at the time now.
func openAt(t *testing.T, rdb redis.UniversalClient, r sessionrecord.Ref, now time.Time) (*authv1.SessionRecord, error) {
	t.Helper()
	stored, err := sessionrecord.Read(t.Context(), rdb, r)
	if err != nil {
		t.Fatal(err)
	}
	if stored == nil {
		t.Fatal("no record")
	}
	return sealOf(t, "a").Open(r, stored, now)
}

func limited(person string) *authv1.SessionRecord {
	return &authv1.SessionRecord{
		Principal: &identityv1.Principal{PersonId: person, Scopes: []string{"profile"}},
		Plan:      &authv1.Plan{PerMinute: 300, PerDay: 20_000},
		ExpiresAt: timestamppb.New(time.Now().Add(time.Hour)),
	}
}

// An attacker can write anything to Redis, and copy values from the records of other accounts.
func TestForgedRecordsAreRejected(t *testing.T) {
	t.Parallel()
	type intruder = func(t *testing.T, rdb redis.UniversalClient) error
	set := func(field, value string) intruder {
		return func(t *testing.T, rdb redis.UniversalClient) error {
			return rdb.HSet(t.Context(), keyOf(ref), field, value).Err()
		}
	}
	fromTheOther := func(fields ...string) intruder {
		return func(t *testing.T, rdb redis.UniversalClient) error {
			for _, f := range fields {
				if err := rdb.HSet(t.Context(), keyOf(ref), f, rdb.HGet(t.Context(), keyOf(other), f).Val()).Err(); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for name, attack := range map[string]intruder{
		"record of a different account": fromTheOther("record"),
		"all fields but the generation": fromTheOther("record", "suspended", "per_minute", "per_day", "expires"),
		"whole record and generation":   func(t *testing.T, rdb redis.UniversalClient) error { return copyWhole(t, rdb, ref, other) },
		"larger per_minute":             set("per_minute", "3000"),
		"same per_minute, other form":   set("per_minute", "0300"),
		"larger per_day":                set("per_day", "200000"),
		"empty suspended field":         set("suspended", ""),
		"added suspension":              set("suspended", "1"),
		"no expiry":                     set("expires", "0"),
		"swapped limits": func(t *testing.T, rdb redis.UniversalClient) error {
			return rdb.HSet(t.Context(), keyOf(ref), "per_minute", "20000", "per_day", "300").Err()
		},
		"deleted field": func(t *testing.T, rdb redis.UniversalClient) error {
			return rdb.HDel(t.Context(), keyOf(ref), "suspended").Err()
		},
		"different generation": func(t *testing.T, rdb redis.UniversalClient) error {
			return errors.Join(rdb.HSet(t.Context(), keyOf(ref), "generation", "g").Err(), rdb.Set(t.Context(), generationOf(ref), "g", 0).Err())
		},
		"record of a different credential": func(t *testing.T, rdb redis.UniversalClient) error {
			sibling := sessionrecord.Ref{AccountID: ref.AccountID, Hash: other.Hash}
			write(t, rdb, sibling, limited("usr_3"))
			return copyKey(t, rdb, keyOf(sibling), keyOf(ref))
		},
		"changed content": func(t *testing.T, rdb redis.UniversalClient) error {
			raw := rdb.HGet(t.Context(), keyOf(ref), "record").Val()
			return rdb.HSet(t.Context(), keyOf(ref), "record", strings.Replace(raw, "usr_1", "usr_2", 1)).Err()
		},
		"seal on different content": func(t *testing.T, rdb redis.UniversalClient) error {
			mine, raw := rdb.HGet(t.Context(), keyOf(other), "record").Val(), rdb.HGet(t.Context(), keyOf(ref), "record").Val()
			return rdb.HSet(t.Context(), keyOf(ref), "record", mine[:len(mine)-sealBytes]+raw[len(raw)-sealBytes:]).Err()
		},
		"later time in the seal": func(t *testing.T, rdb redis.UniversalClient) error {
			raw := []byte(rdb.HGet(t.Context(), keyOf(ref), "record").Val())
			raw[len(raw)-sealBytes+2+7]++ // the last byte of the time
			return rdb.HSet(t.Context(), keyOf(ref), "record", raw).Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			rdb := open(t, testkit.Redis(t))
			write(t, rdb, ref, limited("usr_1"))
			write(t, rdb, other, limited("usr_2"))
			if r, err := openAt(t, rdb, ref, time.Now()); err != nil || r.GetPrincipal().GetPersonId() != "usr_1" {
				t.Fatalf("before the attack: %v, %v", r, err)
			}
			if err := attack(t, rdb); err != nil {
				t.Fatal(err)
			}
			if r, err := openAt(t, rdb, ref, time.Now()); !errors.Is(err, sessionrecord.ErrForged) || r != nil {
				t.Errorf("got %v, %v, want ErrForged", r, err)
			}
		})
	}
}

// sealBytes is the length of a seal, including its tag and length.
const sealBytes = 2 + 8 + keyring.Size

// copyWhole replaces a credential's record and generation with the record and generation of a
// different credential.
func copyWhole(t *testing.T, rdb redis.UniversalClient, to, from sessionrecord.Ref) error {
	t.Helper()
	return errors.Join(copyKey(t, rdb, keyOf(from), keyOf(to)), copyKey(t, rdb, generationOf(from), generationOf(to)))
}

func copyKey(t *testing.T, rdb redis.UniversalClient, from, to string) error {
	t.Helper()
	return rdb.RestoreReplace(t.Context(), to, 0, rdb.Dump(t.Context(), from).Val()).Err()
}

// A record whose seal has been removed is treated as missing.
func TestRecordWithoutSealIsRejected(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	write(t, rdb, ref, limited("usr_1"))
	raw := rdb.HGet(t.Context(), keyOf(ref), "record").Val()
	for _, cut := range []string{raw[:len(raw)-sealBytes], raw[:len(raw)-1], "", "\x2a\x28"} {
		if err := rdb.HSet(t.Context(), keyOf(ref), "record", cut).Err(); err != nil {
			t.Fatal(err)
		}
		if r, err := openAt(t, rdb, ref, time.Now()); !errors.Is(err, sessionrecord.ErrUnsealed) || r != nil {
			t.Errorf("with %d of %d bytes: %v, %v, want ErrUnsealed", len(cut), len(raw), r, err)
		}
	}
}

// During a rotation, services with the key rings of two successive steps run concurrently.
func TestKeyRotationKeepsRecordsReadable(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	steps := [][]string{{"a"}, {"a", "b"}, {"b", "a"}, {"b"}}
	for i := range steps[1:] {
		pair := []*sessionrecord.Seal{sealOf(t, steps[i]...), sealOf(t, steps[i+1]...)}
		for _, auth := range pair {
			if !completeWith(t, rdb, auth, begin(t, rdb), limited("usr_1")) {
				t.Fatal("not written")
			}
			stored, err := sessionrecord.Read(t.Context(), rdb, ref)
			if err != nil {
				t.Fatal(err)
			}
			for _, gateway := range pair {
				if r, err := gateway.Open(ref, stored, time.Now()); err != nil || r.GetPrincipal().GetPersonId() != "usr_1" {
					t.Errorf("during the step from %v to %v: %v, %v", steps[i], steps[i+1], r, err)
				}
			}
		}
	}
	if !completeWith(t, rdb, sealOf(t, "a"), begin(t, rdb), limited("usr_1")) {
		t.Fatal("not written")
	}
	stored, err := sessionrecord.Read(t.Context(), rdb, ref)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sealOf(t, "b").Open(ref, stored, time.Now()); !errors.Is(err, sessionrecord.ErrForged) {
		t.Errorf("signature by a removed key: %v, want ErrForged", err)
	}
}

func FuzzOpenRejectsUnsealed(f *testing.F) {
	seal := sealOf(f, "a")
	f.Add("g", "record", "0", "300", "20000", "0")
	f.Add("", "*("+strings.Repeat("\x00", 40), "", "", "", "")
	f.Fuzz(func(t *testing.T, generation, record, suspended, perMinute, perDay, expires string) {
		stored, err := sessionrecord.StoredFrom([]any{generation, record, suspended, perMinute, perDay, expires})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := seal.Open(ref, stored, time.Now()); err == nil {
			t.Errorf("accepted: %v", r)
		}
	})
}

// Open runs for every request that has a credential.
func BenchmarkOpen(b *testing.B) {
	rdb := open(b, testkit.Redis(b))
	lease, err := sessionrecord.BeginFill(b.Context(), rdb, ref)
	if err != nil {
		b.Fatal(err)
	}
	now := time.Now()
	if ok, err := sessionrecord.CompleteFill(b.Context(), rdb, sealOf(b, "a"), ref, lease, limited("usr_1"), now); !ok || err != nil {
		b.Fatal(ok, err)
	}
	stored, err := sessionrecord.Read(b.Context(), rdb, ref)
	if err != nil {
		b.Fatal(err)
	}
	for name, seal := range map[string]*sessionrecord.Seal{"one key": sealOf(b, "a"), "two keys": sealOf(b, "b", "a")} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := seal.Open(ref, stored, now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
