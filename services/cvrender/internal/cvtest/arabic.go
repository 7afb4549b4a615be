package cvtest

import "vitae.internal/services/cvrender/internal/cv"

// Arabic is an Arabic CV with every field.
func Arabic() cv.CV {
	return cv.CV{
		Language: cv.Arabic, Name: "نورة المنصوري", Headline: "مديرة تطوير المنتجات الرقمية",
		Location: "أبوظبي، الإمارات العربية المتحدة", Email: "noura@example.ae",
		PublicURL: "https://vitae.example/p/noura/cv", UAEPassVerified: true, OpenToWork: true,
		Summary: "مديرة منتجات بخبرة تتجاوز اثني عشر عامًا في بناء الخدمات الحكومية الرقمية وتطوير فرق العمل. " +
			"أؤمن بأن الخدمة الجيدة هي التي لا يلاحظها أحد لأنها تعمل ببساطة.",
		Bio: "متطوعة في برامج إرشاد الشباب، وكاتبة مقالات عن تصميم الخدمات.",
		Socials: map[string]string{
			"phone": "+971 55 765 4321", "linkedin": "https://www.linkedin.com/in/noura", "x": "@noura_ae",
		},
		Skills: []string{"إدارة المنتجات", "بحوث المستخدمين", "تحليل البيانات"},
		SkillGroups: []cv.SkillGroup{
			{Category: "المنتج", Items: []string{"إدارة المنتجات", "بحوث المستخدمين", "خرائط الطريق"}},
			{Category: "التقنية", Items: []string{"SQL", "Figma", "تحليل البيانات"}},
		},
		Languages: []string{"العربية (اللغة الأم)", "الإنجليزية (ممتاز)"},
		Highlights: []cv.Highlight{
			{Title: "جائزة التميز الحكومي", Text: "أفضل خدمة رقمية لعام 2023."},
		},
		Experiences: []cv.Experience{
			{Title: "مديرة تطوير المنتجات", Company: "هيئة الخدمات الرقمية", Location: "أبوظبي، الإمارات", LocationType: "hybrid",
				EmploymentType: "full_time", Start: "2020-03", Current: true,
				Overview: "قيادة ثلاثة فرق مسؤولة عن بوابة الخدمات الموحدة التي يستخدمها أكثر من مليوني شخص شهريًا.",
				Bullets: []string{
					"خفض مدة إنجاز المعاملة من خمسة أيام إلى أربع دقائق.",
					"إطلاق الهوية الرقمية في ٤٥ خدمة خلال عام واحد.",
					"رفع رضا المتعاملين من 71% إلى 94%.",
				}},
			{Title: "مديرة منتج", Company: "شركة الأفق للتقنية", Location: "دبي، الإمارات", LocationType: "onsite",
				EmploymentType: "full_time", Start: "2015-09", End: "2020-02",
				Bullets: []string{
					"بناء منصة لحجز المواعيد الطبية تخدم ستين عيادة.",
					"تأسيس ممارسة البحث الميداني مع المستخدمين.",
				}},
			{Title: "محللة أعمال", Company: "بنك الخليج", Location: "العين، الإمارات", Start: "2012", End: "2015",
				Bullets: []string{"توثيق متطلبات نظام القروض الجديد والإشراف على اختباره."}},
		},
		Educations: []cv.Education{
			{School: "جامعة الإمارات العربية المتحدة", Degree: "بكالوريوس", Field: "نظم المعلومات", Start: "2008", End: "2012", Text: "تخرجت بمرتبة الشرف."},
		},
		Certifications: []cv.Certification{
			{Name: "مالك منتج معتمد", Issuer: "Scrum Alliance", Issued: "2018-04", URL: "https://certs.example.org/cspo/5521"},
		},
		Projects: []cv.Project{
			{Title: "دليل الخدمات", Text: "فهرس مفتوح المصدر للخدمات العامة.", Link: "https://github.com/noura/dalil", Technologies: []string{"Go", "PostgreSQL"}},
		},
		Personal: cv.Personal{DateOfBirth: "1990-11-02", Gender: "أنثى", Nationality: "إماراتية", Residence: "أبوظبي"},
	}
}

// Mixed is an English CV with Arabic names and texts.
func Mixed() cv.CV {
	return cv.CV{
		Language: cv.English, Name: "Salem Al Ketbi سالم الكتبي", Headline: "Civil Engineer", Location: "Al Ain, UAE",
		Email: "salem@example.ae", Socials: map[string]string{"phone": "+971 50 222 3344"},
		Summary: "Civil engineer for roads and bridges. Fluent in written Arabic reports for public authorities.",
		Bio:     "مهندس مدني متخصص في الطرق والجسور.",
		Experiences: []cv.Experience{{
			Title: "Resident Engineer", Company: "دائرة البلديات والنقل", Location: "أبوظبي", Start: "2019-02", Current: true,
			Bullets: []string{
				"Supervised the widening of the E22 motorway over 14 km.",
				"إعداد تقارير السلامة المرورية باللغة العربية.",
				"مسؤول عن الجسور and for the maintenance of all motorways around the city.",
				"Member جمعية المهندسين الإماراتية ولجنة السلامة المرورية الاتحادية.",
			}}},
		Educations: []cv.Education{{School: "جامعة خليفة Khalifa University of Science", Degree: "BSc", Field: "Civil Engineering", Start: "2012", End: "2016"}},
		Skills:     []string{"AutoCAD", "إدارة المشاريع", "Primavera P6"},
		Languages:  []string{"العربية", "English"},
	}
}
