package template

import (
	"strings"

	"vitae.internal/services/cvrender/internal/direction"
)

// words are the texts in a CV that do not come from the person.
type words struct {
	// Language is a language tag. Direction is the value of HTML's dir attribute.
	Language, Direction string
	// Title is the title of the document, with %s in place of the name. Untitled is the title if there is no
	// name.
	Title, Untitled string

	// Photo describes a photo. PhotoOf describes a photo of a person, with %s in place of the name.
	Photo, PhotoOf string
	// Page contains the page number and the number of pages, as CSS values.
	Page string

	Profile, Highlights, Experience, Projects, Education string
	Certifications, Skills, Languages, Personal          string

	OpenToWork, Verified, Present, Issued, Expires, Other string

	// Between formats a period with two ends. Since formats an ongoing period.
	Between, Since string
	// Colon follows a label. Comma separates items.
	Colon, Comma string

	months [12]string
	// personal holds the labels of the personal details, in display order.
	personal [8]string
	// values maps stored keywords to the texts that the document shows for them.
	values map[string]string
}

// wordsOf returns the words of a language, or the English words if the language is unknown.
func wordsOf(language string) *words {
	if language == arabic.Language {
		return &arabic
	}
	return &english
}

// value returns the text for a stored keyword such as "full_time". For an unknown keyword, it returns the
// keyword with spaces instead of underscores.
func (w *words) value(keyword string) string {
	if v, ok := w.values[strings.ToLower(strings.TrimSpace(keyword))]; ok {
		return v
	}
	return strings.ReplaceAll(keyword, "_", " ")
}

var english = words{
	Language: "en", Direction: direction.LeftToRight, Title: "%s – CV", Untitled: "CV",
	Photo: "Photo", PhotoOf: "Photo of %s", Page: `"Page " counter(page) " of " counter(pages)`,
	Profile: "Profile", Highlights: "Highlights", Experience: "Experience", Projects: "Projects",
	Education: "Education", Certifications: "Certifications", Skills: "Skills", Languages: "Languages",
	Personal:   "Personal details",
	OpenToWork: "Open to work", Verified: "Identity verified with UAE Pass", Present: "Present",
	Issued: "Issued", Expires: "Expires", Other: "Other", Between: "%s – %s", Since: "%s – Present", Colon: ": ", Comma: ", ",
	months: [12]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
	personal: [8]string{"Date of birth", "Gender", "Marital status", "Nationality", "Residence", "Visa and residency",
		"National service", "Dependents"},
	values: map[string]string{
		"onsite": "On site", "on_site": "On site", "hybrid": "Hybrid", "remote": "Remote",
		"full_time": "Full time", "part_time": "Part time", "contract": "Contract", "temporary": "Temporary",
		"internship": "Internship", "freelance": "Freelance", "self_employed": "Self-employed", "volunteer": "Volunteer",
		"apprenticeship": "Apprenticeship", "seasonal": "Seasonal",
		"male": "Male", "female": "Female", "single": "Single", "married": "Married", "divorced": "Divorced", "widowed": "Widowed",
	},
}

var arabic = words{
	Language: "ar", Direction: direction.RightToLeft, Title: "%s – السيرة الذاتية", Untitled: "السيرة الذاتية",
	Photo: "صورة شخصية", PhotoOf: "صورة %s", Page: `"صفحة " counter(page) " من " counter(pages)`,
	Profile: "الملف المهني", Highlights: "أبرز الإنجازات", Experience: "الخبرات", Projects: "المشاريع",
	Education: "التعليم", Certifications: "الشهادات المهنية", Skills: "المهارات", Languages: "اللغات",
	Personal:   "البيانات الشخصية",
	OpenToWork: "متاح للعمل", Verified: "هوية موثقة عبر UAE Pass", Present: "حتى الآن",
	Issued: "تاريخ الإصدار", Expires: "تاريخ الانتهاء", Other: "أخرى", Between: "من %s إلى %s", Since: "من %s حتى الآن", Colon: ": ", Comma: "، ",
	months: [12]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"},
	personal: [8]string{"تاريخ الميلاد", "الجنس", "الحالة الاجتماعية", "الجنسية", "مكان الإقامة", "التأشيرة والإقامة",
		"الخدمة الوطنية", "المعالون"},
	values: map[string]string{
		"onsite": "في مقر العمل", "on_site": "في مقر العمل", "hybrid": "عمل هجين", "remote": "عن بعد",
		"full_time": "دوام كامل", "part_time": "دوام جزئي", "contract": "عقد", "temporary": "عمل مؤقت",
		"internship": "تدريب", "freelance": "عمل حر", "self_employed": "عمل خاص", "volunteer": "تطوع",
		"apprenticeship": "تدريب مهني", "seasonal": "عمل موسمي",
		"male": "ذكر", "female": "أنثى", "single": "أعزب", "married": "متزوج", "divorced": "مطلق", "widowed": "أرمل",
	},
}
