package limits_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
)

// wrongSecrets sends 2,000 requests with wrong secrets of a client from 20 IP addresses, and then uses
// the client's whole burst.
func wrongSecrets(t *testing.T, l limited) {
	const addresses, each = 20, 100
	var refused, limited atomic.Int32
	var wg sync.WaitGroup
	room := make(chan struct{}, 16)
	for i := range addresses {
		wg.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			client := from(fmt.Sprintf("127.0.1.%d", i+1))
			defer client.CloseIdleConnections()
			for j := range each {
				switch status, err := introspect(t.Context(), client, l.App, fmt.Sprintf("%s %d", l.App.Secret, j)); {
				case err != nil:
					t.Error(err)
					return
				case status == http.StatusUnauthorized:
					refused.Add(1)
				case status == http.StatusTooManyRequests:
					limited.Add(1)
				default:
					t.Errorf("a wrong secret: status %d", status)
				}
			}
		})
	}
	wg.Wait()
	// Each address may fail 20 times in a burst, and more often as its bucket is refilled.
	if refused.Load() < 20*addresses || limited.Load() == 0 {
		t.Errorf("%d wrong secrets were checked, %d were rate-limited", refused.Load(), limited.Load())
	}
	t.Logf("%d wrong secrets were checked, %d were rate-limited", refused.Load(), limited.Load())
	for i := range 19 { // redeeming the code used one
		if a := expect.Must(l.App.Introspect(t.Context(), l.Tokens.Access))(t); a.Status != http.StatusOK {
			t.Fatalf("request %d of the client: %s", i, a)
		}
	}
}

// from returns an HTTP client with a given local IP address.
func from(address string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
}

func introspect(ctx context.Context, client *http.Client, app partner.Client, secret string) (status int, err error) {
	form := url.Values{"token": {"x"}, "client_id": {app.ID}, "client_secret": {secret}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, app.BaseURL+"/oauth/introspect", strings.NewReader(form.Encode()))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", partner.FormType)
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}
