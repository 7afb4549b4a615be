// Package person simulates a person with a browser that has no window and runs no scripts. It follows
// links and redirects, stores cookies, and fills in the forms of the pages by their accessible names.
//
// It is fast, so most tests use it to get tokens. Tests that use package browser prove that the pages
// also work in a real browser.
package person

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"vitae.internal/e2e/internal/page"
)

// maxRedirects is higher than the number of redirects in any journey.
const maxRedirects = 10

// Person is a person in one browser.
type Person struct {
	// Email and Password are the credentials for sign-in.
	Email, Password string
	// Language is sent as Accept-Language.
	Language string
	// SetCookies holds all Set-Cookie header values that the browser has received.
	SetCookies []string

	client *http.Client
}

// New returns a person in a new browser.
func New(email, password string) *Person {
	jar, err := cookiejar.New(nil)
	if err != nil {
		panic(err) // cannot happen without a list of public suffixes
	}
	p := &Person{Email: email, Password: password, Language: "en"}
	p.client = &http.Client{
		Jar: jar, Timeout: 60 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return p
}

// From sets the source IP address of the browser, such as one in 127.0.0.0/8, for separate rate limits.
func (p *Person) From(address string) *Person {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	p.client.Transport = &http.Transport{DialContext: dialer.DialContext}
	return p
}

// Cookies returns the cookies that the browser would send to a URL.
func (p *Person) Cookies(at *url.URL) []*http.Cookie { return p.client.Jar.Cookies(at) }

// Visit is the result of a navigation: a page of Vitae, or a URL on another host.
type Visit struct {
	// Page is the page, or nil if Outside is set.
	Page *page.Page
	// Status and Header are the page's status and response headers.
	Status int
	Header http.Header
	// Outside is the target of a redirect to another host.
	Outside *url.URL
}

// Open opens a URL and follows redirects on the same host.
func (p *Person) Open(ctx context.Context, target string) (Visit, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return Visit{}, err
	}
	return p.follow(req)
}

// Press submits a form by pressing one of its buttons.
func (p *Person) Press(ctx context.Context, form *page.Form, button page.Element) (Visit, error) {
	sent, err := form.Submit(button)
	if err != nil {
		return Visit{}, err
	}
	if sent.Method != http.MethodPost {
		u := *sent.URL
		u.RawQuery = sent.Body.Encode()
		return p.Open(ctx, u.String())
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, sent.URL.String(), strings.NewReader(sent.Body.Encode()))
	if err != nil {
		return Visit{}, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	// Every browser sends these headers. The pages may reject a form without them.
	req.Header.Set("Origin", sent.URL.Scheme+"://"+sent.URL.Host)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	return p.follow(req)
}

func (p *Person) follow(req *http.Request) (Visit, error) {
	for range maxRedirects {
		req.Header.Set("Accept-Language", p.Language)
		req.Header.Set("Accept", "text/html")
		res, err := p.client.Do(req)
		if err != nil {
			return Visit{}, err
		}
		p.SetCookies = append(p.SetCookies, res.Header.Values("Set-Cookie")...)
		visit, next, err := read(req, res)
		if err != nil || next == nil {
			return visit, err
		}
		req = next.WithContext(req.Context())
	}
	return Visit{}, fmt.Errorf("%s: more than %d redirects", req.URL, maxRedirects)
}

// read returns the page in a response or, for a redirect on the same host, the next request.
func read(req *http.Request, res *http.Response) (Visit, *http.Request, error) {
	defer res.Body.Close()
	if res.StatusCode/100 != 3 {
		shown, err := page.Parse(req.URL, res.Body)
		return Visit{Page: shown, Status: res.StatusCode, Header: res.Header}, nil, err
	}
	to, err := res.Location()
	if err != nil {
		return Visit{}, nil, fmt.Errorf("%s: redirect: %w", req.URL, err)
	}
	if to.Hostname() != req.URL.Hostname() {
		return Visit{Outside: to, Status: res.StatusCode, Header: res.Header}, nil, nil
	}
	next, err := http.NewRequest(http.MethodGet, to.String(), nil)
	return Visit{}, next, err
}
