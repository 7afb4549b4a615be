package projection

import (
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/message"
)

// ShowProfile returns an applicant's profile for employers (behaviour: applications#application-detail).
// Unlike a shared CV, it includes About and Interests. It has no contact details.
func ShowProfile(stored *cv.Content) *candidatev1.CandidateProfile {
	d := seeContent(stored, permission{cv: true}, "")
	return &candidatev1.CandidateProfile{
		Bio:            d.GetBio(),
		About:          message.Text(stored.GetAbout()),
		Skills:         d.GetSkills(),
		Interests:      cv.Filled(stored.GetInterests()),
		Experience:     message.List(d.GetExperiences(), candidateExperience),
		Education:      d.GetEducations(),
		Certifications: d.GetCertifications(),
		Highlights:     d.GetHighlights(),
		Projects:       d.GetProjects(),
	}
}

func candidateExperience(e *cv.Experience) *candidatev1.CandidateExperience {
	return &candidatev1.CandidateExperience{
		Id: e.GetId(), Company: e.GetCompany(), Title: e.GetTitle(), Location: e.GetLocation(),
		LocationType: e.GetLocationType(), EmploymentType: e.GetEmploymentType(),
		StartDate: e.GetStartDate(), EndDate: e.GetEndDate(), Current: e.GetCurrent(),
		Description: e.GetOverview(), Achievements: e.GetBullets(),
	}
}

// titles maps each language to its section titles. They are the same as in the PDF.
var titles = map[string]map[string]string{
	cv.English: {
		"skills": "Skills", "skillGroups": "Skills by category", "languages": "Languages", "highlights": "Highlights",
		"experiences": "Experience", "educations": "Education", "certifications": "Certifications", "projects": "Projects",
	},
	cv.Arabic: {
		"skills": "المهارات", "skillGroups": "المهارات حسب الفئة", "languages": "اللغات", "highlights": "أبرز الإنجازات",
		"experiences": "الخبرات", "educations": "التعليم", "certifications": "الشهادات المهنية", "projects": "المشاريع",
	},
}

// ShowCv returns the summary of a CV for employers (behaviour: applications#cv-document-summary). Its
// sections have the same order as in a shared CV (behaviour: applications#sections). It includes no
// location, links or personal details.
func ShowCv(stored *cv.Content) *candidatev1.CandidateCvDocument {
	d := seeContent(stored, permission{cv: true}, "")
	var letters cv.Letters
	letters.AddDocument(d)
	words := titles[letters.Language()]
	out := &candidatev1.CandidateCvDocument{Summary: d.GetSummary()}
	for _, section := range []*candidatev1.CvSection{
		{Kind: "skills", Items: message.List(d.GetSkills(), sectionItem)},
		{Kind: "skillGroups", Items: message.List(d.GetSkillGroups(), sectionItem)},
		{Kind: "languages", Items: message.List(d.GetLanguages(), sectionItem)},
		{Kind: "highlights", Items: message.List(d.GetHighlights(), sectionItem)},
		{Kind: "experiences", Items: message.List(d.GetExperiences(), sectionItem)},
		{Kind: "educations", Items: message.List(d.GetEducations(), sectionItem)},
		{Kind: "certifications", Items: message.List(d.GetCertifications(), sectionItem)},
		{Kind: "projects", Items: message.List(d.GetProjects(), sectionItem)},
	} {
		if len(section.Items) > 0 {
			section.Title = words[section.Kind]
			out.Sections = append(out.Sections, section)
		}
	}
	return out
}

func sectionItem[T any](item T) *candidatev1.CvSectionItem {
	out := &candidatev1.CvSectionItem{}
	switch i := any(item).(type) {
	case string:
		out.Item = &candidatev1.CvSectionItem_Text{Text: i}
	case *cv.SkillGroup:
		out.Item = &candidatev1.CvSectionItem_SkillGroup{SkillGroup: i}
	case *cv.Highlight:
		out.Item = &candidatev1.CvSectionItem_Highlight{Highlight: i}
	case *cv.Experience:
		out.Item = &candidatev1.CvSectionItem_Experience{Experience: i}
	case *cv.Education:
		out.Item = &candidatev1.CvSectionItem_Education{Education: i}
	case *cv.Certification:
		out.Item = &candidatev1.CvSectionItem_Certification{Certification: i}
	case *cv.Project:
		out.Item = &candidatev1.CvSectionItem_Project{Project: i}
	}
	return out
}
