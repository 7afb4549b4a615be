package projection_test

import (
	"maps"
	"slices"
	"testing"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

func TestPhoneLinkIsAsPrivateAsPhoneNumber(t *testing.T) {
	links := map[string]string{
		"phone": "+1 555", "linkedin": "https://linkedin.com/in/sara", "PHONE ": "+2 555", "Mobile": "https://x.example/3",
		"whatsapp": "https://example.com/971501234567", "chat": "https://wa.me/971501234567",
		"chat2": "https://api.WhatsApp.com/send?phone=971", "call": "tel:+971501234567", "bare": "+971501234567",
		"blank": " ", "notwa": "https://notwa.me/x",
	}
	source := situation{cv: "cv_other"}.source()
	source.Cv.Content.Socials = links
	before := maps.Clone(links)

	without, _ := pages.ShareCv(source, situation{}.grant())
	want := []string{"linkedin", "notwa"}
	if got := slices.Sorted(maps.Keys(without.Document.Socials)); !slices.Equal(got, want) {
		t.Errorf("without permission: %q, want %q", got, want)
	}
	with, _ := pages.ShareCv(source, situation{contact: true}.grant())
	want = []string{"Mobile", "bare", "call", "chat", "chat2", "linkedin", "notwa", "phone", "whatsapp"}
	if got := slices.Sorted(maps.Keys(with.Document.Socials)); !slices.Equal(got, want) {
		t.Errorf("with permission: %q, want %q", got, want)
	}
	source.Person.Phone = phone
	with, _ = pages.ShareCv(source, situation{contact: true}.grant())
	if got := with.Document.Socials["phone"]; got != phone {
		t.Errorf("phone %q, want the profile's", got)
	}
	if !maps.Equal(links, before) {
		t.Error("the stored links were changed")
	}
}

func TestLocationOfCvPrecedesProfile(t *testing.T) {
	for _, tc := range []struct{ own, profile, address, want string }{
		{"Abu Dhabi", "Dubai", "", "Abu Dhabi"},
		{"", "Dubai", "", "Dubai"},
		{" ", "Dubai", " ", "Dubai"},
		{" ", " ", "", ""},
		{"Abu Dhabi", "Dubai", "Villa 7", "Villa 7"},
	} {
		source := situation{cv: "cv_other"}.source()
		source.Location, source.Cv.Content.Location, source.Person.Address = tc.profile, tc.own, tc.address
		if got, _ := pages.ShareCv(source, situation{contact: true}.grant()); got.Document.GetLocation().GetValue() != tc.want {
			t.Errorf("%+v: got %v", tc, got.Document.Location)
		}
	}
}

func TestBlankTextIsNull(t *testing.T) {
	source := situation{cv: "master"}.source()
	source.Location = " "
	source.Person.Headline, source.Person.Locale, source.Person.AvatarURL = " ", "\t", " "
	source.Person.Details = &profile.Details{Gender: text(" "), Nationality: text("\n")}
	source.Person.Phone, source.Person.Address = " ", " "
	source.Cv.Content = &cv.Content{
		Summary: " ", Bio: "\n", Location: " ", Languages: []string{"Arabic", " "},
		SkillGroups: []*cv.SkillGroup{{Category: "c", Items: []string{"", "Go"}}},
		Experiences: []*cv.Experience{{Bullets: []string{" ", "did"}}},
		Projects:    []*cv.Project{{Technologies: []string{" "}}},
	}
	got, _ := pages.ShareCv(source, situation{contact: true, photo: true}.grant())
	d := got.Document
	for name, s := range map[string]*wrapperspb.StringValue{"title": d.Title, "summary": d.Summary, "bio": d.Bio, "location": d.Location, "avatarUrl": d.AvatarUrl} {
		if s != nil {
			t.Errorf("%s is %v", name, s)
		}
	}
	if _, has := d.Socials["phone"]; has || got.PersonalDetails != nil {
		t.Error("blank contact details are shown")
	}
	if len(d.Languages) != 1 || len(d.SkillGroups[0].Items) != 1 || len(d.Experiences[0].Bullets) != 1 || len(d.Projects[0].Technologies) != 0 {
		t.Errorf("lists: %v", d)
	}
	user := pages.ShareUser(source, situation{photo: true}.grant())
	if user.Headline != nil || user.Locale != nil || user.AvatarUrl != nil {
		t.Errorf("user %+v", user)
	}
}

func TestDocumentIsOrderedAndFlattened(t *testing.T) {
	source := situation{cv: "cv_other"}.source()
	source.Cv.Content = &cv.Content{
		Skills:      []string{"Go"},
		SkillGroups: []*cv.SkillGroup{{Category: "Data", Items: []string{"SQL", "Go"}}},
		Experiences: []*cv.Experience{{Id: "old", EndDate: text("2019")}, {Id: "now", EndDate: text("2020"), Current: true}},
		Educations:  []*cv.Education{{Id: "school", EndDate: text("2008")}, {Id: "university", EndDate: text("2012")}},
	}
	got, _ := pages.ShareCv(source, situation{}.grant())
	d := got.Document
	if !slices.Equal(d.Skills, []string{"Go", "SQL"}) {
		t.Errorf("skills %q", d.Skills)
	}
	if d.Experiences[0].GetId() != "now" || d.Experiences[0].EndDate != nil || d.Experiences[1].GetEndDate().GetValue() != "2019" {
		t.Errorf("experiences %+v", d.Experiences)
	}
	if d.Educations[0].GetId() != "university" {
		t.Errorf("educations %+v", d.Educations)
	}
	if source.Cv.Content.Experiences[1].GetEndDate().GetValue() != "2020" {
		t.Error("the stored content was changed")
	}
}

func TestLanguageIgnoresGrant(t *testing.T) {
	const arabic = "مهندسة برمجيات أعمل في دبي منذ عشر سنوات وأقود فريقا كبيرا"
	source := situation{cv: "cv_other", stored: true}.source()
	source.Person.Name = "Sara"
	source.Cv.Content = &cv.Content{Summary: arabic}
	source.Person.Address = "A very long address in Latin letters that would tip the balance of this small CV"
	everySituation(func(s situation) {
		got, _ := pages.ShareCv(source, s.grant())
		if got.Language != cv.Arabic {
			t.Errorf("%s: %s", s, got.Language)
		}
	})
	source.Cv.Content.Summary = "An engineer"
	source.Cv.Content.About = arabic // not shown
	if got, _ := pages.ShareCv(source, situation{}.grant()); got.Language != cv.English {
		t.Errorf("text that is not shown affects the language: %s", got.Language)
	}
}
