package photo

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
)

func TestFetchReleasesSlot(t *testing.T) {
	s := newSource(t, nil, clock.System{})
	if got := [3]int{cap(s.fetches), s.small.free, s.large.free}; got != [3]int{16, 4, 1} {
		t.Errorf("the numbers of slots for fetching, and for decoding small and large pictures, are %v", got)
	}
	for i := range 3 {
		address := "data:image/png;base64," + base64.StdEncoding.EncodeToString(pngOf(t, halves(10+i, 10)))
		if _, err := s.Get(patient(t), "usr_1", address); err != nil {
			t.Fatal(err)
		}
		_, _ = s.Get(patient(t), "usr_1", fmt.Sprint("data:broken", i))
	}
	if len(s.fetches) != 0 || s.small.free != 4 {
		t.Errorf("%d fetch slots are in use, %d decoding slots are free", len(s.fetches), s.small.free)
	}
}

// ticking is a clock that calls a function before it returns the time.
type ticking struct {
	clock.Clock
	before func()
}

func (c *ticking) Now() time.Time {
	if c.before != nil {
		before := c.before
		c.before = nil
		before()
	}
	return c.Clock.Now()
}

func TestPhotoIsSharedBetweenShares(t *testing.T) {
	const address = "http://192.0.2.1/" // no request must be sent to this address
	fake := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	key, failed := sha256.Sum256([]byte(address)), errors.New("failed for another")
	for name, fresh := range map[string]outcome{"a photo": {jpeg: []byte("photo")}, "a failure": {err: failed}} {
		c := &ticking{Clock: fake}
		s := newSource(t, nil, c)
		s.finished[key] = outcome{jpeg: []byte("expired"), until: fake.Now()}
		// The other call finishes between this caller's two cache lookups.
		c.before = func() {
			fresh.until = fake.Now().Add(time.Second)
			s.finished[key] = fresh
		}
		if got, err := s.Get(patient(t), "usr_1", address); string(got) != string(fresh.jpeg) || !errors.Is(err, fresh.err) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if got, err := s.Get(patient(t), "usr_1", address); string(got) != string(fresh.jpeg) || !errors.Is(err, fresh.err) {
			t.Errorf("%s, again: %q, %v", name, got, err)
		}
	}
}

func TestRequestIdentifiesService(t *testing.T) {
	asked := make(chan *http.Request, 1)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r
		_, _ = w.Write([]byte("x"))
	}))
	defer host.Close()
	if got, err := newFetcher(loopback).fetch(patient(t), host.URL+"/p?q=1"); string(got) != "x" || err != nil {
		t.Fatalf("the photo is %q, %v", got, err)
	}
	r := <-asked
	for header, want := range map[string]string{
		"User-Agent": "Vitae", "Accept": "image/jpeg, image/png, image/webp, image/gif", "Accept-Encoding": "", "Connection": "close",
	} {
		if got := r.Header.Get(header); got != want {
			t.Errorf("the header %s is %q, want %q", header, got, want)
		}
	}
	if r.Method != http.MethodGet || r.URL.RequestURI() != "/p?q=1" {
		t.Errorf("the request is %s %s", r.Method, r.URL)
	}
}

func TestLargeHeaderIsRejected(t *testing.T) {
	for size, want := range map[int]bool{8 << 10: true, 64 << 10: false} {
		host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Large", strings.Repeat("x", size))
			_, _ = w.Write([]byte("x"))
		}))
		if _, err := newFetcher(loopback).fetch(patient(t), host.URL); (err == nil) != want {
			t.Errorf("a header of %d bytes: %v", size, err)
		}
		host.Close()
	}
}

// The other limits, which callers can notice, are documented in pdf#photos.
func TestFetchStepsHaveLimits(t *testing.T) {
	c := newFetcher(nil).client
	transport, ok := c.Transport.(*http.Transport)
	if !ok || c.Timeout != 4*time.Second || transport.TLSHandshakeTimeout != 2*time.Second || transport.ResponseHeaderTimeout != 3*time.Second {
		t.Errorf("the timeout is %v, the transport %+v", c.Timeout, transport)
	}
}

func TestSquareIsCenteredOrHigher(t *testing.T) {
	for from, want := range map[image.Rectangle]image.Rectangle{
		image.Rect(0, 0, 10, 4): image.Rect(3, 0, 7, 4), image.Rect(5, 7, 15, 11): image.Rect(8, 7, 12, 11),
		image.Rect(0, 0, 4, 10): image.Rect(0, 2, 4, 6), image.Rect(5, 7, 9, 17): image.Rect(5, 9, 9, 13), image.Rect(1, 2, 5, 6): image.Rect(1, 2, 5, 6),
	} {
		if got := center(from); got != want {
			t.Errorf("the square of %v is %v, want %v", from, got, want)
		}
	}
}
