package stack

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"vitae.internal/pkg/localstack"
)

// startTimeout limits a start. It allows for a first start on a loaded machine, with initdb, migrations
// and Chromium.
const startTimeout = 5 * time.Minute

func (s *Stack) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return Until(ctx, "wait for the stack", func(ctx context.Context) error {
		if s.cmd != nil && s.hasEnded() {
			cancel()
			return fmt.Errorf("vitae exited: %w", s.err)
		}
		if s.options.Dir != "" {
			if _, err := localstack.Load(s.options.Dir); err != nil {
				return err
			}
		}
		for _, site := range []struct {
			urls   []string
			path   string
			status int
		}{
			{s.BaseURLs, "/.well-known/oauth-authorization-server", s.ready}, {s.LegacyURLs, "/", http.StatusNotFound},
			{s.ConsoleURLs, "/nothing", http.StatusNotFound}, {s.AppURLs, "/connections", http.StatusOK},
		} {
			for _, url := range site.urls {
				if err := checkStatus(ctx, url+site.path, site.status); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func checkStatus(ctx context.Context, url string, status int) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != status {
		return fmt.Errorf("%s returned %d", url, res.StatusCode)
	}
	return nil
}
