// Command partner-app is a small partner site. It signs people in with Vitae and shows the CV that they share. The code
// is meant to be read and copied. It uses only the standard library and golang.org/x/oauth2.
//
//	oauth.go    sign-in: authorization code flow with PKCE, refresh, revocation
//	api.go      reading /v1/me and /v1/me/cv
//	session.go  sessions, which are stored on the server
//	pages.go    the pages and their forms; view.go prepares the data for the templates
//	problems.go the error pages for requests that Vitae rejects
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// config is read from the environment; README.md lists the variables.
type config struct {
	addr         string // host:port to listen on
	url          string // the URL of this site, without a trailing slash
	vitaeURL     string // the base URL of the Vitae API, without a trailing slash
	clientID     string
	clientSecret string // empty for a public client
}

func configFrom(env func(string) string) (config, error) {
	or := func(name, fallback string) string {
		if v := env(name); v != "" {
			return v
		}
		return fallback
	}
	c := config{
		addr:         or("PARTNER_ADDR", "127.0.0.1:8090"),
		url:          strings.TrimRight(or("PARTNER_URL", "http://127.0.0.1:8090"), "/"),
		vitaeURL:     strings.TrimRight(env("VITAE_BASE_URL"), "/"),
		clientID:     env("CLIENT_ID"),
		clientSecret: env("CLIENT_SECRET"),
	}
	if c.vitaeURL == "" || c.clientID == "" {
		return c, errors.New("set VITAE_BASE_URL and CLIENT_ID, and CLIENT_SECRET for a confidential client")
	}
	if _, err := url.ParseRequestURI(c.url); err != nil {
		return c, fmt.Errorf("PARTNER_URL: %w", err)
	}
	return c, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Getenv); err != nil && !errors.Is(err, context.Canceled) {
		log.Fatalf("partner-app: %v", err)
	}
}

func run(ctx context.Context, env func(string) string) error {
	c, err := configFrom(env)
	if err != nil {
		return err
	}
	client := &http.Client{Timeout: 20 * time.Second}
	provider, err := discover(ctx, client, c.vitaeURL)
	if err != nil {
		return err
	}
	site := newSite(c, provider, client)

	listener, err := net.Listen("tcp", c.addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: site.handler(), ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	log.Printf("partner-app: open %s", c.url)

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if err := server.Shutdown(last); !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		// Browsers open connections in advance, and net/http initially treats these as busy.
		return server.Close()
	}
}
