package projection_test

import (
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/scope"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
)

const (
	appURL   = "https://vitae.example"
	email    = "sara@example.com"
	photo    = "https://elsewhere.example/sara.jpg"
	photoURL = "https://api.vitae.example/v1/photos/abc"
	phone    = "+971 50 123 4567"
	address  = "Villa 7, Al Wasl Road, Dubai"
	city     = "Dubai, United Arab Emirates"
	birthday = "1990-05-17"
	pdfURL   = "https://api.vitae.example/v1/cv-links/abc"
)

var (
	pages       = mustPages()
	text        = wrapperspb.String
	profileTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	cvTime      = time.Date(2025, 6, 7, 8, 9, 10, 0, time.UTC)
)

func mustPages() *projection.Pages {
	p, err := projection.NewPages(appURL + "/")
	if err != nil {
		panic(err)
	}
	return p
}

// situation is a combination of stored data and grants in the matrix.
type situation struct {
	contact, email, photo    bool   // granted
	cv                       string // the chosen CV, "" if it was deleted
	public, verified, stored bool
}

func (s situation) String() string {
	type fields situation // without this method
	return fmt.Sprintf("%+v", fields(s))
}

func everySituation(visit func(s situation)) {
	both := []bool{false, true}
	for _, contact := range both {
		for _, mail := range both {
			for _, photo := range both {
				for _, chosen := range []string{"", "master", "cv_other"} {
					for _, public := range both {
						for _, verified := range both {
							for _, stored := range both {
								visit(situation{contact, mail, photo, chosen, public, verified, stored})
							}
						}
					}
				}
			}
		}
	}
}

func (s situation) grant() projection.Grant {
	g := projection.Grant{Scopes: []string{scope.Profile, scope.CVRead}, SharePhoto: s.photo, PdfURL: pdfURL, PhotoURL: photoURL}
	if s.contact {
		g.Scopes = append(g.Scopes, scope.CVContact)
	}
	if s.email {
		g.Scopes = append(g.Scopes, scope.Email)
	}
	return g
}

func (s situation) source() projection.Source {
	source := projection.Source{
		Location: city,
		Person: profile.Person{
			ID: "usr_1", Name: "Sara", Username: "sara", Email: email, EmailVerified: s.verified,
			Public: s.public, HasMainCv: true, UpdatedAt: profileTime,
		},
	}
	if s.stored {
		source.Person.AvatarURL, source.Person.Phone, source.Person.Address = photo, phone, address
		source.Person.Details = &profile.Details{DateOfBirth: text(birthday)}
	}
	switch s.cv {
	case "master":
		source.Cv = &projection.Cv{ID: "master", Title: "Main CV", UpdatedAt: profileTime, Content: &cv.Content{Summary: "main", Location: city}}
	case "cv_other":
		source.Cv = &projection.Cv{ID: "cv_other", Title: "Other", UpdatedAt: cvTime, Content: &cv.Content{Summary: "other"}}
	}
	return source
}

// when returns s if all conditions are true, and "" otherwise.
func when(s string, conditions ...bool) string {
	for _, c := range conditions {
		if !c {
			return ""
		}
	}
	return s
}

func TestSharedCvShowsGrantedFields(t *testing.T) {
	everySituation(func(s situation) {
		got, ok := pages.ShareCv(s.source(), s.grant())
		if ok != (s.cv != "") {
			t.Fatalf("%s: shown %t", s, ok)
		}
		if !ok {
			return
		}
		wantLocation := city
		if s.contact && s.stored {
			wantLocation = address
		}
		for field, pair := range map[string][2]string{
			"id":                     {got.GetId(), s.cv},
			"pdf.url":                {got.Pdf.GetUrl(), pdfURL},
			"pdf.contentType":        {got.Pdf.GetContentType(), "application/pdf"},
			"publicProfileUrl":       {got.GetPublicProfileUrl().GetValue(), when(appURL+"/p/sara", s.public)},
			"document.publicCvUrl":   {got.Document.GetPublicCvUrl().GetValue(), when(appURL+"/p/sara/cv", s.public)},
			"document.location":      {got.Document.GetLocation().GetValue(), wantLocation},
			"document.avatarUrl":     {got.Document.GetAvatarUrl().GetValue(), when(photoURL, s.photo, s.stored)},
			"document.contactEmail":  {got.Document.GetContactEmail().GetValue(), when(email, s.email, s.verified)},
			"document.socials.phone": {got.Document.Socials["phone"], when(phone, s.contact, s.stored)},
			"personalDetails":        {got.PersonalDetails.GetDateOfBirth().GetValue(), when(birthday, s.contact, s.stored)},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s is %q, want %q", s, field, pair[0], pair[1])
			}
		}
		if want := s.contact && s.stored; (got.PersonalDetails != nil) != want {
			t.Errorf("%s: personalDetails present: %t", s, !want)
		}
		if _, has := got.Document.Socials["phone"]; has != (s.contact && s.stored) {
			t.Errorf("%s: socials.phone present: %t", s, has)
		}
	})
}

func TestUserShowsGrantedFields(t *testing.T) {
	everySituation(func(s situation) {
		got := pages.ShareUser(s.source(), s.grant())
		for field, pair := range map[string][2]string{
			"id":         {got.GetId(), "usr_1"},
			"avatarUrl":  {got.GetAvatarUrl().GetValue(), when(photoURL, s.photo, s.stored)},
			"profileUrl": {got.GetProfileUrl().GetValue(), when(appURL+"/p/sara", s.public)},
			"email":      {got.GetEmail(), when(email, s.email, s.verified)},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s is %q, want %q", s, field, pair[0], pair[1])
			}
		}
		if got := got.GetConnection().GetCv(); got.GetId() != s.cv {
			t.Errorf("%s: connection.cv is %v", s, got)
		}
	})
}

func TestNoCvIsShownWithoutCvScope(t *testing.T) {
	s := situation{cv: "master", stored: true, public: true}
	for _, scopes := range [][]string{nil, {"profile"}, {"profile", "email"}, {"profile", "cv:contact"}, {"CV:READ"}, {"cv:read "}} {
		g := projection.Grant{Scopes: scopes, SharePhoto: true}
		if got, ok := pages.ShareCv(s.source(), g); ok {
			t.Errorf("%q: shows %v", scopes, got)
		}
		if got := pages.ShareUser(s.source(), g); got.Connection != nil {
			t.Errorf("%q: names %v", scopes, got.Connection)
		}
	}
}

func TestEachCvHasItsOwnUpdatedAt(t *testing.T) {
	main, _ := pages.ShareCv(situation{cv: "master"}.source(), situation{}.grant())
	other, _ := pages.ShareCv(situation{cv: "cv_other"}.source(), situation{}.grant())
	if !main.IsMainCv || main.Title != "Main CV" || !main.UpdatedAt.AsTime().Equal(profileTime) || main.Document.GetSummary().GetValue() != "main" {
		t.Errorf("main: %+v", main)
	}
	if other.IsMainCv || other.Title != "Other" || !other.UpdatedAt.AsTime().Equal(cvTime) || other.Document.GetSummary().GetValue() != "other" {
		t.Errorf("other: %+v", other)
	}
	if main.Document.Name != other.Document.Name || main.Document.Username != other.Document.Username {
		t.Error("the two CVs have different owners")
	}
}

func TestPublicPageHidesContact(t *testing.T) {
	everySituation(func(s situation) {
		source := s.source()
		page, ok := pages.Publish(source)
		if ok != s.public {
			t.Fatalf("%s: page present: %t", s, ok)
		}
		if !ok {
			return
		}
		if page.User.GetId() != "" || page.User.Email != nil || page.User.Connection != nil || page.User.GetAvatarUrl().GetValue() != when(photo, s.stored) {
			t.Errorf("%s: user %+v", s, page.User)
		}
		if page.Cv == nil {
			if s.cv != "" {
				t.Errorf("%s: no CV", s)
			}
			return
		}
		d := page.Cv.Document
		if page.Cv.PersonalDetails != nil || page.Cv.Pdf != nil || d.ContactEmail != nil || d.Socials["phone"] != "" || d.GetLocation().GetValue() != city {
			t.Errorf("%s: CV %+v", s, page.Cv)
		}
	})
}

func TestPublicLinksNeedHandleAndMainCv(t *testing.T) {
	for name, tc := range map[string]struct {
		change       func(p *profile.Person)
		profile, cvs string
	}{
		"public":             {func(*profile.Person) {}, appURL + "/p/sara", appURL + "/p/sara/cv"},
		"private":            {func(p *profile.Person) { p.Public = false }, "", ""},
		"without a handle":   {func(p *profile.Person) { p.Username = "" }, "", ""},
		"without a main CV":  {func(p *profile.Person) { p.HasMainCv = false }, appURL + "/p/sara", ""},
		"neither of the two": {func(p *profile.Person) { p.Username, p.HasMainCv = "", false }, "", ""},
	} {
		source := situation{cv: "cv_other", public: true}.source()
		tc.change(&source.Person)
		got, _ := pages.ShareCv(source, situation{}.grant())
		if got.GetPublicProfileUrl().GetValue() != tc.profile || got.Document.GetPublicCvUrl().GetValue() != tc.cvs {
			t.Errorf("%s: %v and %v", name, got.PublicProfileUrl, got.Document.PublicCvUrl)
		}
	}
}
