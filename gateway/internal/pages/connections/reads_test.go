package connections_test

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func readOn(daysAgo int, kind authv1.ReadKind, n int64) *authv1.ReadDay {
	at := pagestest.Now.AddDate(0, 0, -daysAgo)
	return &authv1.ReadDay{Day: at.Format(time.DateOnly), Kind: kind, Reads: n, LastAt: timestamppb.New(at)}
}

func TestReadsAreListedByDay(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	if page := v.Get("/connections/con_1/reads"); !strings.Contains(page.Text(), "Acme Jobs has read nothing in the last year.") {
		t.Errorf("page is %s", page.Text())
	}
	v.Backend.Reads = []*authv1.ReadDay{
		readOn(0, authv1.ReadKind_READ_KIND_IDENTITY, 7), readOn(0, authv1.ReadKind_READ_KIND_LINK, 2),
		readOn(3, authv1.ReadKind_READ_KIND_CV, 1), readOn(200, authv1.ReadKind_READ_KIND_PDF, 4), readOn(365, authv1.ReadKind_READ_KIND_PHOTO, 1),
	}
	page := v.Get("/connections/con_1/reads")
	for _, want := range []string{
		"What Acme Jobs has read", "Read by Acme Jobs: 12", "by anyone with the address: 3",
		"9 March 2026 Your basic details: 7 times, last at 10:00 The link to your CV, by anyone who has it: 2 times, last at 10:00",
		"6 March 2026 Your CV as data: once, last at 10:00", "Your CV as a PDF: 4 times", "Your photo, by anyone who has its address: once, last at 10:00", "The highest has 10 reads.",
	} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("%q is missing: %s", want, page.Text())
		}
	}
	if n := strings.Count(page.Body, `<rect class="own"`) + strings.Count(page.Body, `<rect class="opened"`); n != 4 || !strings.Contains(page.Body, `role="img" aria-labelledby="reads-plot-title"`) {
		t.Errorf("%d column segments, want one for each week and kind", n)
	}
	if !strings.Contains(v.Get("/connections").Body, `href="/connections/con_1/reads"`) {
		t.Error("no page links to the reads")
	}
	v.Follow(v.Get("/connections/con_gone/reads"), "/connections").Reports(t, "That app is no longer connected.")
}

func TestReadsNameCountries(t *testing.T) {
	t.Parallel()
	from := func(r *authv1.ReadDay, codes ...string) *authv1.ReadDay {
		for i, code := range codes {
			r.From = append(r.From, &authv1.ReadsFromCountry{Country: code, Reads: int64(len(codes) - i)})
		}
		return r
	}
	for lang, want := range map[string][]string{
		"en": {
			"Read by Acme Jobs: 6 From: Germany (4), Saudi Arabia (1), an unknown country (1)", "by anyone with the address: 3 From: Saudi Arabia (2), United Arab Emirates (1)",
			"Your basic details: 3 times, last at 10:00 From: Germany (2), Saudi Arabia (1)", "Your CV as data: 3 times, last at 10:00 From: Germany (2), an unknown country (1)",
			"The list below shows every day. From: Germany (4), Saudi Arabia (3), United Arab Emirates (1), an unknown country (1).",
			"that’s where its servers are.",
		},
		"ar": {
			"قراءات Acme Jobs : 6 من: ألمانيا ( 4 )، المملكة العربية السعودية ( 1 )، بلد غير معروف ( 1 )",
			"من: المملكة العربية السعودية ( 2 )، الإمارات العربية المتحدة ( 1 )",
			"من: ألمانيا (4)، المملكة العربية السعودية (3)، الإمارات العربية المتحدة (1)، بلد غير معروف (1).",
		},
	} {
		v := pagestest.Visit(t)
		v.Lang = lang
		v.SignIn()
		v.Backend.Reads = []*authv1.ReadDay{
			from(readOn(0, authv1.ReadKind_READ_KIND_IDENTITY, 3), "DE", "SA"), from(readOn(0, authv1.ReadKind_READ_KIND_LINK, 3), "SA", "AE"),
			from(readOn(3, authv1.ReadKind_READ_KIND_CV, 3), "DE", ""),
		}
		page := v.Get("/connections/con_1/reads")
		for _, want := range want {
			if !strings.Contains(page.Text(), want) {
				t.Errorf("%q is missing: %s", want, page.Text())
			}
		}
	}
	v := pagestest.SignedIn(t)
	v.Backend.Reads = []*authv1.ReadDay{readOn(0, authv1.ReadKind_READ_KIND_IDENTITY, 3)}
	if page := v.Get("/connections/con_1/reads"); strings.Contains(page.Text(), "From:") || strings.Contains(page.Text(), "country") {
		t.Errorf("page without countries: %s", page.Text())
	}
}
