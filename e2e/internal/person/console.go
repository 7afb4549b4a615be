package person

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// EnterConsole signs in to the developer console.
func (p *Person) EnterConsole(ctx context.Context, consoleURL string) (Visit, error) {
	at, err := p.Open(ctx, consoleURL+"/")
	if err != nil {
		return at, err
	}
	if at, err = p.SignIn(ctx, at.Page); err != nil {
		return at, err
	}
	at, err = p.Consent(ctx, at, Choice{})
	if err == nil && (at.Page == nil || !strings.HasPrefix(at.Page.URL.String(), consoleURL)) {
		err = fmt.Errorf("no redirect back to the console: %+v", at)
	}
	return at, err
}

// Read requests a page or file, and does not follow redirects.
func (p *Person) Read(ctx context.Context, target string) (status int, body string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return 0, "", err
	}
	res, err := p.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	return res.StatusCode, string(raw), err
}
