package account_test

import (
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/audit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestActivityIsDescribedInWords(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	for _, a := range append([]audit.Action{"thing.of_a_newer_release"}, audit.Actions...) {
		if a.ForOwner() || !a.Known() {
			v.Backend.Events = append(v.Backend.Events, &authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(a)})
		}
	}
	v.Backend.Events = append(v.Backend.Events, &authv1.OwnEvent{
		At: timestamppb.New(pagestest.Now), Action: string(audit.SignIn), Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED,
		Browser: &authv1.Browser{Name: "Firefox", System: "Linux"}, Repeated: 7, Country: "AE",
	}, &authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.ConnectionDisconnect), AppName: "Acme Jobs", ByOperator: true},
		&authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.SignIn), Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED, Repeated: 1})
	changed := map[string]string{audit.Sharing: "on", audit.ShareEmail: "off", audit.Paused: "on", audit.EndsAt: "2026-05-01T00:00:00Z"}
	v.Backend.Events = append(v.Backend.Events,
		&authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.ConnectionUpdate), AppName: "Acme Jobs", Details: changed},
		&authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.ConnectionUpdate), Details: map[string]string{audit.Sharing: "off"}},
		&authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.ConnectionUpdate), Details: map[string]string{audit.EndsAt: audit.Never, audit.Sharing: "of a newer release"}},
		&authv1.OwnEvent{At: timestamppb.New(pagestest.Now), Action: string(audit.ConsentGrant), AppName: "Acme Jobs", Details: map[string]string{audit.Kept: "yes"}})
	v.Backend.Older = "next page"
	for lang, wants := range map[string][]string{
		"en": {"Something else", "Sign-in (refused)", "Firefox on Linux Country: United Arab Emirates. And 7 times more.", "And once more.", "App disconnected: Acme Jobs", "By a Vitae operator.", "9 March 2026, 10:00 UTC.",
			"App access changed: Acme Jobs Email address no longer shared Paused Access ends on 1 May 2026 at 00:00 UTC", "App access changed CV no longer shared",
			"Access no longer ends by itself", "Continued to an app, with access unchanged: Acme Jobs"},
		"ar": {"أمر آخر", "تسجيل دخول (مرفوض)", "البلد: الإمارات العربية المتحدة .", "وتكرر ذلك بعدها 7 مرات", "وتكرر ذلك بعدها مرة واحدة", "فصل تطبيق: Acme Jobs", "من القائمين على هذا الموقع.", "إيقاف مشاركة البريد الإلكتروني"},
	} {
		v.Lang = lang
		a := v.Get("/account/activity?after=here")
		if a.StatusCode != http.StatusOK || a.ByHref("/account/activity?after=next+page") == nil {
			t.Fatalf("%s: status %d: %s", lang, a.StatusCode, a.Text())
		}
		for _, want := range wants {
			if !strings.Contains(a.Text(), want) {
				t.Errorf("%s: %q is missing: %s", lang, want, a.Text())
			}
		}
	}
	if got := v.Backend.Asked; len(got) != 2 || got[0] != "here" {
		t.Errorf("requested the pages after %v", got)
	}
}
