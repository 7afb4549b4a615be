package limits_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
)

// three allows three requests per hour.
var three = limits.Tier{Burst: limits.Rate{Count: 3, Per: time.Hour}, Sustained: limits.Rate{Count: 1000, Per: time.Hour}}

func (s *scene) reading() *limits.Reading {
	s.Helper()
	r, err := limits.NewReading(s.limiter, s.rdb)
	if err != nil {
		s.Fatal(err)
	}
	return r
}

// look returns a Lookup for a missing record and the scene's record.
func (s *scene) look() limits.Lookup {
	return limits.Lookup{AccountID: s.ref.AccountID, Hashes: []credential.Digest{{1}, s.ref.Hash}}
}

func TestReadingChargesLikeLimiter(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]redisx.Config{
		"one server": {URL: testkit.PrivateRedis(t).URL()}, "a cluster": {URL: testkit.RedisCluster(t).URL(), Cluster: true},
	} {
		s := newScene(t, cfg)
		s.ref = ref(fmt.Sprint("dev_", name))
		s.fill(s.record())
		reading := s.reading()
		for i := range 30 { // subjects on every node
			subject := fmt.Sprint(name, i)
			for n, charge := range []func() error{
				func() error { return s.limiter.Surface(t.Context(), three, subject) },
				func() error { _, err := reading.Surface(t.Context(), three, subject, s.look()); return err },
				func() error { return s.limiter.Surface(t.Context(), three, subject) },
			} {
				if err := charge(); err != nil {
					t.Fatalf("%s: request %d: %v", name, n, err)
				}
			}
			_, withReading := reading.Surface(t.Context(), three, subject, s.look())
			without := s.limiter.Surface(t.Context(), three, subject)
			if withReading == nil || without == nil || withReading.Error() != without.Error() {
				t.Fatalf("%s: the fourth request got %v and %v", name, withReading, without)
			}
		}
	}
}

func TestReadingReturnsValidRecords(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]redisx.Config{
		"one server": {URL: testkit.PrivateRedis(t).URL()}, "a cluster": {URL: testkit.RedisCluster(t).URL(), Cluster: true},
	} {
		for _, tier := range []limits.Tier{{}, wideTier} {
			s := newScene(t, cfg)
			reading := s.reading()
			find := func() limits.Found {
				found, err := reading.Surface(t.Context(), tier, "a client", s.look())
				if err != nil || len(found) != 2 || found[0] != nil {
					t.Fatalf("%s: %v, %v", name, found, err)
				}
				return found
			}
			record, generation := s.ref.Keys()
			s.rdb.Del(t.Context(), record)
			if found := find(); found[1] != nil {
				t.Errorf("%s: found %v before a record was written", name, found)
			}
			s.fill(s.record())
			if found := find(); found[1].GetPrincipal().GetAppId() != "app_1" {
				t.Errorf("%s: found %v", name, found)
			}
			for what, disturb := range map[string]func(){
				"of a different generation": func() { s.rdb.Set(t.Context(), generation, rand.Text(), 0) },
				"without a generation":      func() { s.rdb.Del(t.Context(), generation) },
				"with a changed expiry":     func() { s.rdb.HSet(t.Context(), record, "expires", "1") },
				"without its seal":          func() { s.rdb.HSet(t.Context(), record, "record", "") },
				"with a missing field":      func() { s.rdb.HDel(t.Context(), record, "expires") },
			} {
				s.fill(s.record())
				disturb()
				if found := find(); found[1] != nil {
					t.Errorf("%s: a record %s is accepted", name, what)
				}
			}
		}
	}
}

var wideTier = limits.Tier{Burst: limits.Rate{Count: 1_000_000, Per: time.Second}, Sustained: limits.Rate{Count: 1_000_000, Per: time.Hour}}

// Redis returns NOSCRIPT before it runs anything, so the retry charges the request only once.
func TestReadingAfterScriptFlushChargesOnce(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.PrivateRedis(t).URL()})
	reading := s.reading()
	for n := range 3 {
		s.rdb.ScriptFlush(t.Context())
		s.fill(s.record())
		s.rdb.ScriptFlush(t.Context())
		found, err := reading.Surface(t.Context(), three, "a client", s.look())
		if err != nil || len(found) != 2 || found[1] == nil {
			t.Fatalf("request %d: %v, %v", n, found, err)
		}
	}
	if _, err := reading.Surface(t.Context(), three, "a client", s.look()); err == nil {
		t.Error("the fourth request was admitted")
	}
}

// The request may have been charged, so it is not retried.
func TestTimedOutReadingIsNotRetried(t *testing.T) {
	t.Parallel()
	for _, cluster := range []bool{false, true} {
		t.Run(fmt.Sprint("cluster ", cluster), func(t *testing.T) {
			t.Parallel()
			cfg, freeze, thaw := freezable(t, cluster)
			s := newScene(t, cfg)
			s.fill(s.record())
			reading := s.reading()
			if found, err := reading.Surface(t.Context(), wideTier, "a client", s.look()); err != nil || found == nil {
				t.Fatalf("%v, %v", found, err)
			}
			if err := freeze(); err != nil {
				t.Fatal(err)
			}
			if found, err := reading.Surface(t.Context(), wideTier, "a client", s.look()); err != nil || found != nil {
				t.Errorf("without Redis: %v, %v", found, err)
			}
			if err := thaw(); err != nil {
				t.Fatal(err)
			}
			subject := sha256.Sum256([]byte("a client"))
			if used := s.counter("tier:" + hex.EncodeToString(subject[:])); used != 2 {
				t.Errorf("%d used, want 2: the first request and the one that timed out", used)
			}
		})
	}
}

// The order in which the keys are deleted must not matter.
func TestReadingNeverReturnsDeletedRecord(t *testing.T) {
	s := newScene(t, redisx.Config{URL: testkit.PrivateRedis(t).URL()})
	reading := s.reading()
	for name, forget := range map[string]func() error{
		"the record":  func() error { return sessionrecord.Forget(t.Context(), s.replicas(), s.ref.AccountID, s.ref.Hash) },
		"the account": func() error { return sessionrecord.ForgetAccount(t.Context(), s.replicas(), s.ref.AccountID) },
	} {
		s.fill(s.record())
		if found, _ := reading.Surface(t.Context(), wideTier, "a client", s.look()); found[1] == nil {
			t.Fatalf("%s: the record was not found", name)
		}
		if err := forget(); err != nil {
			t.Fatal(err)
		}
		if found, err := reading.Surface(t.Context(), wideTier, "a client", s.look()); err != nil || found[1] != nil {
			t.Errorf("%s: found %v, %v", name, found, err)
		}
	}
}
