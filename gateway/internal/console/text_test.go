package console

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// strictParts is a connection to parts that know nothing but a live session, and note the
// methods that were sent what no message can hold.
func strictParts(t *testing.T) (conn *grpc.ClientConn, broken *sync.Map) {
	t.Helper()
	broken = new(sync.Map)
	conn, err := grpc.NewClient("passthrough:parts", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(func(_ context.Context, method string, req, reply any, _ *grpc.ClientConn, _ grpc.UnaryInvoker, _ ...grpc.CallOption) error {
			if _, err := proto.Marshal(req.(proto.Message)); err != nil {
				broken.Store(method, true)
				return err
			}
			switch {
			case method == authv1.ConsoleService_GetConsoleSession_FullMethodName:
				proto.Merge(reply.(proto.Message), member(owner, "dev_1"))
			case strings.Contains(method, "/Get"):
				return errs.New(errs.NotFound, "NOT_FOUND", "There is none.")
			}
			return nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
	return conn, broken
}

// Of forms the page kit says the same (web.ErrMalformed).
func TestAnAddressThatIsNoTextIsNoFaultOfOurs(t *testing.T) {
	t.Parallel()
	conn, broken := strictParts(t)
	c, err := New(Config{
		Auth: conn, Candidate: conn, BaseURL: baseURL, AppURL: appURL, URL: consoleURL, CookieKeys: testkit.Ring("cookie", "a"),
		Security: http.NotFoundHandler(), Page: func(*http.Request) error { return nil }, Limits: newBackend(),
		Log: slog.New(slog.DiscardHandler), Clock: clock.NewFake(now), PlatformOn: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	door, err := c.Door()
	if err != nil {
		t.Fatal(err)
	}
	query := "?app=%ff&key=%ed%a0%80&action=%ff&page=%c0%af&route=%ff&since=%ff&return=%ff"
	parameter := regexp.MustCompile(`\{[a-z]+\}`)
	for _, route := range c.routes() {
		if route.Get == nil || route.Path == "/{$}" {
			continue
		}
		if path := parameter.ReplaceAllString(route.Path, "%ff"); path != route.Path {
			if status := status(door.Handler, path); status != http.StatusNotFound {
				t.Errorf("%s: %d", path, status)
			}
		}
		if path := parameter.ReplaceAllString(route.Path, "x") + query; status(door.Handler, path) >= http.StatusInternalServerError {
			t.Errorf("%s is a fault of ours", path)
		}
	}
	broken.Range(func(method, _ any) bool { t.Errorf("%v was sent what cannot be sent", method); return true })
}

// status is how somebody with a session is answered.
func status(site http.Handler, path string) int {
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
	r.AddCookie(&http.Cookie{Name: sessionName, Value: "session"})
	site.ServeHTTP(w, r)
	return w.Code
}
