package signin_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// partnerSite runs the example partner site for an app of the scene, and returns its
// address.
func partnerSite(t testing.TB, s *scene.Scene, app string) string {
	t.Helper()
	created := s.Created.Apps[app]
	addr := expect.Must(stack.FreeAddress())(t)
	cmd := exec.Command(suite.Programs.Path("partner-app"))
	cmd.Env = append(os.Environ(), "PARTNER_ADDR="+addr, "PARTNER_URL=http://"+addr, "VITAE_BASE_URL="+s.Stack.BaseURLs[0],
		"CLIENT_ID="+created.ClientID, "CLIENT_SECRET="+created.ClientSecret)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		if err := cmd.Wait(); err != nil {
			t.Errorf("partner site: %v", err)
		}
		if t.Failed() {
			t.Logf("the partner site's log:\n%s", log.String())
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := stack.Until(ctx, "wait for the partner site", func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr, nil)
		if err != nil {
			return err
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		return res.Body.Close()
	}); err != nil {
		t.Fatal(err)
	}
	return "http://" + addr
}

// partnerScene is a scene whose app "web" is the example partner site.
func partnerScene(t testing.TB) *scene.Scene {
	t.Helper()
	dev := world.OneDeveloper()
	// A loopback address that is registered without a port matches any port
	// (RFC 8252 §7.3).
	dev.Apps[0].RedirectURIs = []string{"http://127.0.0.1/callback"}
	w := world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{dev}}
	return scene.Of(t, suite.System, w)
}
