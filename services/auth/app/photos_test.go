package app_test

import (
	"fmt"
	"testing"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// photoOf resolves the URL of the principal's photo.
func (w *world) photoOf(p *identityv1.Principal) (*authv1.ResolvePhotoAddressResponse, error) {
	return w.credentials.ResolvePhotoAddress(w.Context(), &authv1.ResolvePhotoAddressRequest{
		ConnectionId: p.GetConnectionId(), Version: p.GetPhotoVersion(),
	})
}

// withoutPhoto repeats the consent with the given scopes, but without the photo.
func (w *world) withoutPhoto(p person, c client, scopes ...string) {
	w.Helper()
	_, err := w.oauth.Authorize(w.Context(), &authv1.AuthorizeRequest{
		Parameters: parameters(c, allScopes), SessionToken: p.session, GrantedScopes: scopes, CvId: "master",
	})
	w.must(err)
}

// Each case revokes the photo URL. The old URL must never work again, but sharing the photo again must produce a new
// URL that works.
func TestPhotoURLIsRevokedAtOnce(t *testing.T) {
	t.Parallel()
	w, people := newWorld(t), 0
	type story struct {
		p      person
		c      client
		tokens *authv1.TokenPair
		code   string
	}
	for name, end := range map[string]func(story){
		"the permission is taken back": func(s story) { w.withoutPhoto(s.p, s.c, "profile") },
		"the app is disconnected": func(s story) {
			_, err := w.connections.Disconnect(w.Context(), &authv1.DisconnectRequest{Actor: bySession(s.p), Id: w.connectionOf(s.p).GetId()})
			w.must(err)
		},
		"a refresh token is revoked": func(s story) { w.revoke(s.c, s.tokens.GetRefreshToken()) },
		"a rotated refresh token is presented again": func(s story) {
			w.refresh(s.c, s.tokens.GetRefreshToken())
			wantCode(t, w.refreshError(s.c, s.tokens.GetRefreshToken()), "OAUTH_INVALID_GRANT")
		},
		"a used code is presented again": func(s story) {
			_, err := w.oauth.ExchangeCode(w.Context(), exchangeRequest(s.c, s.code))
			wantCode(t, err, "OAUTH_INVALID_GRANT")
		},
	} {
		for _, scopes := range [][]string{{"profile"}, everything} {
			people++
			s := story{p: w.person(fmt.Sprintf("%d@example.com", people)), c: w.confidential()}
			s.code = w.consent(s.p, s.c, scopes...)
			s.tokens = w.exchange(s.c, s.code)
			shown := w.live(s.c, s.tokens.GetAccessToken()).GetPrincipal()
			_, err := w.photoOf(shown)
			w.must(err)
			end(s)
			_, err = w.photoOf(shown)
			wantCode(t, err, "PHOTO_NOT_FOUND")
			again := w.live(s.c, w.connect(s.p, s.c, scopes...).GetAccessToken()).GetPrincipal()
			if _, err := w.photoOf(again); err != nil {
				t.Errorf("%s: the photo is shared again, but its URL doesn't work: %v", name, err)
			}
			if _, err := w.photoOf(shown); err == nil {
				t.Errorf("%s: the revoked URL works again", name)
			}
		}
	}
}

func TestSharingOffRevokesPhotoURL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	token := w.connect(p, c, everything...).GetAccessToken()
	shown := w.live(c, token).GetPrincipal()
	off := false
	_, err := w.connections.UpdateConnection(w.Context(), &authv1.UpdateConnectionRequest{
		Actor: bySession(p), Id: w.connectionOf(p).GetId(), CvSharing: &off,
	})
	w.must(err)
	_, err = w.photoOf(shown)
	wantCode(t, err, "PHOTO_NOT_FOUND")
	_, err = w.photoOf(w.live(c, token).GetPrincipal()) // the app still has the profile scope, which includes the photo
	w.must(err)
}
