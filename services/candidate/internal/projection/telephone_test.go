package projection_test

import (
	"maps"
	"slices"
	"testing"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/projection"
)

// telling maps descriptions to links that reveal a phone number, and plain to links that do not.
var (
	telling = map[string]string{
		"Telegram":                   "https://t.me/+971501234567",
		"Telegram, percent-encoded":  "https://t.me/%2B971501234567",
		"Telegram, another host":     "https://telegram.me/+971 50 123 4567",
		"Telegram, Arabic digits":    "https://t.me/+٩٧١٥٠١٢٣٤٥٦٧",
		"Zalo":                       "https://zalo.me/971501234567",
		"Zalo, at home":              "https://chat.zalo.me/?phone=0912345",
		"Zalo, a short number":       "https://zalo.me/912345",
		"WhatsApp":                   "https://wa.me/971501234567",
		"WhatsApp, a short name":     "https://wa.link/sara",
		"WhatsApp, in a parameter":   "https://api.WhatsApp.com/send?phone=971&text=hi",
		"Signal":                     "https://signal.me/#p/+971501234567",
		"Viber":                      "https://chats.viber.com/971501234567",
		"LINE":                       "https://line.me/ti/p/0912345678",
		"Truecaller":                 "https://www.truecaller.com/search/ae/501234567",
		"a host with a dot":          "https://wa.me./971501234567",
		"any host, with a plus":      "https://chat.example/u/+971-50-123-4567/hello",
		"any host, in a sentence":    "https://chat.example/call-me-on-(+971)501234567",
		"any host, full width":       "https://chat.example/＋９７１５０１２３４５６７",
		"any host, in the fragment":  "https://chat.example/app#/to/+971501234567",
		"any host, a parameter":      "https://chat.example/?to=%2B971501234567",
		"a parameter called phone":   "https://chat.example/?userPhone=50123",
		"a parameter called tel":     "https://chat.example/?tel=050-123",
		"a call in another address":  "https://go.example/?url=tel:50123",
		"a message in another one":   "https://go.example/#sms:050123",
		"the number of the profile":  "https://chat.example/u0501234567x",
		"the same, with separators":  "https://chat.example/050-123-4567-sara",
		"the same, of a member host": "https://facebook.com/971501234567",
	}
	bare = map[string]string{
		"with its country":      "https://chat.example/971551112222",
		"with its area":         "https://chat.example/u/055-111-2222",
		"as a query":            "https://chat.example/?971551112222",
		"as the name of a host": "https://971551112222.chat.example/",
	}
	plain = map[string]string{
		"LinkedIn":                 "https://www.linkedin.com/in/sara-haddad-12345678/",
		"GitHub":                   "https://github.com/sara1990",
		"Stack Overflow":           "https://stackoverflow.com/users/22656789/sara",
		"Facebook":                 "https://www.facebook.com/profile.php?id=100004567890123",
		"ORCID":                    "https://orcid.org/0000-0002-1825-0097",
		"Scopus":                   "https://www.scopus.com/authid/detail.uri?authorId=57190000000",
		"a post":                   "https://x.com/sara/status/1745678909876543210",
		"Telegram, a name":         "https://t.me/sara1990",
		"Telegram, an invitation":  "https://t.me/+9715Ab0765432cd",
		"a host like a messenger":  "https://notwa.me/x",
		"a language":               "https://blog.example/c++11-20201231",
		"an address of a machine":  "http://192.168.100.200/",
		"a date":                   "https://blog.example/2024-05-17/launch",
		"a version":                "https://blog.example/?v=1.2.3",
		"broken percent-encoding?": "https://blog.example/?q=100%",
	}
)

func shownSocials(t *testing.T, links map[string]string, contact bool) []string {
	t.Helper()
	source := situation{cv: "cv_other", stored: true}.source()
	source.Cv.Content.Socials = links
	got, _ := pages.ShareCv(source, situation{contact: contact}.grant())
	shown := maps.Clone(got.Document.Socials)
	delete(shown, "phone")
	return slices.Sorted(maps.Keys(shown))
}

func TestNumberInLinkIsAsPrivateAsPhone(t *testing.T) {
	for _, links := range []map[string]string{telling, bare} {
		if got := shownSocials(t, links, false); len(got) != 0 {
			t.Errorf("shown without permission: %q", got)
		}
		if got, want := shownSocials(t, links, true), slices.Sorted(maps.Keys(links)); !slices.Equal(got, want) {
			t.Errorf("with permission: %q, want %q", got, want)
		}
	}
	if got, want := shownSocials(t, plain, false), slices.Sorted(maps.Keys(plain)); !slices.Equal(got, want) {
		t.Errorf("links without a number: %q are shown, want %q", got, want)
	}
}

func TestNumberInEntryLinkIsOmitted(t *testing.T) {
	source := situation{cv: "cv_other", stored: true}.source()
	for _, links := range []map[string]string{telling, bare, plain} {
		for _, name := range slices.Sorted(maps.Keys(links)) {
			link := links[name]
			source.Cv.Content.Projects = append(source.Cv.Content.Projects, &cv.Project{Title: name, Link: text(link), Image: text(link)})
			source.Cv.Content.Certifications = append(source.Cv.Content.Certifications, &cv.Certification{Name: name, CredentialUrl: text(link)})
		}
	}
	var stored []string
	for _, p := range source.Cv.Content.Projects {
		stored = append(stored, p.GetLink().GetValue())
	}
	check := func(contact bool) {
		t.Helper()
		got, _ := pages.ShareCv(source, situation{contact: contact}.grant())
		for i, p := range got.Document.Projects {
			_, tells := telling[p.Title]
			c := got.Document.Certifications[i]
			want := stored[i]
			if tells && !contact {
				want = ""
			}
			if p.GetLink().GetValue() != want || p.GetImage().GetValue() != want || c.GetCredentialUrl().GetValue() != want {
				t.Errorf("contact %t, %s: %v, %v and %v, want %q", contact, p.Title, p.Link, p.Image, c.CredentialUrl, want)
			}
		}
	}
	check(false)
	check(true)
	if !slices.EqualFunc(stored, source.Cv.Content.Projects, func(a string, b *cv.Project) bool { return a == b.GetLink().GetValue() }) {
		t.Error("the stored links were changed")
	}
}

// Employers see the entries, but have no permission to see phone numbers.
func TestEmployersSeeNoPhoneLinks(t *testing.T) {
	content := &cv.Content{Projects: []*cv.Project{{Title: "P", Link: text(telling["Telegram"])}, {Title: "Q", Link: text(plain["GitHub"])}}}
	got := projection.ShowProfile(content).Projects
	if got[0].Link != nil || got[1].Link == nil {
		t.Errorf("shown: %+v", got)
	}
}

// (behaviour: sharing#texts-are-not-filtered).
func TestTextsAreShownAsWritten(t *testing.T) {
	for _, written := range []string{
		"Call me: " + phone, "٠٥٠١٢٣٤٥٦٧", "sara@example.com", address, "2019-2023, licence 0501234567, AED 1 250 000",
	} {
		source := situation{cv: "cv_other", stored: true}.source()
		source.Cv.Content.Summary = written
		source.Cv.Content.Experiences = []*cv.Experience{{Title: "Engineer", Bullets: []string{written}}}
		shown, _ := pages.ShareCv(source, situation{}.grant())
		if shown.Document.GetSummary().GetValue() != written || shown.Document.Experiences[0].Bullets[0] != written {
			t.Errorf("%q: %v", written, shown.Document)
		}
	}
}
