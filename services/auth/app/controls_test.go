package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// control changes a person's connection on behalf of that person.
func (w *world) control(p person, req *authv1.UpdateConnectionRequest) *authv1.Connection {
	w.Helper()
	req.Actor = bySession(p)
	resp, err := w.connections.UpdateConnection(w.Context(), req)
	w.must(err)
	return resp.GetConnection()
}

func TestTokenKeepsRemainingPermissions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	tokens := w.connect(p, c, everything...)
	photo := w.live(c, tokens.GetAccessToken()).GetPrincipal()
	link := photo.GetCvLinkId()
	id := w.connectionOf(p).GetId()
	for name, off := range map[string]struct {
		req  *authv1.UpdateConnectionRequest
		left []string
	}{
		"the e-mail address":  {&authv1.UpdateConnectionRequest{Id: id, ShareEmail: proto.Bool(false)}, []string{"profile", "cv:read", "cv:contact"}},
		"the contact details": {&authv1.UpdateConnectionRequest{Id: id, ShareContact: proto.Bool(false)}, []string{"profile", "email", "cv:read"}},
	} {
		if got := w.control(p, off.req); !slices.Equal(got.GetScopes(), off.left) || !slices.Equal(got.GetGrantedScopes(), everything) || len(got.GetWithheldScopes()) != 1 {
			t.Errorf("%s: %v", name, got)
		}
		if got := w.live(c, tokens.GetAccessToken()).GetPrincipal(); !slices.Equal(got.GetScopes(), off.left) || got.GetCvLinkId() != link {
			t.Errorf("%s: principal %v", name, got)
		}
		if got := w.introspect(c, tokens.GetAccessToken()); !got.GetActive() || !slices.Equal(got.GetScopes(), off.left) {
			t.Errorf("%s: introspection %v", name, got)
		}
		again := w.refresh(c, tokens.GetRefreshToken())
		if tokens.RefreshToken = again.GetRefreshToken(); !slices.Equal(again.GetScopes(), off.left) {
			t.Errorf("%s: a refresh returned %v", name, again.GetScopes())
		}
		on := proto.CloneOf(off.req)
		if on.ShareEmail != nil {
			on.ShareEmail = proto.Bool(true)
		} else {
			on.ShareContact = proto.Bool(true)
		}
		w.control(p, on)
		if got := w.live(c, tokens.GetAccessToken()).GetPrincipal().GetScopes(); !slices.Equal(got, everything) {
			t.Errorf("%s, allowed again: %v", name, got)
		}
	}

	if got := w.control(p, &authv1.UpdateConnectionRequest{Id: id, SharePhoto: proto.Bool(false)}); got.GetSharePhoto() || !got.GetPhotoGranted() {
		t.Errorf("after the photo was withdrawn: %v", got)
	}
	_, err := w.photoOf(photo)
	wantCode(t, err, "PHOTO_NOT_FOUND")
	if w.live(c, tokens.GetAccessToken()).GetPrincipal().GetSharePhoto() {
		t.Error("the app sees the photo")
	}
	w.control(p, &authv1.UpdateConnectionRequest{Id: id, SharePhoto: proto.Bool(true)})
	_, err = w.photoOf(w.live(c, tokens.GetAccessToken()).GetPrincipal())
	w.must(err)
	_, err = w.photoOf(photo)
	wantCode(t, err, "PHOTO_NOT_FOUND") // the photo URL was revoked
}

func TestOnlyConsentGrantsPermissions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	first := w.connect(p, c, "profile", "email")
	id := w.connectionOf(p).GetId()
	_, err := w.connections.UpdateConnection(t.Context(), &authv1.UpdateConnectionRequest{Actor: bySession(p), Id: id, ShareContact: proto.Bool(true)})
	wantCode(t, err, "PERMISSION_NOT_GRANTED")
	w.control(p, &authv1.UpdateConnectionRequest{Id: id, ShareEmail: proto.Bool(false), SharePhoto: proto.Bool(false), Paused: proto.Bool(true)})
	if got := w.live(c, first.GetAccessToken()).GetPrincipal(); len(got.GetScopes()) != 0 {
		t.Errorf("while paused: %v", got)
	}
	w.connect(p, c, "profile", "email")
	got := w.connectionOf(p)
	if got.GetId() != id || got.GetPausedAt() != nil || len(got.GetWithheldScopes()) != 0 || !got.GetSharePhoto() || !slices.Equal(got.GetScopes(), []string{"profile", "email"}) {
		t.Errorf("after a new consent: %v", got)
	}
	if got := w.live(c, first.GetAccessToken()).GetPrincipal().GetScopes(); !slices.Equal(got, []string{"profile", "email"}) {
		t.Errorf("with the first token: %v", got)
	}
}

func TestPauseStopsEverythingUntilItEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	tokens, older := w.connect(p, c, everything...), w.legacyConnect(p, c)
	seen := w.live(c, tokens.GetAccessToken()).GetPrincipal()
	olderLink := w.legacyLive(c, older).GetPrincipal().GetCvLinkId()
	for _, link := range []string{seen.GetCvLinkId(), olderLink} {
		w.record(cvLink, c.app.GetAccountId(), link)
	}
	w.control(p, &authv1.UpdateConnectionRequest{Id: seen.GetConnectionId(), Paused: proto.Bool(true)})
	if got := w.live(c, tokens.GetAccessToken()).GetPrincipal(); len(got.GetScopes())+len(got.GetGrantedScopes()) != 0 || got.GetCvId() != "" || got.GetCvLinkId() != "" {
		t.Errorf("principal %v", got)
	}
	if got := w.legacyLive(c, older).GetPrincipal(); len(got.GetScopes()) != 0 || got.GetCvLinkId() != "" {
		t.Errorf("principal of the legacy interface %v", got)
	}
	if got := w.introspect(c, tokens.GetAccessToken()); !got.GetActive() || len(got.GetScopes()) != 0 {
		t.Errorf("introspection %v", got)
	}
	for _, link := range []string{seen.GetCvLinkId(), olderLink} {
		w.dead(cvLink, c.app.GetAccountId(), link)
	}
	_, err := w.photoOf(seen)
	wantCode(t, err, "PHOTO_NOT_FOUND")
	wantCode(t, w.refreshError(c, tokens.GetRefreshToken()), "OAUTH_INVALID_SCOPE")

	w.control(p, &authv1.UpdateConnectionRequest{Id: seen.GetConnectionId(), Paused: proto.Bool(false)})
	if got := w.live(c, tokens.GetAccessToken()).GetPrincipal(); !slices.Equal(got.GetScopes(), everything) || got.GetCvLinkId() != seen.GetCvLinkId() {
		t.Errorf("after resuming: %v", got)
	}
	if got := w.legacyLive(c, older).GetPrincipal(); !slices.Equal(got.GetScopes(), []string{profileRead}) || got.GetCvLinkId() != olderLink {
		t.Errorf("after resuming, with the legacy interface: %v", got)
	}
	if w.record(cvLink, c.app.GetAccountId(), seen.GetCvLinkId()) == nil {
		t.Error("after resuming, the link is rejected")
	}
	_, err = w.photoOf(seen)
	w.must(err)
	w.refresh(c, tokens.GetRefreshToken())
}

func TestAccessEndsAtTheSetTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	tokens, older := w.connect(p, c, everything...), w.legacyConnect(p, c)
	code := w.consent(p, c, everything...)
	seen := w.live(c, tokens.GetAccessToken()).GetPrincipal()
	account, link := c.app.GetAccountId(), seen.GetCvLinkId()
	end := w.clock.Now().Add(5 * time.Minute)
	got := w.control(p, &authv1.UpdateConnectionRequest{Id: seen.GetConnectionId(), EndsAt: timestamppb.New(end)})
	if !got.GetEndsAt().AsTime().Equal(end) || !w.legacyConnectionOf(p).GetEndsAt().AsTime().Equal(end) {
		t.Errorf("ends at %v", got.GetEndsAt())
	}
	// Every record must expire when the connection ends.
	for name, r := range map[string]*authv1.SessionRecord{
		"token": w.live(c, tokens.GetAccessToken()), "legacy token": w.legacyLive(c, older), "link": w.record(cvLink, account, link),
	} {
		if !r.GetExpiresAt().AsTime().Equal(end) {
			t.Errorf("the record of the %s expires at %v", name, r.GetExpiresAt())
		}
	}
	if exp := w.introspect(c, tokens.GetAccessToken()).GetExpiresAt(); !exp.AsTime().Equal(end) {
		t.Errorf("introspection returned the expiry %v", exp)
	}
	w.clock.Advance(5*time.Minute - time.Millisecond)
	w.live(c, tokens.GetAccessToken())
	w.clock.Advance(time.Millisecond)
	// Redis may still hold the records, so gateways compare their expiry with their own clock.
	w.loseRecords(c)
	w.dead(accessToken, account, tokens.GetAccessToken())
	w.dead(legacyToken, account, older)
	w.dead(cvLink, account, link)
	_, err := w.resolve(accessToken, tokens.GetAccessToken())
	wantCode(t, err, "CREDENTIAL_UNKNOWN")
	_, err = w.resolve(legacyToken, older)
	wantCode(t, err, "CREDENTIAL_UNKNOWN")
	_, err = w.photoOf(seen)
	wantCode(t, err, "PHOTO_NOT_FOUND")
	wantCode(t, w.refreshError(c, tokens.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	_, err = w.oauth.ExchangeCode(t.Context(), exchangeRequest(c, code))
	wantCode(t, err, "OAUTH_INVALID_GRANT")
	if w.introspect(c, tokens.GetAccessToken()).GetActive() || w.introspect(c, tokens.GetRefreshToken()).GetActive() {
		t.Error("a token is still active")
	}
	list, err := w.connections.ListConnections(t.Context(), &authv1.ListConnectionsRequest{Actor: bySession(p)})
	if err != nil || len(list.GetConnections()) != 0 {
		t.Errorf("listed connections: %v, %v", list, err)
	}
	_, err = w.connections.UpdateConnection(t.Context(), &authv1.UpdateConnectionRequest{Actor: bySession(p), Id: seen.GetConnectionId(), NoEnd: true})
	wantCode(t, err, "CONNECTION_NOT_FOUND")
	// A new consent creates a new connection even if the cleanup job has not yet ended the old one.
	w.connect(p, c, everything...)
	if again := w.connectionOf(p); again.GetId() == seen.GetConnectionId() || again.GetEndsAt() != nil {
		t.Errorf("a new consent returned %v", again)
	}
}

func TestEndOfAccessCanBeMovedOrRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	tokens := w.connect(p, c, everything...)
	id := w.connectionOf(p).GetId()
	end := func(d time.Duration) {
		w.control(p, &authv1.UpdateConnectionRequest{Id: id, EndsAt: timestamppb.New(w.clock.Now().Add(d))})
	}
	end(time.Minute)
	w.live(c, tokens.GetAccessToken())
	end(time.Hour / 2)
	w.clock.Advance(2 * time.Minute)
	w.live(c, tokens.GetAccessToken())
	w.control(p, &authv1.UpdateConnectionRequest{Id: id, NoEnd: true})
	w.clock.Advance(time.Hour / 2)
	if r := w.live(c, tokens.GetAccessToken()); r.GetExpiresAt().AsTime().Before(w.clock.Now()) {
		t.Errorf("%v", r)
	}
	for name, req := range map[string]*authv1.UpdateConnectionRequest{
		"the past": {EndsAt: timestamppb.New(w.clock.Now())}, "another age": {EndsAt: timestamppb.New(w.clock.Now().AddDate(20, 0, 0))},
		"both": {EndsAt: timestamppb.New(w.clock.Now().Add(time.Hour)), NoEnd: true},
	} {
		req.Actor, req.Id = bySession(p), id
		if _, err := w.connections.UpdateConnection(t.Context(), req); errs.KindOf(err) != errs.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDisconnectEndsBothInterfaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, of := range map[string]func(p person) string{
		"named by its own consent":           func(p person) string { return w.ownConnectionOf(p).GetId() },
		"named by that of the older consent": func(p person) string { return w.legacyConnectionOf(p).GetId() },
	} {
		p, c := w.person(strings.Fields(name)[3]+"@example.com"), w.legacyClient()
		tokens, older := w.connect(p, c, everything...), w.legacyConnect(p, c)
		own := w.live(c, tokens.GetAccessToken()).GetPrincipal()
		olderLink := w.legacyLive(c, older).GetPrincipal().GetCvLinkId()
		_, err := w.connections.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: bySession(p), Id: of(p)})
		w.must(err)
		account := c.app.GetAccountId()
		w.dead(accessToken, account, tokens.GetAccessToken())
		w.dead(legacyToken, account, older)
		w.dead(cvLink, account, own.GetCvLinkId())
		w.dead(cvLink, account, olderLink)
		wantCode(t, w.refreshError(c, tokens.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	}
}

func TestLegacyConnectionEndsSeparately(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	tokens, older := w.connect(p, c, everything...), w.legacyConnect(p, c)
	own := w.live(c, tokens.GetAccessToken()).GetPrincipal()
	olderLink := w.legacyLive(c, older).GetPrincipal().GetCvLinkId()
	_, err := w.connections.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: bySession(p), Id: w.legacyConnectionOf(p).GetId(), Only: true})
	w.must(err)
	w.dead(legacyToken, c.app.GetAccountId(), older)
	w.dead(cvLink, c.app.GetAccountId(), olderLink)
	if got := w.live(c, tokens.GetAccessToken()).GetPrincipal(); got.GetCvLinkId() != own.GetCvLinkId() || !slices.Equal(got.GetScopes(), everything) {
		t.Errorf("the connection of the current interface is %v", got)
	}
	if got := w.connectionOf(p); got.GetLegacy() || got.GetPublisherName() == "" || got.GetPublisherVerified() || got.GetPublisherOwn() {
		t.Errorf("connections left: %v", got)
	}
}

// ownConnectionOf returns the person's only connection outside the legacy interface.
func (w *world) ownConnectionOf(p person) *authv1.Connection {
	w.Helper()
	resp, err := w.connections.ListConnections(w.Context(), &authv1.ListConnectionsRequest{Actor: bySession(p)})
	w.must(err)
	i := slices.IndexFunc(resp.GetConnections(), func(c *authv1.Connection) bool { return !c.GetLegacy() })
	if i < 0 {
		w.Fatal("no connection")
	}
	return resp.GetConnections()[i]
}
