package cvimport

import (
	"strings"
	"unicode"

	"vitae.internal/gateway/internal/pages/profile/form"
)

// labels name texts for which a CV has no field.
type labels map[string]string

// arabicLabels are the labels of Arabic entries. Others are in English, as in the code.
var arabicLabels = labels{
	"Activities": "الأنشطة", "Communication": "التواصل", "Conference or seminar": "مؤتمر أو ندوة", "Course": "دورة تدريبية", "Courses": "المقررات",
	"Creative work": "عمل إبداعي", "Digital skill": "مهارة رقمية", "GPA": "المعدل التراكمي", "Grade": "التقدير", "Interest": "اهتمام",
	"Job-related skill": "مهارة مهنية", "Leadership": "القيادة", "Membership": "عضوية", "Organisation": "التنظيم", "Skill": "مهارة",
	"Social or political activity": "نشاط اجتماعي أو سياسي", "Subjects and skills": "المواد والمهارات", "Thesis": "الأطروحة",
}

// isArabic reports whether a text has Arabic letters.
func isArabic(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
}

// labelsFor returns the labels in the language of an entry.
func labelsFor(entry ...string) labels {
	if isArabic(strings.Join(entry, "")) {
		return arabicLabels
	}
	return nil
}

// dates returns dates, as a file has them, with the names of months in the language of an entry: 4 May
// 1990 – June 1991.
func dates(entry string, all ...string) string {
	for i := range all {
		all[i] = form.InWords(form.DateOf(all[i]), isArabic(entry))
	}
	return joined(" – ", all...)
}

// labeled returns texts as one line with a label, or a text with several lines below it. Without texts,
// it returns "".
func (l labels) labeled(label string, texts ...string) string {
	separator, colon := ", ", ": "
	if arabic, ok := l[label]; ok {
		label, separator = arabic, "، "
	}
	text := joined(separator, texts...)
	if strings.Contains(text, "\n") {
		colon = ":\n"
	}
	if text == "" || label == "" {
		return text
	}
	return label + colon + text
}
