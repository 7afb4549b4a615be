package export

import "time"

// AccountData is what the auth service stores about a person.
type AccountData struct {
	ID            string    `json:"id"`
	Email         string    `json:"email"`
	EmailVerified bool      `json:"emailVerified"`
	Language      string    `json:"language,omitempty"`
	CreatedAt     time.Time `json:"createdAt"`
	// PasswordSetAt is nil for an account without a password.
	PasswordSetAt *time.Time `json:"passwordSetAt,omitempty"`
	// DeletionRequestedAt and DeletionDueAt are nil unless the deletion of the account is scheduled.
	DeletionRequestedAt *time.Time `json:"deletionRequestedAt,omitempty"`
	DeletionDueAt       *time.Time `json:"deletionDueAt,omitempty"`

	Sessions        []Session        `json:"-"`
	Passkeys        []Passkey        `json:"-"`
	Browsers        []Browser        `json:"-"`
	ConsoleSessions []ConsoleSession `json:"-"`
	Connections     []Connection     `json:"-"`
	Memberships     []Membership     `json:"-"`
	Invitations     []Invitation     `json:"-"`
	Events          []Event          `json:"-"`
}

// Session is a signed-in browser.
type Session struct {
	Browser   string    `json:"browser,omitempty"`
	System    string    `json:"system,omitempty"`
	Country   string    `json:"country,omitempty"`
	Language  string    `json:"language,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	UsedAt    time.Time `json:"usedAt"`
	// ProvenAt is when the person last re-authenticated.
	ProvenAt  time.Time `json:"provenAt"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// Passkey describes a passkey, without its public key. UsedAt is nil until the first use.
type Passkey struct {
	Name      string     `json:"name"`
	CreatedAt time.Time  `json:"createdAt"`
	UsedAt    *time.Time `json:"usedAt,omitempty"`
}

// Browser is a known browser of the account, whether signed in or not.
type Browser struct {
	SignedInAt time.Time `json:"signedInAt"`
	ExpiresAt  time.Time `json:"expiresAt"`
	// WrongPasswords is the number of wrong passwords entered in this browser since SignedInAt.
	WrongPasswords int `json:"wrongPasswords"`
}

// ConsoleSession is a session of the developer console.
type ConsoleSession struct {
	CreatedAt time.Time `json:"createdAt"`
	UsedAt    time.Time `json:"usedAt"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// Connection is a person's consent to an app, together with what the app has read.
type Connection struct {
	ID            string     `json:"id"`
	AppID         string     `json:"appId"`
	AppName       string     `json:"appName"`
	GrantedScopes []string   `json:"grantedScopes"`
	Withheld      []string   `json:"withheldScopes"`
	Scopes        []string   `json:"scopesInForce"`
	CvID          string     `json:"cvId,omitempty"`
	CvShared      bool       `json:"cvShared"`
	PhotoShared   bool       `json:"photoShared"`
	PhotoWithheld bool       `json:"photoWithheld"`
	Legacy        bool       `json:"olderInterface"`
	CreatedAt     time.Time  `json:"createdAt"`
	PausedAt      *time.Time `json:"pausedAt,omitempty"`
	EndsAt        *time.Time `json:"endsAt,omitempty"`
	EndedAt       *time.Time `json:"endedAt,omitempty"`
	Links         []Link     `json:"links"`
	Reads         []Read     `json:"reads"`
}

// Link is a durable link to a CV, without its URL. EndedAt is nil while the link works.
type Link struct {
	CreatedAt time.Time  `json:"createdAt"`
	EndedAt   *time.Time `json:"endedAt,omitempty"`
}

// Read is the number of reads by one app on one UTC day.
type Read struct {
	Day    string    `json:"day"`
	Kind   string    `json:"kind"`
	Count  int64     `json:"count"`
	LastAt time.Time `json:"lastAt"`
	// Countries lists the known countries, sorted by the number of reads.
	Countries []CountryReads `json:"countries,omitempty"`
}

// CountryReads is the number of reads from one country, given as an ISO 3166-1 alpha-2 code.
type CountryReads struct {
	Country string `json:"country"`
	Count   int64  `json:"count"`
}

// Membership is a person's role in a developer account.
type Membership struct {
	AccountID   string    `json:"accountId"`
	AccountName string    `json:"accountName"`
	Role        string    `json:"role"`
	CreatedAt   time.Time `json:"createdAt"`
}

// Invitation is an open invitation to a developer account, sent to the person's email address.
type Invitation struct {
	AccountID   string    `json:"accountId"`
	AccountName string    `json:"accountName"`
	Role        string    `json:"role"`
	CreatedAt   time.Time `json:"createdAt"`
	ExpiresAt   time.Time `json:"expiresAt"`
}

// Event is an event of the audit log. ObjectID, ClientAddress and Details are set only for the person's own
// actions.
type Event struct {
	At            time.Time         `json:"at"`
	Action        string            `json:"action"`
	Outcome       string            `json:"outcome"`
	ErrorCode     string            `json:"errorCode,omitempty"`
	Actor         string            `json:"actor"`
	AppID         string            `json:"appId,omitempty"`
	ObjectType    string            `json:"objectType,omitempty"`
	ObjectID      string            `json:"objectId,omitempty"`
	ClientAddress string            `json:"clientAddress,omitempty"`
	Details       map[string]string `json:"details,omitempty"`
}
