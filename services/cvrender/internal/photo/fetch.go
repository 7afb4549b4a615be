package photo

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Limits for fetching one photo.
const (
	maxBytes     = 5 << 20
	maxRedirects = 3
	// fetchTimeout limits the whole fetch, which includes waiting for a slot, resolving the host,
	// connecting, following redirects and reading. When it expires, the CV is rendered without the
	// photo.
	fetchTimeout = 4 * time.Second
	maxHeader    = 16 << 10
)

// fetcher fetches the bytes at a URL.
type fetcher struct{ client *http.Client }

func newFetcher(allow []netip.Prefix) *fetcher {
	dialer := &net.Dialer{Timeout: 2 * time.Second, Control: filter{allow: allow}.control}
	return &fetcher{client: &http.Client{
		Timeout: fetchTimeout,
		// Use no proxy, because a proxy would connect on behalf of this process and thus bypass the
		// filter.
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    2 * time.Second,
			ResponseHeaderTimeout:  3 * time.Second,
			MaxResponseHeaderBytes: maxHeader,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return errors.New("photo: too many redirects")
			}
			return checkURL(req.URL)
		},
	}}
}

// checkURL checks a URL before it is fetched. It is called again for every redirect.
func checkURL(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return errors.New("photo: not an http or https URL")
	}
	return nil
}

// fetch returns the bytes at an http, https or base64 data: URL.
func (f *fetcher) fetch(ctx context.Context, address string) ([]byte, error) {
	if isData(address) {
		return decodeData(address)
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("photo: malformed URL")
	}
	if err := checkURL(u); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("photo: %w", err)
	}
	req.Header.Set("User-Agent", "Vitae")
	req.Header.Set("Accept", "image/jpeg, image/png, image/webp, image/gif")
	res, err := f.client.Do(req)
	if err != nil {
		// The URL may contain a secret, so it must not be logged.
		if outer := (*url.Error)(nil); errors.As(err, &outer) {
			err = outer.Err
		}
		return nil, fmt.Errorf("photo: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("photo: status %d", res.StatusCode)
	}
	return readBounded(res.Body)
}

func readBounded(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("photo: %w", err)
	}
	if len(b) > maxBytes {
		return nil, fmt.Errorf("photo: more than %d bytes", maxBytes)
	}
	return b, nil
}

func isData(address string) bool { return len(address) > 5 && strings.EqualFold(address[:5], "data:") }

// decodeData decodes a base64 data: URL (RFC 2397). It ignores the media type in the URL, because
// the type is detected from the content.
func decodeData(address string) ([]byte, error) {
	head, body, ok := strings.Cut(address, ",")
	if !ok || !strings.HasSuffix(strings.ToLower(head), ";base64") {
		return nil, errors.New("photo: malformed data URL")
	}
	return readBounded(base64.NewDecoder(base64.StdEncoding, strings.NewReader(body)))
}
