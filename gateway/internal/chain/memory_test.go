package chain

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
)

func TestMemoryIsLimitedInTotalAndPerIP(t *testing.T) {
	t.Parallel()
	m := newMemory(1000)
	ask := func(client string) *Exchange { return &Exchange{ClientIP: client, memory: m, listener: "test"} }
	first, second := ask("2001:db8:1:2::1"), ask("2001:db8:1:2:ffff::2") // the same /64
	other, third := ask("192.0.2.2"), ask("192.0.2.3")
	for i, c := range []struct {
		of   *Exchange
		n    int64
		want bool
	}{
		{first, 300, true}, {first, 201, false}, {second, 200, true}, {second, 1, false},
		{other, 500, true}, {third, 1, false},
	} {
		err := c.of.Hold(c.n)
		if (err == nil) != c.want || err != nil && !errs.HasCode(err, answer.CodeUnavailable) {
			t.Errorf("%d: %v", i, err)
		}
	}
	first.release()
	first.release()
	if err := third.Hold(300); err != nil {
		t.Errorf("after a response: %v", err)
	}
	if err := third.Hold(1); err == nil {
		t.Error("memory that is released twice is counted twice")
	}
	for _, e := range []*Exchange{second, other, third} {
		e.release()
	}
	if m.held != 0 || len(m.of) != 0 {
		t.Errorf("%d bytes held, by client %v", m.held, m.of)
	}
	if err := (*Exchange)(nil).Hold(1 << 40); err != nil {
		t.Errorf("without the chain: %v", err)
	}
}

// The handler blocks, as it would if the client sent its body slowly.
func TestConcurrentBodiesShareMemory(t *testing.T) {
	t.Parallel()
	const small = 100
	m := newMemory(2 * bodyWeight * (MaxBody + small))
	var inside func()
	h := behind(t, io.Discard, func(w http.ResponseWriter, r *http.Request) {
		if _, err := ReadJSON(r); err != nil {
			Fail(w, r, err)
			return
		}
		if inside != nil {
			then := inside
			inside = nil
			then()
		}
	}, m)
	post := func(from string, size int) int {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat(" ", size)))
		r.RemoteAddr = from + ":1234"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	got := map[string]int{}
	inside = func() {
		got["the same address"] = post("192.0.2.1", MaxBody)
		got["the same address, small body"] = post("192.0.2.1", small)
		got["the same address, larger body"] = post("192.0.2.1", small+1)
		got["a different address"] = post("192.0.2.2", MaxBody)
	}
	got["first request"] = post("192.0.2.1", MaxBody)
	got["later request"] = post("192.0.2.1", MaxBody)
	for name, want := range map[string]int{
		"first request": 200, "the same address": 503, "the same address, small body": 200, "the same address, larger body": 503, "a different address": 200, "later request": 200,
	} {
		if got[name] != want {
			t.Errorf("%s: %d, want %d", name, got[name], want)
		}
	}
	if m.held != 0 {
		t.Errorf("%d bytes still held", m.held)
	}
}
