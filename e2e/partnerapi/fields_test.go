package partnerapi_test

import (
	"vitae.internal/e2e/internal/world"
)

// companyFields are the fields that the bodies of POST and PATCH of a company share.
var companyFields = []field{
	{path: "name", kind: text, max: 200, required: true}, {path: "industry", kind: text, max: 200, required: true},
	{path: "employeeCount", kind: text, max: 50, required: true}, {path: "location", kind: text, max: 300, required: true},
	{path: "description", kind: text, max: 20_000, required: true},
	{path: "website", kind: text, nullable: true}, {path: "logo", kind: text, nullable: true},
}

var (
	createCompanyFields = append(under("", companyFields...), field{path: "slug", kind: text, nullable: true}, field{path: "externalId", kind: text, max: 255, nullable: true})
	patchCompanyFields  = append(append(optional(companyFields), field{path: "tagline", kind: text, max: 300, nullable: true}, field{path: "socials", kind: object}, field{path: "slug", kind: text}, field{path: "externalId", kind: text, max: 255, nullable: true}),
		under("socials.", field{path: "linkedin", kind: text, max: 2048}, field{path: "instagram", kind: text, max: 2048}, field{path: "youtube", kind: text, max: 2048},
			field{path: "whatsapp", kind: text, max: 2048}, field{path: "tiktok", kind: text, max: 2048}, field{path: "x", kind: text, max: 2048}, field{path: "facebook", kind: text, max: 2048})...)
)

func optional(fields []field) []field {
	out := under("", fields...)
	for i := range out {
		out[i].required = false
	}
	return out
}

// sectionFields are the fields of the sections of a job, in POST and in PATCH.
func sectionFields() []field {
	var all []field
	for _, section := range [][]field{
		under("basics.", field{path: "title", kind: text, max: 200, required: true}, field{path: "department", kind: text, max: 200, nullable: true},
			field{path: "country", kind: text, max: 100, nullable: true}, field{path: "city", kind: text, max: 100, nullable: true}, field{path: "workMode", kind: choice, required: true},
			field{path: "employment", kind: choice, required: true}, field{path: "seniority", kind: choice, required: true}),
		under("content.", field{path: "summary", kind: text, max: 20_000, required: true}, field{path: "responsibilities", kind: texts, max: 2000, items: 100, required: true},
			field{path: "requirements", kind: texts, max: 2000, items: 100, required: true}, field{path: "niceToHave", kind: texts, max: 2000, items: 100, nullable: true},
			field{path: "benefits", kind: texts, max: 2000, items: 100, nullable: true}),
		under("compensation.", field{path: "min", kind: decimal, nullable: true}, field{path: "max", kind: decimal, nullable: true}, field{path: "currency", kind: text, required: true},
			field{path: "period", kind: choice, required: true}, field{path: "visible", kind: boolean, required: true}),
		under("eligibility.", field{path: "candidateLocation", kind: choice, nullable: true}, field{path: "experienceYears", kind: choice, nullable: true},
			field{path: "language", kind: choice, nullable: true}, field{path: "workEligibility", kind: choice, nullable: true}),
		under("workforceProgramme.", field{path: "value", kind: choice, required: true}, field{path: "note", kind: text, max: 2000, nullable: true}, field{path: "acknowledged", kind: boolean, nullable: true}),
		under("questions[1].", field{path: "id", kind: text, nullable: true}, field{path: "prompt", kind: text, max: 1000, required: true}, field{path: "type", kind: choice, required: true},
			field{path: "required", kind: boolean, required: true}, field{path: "order", kind: integer, nullable: true}, field{path: "options", kind: texts, max: 500, items: 100, nullable: true},
			field{path: "source", kind: choice, nullable: true}),
		under("questions[2].", field{path: "defaultKey", kind: choice, nullable: true}),
		under("confidential.", field{path: "enabled", kind: boolean, required: true}, field{path: "publicLabel", kind: text, max: 200, nullable: true}),
		{
			{path: "compensation", kind: object, nullable: true}, {path: "eligibility", kind: object, nullable: true},
			{path: "workforceProgramme", kind: object, nullable: true},
		},
	} {
		all = append(all, section...)
	}
	return all
}

func createJobFields() []field {
	return append(sectionFields(), field{path: "basics", kind: object, required: true}, field{path: "content", kind: object, required: true},
		field{path: "distribution", kind: choice, required: true}, field{path: "questions", kind: choices, nullable: true},
		field{path: "confidential", kind: object, nullable: true}, field{path: "saveAs", kind: choice, nullable: true},
		field{path: "idempotencyKey", kind: text, max: 255, nullable: true})
}

func patchJobFields() []field {
	return append(sectionFields(), field{path: "basics", kind: object}, field{path: "content", kind: object},
		field{path: "distribution", kind: choice}, field{path: "questions", kind: choices}, field{path: "confidential", kind: object})
}

// jobBody is a body of POST with every field.
func jobBody() world.Fields {
	return world.FullJob().With("idempotencyKey", "key").With("saveAs", "draft")
}
