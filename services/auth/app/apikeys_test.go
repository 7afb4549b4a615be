package app_test

import (
	"encoding/hex"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (w *world) key(c client, expiresAt *timestamppb.Timestamp) *authv1.CreateApiKeyResponse {
	w.Helper()
	made, err := w.developers.CreateApiKey(w.Context(), &authv1.CreateApiKeyRequest{
		AppId: c.app.GetId(), Name: "k", Scopes: []string{"jobs:read"}, ExpiresAt: expiresAt,
	})
	w.must(err)
	return made
}

func TestAnAppHasFiftyLiveKeysAtMost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	w.key(c, timestamppb.New(w.clock.Now().Add(time.Minute)))
	w.clock.Advance(time.Minute) // it does not count any more
	first := w.key(c, nil)
	another := func() error {
		return second(w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Name: "k", Scopes: []string{"jobs:read"}}))
	}
	var made atomic.Int32
	var all sync.WaitGroup
	for range 60 { // at once, of which none is made beyond the bound
		all.Go(func() {
			switch err := another(); codeOf(err) {
			case "":
				made.Add(1)
			case "TOO_MANY_API_KEYS":
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made.Load() != 49 {
		t.Errorf("%d keys were made after the first", made.Load())
	}
	w.must(second(w.developers.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: first.GetApiKey().GetId()})))
	w.must(another())
	wantCode(t, another(), "TOO_MANY_API_KEYS")
}

// Requests run on both replicas before, during and after the deletion. After its answer
// none may be accepted, whatever fills were under way.
func TestAfterTheAnswerToADeletionNoReplicaAcceptsTheKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	replicas := []*world{w, w.replica()}
	other := w.key(c, nil)
	for range 25 {
		key := w.key(c, nil)
		var answered atomic.Bool
		var accepted, refused atomic.Int32
		var requests sync.WaitGroup
		for i := range 6 {
			requests.Go(func() {
				for refused.Load() < 40 {
					late := answered.Load()
					ok := replicas[i%2].record(apiKey, c.app.GetAccountId(), key.GetSecret()) != nil
					switch {
					case ok && late:
						accepted.Add(1)
					case late:
						refused.Add(1)
					}
				}
			})
		}
		_, err := w.developers.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: key.GetApiKey().GetId()})
		w.must(err)
		answered.Store(true)
		requests.Wait()
		if n := accepted.Load(); n > 0 {
			t.Fatalf("%d requests were accepted after the answer", n)
		}
	}
	if w.record(apiKey, c.app.GetAccountId(), other.GetSecret()) == nil {
		t.Error("the app's other key died too")
	}
}

func TestFlushedRedisRevivesNoDeletedKey(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, testkit.PrivateRedis(t).URL())
	c := w.confidential()
	key := w.key(c, nil)
	if w.record(apiKey, c.app.GetAccountId(), key.GetSecret()) == nil {
		t.Fatal("the key is refused")
	}
	_, err := w.developers.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: key.GetApiKey().GetId()})
	w.must(err)
	w.must(w.rdb.FlushAll(t.Context()).Err())
	w.dead(apiKey, c.app.GetAccountId(), key.GetSecret())
}

func TestNoRecordOutlivesItsKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	key := w.key(c, timestamppb.New(w.clock.Now().Add(3*time.Second)))
	if _, err := w.resolve(apiKey, key.GetSecret()); err != nil {
		t.Fatal(err)
	}
	hash := credential.Hash(key.GetSecret())
	left, err := w.rdb.PTTL(t.Context(), "{"+c.app.GetAccountId()+"}:cred:"+hex.EncodeToString(hash[:])).Result()
	if err != nil || left <= 0 || left > 3*time.Second {
		t.Errorf("the record lives %v, %v", left, err)
	}
}

// Usage and request log distinguish requests by their key.
func TestTheRecordOfAKeyNamesTheKeyAndThatOfATokenNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	key := w.key(c, nil)
	for range 2 { // from Postgres, then by the record that this left
		if r := w.record(apiKey, c.app.GetAccountId(), key.GetSecret()); r.GetPrincipal().GetApiKeyId() != key.GetApiKey().GetId() {
			t.Errorf("the key %s is called %q", key.GetApiKey().GetId(), r.GetPrincipal().GetApiKeyId())
		}
	}
	token := w.connect(w.person("a@example.com"), c, "profile").GetAccessToken()
	if r := w.live(c, token); r.GetPrincipal().GetApiKeyId() != "" {
		t.Errorf("a token has the key %q", r.GetPrincipal().GetApiKeyId())
	}
}

func TestAnAppMayHoldSeveralKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	for _, key := range []*authv1.CreateApiKeyResponse{w.key(c, nil), w.key(c, nil), w.key(c, nil)} {
		if r := w.record(apiKey, c.app.GetAccountId(), key.GetSecret()); r.GetPrincipal().GetAppId() != c.app.GetId() {
			t.Errorf("%s: %v", key.GetApiKey().GetId(), r)
		}
	}
}
