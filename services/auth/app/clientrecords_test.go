package app_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	"vitae.internal/services/auth/app"
)

const clientSecret = identityv1.CredentialKind_CREDENTIAL_KIND_CLIENT_SECRET

// leaving introspects a token and asks for the records of both.
func (w *world) leaving(c *authv1.ClientAuthentication, token string) (*authv1.IntrospectTokenResponse, error) {
	return w.oauth.IntrospectToken(w.Context(), &authv1.IntrospectTokenRequest{
		Client: c, Token: token, LeaveClientRecord: true, LeaveTokenRecord: true,
	})
}

// inRedis is the record that an edge replica finds in Redis, nil if there is none.
func (w *world) inRedis(c client, hash credential.Digest) *authv1.SessionRecord {
	w.Helper()
	ref := sessionrecord.Ref{AccountID: c.app.GetAccountId(), Hash: hash}
	stored, err := sessionrecord.Read(w.Context(), w.rdb, ref)
	w.must(err)
	if stored == nil {
		return nil
	}
	seal, err := sessionrecord.NewSeal(testkit.Ring("record", "a"))
	w.must(err)
	opened, err := seal.Verify(ref, stored)
	w.must(err)
	record, err := opened.At(w.clock.Now())
	w.must(err)
	return record
}

func (c client) digest() credential.Digest {
	return credential.ClientDigest(c.app.GetClientId(), credential.Hash(c.secret))
}

func TestAnIntrospectionLeavesRecordsOfAClientThatHasProvenItselfAndOfItsLiveAccessToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c, other := w.person("a@example.com"), w.confidential(), w.confidential()
	public := w.client(authv1.ClientType_CLIENT_TYPE_PUBLIC)
	own, foreign, ofPublic, dead := w.connect(p, c, "profile"), w.connect(p, other, "profile"), w.connect(p, public, "profile"), w.connect(p, c, "profile")
	w.revoke(c, dead.GetAccessToken())
	wrong := client{app: c.app, secret: credential.New(credential.ClientSecret)}
	for name, row := range map[string]struct {
		by     client
		token  string
		client bool
		tokens bool
	}{
		"its own access token":      {c, own.GetAccessToken(), true, true},
		"its refresh token":         {c, own.GetRefreshToken(), true, false},
		"a revoked token":           {c, dead.GetAccessToken(), true, false},
		"a token of another app":    {c, foreign.GetAccessToken(), true, false},
		"an unknown token":          {c, credential.New(credential.AccessToken), true, false},
		"by a wrong secret":         {wrong, own.GetAccessToken(), false, false},
		"by a public client":        {public, ofPublic.GetAccessToken(), false, true},
		"by nobody that it is of":   {public, own.GetAccessToken(), false, false},
		"by a client without proof": {client{app: c.app}, own.GetAccessToken(), false, false},
	} {
		w.must(w.rdb.FlushDB(t.Context()).Err())
		_, _ = w.leaving(row.by.auth(), row.token)
		record := w.inRedis(row.by, row.by.digest())
		if want := (&identityv1.Principal{Kind: clientSecret, AccountId: c.app.GetAccountId(), AppId: c.app.GetId()}); row.client && !proto.Equal(record.GetPrincipal(), want) {
			t.Errorf("%s: the client's record is %v", name, record)
		}
		keys := 0
		for _, left := range []bool{row.client, row.tokens} {
			if left {
				keys++
			}
		}
		if all := w.rdb.Keys(t.Context(), "*:cred:*").Val(); len(all) != keys || (w.inRedis(row.by, credential.Hash(row.token)) != nil) != row.tokens {
			t.Errorf("%s: left %s", name, all)
		}
	}
	w.must(w.rdb.FlushDB(t.Context()).Err())
	w.introspect(c, own.GetAccessToken())
	if all := w.rdb.Keys(t.Context(), "*").Val(); len(all) > 0 {
		t.Errorf("left without being asked: %s", all)
	}
}

// The gateway describes a token by the record as auth does by its rows.
func TestTheRecordThatAnIntrospectionLeavesIsThatOfAnyUseAndSaysTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	tokens := map[string]*authv1.TokenPair{"everything": w.connect(p, c, everything...)}
	resp, err := w.oauth.RefreshToken(t.Context(), &authv1.RefreshTokenRequest{
		Client: c.auth(), RefreshToken: w.connect(p, c, everything...).GetRefreshToken(), Scope: proto.String("email profile"),
	})
	w.must(err)
	tokens["narrowed"] = resp.GetTokens()
	narrow := func(when string) {
		for name, pair := range tokens {
			said, err := w.leaving(c.auth(), pair.GetAccessToken())
			w.must(err)
			held := w.inRedis(c, credential.Hash(pair.GetAccessToken()))
			asked, err := w.resolve(accessToken, pair.GetAccessToken())
			w.must(err)
			held.Seal, asked.Seal = nil, nil
			if !proto.Equal(held, asked) {
				t.Errorf("%s, %s: left %v, of a use %v", when, name, held, asked)
			}
			by := held.GetPrincipal()
			if !said.GetActive() || !slices.Equal(said.GetScopes(), by.GetScopes()) || said.GetPersonId() != by.GetPersonId() ||
				said.GetConnectionId() != by.GetConnectionId() || said.GetExpiresAt().GetSeconds() != held.GetExpiresAt().GetSeconds() {
				t.Errorf("%s, %s: auth says %v, the record %v", when, name, said, held)
			}
		}
	}
	narrow("at first")
	w.rescope(c, "profile", "email")
	narrow("after the app has lost scopes")
}

// endsOfClients are the ways by which a client stops to authenticate with its secret.
var endsOfClients = map[string]func(*world, client){
	"a rotation": func(w *world, c client) { w.rotated(c, 0) },
	"the deletion of the secret": func(w *world, c client) {
		w.must(second(w.developers.DeleteClientSecret(w.Context(), &authv1.DeleteClientSecretRequest{Id: w.secrets(c)[0].GetId(), AllowLast: true})))
	},
	"an end within seconds":   func(w *world, c client) { w.endsIn(c, 2*time.Second) },
	"the deletion of the app": func(w *world, c client) { w.must(w.deleteApp(c)) },
	"a suspension of the account": func(w *world, c client) {
		w.must(second(w.developers.SuspendAccount(w.Context(), &authv1.SuspendAccountRequest{Id: c.app.GetAccountId()})))
	},
	"the end of the account": func(w *world, c client) {
		w.must(second(authv1.NewAccountServiceClient(w.vitaectl).CloseAccount(w.Context(), &authv1.CloseAccountRequest{Id: c.app.GetAccountId(), Name: "Partner"})))
	},
}

// endsIn sets the end of the newest secret.
func (w *world) endsIn(c client, d time.Duration) {
	w.Helper()
	_, err := w.developers.SetClientSecretExpiry(w.Context(), &authv1.SetClientSecretExpiryRequest{
		Id: w.secrets(c)[0].GetId(), ExpiresAt: timestamppb.New(w.clock.Now().Add(d)), AllowLast: true,
	})
	w.must(err)
}

func TestNothingIsLeftOfAClientOnceItsEndIsAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("a@example.com")
	for name, end := range endsOfClients {
		c := w.confidential()
		token := w.connect(p, c, "profile").GetAccessToken()
		w.must(second(w.leaving(c.auth(), token)))
		if w.inRedis(c, c.digest()) == nil {
			t.Fatalf("%s: there is no record: the test proves nothing", name)
		}
		end(w, c)
		if held := w.inRedis(c, c.digest()); held != nil {
			t.Errorf("%s: Redis holds %v", name, held)
		}
	}
}

// With an overlap, the secret before lives on, and so may its record.
func TestARotationWithAnOverlapEndsNoRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	w.must(second(w.leaving(c.auth(), credential.New(credential.AccessToken))))
	newer := w.rotated(c, day)
	if w.inRedis(c, c.digest()) == nil {
		t.Error("the record of the secret that lives on is gone")
	}
	w.must(second(w.leaving(newer.auth(), credential.New(credential.AccessToken))))
	w.must(w.deleteSecret(w.secrets(c)[1].GetId()))
	if w.inRedis(c, c.digest()) != nil {
		t.Error("the record of the deleted secret lives on")
	}
}

// Requests that began before the answer leave records all the while.
func TestAfterTheAnswerToARotationNoRecordOfAnEarlierSecretComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	replicas := []*world{w, w.replica()}
	for range 10 {
		old := w.confidential()
		var answered atomic.Bool
		var before, after atomic.Int32
		var requests sync.WaitGroup
		for i := range 4 {
			requests.Go(func() {
				for after.Load() < 40 {
					late := answered.Load()
					_, _ = replicas[i%2].leaving(old.auth(), "x")
					switch held := w.inRedis(old, old.digest()) != nil; {
					case held && late:
						t.Error("there is a record after the answer")
						return
					case late:
						after.Add(1)
					case held:
						before.Add(1)
					}
				}
			})
		}
		eventually(t, "records are left", func() bool { return before.Load() > 10 })
		w.rotated(old, 0)
		answered.Store(true)
		requests.Wait()
	}
}

func TestARotationThatCannotReachRedisIsAnsweredOnlyAfterRecordsHaveExpired(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL())
	c := w.confidential()
	w.must(second(w.leaving(c.auth(), credential.New(credential.AccessToken))))
	server.Kill()
	begun := time.Now()
	next := w.rotated(c, 0)
	if took := time.Since(begun); took < waitOut {
		t.Errorf("answered after %v although Redis was out of reach", took)
	}
	if w.authenticates(c) || !w.authenticates(next) || w.outbox() != 0 {
		t.Errorf("the old secret: %v, the new one: %v, %d entries", w.authenticates(c), w.authenticates(next), w.outbox())
	}
}

// The secret that the first call has ended is one of the earlier secrets for the second, too.
func TestARotationWaitsForTheEndOfASecretThatIsNotKnownEverywhereYet(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL(), app.WithWaitOut(time.Hour))
	first := w.confidential()
	w.rotated(first, day)
	w.must(server.Freeze())
	for call, overlap := range []time.Duration{0, day} { // the second keeps all that live
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		err := second(w.developers.RotateClientSecret(ctx, &authv1.RotateClientSecretRequest{AppId: first.app.GetId(), Overlap: durationpb.New(overlap)}))
		cancel()
		if errs.KindOf(err) != errs.Unavailable {
			t.Errorf("call %d: answered %v while Redis is out of reach", call, err)
		}
	}
	if n := w.outbox(); n != 1 {
		t.Errorf("%d entries wait, want that of the first call", n)
	}
}

func TestAFailoverToAReplicaThatMissedARotationRevivesNoSecret(t *testing.T) {
	t.Parallel()
	for name, start := range failovers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, f := start(t)
			eventually(t, "the replica follows", f.follows)
			w := f.world
			w.must(second(w.leaving(c.auth(), credential.New(credential.AccessToken))))
			record, _ := sessionrecord.Ref{AccountID: c.app.GetAccountId(), Hash: c.digest()}.Keys()
			held := func() bool { return slices.Contains(f.replica.Keys(t.Context(), "*:cred:*").Val(), record) }
			eventually(t, "the record is replicated", held)
			f.leave()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			w.must(second(w.developers.RotateClientSecret(ctx, &authv1.RotateClientSecretRequest{AppId: c.app.GetId()})))
			f.master.Kill()
			f.must(f.replica.Do(t.Context(), f.promote...).Err())
			if held() {
				t.Error("the new master has the record of the secret that was rotated")
			}
		})
	}
}
