// Package profiles stores profiles, CVs, drafts and photos.
package profiles

import (
	"context"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/message"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

var (
	_ profile.Store       = (*Store)(nil)
	_ profile.EditorStore = (*Store)(nil)
)

// Store stores profiles and CVs.
type Store struct{ db *database.DB }

// New returns a Store.
func New(db *database.DB) *Store { return &Store{db} }

func (s *Store) CreateProfile(ctx context.Context, p profile.Profile) error {
	return s.db.InTransaction(ctx, "create profile", func(t database.Transaction) error {
		q := t.Queries
		if err := createProfile(ctx, q, p); err != nil {
			return err
		}
		if err := changeHandle(ctx, q, p, "", p.CreatedAt); err != nil {
			return err
		}
		if p.Photo != nil {
			if err := keepPhoto(ctx, q, p); err != nil {
				return err
			}
		}
		return t.Record(ctx, audit.About{PersonID: p.ID, ObjectID: p.ID})
	})
}

func createProfile(ctx context.Context, q *sqlc.Queries, p profile.Profile) error {
	content, err := cv.Encode(p.Content)
	if err != nil {
		return err
	}
	return database.ErrorOf("create profile", q.CreateProfile(ctx, sqlc.CreateProfileParams{
		PersonID:        p.ID,
		Email:           p.Email,
		EmailVerified:   p.EmailVerified,
		Name:            p.Name,
		Username:        p.Username,
		Headline:        p.Headline,
		Locale:          p.Locale,
		AvatarUrl:       p.AvatarURL,
		UaePassVerified: p.UAEPassVerified,
		OpenToWork:      p.OpenToWork,
		ProfilePublic:   p.Public,
		Phone:           p.Phone,
		Address:         p.Address,
		DateOfBirth:     p.Details.GetDateOfBirth().GetValue(),
		Gender:          p.Details.GetGender().GetValue(),
		MaritalStatus:   p.Details.GetMaritalStatus().GetValue(),
		Nationality:     p.Details.GetNationality().GetValue(),
		Residence:       p.Details.GetResidence().GetValue(),
		VisaResidency:   p.Details.GetVisaResidency().GetValue(),
		NationalService: p.Details.GetNationalService().GetValue(),
		Dependents:      p.Details.GetDependents().GetValue(),
		Content:         content,
		HasMainCv:       p.HasMainCv,
		CreatedAt:       p.CreatedAt,
		UpdatedAt:       p.UpdatedAt,
	}), nil)
}

func (s *Store) Taken(ctx context.Context, personID, username string) (profile.Taken, error) {
	taken, err := s.db.Queries.ProfileTaken(ctx, sqlc.ProfileTakenParams{PersonID: personID, Username: username})
	if err != nil {
		return profile.Taken{}, database.ErrorOf("check profile", err, nil)
	}
	return profile.Taken{Person: taken.PersonTaken, Username: taken.UsernameTaken}, nil
}

// changeHandle rejects a handle that is reserved or that someone else has released recently, and releases
// the person's previous handle. It must run after the profile has been written. That write waits for any
// transaction that is releasing the handle, so the release is visible here.
func changeHandle(ctx context.Context, q *sqlc.Queries, p profile.Profile, before string, now time.Time) error {
	if strings.EqualFold(before, p.Username) {
		return nil
	}
	if p.Username != "" {
		released, err := q.HandleIsReleased(ctx, sqlc.HandleIsReleasedParams{PersonID: p.ID, Username: p.Username, At: now})
		if err != nil {
			return database.ErrorOf("released handle", err, nil)
		}
		if released || profile.IsReservedHandle(p.Username) {
			return profile.ErrUsernameTaken
		}
	}
	if before == "" {
		return nil
	}
	return database.ErrorOf("release handle", q.ReleaseHandle(ctx, sqlc.ReleaseHandleParams{
		Username: before, PersonID: p.ID, At: now, FreeAt: now.Add(profile.HandleKept), Skip: profile.HandlesKept - 1,
	}), nil)
}

func (s *Store) ProfileByID(ctx context.Context, personID string) (profile.Profile, error) {
	return readProfile(ctx, s.db.Queries, sqlc.PersonParams{PersonID: personID})
}

func (s *Store) ProfileByUsername(ctx context.Context, username string) (profile.Profile, error) {
	return readProfile(ctx, s.db.Queries, sqlc.PersonParams{Username: username})
}

// readProfile returns the profile with the id or handle given in by.
func readProfile(ctx context.Context, q *sqlc.Queries, by sqlc.PersonParams) (profile.Profile, error) {
	by.CvID, by.MainCvID = profile.MainCvID, profile.MainCvID
	row, err := q.Person(ctx, by)
	if err != nil {
		return profile.Profile{}, database.ErrorOf("read profile", err, profile.ErrProfileNotFound)
	}
	content, err := cv.Decode(row.Content)
	if err != nil {
		return profile.Profile{}, err
	}
	p := profile.Profile{Person: PersonFromRow(row), Content: content}
	if p.AvatarURL == profile.KeptPhoto {
		p.Photo, err = KeptPhoto(ctx, q, p.ID)
	}
	return p, err
}

func (s *Store) UpdateProfile(ctx context.Context, p profile.Profile, fields []profile.Field) (updated profile.Profile, err error) {
	err = s.db.InTransaction(ctx, "update profile", func(t database.Transaction) (err error) {
		updated, err = updateProfile(ctx, t, p, fields)
		return err
	})
	return updated, err
}

// updateProfile replaces fields of a profile and returns the profile. If the name or email address changes,
// it also updates the search texts of the person's applications. A concurrent transaction that stores an
// application locks the profile, so it either runs before this update or uses the new profile.
func updateProfile(ctx context.Context, t database.Transaction, p profile.Profile, fields []profile.Field) (profile.Profile, error) {
	params := sqlc.UpdateProfileParams{PersonID: p.ID, UpdatedAt: p.UpdatedAt}
	for _, field := range fields {
		if err := replace(&params, &p, field); err != nil {
			return profile.Profile{}, err
		}
	}
	q := t.Queries
	before := ""
	if params.Username != nil {
		var err error
		if before, err = q.LockHandle(ctx, p.ID); err != nil {
			return profile.Profile{}, database.ErrorOf("lock handle", err, profile.ErrProfileNotFound)
		}
	}
	n, err := q.UpdateProfile(ctx, params)
	if err != nil {
		return profile.Profile{}, database.ErrorOf("update profile", err, nil)
	}
	if n == 0 {
		return profile.Profile{}, profile.ErrProfileNotFound
	}
	if params.Username != nil {
		if err := changeHandle(ctx, q, p, before, p.UpdatedAt); err != nil {
			return profile.Profile{}, err
		}
	}
	if slices.Contains(fields, profile.FieldAvatarURL) {
		if err := keepPhoto(ctx, q, p); err != nil {
			return profile.Profile{}, err
		}
	}
	updated, err := readProfile(ctx, q, sqlc.PersonParams{PersonID: p.ID})
	if err != nil {
		return profile.Profile{}, err
	}
	if err := t.Record(ctx, audit.About{PersonID: p.ID, ObjectID: p.ID}); err != nil {
		return profile.Profile{}, err
	}
	if params.Name == nil && params.Email == nil {
		return updated, nil
	}
	text := application.PersonText(updated.Name, updated.Email)
	return updated, database.ErrorOf("rewrite search", q.RewriteSearch(ctx, sqlc.RewriteSearchParams{PersonID: p.ID, PersonText: text}), nil)
}

// replace sets the parameters for a field. A column is left unchanged if its parameter is null.
func replace(to *sqlc.UpdateProfileParams, p *profile.Profile, field profile.Field) (err error) {
	switch field {
	case profile.FieldEmail:
		to.Email = &p.Email
	case profile.FieldEmailVerified:
		to.EmailVerified = &p.EmailVerified
	case profile.FieldName:
		to.Name = &p.Name
	case profile.FieldUsername:
		to.Username = &p.Username
	case profile.FieldHeadline:
		to.Headline = &p.Headline
	case profile.FieldLocale:
		to.Locale = &p.Locale
	case profile.FieldAvatarURL:
		to.AvatarUrl = &p.AvatarURL
	case profile.FieldUAEPassVerified:
		to.UaePassVerified = &p.UAEPassVerified
	case profile.FieldOpenToWork:
		to.OpenToWork = &p.OpenToWork
	case profile.FieldProfilePublic:
		to.ProfilePublic = &p.Public
	case profile.FieldPhone:
		to.Phone = &p.Phone
	case profile.FieldAddress:
		to.Address = &p.Address
	case profile.FieldPersonalDetails:
		column := func(text *wrapperspb.StringValue) *string { return proto.String(text.GetValue()) }
		d := p.Details
		to.DateOfBirth, to.Gender, to.MaritalStatus = column(d.GetDateOfBirth()), column(d.GetGender()), column(d.GetMaritalStatus())
		to.Nationality, to.Residence = column(d.GetNationality()), column(d.GetResidence())
		to.VisaResidency, to.NationalService = column(d.GetVisaResidency()), column(d.GetNationalService())
		to.Dependents = column(d.GetDependents())
	case profile.FieldContent:
		to.HasMainCv = &p.HasMainCv
		to.Content, err = cv.Encode(p.Content)
	}
	return err
}

// PersonFromRow converts a database row to a person. It is used by all queries that read a person.
func PersonFromRow(row sqlc.PersonRow) profile.Person {
	return profile.Person{
		ID:              row.PersonID,
		Email:           row.Email,
		EmailVerified:   row.EmailVerified,
		Name:            row.Name,
		Username:        row.Username,
		Headline:        row.Headline,
		Locale:          row.Locale,
		AvatarURL:       row.AvatarUrl,
		UAEPassVerified: row.UaePassVerified,
		OpenToWork:      row.OpenToWork,
		Public:          row.ProfilePublic,
		Details:         detailsFromRow(row),
		Phone:           row.Phone,
		Address:         row.Address,
		HasMainCv:       row.HasMainCv,
		CreatedAt:       row.CreatedAt.UTC(),
		UpdatedAt:       row.UpdatedAt.UTC(),
	}
}

// detailsFromRow returns those details that are not blank, or nil if all are blank.
func detailsFromRow(row sqlc.PersonRow) *profile.Details {
	d := &profile.Details{
		DateOfBirth:     message.Text(row.DateOfBirth),
		Gender:          message.Text(row.Gender),
		MaritalStatus:   message.Text(row.MaritalStatus),
		Nationality:     message.Text(row.Nationality),
		Residence:       message.Text(row.Residence),
		VisaResidency:   message.Text(row.VisaResidency),
		NationalService: message.Text(row.NationalService),
		Dependents:      message.Text(row.Dependents),
	}
	if profile.IsEmpty(d) {
		return nil
	}
	return d
}
