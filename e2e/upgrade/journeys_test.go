//go:build upgrade

package upgrade_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/stack"
)

// journeyTimeout limits how long the tests of one tree may take on a loaded machine.
const journeyTimeout = 40 * time.Minute

// journeys lists the end-to-end test packages that can use a running system: sign-in and consent,
// tokens and their revocation, what is shared, the partner API, the console.
var journeys = []string{"./e2e/signin", "./e2e/tokens", "./e2e/sharing", "./e2e/partnerapi", "./e2e/console"}

// journey runs the end-to-end tests of a tree against the given deployment, because each release must keep its
// own promises.
func journey(t *testing.T, tree string, on *deployment) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), journeyTimeout)
	defer cancel()
	chosen := os.Getenv("UPGRADE_TESTS")
	switch chosen {
	case "none": // only the load
		return
	case "":
		chosen = "."
	}
	// Packages run sequentially, because they share a system with few replicas.
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-count=1", "-p=1", "-timeout=30m", "-run=" + chosen}, journeys...)...)
	cmd.Dir = tree
	cmd.Env = append(stack.Environ(), "E2E_BIN="+on.programs.Dir, "E2E_DATA_DIR="+on.dir,
		"E2E_BASE_URL="+strings.Join(on.BaseURLs, ","), "E2E_APP_URL="+strings.Join(on.AppURLs, ","),
		"E2E_LEGACY_URL="+strings.Join(on.LegacyURLs, ","), "E2E_CONSOLE_URL="+strings.Join(on.ConsoleURLs, ","))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("the tests of %s against the %s services: %v\n%s", tree, on.name, err, out)
	}
	if ran := strings.Count(string(out), "\nok ") + strings.Count(string(out), "ok  \tvitae.internal"); err == nil && (ran == 0 || strings.Contains(string(out), "[no tests to run]") && chosen == ".") {
		t.Errorf("no test ran:\n%s", out)
	}
	t.Logf("%s: %s", on.name, out)
}
