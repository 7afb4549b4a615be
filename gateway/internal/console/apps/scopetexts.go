package apps

import "vitae.internal/pkg/scope"

// scopeTexts explains each scope next to its checkbox.
var scopeTexts = map[string]string{
	scope.Profile: "Read the name, username, headline and language of the person, and the address of their public page. Every app that people sign in to has it.",
	scope.Email:   "Read the person’s email address, once it’s verified.",
	scope.CVRead:  "Read the CV that the person chooses, and open it as a PDF, always in its current version.",
	scope.CVContact: "Read the phone number, address and personal details in that CV, if the person allows it. " +
		"It needs " + scope.CVRead + ".",
	scope.CompaniesRead:  "List and read the companies that this app has created.",
	scope.CompaniesWrite: "Create companies, and change them.",
	scope.JobsRead:       "List and read the jobs of these companies.",
	scope.JobsWrite:      "Create jobs, and change, publish, close and archive them.",
	scope.CandidatesRead: "List who has applied for these jobs, and read each application with its CV and resume.",
}
