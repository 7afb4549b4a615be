//go:build !nobrowser

package console

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// cut are the boxes of a page that show a part of what is in them.
const cut = `[...document.querySelectorAll(".scroll")].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute("aria-label") + " " + box.scrollWidth + " > " + box.clientWidth).join()`

// furnished has every table that an owner works with, with ids as long as real ones.
func furnished() *backend {
	back := newBackend()
	back.keys = []*authv1.ApiKey{{
		Id: "key_1", Name: "Applicant tracking", Hint: "n4bH", Scopes: []string{"companies:read", "companies:write", "jobs:read", "jobs:write", "candidates:read"},
		CreatedBy: "usr_1", CreatedAt: timestamppb.New(now), LastUsedAt: timestamppb.New(now), ExpiresAt: timestamppb.New(now.AddDate(0, 0, 1)),
	}}
	back.invitations = []*authv1.Invitation{{Id: "inv_1", Email: "somebody@vitae.example", Role: viewer, CreatedBy: "usr_1", ExpiresAt: timestamppb.New(now)}}
	back.app.Name = "Rasheed Talent FZ-LLC"
	back.logged = entriesOf(3)
	back.logged[0].ErrorCode, back.logged[0].Status = "API_KEY_INSUFFICIENT_SCOPE", 403
	back.logged[1].ErrorCode, back.logged[1].Status = "OAUTH_UNSUPPORTED_GRANT_TYPE", 400
	for i, e := range back.logged {
		e.RequestId, e.Route = fmt.Sprintf("req_01jd%022d", i), "/v1/companies/{companyId}/jobs"
	}
	return back
}

func TestNothingThatAnOwnerWorksWithIsOutOfSight(t *testing.T) {
	t.Parallel()
	back := furnished()
	c := startChromium(t, back)
	back.live["secret"] = member(owner, "dev_1")
	for _, path := range []string{"/", "/apps/app_1", "/apps/app_1/keys", "/team", "/requests"} {
		for _, width := range []int64{1280, 390, 320} {
			c.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(c.url+path))
			if wide := evaluate[int64](c, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("%s is %d pixels wide in a window of %d", path, wide, width)
			}
			if found := evaluate[string](c, cut); found != "" {
				t.Errorf("%s at %d pixels: %s", path, width, found)
			}
		}
	}
	c.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(c.url+"/requests"))
	if broken := evaluate[string](c, `[...document.querySelectorAll(".log .code code")].filter((code) => code.getClientRects().length > 1 || code.offsetWidth > code.parentElement.clientWidth).map((code) => code.textContent).join()`); broken != "" {
		t.Errorf("these codes do not fit on a line: %s", broken)
	}
	c.do(chromedp.EmulateViewport(390, 900), chromedp.Navigate(c.url+"/apps/app_1/keys"))
	if text := evaluate[string](c, `getComputedStyle(document.querySelector("[data-label='Last used']"), "::before").content`); !strings.Contains(text, "Last used") {
		t.Errorf("on a phone a value stands without its heading: %s", text)
	}
}

func TestBesideASecretStandsWhatTellsItFromTheOther(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	wantAll(t, body(t, b.get("/apps/app_1/secrets/sec_1/delete")), "sec_1 was created on 1 Mar 2026 at 12:00 UTC and never used.")
	if res := b.get("/apps/app_1/secrets/sec_9/delete"); res.StatusCode != 404 {
		t.Errorf("a secret that is none is asked about: %d", res.StatusCode)
	}
}

func TestTheOnlyOwnerIsNotOfferedWhatIsRefused(t *testing.T) {
	t.Parallel()
	b := signedIn(t, newBackend(), member(owner, "dev_1"))
	page := body(t, b.get("/team"))
	if strings.Contains(page, `action="/team/usr_1/`) || !strings.Contains(page, `action="/team/usr_2/role"`) || !strings.Contains(page, "Make someone else an owner first") {
		t.Error("the only owner may change their role or leave, or nobody else's role may be changed")
	}
	two := teamView{Members: []memberView{{Role: "owner"}, {Role: "viewer"}, {Role: "owner"}}}
	if two.markOnlyOwner(); slices.ContainsFunc(two.Members, func(m memberView) bool { return m.Only }) {
		t.Error("one of two owners is called the only one")
	}
}
