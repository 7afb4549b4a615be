package photo

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
)

func TestInvalidURLFailsWithoutRequest(t *testing.T) {
	f := newFetcher(loopback)
	for _, address := range []string{
		"", "x", "data", "data:", "data:,", "data:image/png,abc", "data:image/png;base64", "ftp://127.0.0.1/p.png", "http://", "//127.0.0.1/p.png",
		"http://user@127.0.0.1/p.png", "http://user:secret@127.0.0.1/p.png", "http://127.0.0.1:port/p.png", "http://[::1", "file:///etc/passwd", "http:///p", "gopher://127.0.0.1/p",
	} {
		if got, err := f.fetch(patient(t), address); err == nil {
			t.Errorf("%q returned %d bytes", address, len(got))
		}
	}
}

func TestDataURLIsCaseInsensitive(t *testing.T) {
	want := pngOf(t, halves(10, 10))
	for _, head := range []string{"data:image/png;base64,", "DATA:;BASE64,"} {
		got, err := newFetcher(nil).fetch(t.Context(), head+base64.StdEncoding.EncodeToString(want))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s returned %d bytes, %v", head, len(got), err)
		}
	}
	if _, err := newFetcher(nil).fetch(t.Context(), "data:;base64,????"); err == nil {
		t.Error("invalid base64 is accepted")
	}
}

// The log must not contain the URL of a photo, because the URL may be secret.
func TestFetchErrorOmitsURL(t *testing.T) {
	host := httptest.NewServer(http.NotFoundHandler())
	defer host.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, address := range map[string]string{"not found": host.URL, "no host": gone.URL, "a private host": "http://10.0.0.1"} {
		_, err := newFetcher(loopback).fetch(patient(t), address+"/secret-path")
		if err == nil || strings.Contains(err.Error(), "secret-path") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPhotoNeedsStatus200(t *testing.T) {
	for _, code := range []int{http.StatusCreated, http.StatusPartialContent, http.StatusNotModified, http.StatusForbidden} {
		host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }))
		if _, err := newFetcher(loopback).fetch(patient(t), host.URL); err == nil {
			t.Errorf("status %d is accepted", code)
		}
		host.Close()
	}
}

func TestFullCacheDropsExpiredPhotosFirst(t *testing.T) {
	c := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	s := newSource(t, nil, c)
	put := func(n byte) { s.remember([32]byte{n}, []byte{n}, nil) }
	for n := range byte(64) {
		put(n)
		if n == 9 {
			c.Advance(30 * time.Second)
		}
	}
	if len(s.finished) != 64 {
		t.Fatalf("%d photos are cached", len(s.finished))
	}
	c.Advance(30 * time.Second) // the first ten photos have expired
	if _, ok := s.remembered([32]byte{9}); ok {
		t.Error("a photo is cached for longer than a minute")
	}
	put(64)
	if len(s.finished) != 55 {
		t.Errorf("%d photos are cached, want the 54 that have not expired and the new one", len(s.finished))
	}
	for n := range byte(30) {
		put(100 + n)
	}
	if o, ok := s.remembered([32]byte{129}); len(s.finished) != 64 || !ok || len(o.jpeg) != 1 {
		t.Errorf("%d photos are cached, the newest among them: %t", len(s.finished), ok)
	}
}

func TestPhotoIsLimitedToFiveMebibytes(t *testing.T) {
	for size, want := range map[int]bool{5 << 20: true, 5<<20 + 1: false} {
		host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, size)) }))
		data := "data:;base64," + base64.StdEncoding.EncodeToString(make([]byte, size))
		for _, address := range []string{host.URL, data} {
			if got, err := newFetcher(loopback).fetch(patient(t), address); (err == nil) != want || want && len(got) != size {
				t.Errorf("%.10s with %d bytes: got %d bytes, %v", address, size, len(got), err)
			}
		}
		host.Close()
	}
}
