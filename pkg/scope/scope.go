// Package scope is the vocabulary of scopes: the words that the access options of
// the contracts, auth, the projection of a CV, the discovery document, the OpenAPI
// document and vitaectl all use.
//
// It holds no rule about who may be granted what: auth does.
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

// ProfileRead is the one scope of the legacy interface. It is not a user scope: no
// other interface can request, hold or accept it (behaviour: legacy).
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

// User gives the user scopes in the order in which answers list them.
func User() []string { return []string{Profile, Email, CVRead, CVContact} }

// Company gives the company scopes in the order in which answers list them.
func Company() []string {
	return []string{CompaniesRead, CompaniesWrite, JobsRead, JobsWrite, CandidatesRead}
}
