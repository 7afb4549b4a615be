package signin_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/testkit/ports"
)

// partnerSite runs the example partner site for an app of the scene, and returns the site's URL.
func partnerSite(t testing.TB, s *scene.Scene, app string) string {
	t.Helper()
	created := s.Created.Apps[app]
	addr := expect.Must(ports.FreeAddress())(t)
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
	expect.Eventually(t, "the partner site responds", func(ctx context.Context) error {
		_, err := partner.Get(ctx, "http://"+addr, "")
		return err
	})
	return "http://" + addr
}

// partnerScene returns a scene whose app "web" is the example partner site.
func partnerScene(t testing.TB) *scene.Scene {
	t.Helper()
	dev := world.OneDeveloper()
	// A loopback redirect URI registered without a port matches any port (RFC 8252 §7.3).
	dev.Apps[0].RedirectURIs = []string{"http://127.0.0.1/callback"}
	w := world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{dev}}
	return scene.Of(t, suite.System, w)
}
