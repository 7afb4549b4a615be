package sessionrecord_test

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Two releases run side by side during a rollout, so both must use the same times
// (behaviour: tokens#revoked-means-revoked).
func TestRecordTimesAreFixed(t *testing.T) {
	t.Parallel()
	if sessionrecord.Life != 10*time.Second || sessionrecord.NonceLife != 2*time.Second || sessionrecord.WaitOut != 12500*time.Millisecond {
		t.Errorf("Life %v, NonceLife %v, WaitOut %v", sessionrecord.Life, sessionrecord.NonceLife, sessionrecord.WaitOut)
	}
}

// fillAt writes a record at the given time and reads it back.
func fillAt(t *testing.T, rdb redis.UniversalClient, r *authv1.SessionRecord, now time.Time) (bool, *sessionrecord.Stored) {
	t.Helper()
	written, err := sessionrecord.CompleteFill(t.Context(), rdb, sealOf(t, "a"), ref, begin(t, rdb), r, now)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := sessionrecord.Read(t.Context(), rdb, ref)
	if err != nil {
		t.Fatal(err)
	}
	return written, stored
}

func TestRecordExpiresToTheMicrosecond(t *testing.T) {
	t.Parallel()
	rdb, written := open(t, testkit.Redis(t)), time.UnixMicro(1_772_000_000_000_000)
	_, stored := fillAt(t, rdb, record("usr_1"), written)
	for after, want := range map[time.Duration]error{
		12500 * time.Millisecond:                    nil,
		12500*time.Millisecond + time.Microsecond:   sessionrecord.ErrStale,
		-2500 * time.Millisecond:                    nil,
		-(2500*time.Millisecond + time.Microsecond): sessionrecord.ErrStale,
	} {
		if _, err := sealOf(t, "a").Open(ref, stored, written.Add(after)); !errors.Is(err, want) {
			t.Errorf("%v after it was written: %v, want %v", after, err, want)
		}
	}
}

func TestExpiringCredentialGetsNoRecord(t *testing.T) {
	t.Parallel()
	rdb, now := open(t, testkit.Redis(t)), time.UnixMicro(1_772_000_000_000_000)
	for left, want := range map[time.Duration]bool{time.Millisecond - time.Microsecond: false, time.Millisecond: true} {
		r := record("usr_1")
		r.ExpiresAt = timestamppb.New(now.Add(left))
		if written, _ := fillAt(t, rdb, r, now); written != want {
			t.Errorf("with %v left: written %t", left, written)
		}
	}
}

func TestRecordLifeIsCapped(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	write(t, rdb, ref, limited("usr_1")) // its credential lasts an hour
	if ttl := rdb.PTTL(t.Context(), keyOf(ref)).Val(); ttl <= 0 || ttl > 10*time.Second {
		t.Errorf("TTL %v", ttl)
	}
}

func TestSuspensionIsVisibleToScripts(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	r := limited("usr_1")
	r.AccountSuspended = true
	write(t, rdb, ref, r)
	if got := rdb.HGet(t.Context(), keyOf(ref), "suspended").Val(); got != "1" {
		t.Errorf("suspended is %q", got)
	}
	if r, err := openAt(t, rdb, ref, time.Now()); err != nil || !r.GetAccountSuspended() {
		t.Errorf("read back %v, %v", r, err)
	}
}

// Two releases read each other's records during a rollout, so the format of the seal is fixed.
func TestSealFormatIsFixed(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	if err := rdb.Set(t.Context(), generationOf(ref), "g", 0).Err(); err != nil {
		t.Fatal(err)
	}
	fillAt(t, rdb, &authv1.SessionRecord{}, time.UnixMicro(1_772_000_000_000_000))
	raw := rdb.HGet(t.Context(), keyOf(ref), "record").Val()
	const want = "2a2800064b9fe68ac0006b3f7744ff91ba97f65eeecda41dd4b47d5ddc03fb527d8356ce29a70d738037"
	if got := hex.EncodeToString([]byte(raw[len(raw)-sealBytes:])); got != want {
		t.Errorf("seal %s, want %s", got, want)
	}
}

func TestRecordsOfAllSizesAreSealed(t *testing.T) {
	t.Parallel()
	rdb, now := open(t, testkit.Redis(t)), time.UnixMicro(1_772_000_000_000_000)
	for name, r := range map[string]*authv1.SessionRecord{
		"empty": {},
		"long":  {Principal: &identityv1.Principal{PersonId: "usr_1", Scopes: slices.Repeat([]string{strings.Repeat("s", 40)}, 40)}},
	} {
		_, stored := fillAt(t, rdb, r, now)
		if got, err := sealOf(t, "a").Open(ref, stored, now); err != nil || !proto.Equal(got, r) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestNewSealNeedsAKey(t *testing.T) {
	t.Parallel()
	if seal, err := sessionrecord.NewSeal(keyring.Ring{}); err == nil {
		t.Errorf("got %v", seal)
	}
}

func TestStoredFrom(t *testing.T) {
	t.Parallel()
	if stored, err := sessionrecord.StoredFrom(nil); stored != nil || err != nil {
		t.Errorf("nothing: %v, %v", stored, err)
	}
	for _, n := range []int{1, 5, 7} {
		if stored, err := sessionrecord.StoredFrom(slices.Repeat([]any{"1"}, n)); stored != nil || err == nil {
			t.Errorf("%d fields: %v, %v", n, stored, err)
		}
	}
	if stored, err := sessionrecord.StoredFrom(slices.Repeat([]any{"1"}, 6)); stored == nil || err != nil {
		t.Errorf("six fields: %v, %v", stored, err)
	}
}

// halfAnswer is a Redis client whose scripts return a nonce without a generation.
type halfAnswer struct{ redis.UniversalClient }

func (halfAnswer) EvalSha(context.Context, string, []string, ...any) *redis.Cmd {
	return redis.NewCmdResult([]any{"nonce"}, nil)
}

func TestBeginFillChecksTheScriptResult(t *testing.T) {
	t.Parallel()
	if lease, err := sessionrecord.BeginFill(t.Context(), halfAnswer{}, ref); err == nil {
		t.Errorf("got %+v", lease)
	}
}

// On Redis Cluster, deleting a key without the account's hash tag fails.
func TestForgetDeletesOnlyKeysOfTheAccount(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	if err := rdb.Set(t.Context(), "", "not the account's", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if err := sessionrecord.Forget(t.Context(), on(t, rdb), ref.AccountID, ref.Hash); err != nil {
		t.Fatal(err)
	}
	if rdb.Exists(t.Context(), "").Val() != 1 {
		t.Error("a key outside the account was deleted")
	}
}
