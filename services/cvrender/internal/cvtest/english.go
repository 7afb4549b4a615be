package cvtest

import "vitae.internal/services/cvrender/internal/cv"

// Senior is a long English CV with every field.
func Senior() cv.CV {
	return cv.CV{
		Language: cv.English, Name: "Layla Haddad", Headline: "Principal Platform Engineer",
		Location: "Dubai, United Arab Emirates", Email: "layla.haddad@example.com",
		PublicURL: "https://vitae.example/p/layla/cv", UAEPassVerified: true, OpenToWork: true,
		Summary: "Platform engineer with fourteen years of building payment and logistics systems that people rely on every day. " +
			"I lead by writing: design notes, careful reviews and runbooks that still make sense at three in the morning.",
		Bio: "Grew up between Beirut and Dubai. Mentors young women in engineering and maintains two small open-source libraries.",
		Socials: map[string]string{
			"phone": "+971 50 123 4567", "linkedin": "https://www.linkedin.com/in/laylahaddad",
			"github": "https://github.com/laylah", "mastodon": "@layla@hachyderm.example",
		},
		Skills: []string{"Go", "PostgreSQL", "Redis", "Kubernetes", "Terraform", "gRPC", "Technical writing"},
		SkillGroups: []cv.SkillGroup{
			{Category: "Backend", Items: []string{"Go", "PostgreSQL", "Redis", "gRPC"}},
			{Category: "Operations", Items: []string{"Kubernetes", "Terraform", "Prometheus", "Incident command"}},
		},
		Languages: []string{"Arabic (native)", "English (fluent)", "French (professional)"},
		Highlights: []cv.Highlight{
			{Title: "Zero-downtime migration", Text: "Moved 4.2 billion ledger rows to a new cluster without a maintenance window."},
			{Title: "Regional award", Text: "Women in Technology MENA, Engineer of the Year 2023."},
		},
		Experiences: seniorExperiences(),
		Educations: []cv.Education{
			{School: "American University of Beirut", Degree: "BEng", Field: "Computer and Communications Engineering",
				Start: "2006-09", End: "2010-06", Text: "Graduated with distinction. Final year project on delay-tolerant networks."},
			{School: "University of Edinburgh", Degree: "MSc", Field: "Computer Science", Start: "2010", End: "2011"},
		},
		Certifications: []cv.Certification{
			{Name: "Certified Kubernetes Administrator", Issuer: "The Linux Foundation", Issued: "2022-05", Expires: "2025-05",
				URL: "https://certs.example.org/verify/CKA-22-1188"},
			{Name: "Professional Cloud Architect", Issuer: "Google Cloud", Issued: "2021-11-03"},
		},
		Projects: []cv.Project{
			{Title: "pgfence", Text: "A linter that finds schema changes which would lock a busy table.",
				Link: "https://github.com/laylah/pgfence", Technologies: []string{"Go", "PostgreSQL"}},
			{Title: "Majlis", Text: "Scheduling for volunteer tutors, used by nine schools.", Technologies: []string{"TypeScript", "SQLite"}},
		},
		Personal: cv.Personal{
			DateOfBirth: "1988-04-12", Gender: "female", MaritalStatus: "married", Nationality: "Lebanese",
			Residence: "Dubai, Al Barsha", VisaResidency: "Golden visa until 2031", Dependents: "Two children",
		},
	}
}

func seniorExperiences() []cv.Experience {
	return []cv.Experience{
		{Title: "Principal Platform Engineer", Company: "Meridian Pay", Location: "Dubai, UAE", LocationType: "hybrid",
			EmploymentType: "full_time", Start: "2021-03", Current: true,
			Overview: "Technical lead of the platform group: 31 engineers in five teams, 1,900 requests a second at peak.",
			Bullets: []string{
				"Replaced nightly settlement by a streaming ledger; money reaches merchants in 40 seconds instead of 14 hours.",
				"Cut the cost of a transaction by 38 % through connection pooling, batching and three deleted services.",
				"Introduced design reviews with written decisions; incident count fell from eleven a quarter to two.",
				"Ran the migration of the card vault to dedicated hardware under PCI DSS 4.0 with no downtime.",
				"Hired fourteen engineers and coached four into lead roles.",
			}},
		{Title: "Staff Engineer, Logistics", Company: "Souq Express", Location: "Dubai, UAE", LocationType: "onsite",
			EmploymentType: "full_time", Start: "2017-01", End: "2021-02",
			Overview: "Owned routing and dispatch for same-day delivery in nine cities.",
			Bullets: []string{
				"Designed the dispatch engine that plans 220,000 deliveries a day within two seconds of an order.",
				"Led the split of a monolith of 900,000 lines into eleven services along ownership lines.",
				"Built the load-testing rig that the company used for four White Friday sales without an outage.",
				"Wrote the on-call handbook, still in use.",
			}},
		{Title: "Senior Software Engineer", Company: "Levant Telecom", Location: "Beirut, Lebanon", EmploymentType: "full_time",
			Start: "2013-06", End: "2016-12",
			Bullets: []string{
				"Rewrote the prepaid charging core in Go; a balance query went from 90 ms to 4 ms.",
				"Automated roaming settlement with 63 operators.",
				"Moved releases from quarterly to weekly with a canary environment.",
			}},
		{Title: "Software Engineer", Company: "Cedar Labs", Location: "Edinburgh, United Kingdom", Start: "2011-10", End: "2013-05",
			Bullets: []string{
				"Built the first version of a fleet tracking product, from the protocol of the device to the map.",
				"Kept 40,000 vehicles connected over networks that dropped every third packet.",
			}},
	}
}

// Veteran is Senior with so many positions that it takes about six pages.
func Veteran() cv.CV {
	c := Senior()
	first := c.Experiences
	for range 4 {
		c.Experiences = append(c.Experiences, first...)
	}
	return c
}

// Junior is a short English CV without contact details.
func Junior() cv.CV {
	return cv.CV{
		Language: cv.English, Name: "Omar Farouk", Headline: "Graduate Software Developer", Location: "Sharjah, UAE",
		Summary: "Recent graduate who likes small, well-tested programs. Looking for a first team to learn from.",
		Skills:  []string{"Python", "Go", "SQL", "Git"},
		Experiences: []cv.Experience{{
			Title: "Intern", Company: "Gulf Data Systems", EmploymentType: "internship", Start: "2024-06", End: "2024-09",
			Bullets: []string{"Wrote the import of 12 supplier price lists.", "Added tests to a reporting tool; found and fixed five bugs."},
		}},
		Educations: []cv.Education{{School: "University of Sharjah", Degree: "BSc", Field: "Computer Science", Start: "2021", End: "2025"}},
		Languages:  []string{"Arabic (native)", "English (very good)"},
	}
}
