// Package scope defines the scopes, for the access options of the contracts, auth, the projection
// of a CV, the discovery document, the OpenAPI document and vitaectl.
//
// The package contains no rules about who can be granted a scope; auth decides that.
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
