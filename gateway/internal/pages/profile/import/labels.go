package cvimport

import (
	"strings"
	"unicode"

	"vitae.internal/gateway/internal/pages/profile/form"
)

// labels maps English labels to their translations. The labels introduce strings that no field of a CV can
// hold.
type labels map[string]string

// arabicLabels are the labels for Arabic entries. The English labels are the keys used in the code.
var arabicLabels = labels{
	"Activities": "الأنشطة", "Communication": "التواصل", "Conference or seminar": "مؤتمر أو ندوة", "Course": "دورة تدريبية", "Courses": "المقررات",
	"Creative work": "عمل إبداعي", "Digital skill": "مهارة رقمية", "GPA": "المعدل التراكمي", "Grade": "التقدير", "Interest": "اهتمام",
	"Job-related skill": "مهارة مهنية", "Leadership": "القيادة", "Membership": "عضوية", "Organisation": "التنظيم", "Skill": "مهارة",
	"Social or political activity": "نشاط اجتماعي أو سياسي", "Subjects and skills": "المواد والمهارات", "Thesis": "الأطروحة",
}

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

// dates formats dates from a file, such as 4 May 1990 – June 1991, with the month names in the language of
// an entry.
func dates(entry string, all ...string) string {
	for i := range all {
		all[i] = form.InWords(form.DateOf(all[i]), isArabic(entry))
	}
	return joined(" – ", all...)
}

// labeled formats strings on one line after a label, or a string with several lines below the label. It
// returns "" if there are no strings.
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
