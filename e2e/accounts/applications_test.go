package accounts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// opens is the number of times that the employer's platform opens the application in the test.
const opens = 3

func TestPersonSeesReadsOfApplication(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		labels                         labels
		device                         browser.Options
		heading, total, none, fileName string
	}{
		"en-phone-no-script": {
			english, browser.Options{Width: 360, Height: 740, NoScript: true}, "Your applications", "Opened in full in the last year: %d",
			"Nobody has opened it in full in the last year.", "File sent:",
		},
		"ar-desktop": {
			arabic, browser.Options{}, "طلبات التوظيف", "مرات فتح الطلب كاملًا في السنة الماضية: %d", "لم يفتحه أحد كاملًا في السنة الماضية.", "الملف المرسل:",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := scene.NewPlatform(t, world.Applicants())
			d := newDevice(t, c.labels, c.device)
			d.Open(p.Stack.AppURLs[0] + "/sign-in?return=%2Fapplications")
			d.send(d.signIn, d.email, p.World.People[0].Email, d.password, world.Password)
			d.Find("heading", c.heading)
			d.until(c.none)
			d.until("Network engineer")
			d.checkPage("applications")

			id := p.Created.Applications["main"].ID
			for range opens - 1 {
				expect.Success(t, expect.Must(p.API.Candidate(t.Context(), id))(t))
			}
			// HEAD reveals whether the application exists, so it counts as a read.
			if a := expect.Must(p.API.Call(t.Context(), http.MethodHead, "/v1/candidates/"+id, nil))(t); a.Status != http.StatusOK {
				t.Errorf("HEAD: %s", a)
			}
			if a := expect.Must(p.Key(t, "rival-key").Candidate(t.Context(), id))(t); a.Status != http.StatusForbidden {
				t.Errorf("with the key of a different account: %s", a)
			}
			d.Until("the page shows all reads", func() bool {
				d.Reload()
				return strings.Contains(isolated(d.Text()), fmt.Sprintf(c.total, opens))
			})
			d.checkPage("applications, after the reads")
			if got := logged(t, p, id); got != opens {
				t.Errorf("the partner's log has %d reads, want %d as on the page", got, opens)
			}

			other := newDevice(t, c.labels, c.device)
			other.Open(p.Stack.AppURLs[0] + "/sign-in?return=%2Fapplications")
			other.send(other.signIn, other.email, p.World.People[2].Email, other.password, p.World.People[2].Password)
			other.until(c.fileName)
			other.until(c.none)
		})
	}
}

// isolated removes the bidirectional isolates that the page puts around values.
func isolated(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '\u2066' && r <= '\u2069' {
			return -1
		}
		return r
	}, text)
}

// logged waits until the partner's request log has all successful reads of an application, and returns
// their number.
func logged(t *testing.T, p scene.Platform, application string) (n int) {
	t.Helper()
	expect.Eventually(t, "all reads are in the log", func(context.Context) error {
		result := p.Exits(t, 0, "requests", p.Created.Developers["platform"].ID, "--resource", application, "--status", "200", "-o", "json")
		var entries []struct{}
		if err := json.Unmarshal([]byte(result.Stdout), &entries); err != nil {
			return err
		}
		if n = len(entries); n < opens {
			return fmt.Errorf("%d of %d", n, opens)
		}
		return nil
	})
	return n
}
