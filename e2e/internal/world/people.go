package world

import (
	"crypto/rand"
	"strings"
)

// Unique returns a random string that makes a name unique.
func Unique() string { return strings.ToLower(rand.Text()[:10]) }

// Password is the password of every person in this package.
const Password = "correct horse battery staple"

// Private data of the person that Full returns. Tests search for it in responses to apps.
const (
	Phone   = "+971 50 123 4567"
	Address = "Villa 12, Al Wasl Road, Jumeirah, Dubai, United Arab Emirates"
	City    = "Dubai, United Arab Emirates"
	Avatar  = "https://photos.example.com/layla.png"
)

// PersonalDetails returns the personal details of the person that Full returns, except nationalService.
func PersonalDetails() map[string]string {
	return map[string]string{
		"dateOfBirth": "1990-05-17", "gender": "Female", "maritalStatus": "Married",
		"nationality": "Jordanian", "residence": "United Arab Emirates",
		"visaResidency": "Golden visa", "dependents": "2",
	}
}

// Full returns a person with every field: verified email, public page, photo, contact details, a main
// CV in English and an additional CV in Arabic.
func Full() Person {
	u := Unique()
	return Person{
		Ref: "layla", Email: "layla-" + u + "@example.com", Password: Password,
		Name: "Layla Haddad", Username: "layla-" + u, Headline: "Backend engineer", Locale: "en",
		AvatarURL: Avatar, EmailVerified: true, UAEPassVerified: true, OpenToWork: true, ProfilePublic: true,
		PersonalDetails: PersonalDetails(), Phone: Phone, Address: Address,
		Profile: new(English()),
		CVs:     []CV{{Ref: "arabic", Title: "السيرة الذاتية", Document: Arabic()}},
	}
}

// Bare returns a person with only an email address and a name.
func Bare() Person {
	return Person{Ref: "bare", Email: "bare-" + Unique() + "@example.com", Password: Password, Name: "Omar Nasser"}
}

// English returns a CV with every section. Each section also has an item with only the required fields.
func English() Content {
	return Content{
		Summary:   "Builds payment systems that stay up.",
		Bio:       "Engineer, mentor, cyclist.",
		About:     "Grew up between Amman and Dubai.",
		Interests: []string{"Cycling", "Oud"},
		Location:  City,
		Socials:   map[string]string{"linkedin": "https://www.linkedin.com/in/layla", "github": "https://github.com/layla"},
		Languages: []string{"English (fluent)", "Arabic (native)"},
		Skills:    []string{"Kafka", "PostgreSQL"},
		SkillGroups: []map[string]any{
			{"category": "Databases", "items": []string{"PostgreSQL", "Redis"}},
		},
		Highlights: []map[string]string{
			{"id": "talk", "title": "Speaker", "desc": "GopherCon 2024"},
			{"title": "Mentor", "desc": "Twelve juniors"},
		},
		Experiences: []map[string]any{
			{"id": "old", "title": "Engineer", "company": "Souq", "startDate": "2015-01", "endDate": "2018-12"},
			{
				"id": "now", "title": "Lead engineer", "company": "Careem", "location": City, "locationType": "hybrid",
				"employmentType": "full_time", "startDate": "2019-01", "current": true,
				"overview": "Leads the ledger team.", "bullets": []string{"Halved settlement time", "Hired eight engineers"},
			},
		},
		Educations: []map[string]any{
			{
				"id": "uni", "school": "University of Jordan", "degree": "BSc", "fieldOfStudy": "Computer science",
				"startDate": "2008-09", "endDate": "2012-06", "description": "With honours.",
			},
			{"id": "school", "school": "Amman Academy"},
		},
		Certifications: []map[string]any{
			{
				"id": "cka", "name": "CKA", "issuer": "CNCF", "issueDate": "2021-03", "expirationDate": "2024-03",
				"credentialUrl": "https://example.com/cka",
			},
			{"id": "first-aid", "name": "First aid", "issuer": "Red Crescent"},
		},
		Projects: []map[string]any{
			{
				"id": "ledger", "title": "Open ledger", "description": "A ledger library.", "image": "https://example.com/l.png",
				"link": "https://example.com/ledger", "technologies": []string{"Go", "SQL"},
			},
			{"id": "blog", "title": "Blog"},
		},
	}
}

// Arabic returns a CV whose text is mostly Arabic.
func Arabic() Content {
	return Content{
		Summary:  "مهندسة برمجيات تبني أنظمة دفع موثوقة.",
		Location: "دبي، الإمارات العربية المتحدة",
		Skills:   []string{"قواعد البيانات", "Go"},
		Experiences: []map[string]any{
			{"id": "a1", "title": "مهندسة أولى", "company": "كريم", "startDate": "2019-01", "current": true, "bullets": []string{"قيادة فريق من ثمانية مهندسين"}},
		},
	}
}
