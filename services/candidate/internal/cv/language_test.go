package cv_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/internal/cv"
)

var text = wrapperspb.String

func TestLanguageIsArabicIfMostLettersAre(t *testing.T) {
	for name, tc := range map[string]struct {
		text, want string
	}{
		"English":                     {"Software engineer in Dubai", "en"},
		"Arabic":                      {"مهندسة برمجيات في دبي", "ar"},
		"Arabic with vowel marks":     {"مُهَنْدِسَةُ بَرْمَجِيَّات", "ar"},
		"Arabic presentation forms":   {"ﻣﻬﻨﺪﺳﺔ", "ar"},
		"mixed, mostly Arabic":        {"مهندسة برمجيات تعمل على Kubernetes و Go", "ar"},
		"mixed, mostly English":       {"Senior engineer, native speaker of العربية", "en"},
		"as many of each":             {"ab اب", "en"},
		"one Arabic letter more":      {"ab ابت", "ar"},
		"Arabic digits are no letter": {"٢٠٢٤ ٢٠٢٥ ab", "en"},
		"digits only":                 {"2024 – 2025", "en"},
		"another script":              {"Инженер 工程师", "en"},
		"Arabic among other scripts":  {"مهندسة 工程", "ar"},
		"signs":                       {"!?… 🙂", "en"},
		"empty":                       {"", "en"},
		"broken UTF-8":                {"\xff\xfe", "en"},
	} {
		var letters cv.Letters
		letters.Add(tc.text)
		if got := letters.Language(); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}

func TestLanguageIgnoresLinksDatesAndCodes(t *testing.T) {
	document := &cvv1.CvDocument{
		Socials: map[string]string{"linkedin": "https://linkedin.com/in/a-very-long-latin-address"},
		Experiences: []*cv.Experience{{
			Id: "averylonglatinidentifier", Title: "مهندسة", Company: "شركة",
			EmploymentType: text("full_time_and_more"), LocationType: text("hybrid_or_remote"),
		}},
		Certifications: []*cv.Certification{{Name: "شهادة", Issuer: "جامعة", CredentialUrl: text("https://example.com/averylonglatinaddress")}},
		Projects:       []*cv.Project{{Title: "مشروع", Link: text("https://example.com/averylonglatinaddress")}},
	}
	var letters cv.Letters
	letters.AddDocument(document)
	if got := letters.Language(); got != cv.Arabic {
		t.Errorf("got %s, want ar", got)
	}
}

func TestEverySectionCountsForLanguage(t *testing.T) {
	const arabic = "كلمات عربية كثيرة"
	for name, document := range map[string]*cvv1.CvDocument{
		"summary":       {Summary: text(arabic)},
		"bio":           {Bio: text(arabic)},
		"location":      {Location: text(arabic)},
		"skill":         {Skills: []string{arabic}},
		"skill group":   {SkillGroups: []*cv.SkillGroup{{Category: arabic}}},
		"language":      {Languages: []string{arabic}},
		"highlight":     {Highlights: []*cv.Highlight{{Title: arabic}}},
		"experience":    {Experiences: []*cv.Experience{{Bullets: []string{arabic}}}},
		"education":     {Educations: []*cv.Education{{FieldOfStudy: text(arabic)}}},
		"certification": {Certifications: []*cv.Certification{{Name: arabic}}},
		"project":       {Projects: []*cv.Project{{Technologies: []string{arabic}}}},
	} {
		var letters cv.Letters
		letters.AddDocument(document)
		if got := letters.Language(); got != cv.Arabic {
			t.Errorf("%s: %s, want ar", name, got)
		}
	}
}

func FuzzLanguageIsAlwaysOneOfTwo(f *testing.F) {
	for _, seed := range []string{"", "abc", "سلام", "\xff\x00", "aس"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		var once, parts cv.Letters
		once.Add(a + " " + b)
		parts.Add(a, b)
		got := once.Language()
		if got != cv.English && got != cv.Arabic {
			t.Fatalf("unknown language %q", got)
		}
		if utf8.ValidString(a) && parts.Language() != got {
			t.Error("the language depends on how the text is split")
		}
		var doubled cv.Letters
		doubled.Add(strings.Repeat(a+" "+b+" ", 2))
		if doubled.Language() != got {
			t.Error("the language depends on the length of the text")
		}
	})
}
