package people_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/people/passkey"
	"vitae.internal/services/auth/internal/people/session"
)

// keyOf returns a passkey that belongs to a person.
func keyOf(w *authtest.World, personID, name string) passkey.Passkey {
	return passkey.Passkey{
		ID: id.New("pky"), PersonID: personID, Name: name, CredentialID: []byte(personID + name), PublicKey: []byte("public"), Flags: 5, SignCount: 7,
		AAGUID: make([]byte, 16), Transports: []string{"internal", "hybrid"}, CreatedAt: w.Clock.Now(),
	}
}

// notice returns a notice that refers to no session.
func notice(w *authtest.World, kind mail.Kind) *mail.Notice {
	return mail.Post{On: true, Clock: w.Clock}.Notice(kind, mail.Occasion{Session: credential.Hash("none")})
}

// proofOf opens a session, and returns the sign-in as a proof of presence.
func proofOf(w *authtest.World, personID string) session.Proof {
	in := session.Proof{Session: credential.Hash("proof of " + personID), At: w.Clock.Now()}
	w.Must(w.Stores.Sessions.OpenSession(w.Context(), session.Opening{
		Hash: in.Session, Previous: credential.Hash("none"), PersonID: personID, CreatedAt: in.At, ExpiresAt: in.At.Add(time.Hour),
	}))
	return in
}

func ceremonyOf(w *authtest.World) passkey.Ceremony {
	return passkey.Ceremony{Purpose: passkey.SignIn, Binding: credential.Hash("form"), State: []byte(`{"a": 1}`), ExpiresAt: w.Clock.Now().Add(passkey.Life)}
}

func passkeyOperations(w *authtest.World) []authtest.Operation {
	p, challenge := w.Person(), credential.Hash("challenge")
	first, second, in := keyOf(w, p, "first"), keyOf(w, p, "second"), proofOf(w, p)
	about := func(key passkey.Passkey) *audit.Event {
		return &audit.Event{PersonID: p, Object: audit.Object{ID: key.ID}}
	}
	doubted := about(second)
	doubted.Action, doubted.Actor, doubted.Object.Type = audit.PasskeyCountBack, audit.ByPerson(p), "passkey"
	return []authtest.Operation{
		{"add a ceremony", func(ctx context.Context) error { return w.Stores.Passkeys.AddCeremony(ctx, challenge, ceremonyOf(w)) }, nil},
		{"take a ceremony", func(ctx context.Context) error { _, err := w.Stores.Passkeys.TakeCeremony(ctx, challenge); return err }, nil},
		{"add a passkey", func(ctx context.Context) error {
			return w.Stores.Passkeys.AddPasskey(ctx, first, in, notice(w, mail.PasskeyAdded))
		}, about(first)},
		{"add another", func(ctx context.Context) error { return w.Stores.Passkeys.AddPasskey(ctx, second, in, nil) }, about(second)},
		{"passkeys", func(ctx context.Context) error { _, _, err := w.Stores.Passkeys.Passkeys(ctx, p); return err }, nil},
		{"passkey", func(ctx context.Context) error {
			_, _, err := w.Stores.Passkeys.PasskeyByCredential(ctx, first.CredentialID)
			return err
		}, nil},
		{"note a use", func(ctx context.Context) error {
			return w.Stores.Passkeys.NotePasskeyUse(ctx, passkey.Use{Passkey: first, At: w.Clock.Now()})
		}, nil},
		{"note a use that may be of a copy", func(ctx context.Context) error {
			return w.Stores.Passkeys.NotePasskeyUse(ctx, passkey.Use{Passkey: second, At: w.Clock.Now(), CountBack: true})
		}, doubted},
		{"rename a passkey", func(ctx context.Context) error { return w.Stores.Passkeys.RenamePasskey(ctx, p, first.ID, "renamed") }, about(first)},
		{"remove a passkey", func(ctx context.Context) error {
			return w.Stores.Passkeys.RemovePasskey(ctx, passkey.Removal{PersonID: p, PasskeyID: first.ID, In: in, Notice: notice(w, mail.PasskeyRemoved)})
		}, about(first)},
		{"remove a password", func(ctx context.Context) error {
			return w.Stores.Passkeys.RemovePassword(ctx, passkey.Removal{PersonID: p, Email: p + "@example.com", In: in, Notice: notice(w, mail.PasswordRemoved)})
		}, &audit.Event{PersonID: p, Object: audit.Object{ID: p}}},
	}
}

func TestPasskeyIsReadAsStored(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, other := w.Person(), w.Person()
	first, second := keyOf(w, p, "first"), keyOf(w, p, "second")
	second.CreatedAt = first.CreatedAt.Add(time.Second)
	in := map[string]session.Proof{p: proofOf(w, p), other: proofOf(w, other)}
	for _, key := range []passkey.Passkey{second, first, keyOf(w, other, "third")} {
		w.Must(w.Stores.Passkeys.AddPasskey(t.Context(), key, in[key.PersonID], nil))
	}
	at := w.Clock.Now().Add(time.Hour)
	used := first
	used.Flags, used.SignCount = 0x1d, 4294967295
	w.Must(w.Stores.Passkeys.NotePasskeyUse(t.Context(), passkey.Use{Passkey: used, At: at}))
	all, password, err := w.Stores.Passkeys.Passkeys(t.Context(), p)
	w.Must(err)
	if len(all) != 2 || !password || all[0].Flags != 0x1d || all[0].SignCount != 4294967295 || all[0].UsedAt == nil || !all[0].UsedAt.Equal(at) {
		t.Fatalf("%+v", all)
	}
	got, who, err := w.Stores.Passkeys.PasskeyByCredential(t.Context(), second.CredentialID)
	w.Must(err)
	if who.ID != p || got.ID != second.ID || got.Name != "second" || string(got.PublicKey) != "public" || got.Flags != 5 || got.SignCount != 7 || len(got.AAGUID) != 16 ||
		!slices.Equal(got.Transports, second.Transports) || !got.CreatedAt.Equal(second.CreatedAt) || got.UsedAt != nil {
		t.Errorf("%+v of %+v", got, who)
	}
	// Other people's passkeys must not be removed.
	w.Must(w.Stores.Passkeys.RemovePasskey(t.Context(), passkey.Removal{PersonID: other, PasskeyID: first.ID, In: in[other]}))
	if left, _, err := w.Stores.Passkeys.Passkeys(t.Context(), p); err != nil || len(left) != 2 {
		t.Errorf("%d passkeys are left, %v", len(left), err)
	}
	err = w.Stores.Passkeys.NotePasskeyUse(t.Context(), passkey.Use{Passkey: keyOf(w, p, "none"), At: at})
	if !errs.HasCode(err, passkey.ErrUnknown.Code) {
		t.Errorf("a removed passkey was used: %v", err)
	}
}

// succeeding runs functions concurrently and returns how many succeed. Any error other than allowed fails the test.
func succeeding(t *testing.T, allowed *errs.Error, all ...func() error) (done int) {
	t.Helper()
	var mu sync.Mutex
	var wait sync.WaitGroup
	for _, do := range all {
		wait.Go(func() {
			err := do()
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				done++
			case !errs.HasCode(err, allowed.Code):
				t.Error(err)
			}
		})
	}
	wait.Wait()
	return done
}

func TestChallengeIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	for n := range 20 {
		challenge := credential.Hash(string(rune('a' + n)))
		w.Must(w.Stores.Passkeys.AddCeremony(t.Context(), challenge, ceremonyOf(w)))
		take := func() error { _, err := w.Stores.Passkeys.TakeCeremony(t.Context(), challenge); return err }
		if heard := succeeding(t, passkey.ErrOver, take, take, take); heard != 1 {
			t.Fatalf("%d responses were accepted", heard)
		}
	}
}

// Even if all sign-in methods are removed concurrently, one of them must remain.
func TestOneSignInMethodAlwaysStays(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	for range 20 {
		p := w.Person()
		a, b, in := keyOf(w, p, "a"), keyOf(w, p, "b"), proofOf(w, p)
		var removals []func() error
		for _, key := range []passkey.Passkey{a, b} {
			w.Must(w.Stores.Passkeys.AddPasskey(t.Context(), key, in, nil))
			removals = append(removals, func() error {
				return w.Stores.Passkeys.RemovePasskey(t.Context(), passkey.Removal{PersonID: p, PasskeyID: key.ID, In: in})
			})
		}
		removals = append(removals, func() error {
			return w.Stores.Passkeys.RemovePassword(t.Context(), passkey.Removal{PersonID: p, In: in})
		})
		done := succeeding(t, passkey.ErrLastWayIn, removals...)
		left, password, err := w.Stores.Passkeys.Passkeys(t.Context(), p)
		w.Must(err)
		if ways := len(left); done != 2 || ways > 1 || (ways == 1) == password {
			t.Fatalf("%d removals succeeded; %d passkeys and a password (%t) are left", done, ways, password)
		}
	}
}

// A session may end after it was checked and before the change is made.
func TestSignInMethodsNeedARecentProof(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p := w.Person()
	kept, in := keyOf(w, p, "kept"), proofOf(w, p)
	w.Must(w.Stores.Passkeys.AddPasskey(t.Context(), kept, in, nil))
	changes := map[string]func(in session.Proof) error{
		"add a passkey": func(in session.Proof) error {
			return w.Stores.Passkeys.AddPasskey(t.Context(), keyOf(w, p, "new"), in, notice(w, mail.PasskeyAdded))
		},
		"remove a passkey": func(in session.Proof) error {
			return w.Stores.Passkeys.RemovePasskey(t.Context(), passkey.Removal{PersonID: p, PasskeyID: kept.ID, In: in, Notice: notice(w, mail.PasskeyRemoved)})
		},
		"remove the password": func(in session.Proof) error {
			return w.Stores.Passkeys.RemovePassword(t.Context(), passkey.Removal{PersonID: p, In: in, Notice: notice(w, mail.PasswordRemoved)})
		},
	}
	for name, c := range map[string]struct {
		in   session.Proof
		code string
	}{
		"ended":        {session.Proof{Session: credential.Hash("ended"), At: in.At}, session.ErrEnded.Code},
		"expired":      {session.Proof{Session: in.Session, At: in.At.Add(time.Hour)}, session.ErrEnded.Code},
		"an old proof": {session.Proof{Session: in.Session, At: in.At.Add(session.ProofLife)}, session.ErrProof.Code},
	} {
		for what, change := range changes {
			if err := change(c.in); !errs.HasCode(err, c.code) {
				t.Errorf("%s, %s: %v, want %s", what, name, err, c.code)
			}
		}
	}
	left, password, err := w.Stores.Passkeys.Passkeys(t.Context(), p)
	w.Must(err)
	if mails := authtest.Names(w, "SELECT kind FROM mail_outbox"); len(left) != 1 || left[0].ID != kept.ID || !password || len(mails) != 0 {
		t.Errorf("%d passkeys, password %t, emails %v", len(left), password, mails)
	}
	in.At = in.At.Add(session.ProofLife - time.Microsecond)
	for _, what := range []string{"add a passkey", "remove the password", "remove a passkey"} {
		w.Must(changes[what](in))
	}
}

// A notice must contain the session's browser and language only if the session belongs to the recipient.
func TestNoticeNamesBrowserAndApp(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, other, a, now := w.Person(), w.Person(), w.Confidential(), w.Clock.Now()
	here := credential.Hash("here")
	w.Must(w.Stores.Sessions.OpenSession(t.Context(), session.Opening{
		Hash: here, PersonID: p, CreatedAt: now, ExpiresAt: now.Add(time.Hour), Browser: session.Browser{Name: "Firefox", System: "Linux"}, Language: "ar",
	}))
	post := mail.Post{On: true, Clock: w.Clock}
	for _, personID := range []string{p, other} {
		w.Must(w.Stores.Passkeys.AddPasskey(t.Context(), keyOf(w, personID, "key"), proofOf(w, personID), post.Notice(mail.AppConnected, mail.Occasion{Session: here, AppID: a.App.ID})))
	}
	due, err := w.Stores.Outbox.LeaseMail(t.Context(), now, now.Add(time.Minute), 10)
	w.Must(err)
	if len(due) != 2 {
		t.Fatalf("%d emails", len(due))
	}
	for _, d := range due {
		own := d.PersonID == p
		if d.AppName != "Partner site" || (d.Browser == "Firefox" && d.System == "Linux" && d.Language == "ar") != own || d.PersonEmail != d.PersonID+"@example.com" || d.Kind != mail.AppConnected {
			t.Errorf("%+v", d)
		}
	}
}

// The page's language takes precedence over the language of the sign-in page.
func TestNoticeUsesPageOrSessionLanguage(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, now, here := w.Person(), w.Clock.Now(), credential.Hash("here")
	w.Must(w.Stores.Sessions.OpenSession(t.Context(), session.Opening{Hash: here, PersonID: p, CreatedAt: now, ExpiresAt: now.Add(time.Hour), Language: "ar"}))
	post := mail.Post{On: true, Clock: w.Clock}
	for kind, o := range map[mail.Kind]mail.Occasion{
		mail.PasswordChanged: {Session: here, Language: "en"}, mail.PasskeyAdded: {Session: here}, mail.ExportReady: {Language: "en"}, mail.AccountKept: {},
	} {
		w.Must(w.Stores.Exports.AddNotice(t.Context(), p, post.Notice(kind, o)))
	}
	due, err := w.Stores.Outbox.LeaseMail(t.Context(), now, now.Add(time.Minute), 10)
	w.Must(err)
	got := map[mail.Kind]string{}
	for _, d := range due {
		got[d.Kind] = d.Language
	}
	want := map[mail.Kind]string{mail.PasswordChanged: "en", mail.PasskeyAdded: "ar", mail.ExportReady: "en", mail.AccountKept: ""}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
