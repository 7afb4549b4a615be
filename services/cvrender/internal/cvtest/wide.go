package cvtest

import (
	"strings"

	"vitae.internal/services/cvrender/internal/cv"
)

// Wide is an English CV with texts that are too wide for a line: a name, a headline, addresses, a
// title next to its dates and a word. Two of its jobs have no dates or only a title.
func Wide() cv.CV {
	return cv.CV{
		Language: cv.English, Name: "Maximiliana-Theodora Papadopoulou-Vandenberghe de la Cruz",
		Headline:   "Head of Everything That Has To Do With Very Long Headlines and Their Line Breaks in Narrow Columns",
		Location:   "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch, Wales, United Kingdom",
		Email:      "maximiliana.theodora.papadopoulou.vandenberghe@subdomain.of.a.very.long.domain.example.com",
		PublicURL:  "https://vitae.example/p/" + strings.Repeat("longpath", 15),
		Socials:    map[string]string{"phone": "+971 50 123 4567", "linkedin": "https://linkedin.com/in/" + strings.Repeat("x", 90)},
		OpenToWork: true, UAEPassVerified: true,
		Experiences: []cv.Experience{
			{Title: "No dates at all", Company: "Nowhere", Bullets: []string{strings.Repeat("Donaudampfschifffahrtsgesellschaft", 6)}},
			{Title: "Since", Start: "2020", Current: true},
			{Title: "A title of a job that does not fit on one line beside its dates and has to be broken somewhere, which must look good", Company: "C", Start: "2001-01", End: "2002-02"},
		},
	}
}

// Both is an Arabic CV with English names, addresses and sentences.
func Both() cv.CV {
	return cv.CV{
		Language: cv.Arabic, Name: "عبد الرحمن Abdulrahman", Headline: "مهندس بيانات · Data engineer", Location: "دبي", Email: "abd@example.ae",
		PublicURL: "https://vitae.example/p/abd", UAEPassVerified: true, OpenToWork: true,
		Socials: map[string]string{"phone": "+971 50 123 4567", "linkedin": "https://www.linkedin.com/in/abdulrahman", "github": "https://github.com/abd", "x": "@abd"},
		Experiences: []cv.Experience{{
			Title: "مدير البيانات", Company: "شركة الأفق", Location: "دبي", Start: "2020-01", Current: true,
			Bullets: []string{"نقلنا ٤٥ خدمة من Oracle إلى PostgreSQL خلال عام واحد.", "Built everything in English for a while.", "مسؤول عن البيانات and for the forecasts of all nine cities and their suppliers.", "Reports باللغة العربية لجميع الجهات الحكومية الاتحادية والمحلية.", "كتبنا واجهات البرمجة وراجعناها مع الفريق."},
		}},
		Certifications: []cv.Certification{{Name: "Cloud Architect", Issuer: "Google Cloud", Issued: "2021-11"}, {Name: "شهادة تحليل البيانات", Issuer: "Amazon Web Services", Issued: "2020-05"}},
		Personal:       cv.Personal{DateOfBirth: "1990-11-02", Nationality: "إماراتي", Residence: "دبي"},
	}
}
