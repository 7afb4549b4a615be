// Package scope defines the scopes that are used in the access options of the contracts, auth, the
// projection of a CV, the discovery document, the OpenAPI document and vitaectl.
//
// It contains no rules about who can be granted a scope, which is up to auth.
package scope

// User scopes (behaviour: tokens).
const (
	// Profile grants name, username, headline, language and public profile link.
	Profile = "profile"
	// Email grants the verified email address of the account.
	Email = "email"
	// CVRead grants the CV that the person chose to share.
	CVRead = "cv:read"
	// CVContact grants the private contact details of that CV.
	CVContact = "cv:contact"
)

// ProfileRead is the only scope of the legacy interface. It is not a user scope: no other interface
// can request, hold or accept it (behaviour: legacy).
const ProfileRead = "profile:read"

// Company scopes, of API keys.
const (
	// CompaniesRead lists and reads managed companies.
	CompaniesRead = "companies:read"
	// CompaniesWrite creates company pages and updates their details.
	CompaniesWrite = "companies:write"
	// JobsRead lists and reads jobs at those companies.
	JobsRead = "jobs:read"
	// JobsWrite creates, publishes, updates, closes and archives jobs.
	JobsWrite = "jobs:write"
	// CandidatesRead lists applicants and reads one application in full.
	CandidatesRead = "candidates:read"
)

// User returns the user scopes in the order of API answers.
func User() []string { return []string{Profile, Email, CVRead, CVContact} }

// Company returns the company scopes in the order of API answers.
func Company() []string {
	return []string{CompaniesRead, CompaniesWrite, JobsRead, JobsWrite, CandidatesRead}
}
