package profile

import "context"

// Store stores profiles and CVs. Every method is atomic.
type Store interface {
	// CreateProfile adds p, including its Photo. It returns ErrProfileExists or ErrUsernameTaken.
	CreateProfile(ctx context.Context, p Profile) error
	// Taken reports whether a profile already has the given person id, and whether one has the given
	// handle, regardless of case. Empty strings are never taken.
	Taken(ctx context.Context, personID, username string) (Taken, error)
	// ProfileByID and ProfileByUsername return a profile. ProfileByUsername ignores case. They return
	// ErrProfileNotFound if there is none.
	ProfileByID(ctx context.Context, personID string) (Profile, error)
	ProfileByUsername(ctx context.Context, username string) (Profile, error)
	// KeptPhoto returns a person's stored picture, or nil if there is none.
	KeptPhoto(ctx context.Context, personID string) ([]byte, error)
	// UpdateProfile replaces the given fields and UpdatedAt of the profile p.ID with the values in p, and
	// returns the profile. If avatar_url is one of the fields, it also replaces the Photo. It returns
	// ErrProfileNotFound or ErrUsernameTaken.
	UpdateProfile(ctx context.Context, p Profile, fields []Field) (Profile, error)
	// CreateCv adds c. It returns ErrProfileNotFound or ErrTooManyCvs.
	CreateCv(ctx context.Context, c Cv) error
	// Cv returns a CV. It returns ErrCvNotFound if the CV does not exist.
	Cv(ctx context.Context, id string) (Cv, error)
	// UpdateCv applies the change, and returns the CV. It returns ErrCvNotFound if the CV does not exist.
	UpdateCv(ctx context.Context, change CvChange) (Cv, error)
	// DeleteCv deletes a CV. It returns ErrCvNotFound if the CV does not exist.
	DeleteCv(ctx context.Context, id string) error
	// Choice returns what a person can share, or an empty Choice for an unknown person.
	Choice(ctx context.Context, personID string) (Choice, error)
	// Documents returns a person's CVs as documents, or none for an unknown person.
	Documents(ctx context.Context, personID string) ([]Document, error)
	// ChooseTemplate sets the template of a person's CV. It returns ErrCvNotFound if the person has no such
	// CV.
	ChooseTemplate(ctx context.Context, personID, cvID string, t Template) error
}

// Taken reports which values of a new profile are already taken.
type Taken struct{ Person, Username bool }
