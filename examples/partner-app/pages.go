package main

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"html/template"
	"io"
	"log"
	"net/http"

	"golang.org/x/oauth2"
)

//go:embed templates
var files embed.FS

// site serves the pages.
type site struct {
	config   config
	provider provider
	oauth    *oauth2.Config
	client   *http.Client
	sessions *sessions
	pages    *template.Template
}

func newSite(c config, p provider, client *http.Client) *site {
	return &site{
		config: c, provider: p, oauth: p.oauthConfig(c), client: client, sessions: newSessions(c.url),
		pages: template.Must(template.New("").Funcs(viewFuncs).ParseFS(files, "templates/*.html")),
	}
}

func (s *site) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("POST /sign-in", s.signIn)
	mux.HandleFunc("GET /callback", s.callback)
	mux.HandleFunc("GET /cv.pdf", s.pdf)
	mux.HandleFunc("POST /disconnect", s.disconnect)
	mux.HandleFunc("POST /sign-out", s.signOut)
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, files, "templates/style.css")
	})
	// Browsers request this icon even though no page refers to it.
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	// The protection rejects forms sent by pages of other sites (CSRF).
	return headers(http.NewCrossOriginProtection().Handler(mux))
}

func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self' data: https: http:; "+
			"frame-src 'self'; base-uri 'none'; frame-ancestors 'self'")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// context returns a context that makes package oauth2 use this site's HTTP client. The context of a token source must
// outlive the request.
func (s *site) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, s.client)
}

// signIn starts a sign-in and redirects the browser to Vitae.
func (s *site) signIn(w http.ResponseWriter, r *http.Request) {
	session := s.sessions.start(w, r)
	a := attempt{state: rand.Text(), verifier: oauth2.GenerateVerifier()}
	session.mu.Lock()
	session.attempt = a
	session.mu.Unlock()
	http.Redirect(w, r, s.oauth.AuthCodeURL(a.state, oauth2.S256ChallengeOption(a.verifier)), http.StatusSeeOther)
}

// callback handles Vitae's authorization response: a code, which it exchanges for tokens, or an error.
func (s *site) callback(w http.ResponseWriter, r *http.Request) {
	begun := s.sessions.of(r)
	var a attempt
	if begun != nil {
		a = begun.takeAttempt()
	}
	code, err := s.provider.codeFrom(r.URL.Query(), a)
	var token *oauth2.Token
	if err == nil {
		token, err = s.oauth.Exchange(s.context(r.Context()), code, oauth2.VerifierOption(a.verifier))
	}
	if err != nil {
		log.Printf("partner-app: sign-in: %v", err)
		s.problem(w, signInProblem(err))
		return
	}
	session := s.sessions.start(w, r)
	session.token = token
	session.keeper = newKeeper(s.context(context.Background()), s.oauth, token, session.store)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// home shows the signed-in person and their CV, or a sign-in button.
func (s *site) home(w http.ResponseWriter, r *http.Request) {
	session := s.sessions.of(r)
	if session == nil || session.keeper == nil {
		var v notice
		if session != nil {
			v = session.takeNotice()
		}
		s.render(w, http.StatusOK, "home.html", v)
		return
	}
	view, err := s.read(r.Context(), session)
	if err != nil {
		s.failed(w, r, err)
		return
	}
	s.render(w, http.StatusOK, "cv.html", view)
}

// read reads the person and the CV. Vitae returns the CV only if it has changed since the last read.
func (s *site) read(ctx context.Context, session *session) (cvView, error) {
	a := api{base: s.config.vitaeURL, client: s.client, tokens: session.keeper}
	var view cvView
	who, err := a.get(ctx, "/v1/me", "")
	if err != nil {
		return view, err
	}
	view.record("/v1/me", "", who)
	if err := json.Unmarshal(who.Data, &view.Me); err != nil {
		return view, err
	}

	session.mu.Lock()
	known := session.cv
	session.mu.Unlock()
	cv, err := a.get(ctx, "/v1/me/cv", known.etag)
	if no := refused(err); no != nil && noCV[no.Code] != "" {
		view.NoCV = noCV[no.Code]
		return view, nil
	}
	if err != nil {
		return view, err
	}
	view.record("/v1/me/cv", known.etag, cv)
	if cv.Status == http.StatusOK {
		known = cachedCV{etag: cv.ETag, data: cv.Data}
		session.mu.Lock()
		session.cv = known
		session.mu.Unlock()
	}
	return view, view.setCV(known.data)
}

// pdf fetches the PDF and forwards it, so that the access token stays on the server.
func (s *site) pdf(w http.ResponseWriter, r *http.Request) {
	session := s.sessions.of(r)
	if session == nil || session.keeper == nil {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	a := api{base: s.config.vitaeURL, client: s.client, tokens: session.keeper}
	resp, err := a.open(r.Context(), "/v1/me/cv.pdf", r.Header.Get("If-None-Match"))
	if err != nil {
		s.failed(w, r, err)
		return
	}
	defer resp.Body.Close()
	for _, name := range []string{"Content-Type", "Content-Disposition", "Content-Length", "ETag"} {
		if v := resp.Header.Get(name); v != "" {
			w.Header().Set(name, v)
		}
	}
	w.Header().Set("Cache-Control", "private, no-cache")
	// The browser's PDF viewer has its own styles and scripts.
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'self'")
	w.WriteHeader(resp.StatusCode)
	if _, err := io.Copy(w, resp.Body); err != nil {
		log.Printf("partner-app: pdf: %v", err)
	}
}

// disconnect revokes the tokens and signs out.
func (s *site) disconnect(w http.ResponseWriter, r *http.Request) {
	session := s.sessions.of(r)
	if session == nil || session.keeper == nil {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	session.mu.Lock()
	refreshToken := session.token.RefreshToken
	session.mu.Unlock()
	if err := revoke(r.Context(), s.client, s.provider, s.config, refreshToken); err != nil {
		log.Printf("partner-app: disconnect: %v", err)
		s.problem(w, s.notDisconnected(err))
		return
	}
	// Revoking the tokens ends this site's access. The consent remains until the person ends it on Vitae's pages.
	s.signedOut(w, r, notice{Text: "You are disconnected: this site can no longer read your data.", Connections: s.provider.connections()})
}

func (s *site) signOut(w http.ResponseWriter, r *http.Request) {
	s.signedOut(w, r, notice{Text: "You are signed out."})
}

func (s *site) signedOut(w http.ResponseWriter, r *http.Request, n notice) {
	s.sessions.start(w, r).notice = n
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *site) render(w http.ResponseWriter, status int, page string, view any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if err := s.pages.ExecuteTemplate(w, page, view); err != nil {
		log.Printf("partner-app: %s: %v", page, err)
	}
}
