package cvtest

import "vitae.internal/services/cvrender/internal/cv"

// Hard is an Arabic CV with difficult text for PDF readers: vowel marks, both kinds of digits and
// brackets. It also has Latin names and addresses within sentences, all forms of lam-alef, and
// words longer than a line.
func Hard() cv.CV {
	return cv.CV{
		Language: cv.Arabic, Name: "عبد الرحمٰن بن لؤي آل لآلئ", Headline: "مُهَنْدِسُ بَرْمَجِيّاتٍ أَوَّل", Location: "الأحساء، المملكة العربية السعودية",
		Email: "a.alaali@example.sa", Socials: map[string]string{"phone": "+966 55 010 2030", "github": "https://github.com/lualaali"},
		Summary: "لا أَكْتُبُ بَرْنامَجًا إِلّا وَقَدْ فَهِمْتُ لِماذا يَحْتاجُهُ النّاسُ، وَلِأَنَّ الوُضوحَ أَهَمُّ مِنَ السُّرْعَةِ أَبْدَأُ بِالسُّؤالِ.\n" +
			"عملت مع فريق Platform Engineering في شركة Majid Al Futtaim على ثلاثة أنظمة (الدفع، التوصيل، الولاء) يستخدمها أكثر من ٢٬٥٠٠٬٠٠٠ عميل.\n" +
			"الأولوية للأمان؛ ثم للأداء: لا إطلاق قبل الاختبار، ولا اختبار بلا أرقام!",
		Experiences: []cv.Experience{
			{Title: "مهندس أول (Staff Engineer)", Company: "الاتحاد للطيران", Location: "أبوظبي", Start: "2021-01", Current: true,
				Bullets: []string{
					"خفض زمن الاستجابة من 850 إلى 120 جزءا من الألف من الثانية.",
					"نقل ٤٥ خدمة من Oracle إلى PostgreSQL خلال ١٨ شهرا دون توقف.",
					"إعادة كتابة محرك الأسعار بلغة Go (كان بلغة Java) وتوثيق واجهاته.",
					"الإشراف على أربعة مهندسين، ثلاثة منهم حصلوا على ترقية.",
				}},
			{Title: "مطور برمجيات", Company: "بنك الإنماء", Location: "الرياض", Start: "2016", End: "2020",
				Bullets: []string{
					"استخلاص المتطلبات واستقلالية الفرق الإقليمية والاستراتيجيات المؤسسية طويلة الأجل لإدارة المعاملات الإلكترونية والاستثمارات.",
					"إطلاق تطبيق الآيفون والأندرويد لأول مرة.",
					"مراجعة الالتزام بمعايير الأمن السيبراني وأنظمة حماية البيانات الشخصية في المملكة ودول مجلس التعاون.",
					"تدريب الموظفين الجدد على أساليب الاختبار الآلي والمراجعة المتبادلة وكتابة السجلات التقنية بالعربية والإنجليزية.",
					"تصميم لوحات متابعة لحظية لمؤشرات الأداء تعرض حالة الطلبات والمدفوعات والمخزون لكل فرع على حدة.",
				}},
		},
		Educations:     []cv.Education{{School: "جامعة الملك فهد للبترول والمعادن", Degree: "بكالوريوس", Field: "علوم الحاسب الآلي", Start: "2012", End: "2016"}},
		Certifications: []cv.Certification{{Name: "مهندس سحابي معتمد", Issuer: "Amazon Web Services", Issued: "2022-06"}},
		SkillGroups: []cv.SkillGroup{
			{Category: "اللغات", Items: []string{"Go", "Java", "TypeScript"}},
			{Category: "الأدوات", Items: []string{"إدارة الإصدارات", "الحاويات", "Kubernetes"}},
		},
		Languages: []string{"العربية (اللغة الأم)", "الإنجليزية (ممتاز)", "الألمانية (مبتدئ)"},
	}
}
