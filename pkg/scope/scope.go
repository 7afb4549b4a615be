// Package scope defines the scopes. They are used by the access options in the contracts, the auth
// service, the projection of a CV, the discovery document, the OpenAPI document and vitaectl.
//
// The package contains no rules about who can be granted a scope; the auth service decides that.
package scope

// User scopes (behaviour: tokens).
const (
	// Profile grants access to the name, username, headline, language and public profile link.
	Profile = "profile"
	// Email grants access to the verified email address of the account.
	Email = "email"
	// CVRead grants access to the CV that the person chose to share.
	CVRead = "cv:read"
	// CVContact grants access to the private contact details in that CV.
	CVContact = "cv:contact"
)

// ProfileRead is the only scope of the legacy interface. It is not a user scope: no other interface
// can request, hold or accept it (behaviour: legacy).
const ProfileRead = "profile:read"

// Company scopes, which are granted to API keys.
const (
	// CompaniesRead allows listing and reading managed companies.
	CompaniesRead = "companies:read"
	// CompaniesWrite allows creating company pages and updating their details.
	CompaniesWrite = "companies:write"
	// JobsRead allows listing and reading jobs at managed companies.
	JobsRead = "jobs:read"
	// JobsWrite allows creating, publishing, updating, closing and archiving jobs.
	JobsWrite = "jobs:write"
	// CandidatesRead allows listing applicants and reading an application in full.
	CandidatesRead = "candidates:read"
)

// User returns the user scopes, in the order used in API responses.
func User() []string { return []string{Profile, Email, CVRead, CVContact} }

// Company returns the company scopes, in the order used in API responses.
func Company() []string {
	return []string{CompaniesRead, CompaniesWrite, JobsRead, JobsWrite, CandidatesRead}
}

// Text explains a user or company scope to developers, next to its checkbox; empty for others.
func Text(name string) string { return texts[name] }

var texts = map[string]string{
	Profile: "Read the name, username, headline and language of the person, and the address of their public page. Every app that people sign in to has it.",
	Email:   "Read the person’s email address, once it’s verified.",
	CVRead:  "Read the CV that the person chooses, and open it as a PDF, always in its current version.",
	CVContact: "Read the phone number, address and personal details in that CV, if the person allows it. " +
		"It needs " + CVRead + ".",
	CompaniesRead:  "List and read the companies that this app has created.",
	CompaniesWrite: "Create companies, and change them.",
	JobsRead:       "List and read the jobs of these companies.",
	JobsWrite:      "Create jobs, and change, publish, close and archive them.",
	CandidatesRead: "List who has applied for these jobs, and read each application with its CV and resume.",
}
