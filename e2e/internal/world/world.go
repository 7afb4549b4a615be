// Package world writes world files (docs/world-file.md) and imports them with vitaectl. Names, email
// addresses and handles are unique in each world, so the worlds of different tests do not conflict.
//
// The package must not know how the import works.
package world

// World is a world file with the fields that the tests use.
type World struct {
	People     []Person    `json:"people,omitempty"`
	Developers []Developer `json:"developers,omitempty"`

	Companies    []Fields      `json:"companies,omitempty"`
	Jobs         []Fields      `json:"jobs,omitempty"`
	Applications []Application `json:"applications,omitempty"`
}

// Person is a person who can sign in.
type Person struct {
	Ref             string            `json:"ref"`
	Email           string            `json:"email"`
	Password        string            `json:"password"`
	Name            string            `json:"name"`
	Username        string            `json:"username,omitempty"`
	Headline        string            `json:"headline,omitempty"`
	Locale          string            `json:"locale,omitempty"`
	AvatarURL       string            `json:"avatarUrl,omitempty"`
	EmailVerified   bool              `json:"emailVerified,omitempty"`
	UAEPassVerified bool              `json:"uaePassVerified,omitempty"`
	OpenToWork      bool              `json:"openToWork,omitempty"`
	ProfilePublic   bool              `json:"profilePublic,omitempty"`
	PersonalDetails map[string]string `json:"personalDetails,omitempty"`
	Phone           string            `json:"phone,omitempty"`
	Address         string            `json:"address,omitempty"`
	Profile         *Content          `json:"profile,omitempty"`
	CVs             []CV              `json:"cvs,omitempty"`
}

// CV is an additional CV.
type CV struct {
	Ref      string  `json:"ref"`
	Title    string  `json:"title"`
	Document Content `json:"document"`
}

// Content is the content of a CV.
type Content struct {
	Summary        string              `json:"summary,omitempty"`
	Bio            string              `json:"bio,omitempty"`
	About          string              `json:"about,omitempty"`
	Location       string              `json:"location,omitempty"`
	Socials        map[string]string   `json:"socials,omitempty"`
	Languages      []string            `json:"languages,omitempty"`
	Skills         []string            `json:"skills,omitempty"`
	SkillGroups    []map[string]any    `json:"skillGroups,omitempty"`
	Interests      []string            `json:"interests,omitempty"`
	Highlights     []map[string]string `json:"highlights,omitempty"`
	Experiences    []map[string]any    `json:"experiences,omitempty"`
	Educations     []map[string]any    `json:"educations,omitempty"`
	Certifications []map[string]any    `json:"certifications,omitempty"`
	Projects       []map[string]any    `json:"projects,omitempty"`
}

// Developer is a developer account.
type Developer struct {
	Ref       string   `json:"ref"`
	Name      string   `json:"name"`
	Email     string   `json:"email"`
	Plan      any      `json:"plan"`
	Members   []Member `json:"members,omitempty"`
	Suspended bool     `json:"suspended,omitempty"`
	Apps      []App    `json:"apps"`
}

// Member is a person's membership in a developer account.
type Member struct {
	Person string `json:"person"`
	Role   string `json:"role"`
}

// App is an OAuth client.
type App struct {
	Ref          string   `json:"ref"`
	Name         string   `json:"name"`
	ClientType   string   `json:"clientType"`
	RedirectURIs []string `json:"redirectUris"`
	Scopes       []string `json:"scopes"`
	Legacy       bool     `json:"legacy,omitempty"`
	APIKeys      []APIKey `json:"apiKeys,omitempty"`
}

// APIKey is an API key of an app.
type APIKey struct {
	Ref       string   `json:"ref"`
	Name      string   `json:"name"`
	Scopes    []string `json:"scopes"`
	ExpiresAt string   `json:"expiresAt,omitempty"`
}

// Created is the output of an import.
type Created struct {
	People     map[string]ID        `json:"people"`
	CVs        map[string]ID        `json:"cvs"`
	Developers map[string]ID        `json:"developers"`
	Apps       map[string]Client    `json:"apps"`
	APIKeys    map[string]KeySecret `json:"apiKeys"`

	Companies    map[string]ID `json:"companies"`
	Jobs         map[string]ID `json:"jobs"`
	Applications map[string]ID `json:"applications"`
}

// ID identifies a created object.
type ID struct {
	ID string `json:"id"`
}

// Client holds the identifiers and the secret of a created app.
type Client struct {
	ID           string `json:"id"`
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
}

// KeySecret holds the identifier and the value of a created API key.
type KeySecret struct {
	ID  string `json:"id"`
	Key string `json:"key"`
}
