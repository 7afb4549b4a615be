package sessionrecord_test

import (
	"encoding/hex"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Two releases run concurrently during a rollout, so both must use the same times
// (behaviour: tokens#revoked-means-revoked).
func TestRecordTimesAreFixed(t *testing.T) {
	t.Parallel()
	if sessionrecord.Life != 10*time.Second || sessionrecord.NonceLife != 2*time.Second || sessionrecord.WaitOut != 12500*time.Millisecond {
		t.Errorf("Life %v, NonceLife %v, WaitOut %v", sessionrecord.Life, sessionrecord.NonceLife, sessionrecord.WaitOut)
	}
}

// fillAt writes a record with the given time and reads it back.
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

func TestRecordExpiresAtExactTime(t *testing.T) {
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
			t.Errorf("%v after the record was written: %v, want %v", after, err, want)
		}
	}
}

func TestSuspensionIsVisibleToScripts(t *testing.T) {
	t.Parallel()
	rdb := open(t, testkit.Redis(t))
	r := limited("usr_1")
	r.AccountSuspended = true
	write(t, rdb, ref, r)
	if got := rdb.HGet(t.Context(), keyOf(ref), "suspended").Val(); got != "1" {
		t.Errorf("the field suspended is %q, want 1", got)
	}
	if r, err := openAt(t, rdb, ref, time.Now()); err != nil || !r.GetAccountSuspended() {
		t.Errorf("read back %v, %v", r, err)
	}
}

// Two releases read each other's records during a rollout, so the format of the seal must not
// change.
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
