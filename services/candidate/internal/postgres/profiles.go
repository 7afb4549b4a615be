package postgres

import (
	"context"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

// CreateProfile implements profile.Store.
func (s *Store) CreateProfile(ctx context.Context, p profile.Profile) error {
	content, err := cv.Encode(p.Content)
	if err != nil {
		return err
	}
	return fault("create profile", s.q.CreateProfile(ctx, sqlc.CreateProfileParams{
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
		DateOfBirth:     p.Details.DateOfBirth,
		Gender:          p.Details.Gender,
		MaritalStatus:   p.Details.MaritalStatus,
		Nationality:     p.Details.Nationality,
		Residence:       p.Details.Residence,
		VisaResidency:   p.Details.VisaResidency,
		NationalService: p.Details.NationalService,
		Dependents:      p.Details.Dependents,
		Content:         content,
		HasMainCv:       p.HasMainCv,
		CreatedAt:       p.CreatedAt,
		UpdatedAt:       p.UpdatedAt,
	}), nil)
}

// CheckFree implements profile.Store.
func (s *Store) CheckFree(ctx context.Context, personID, username string) error {
	taken, err := s.q.ProfileTaken(ctx, personID, username)
	switch {
	case err != nil:
		return fault("check profile", err, nil)
	case taken.PersonTaken:
		return profile.ErrProfileExists
	case taken.UsernameTaken:
		return profile.ErrUsernameTaken
	}
	return nil
}

// ProfileByID implements profile.Store.
func (s *Store) ProfileByID(ctx context.Context, personID string) (profile.Profile, error) {
	row, err := s.q.ProfileByID(ctx, personID)
	if err != nil {
		return profile.Profile{}, fault("read profile", err, profile.ErrProfileNotFound)
	}
	return profileOf(row.Profile)
}

// ProfileByUsername implements profile.Store.
func (s *Store) ProfileByUsername(ctx context.Context, username string) (profile.Profile, error) {
	row, err := s.q.ProfileByUsername(ctx, username)
	if err != nil {
		return profile.Profile{}, fault("read profile", err, profile.ErrProfileNotFound)
	}
	return profileOf(row.Profile)
}

// UpdateProfile implements profile.Store.
func (s *Store) UpdateProfile(ctx context.Context, p profile.Profile, fields []profile.Field) (profile.Profile, error) {
	params := sqlc.UpdateProfileParams{PersonID: p.ID, UpdatedAt: p.UpdatedAt}
	for _, field := range fields {
		if err := replace(&params, &p, field); err != nil {
			return profile.Profile{}, err
		}
	}
	row, err := s.updateProfile(ctx, params)
	if err != nil {
		return profile.Profile{}, err
	}
	return profileOf(row.Profile)
}

// updateProfile also rewrites what searches find the person's applications by,
// in the same transaction. An application that is being made meanwhile holds a
// lock on the profile: it is there by then, or it reads the new profile.
func (s *Store) updateProfile(ctx context.Context, params sqlc.UpdateProfileParams) (row sqlc.UpdateProfileRow, err error) {
	update := func(q *sqlc.Queries) (err error) {
		row, err = q.UpdateProfile(ctx, params)
		return fault("update profile", err, profile.ErrProfileNotFound)
	}
	if params.Name == nil && params.Email == nil {
		err = update(s.q)
		return row, err
	}
	err = s.inTx(ctx, func(q *sqlc.Queries) error {
		if err := update(q); err != nil {
			return err
		}
		text := application.PersonText(row.Profile.Name, row.Profile.Email)
		return fault("rewrite search", q.RewriteSearch(ctx, text, params.PersonID), nil)
	})
	return row, err
}

// replace sets the parameters of a field; those that stay null leave their column
// as it is.
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
		d := &p.Details
		to.DateOfBirth, to.Gender, to.MaritalStatus, to.Nationality = &d.DateOfBirth, &d.Gender, &d.MaritalStatus, &d.Nationality
		to.Residence, to.VisaResidency = &d.Residence, &d.VisaResidency
		to.NationalService, to.Dependents = &d.NationalService, &d.Dependents
	case profile.FieldContent:
		to.HasMainCv = &p.HasMainCv
		to.Content, err = cv.Encode(p.Content)
	}
	return err
}

func profileOf(row sqlc.Profile) (profile.Profile, error) {
	content, err := cv.Decode(row.Content)
	if err != nil {
		return profile.Profile{}, err
	}
	return profile.Profile{
		Person: profile.Person{
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
			Details: profile.Details{
				DateOfBirth:     row.DateOfBirth,
				Gender:          row.Gender,
				MaritalStatus:   row.MaritalStatus,
				Nationality:     row.Nationality,
				Residence:       row.Residence,
				VisaResidency:   row.VisaResidency,
				NationalService: row.NationalService,
				Dependents:      row.Dependents,
			},
			Phone:     row.Phone,
			Address:   row.Address,
			HasMainCv: row.HasMainCv,
			CreatedAt: row.CreatedAt.UTC(),
			UpdatedAt: row.UpdatedAt.UTC(),
		},
		Content: content,
	}, nil
}
