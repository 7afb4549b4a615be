// Package people stores people's accounts, sessions, passwords and passkeys, and reads them for exports.
package people

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// People stores people's accounts.
type People struct{ DB *db.DB }

func PersonFromRow(row sqlc.Person) person.Person {
	p := person.Person{ID: row.ID, Email: row.Email, EmailVerified: row.EmailVerified, CreatedAt: row.CreatedAt}
	if row.Locale != nil {
		p.Language = *row.Locale
	}
	return p
}

func (s *People) SetLanguage(ctx context.Context, personID, language string) error {
	return s.DB.Tx(ctx, "set language", func(t db.Transaction) error {
		if err := t.Queries.SetLanguage(ctx, sqlc.SetLanguageParams{ID: personID, Locale: language}); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{By: audit.ByPerson(personID), PersonID: personID, ObjectID: personID})
	})
}

func (s *People) CreatePerson(ctx context.Context, p person.Person, emailKey, passwordHash string) error {
	err := s.DB.TxInTime(ctx, "create person", func(t db.Transaction) error {
		q := t.Queries
		if err := q.CreatePerson(ctx, sqlc.CreatePersonParams{
			ID: p.ID, Email: p.Email, EmailKey: emailKey, EmailVerified: p.EmailVerified,
			PasswordHash: passwordHash, CreatedAt: p.CreatedAt,
		}); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{PersonID: p.ID, ObjectID: p.ID})
	})
	return takenOr(err)
}

// takenOr returns person.ErrEmailTaken if err is a unique violation. Otherwise, it returns err.
func takenOr(err error) error {
	if postgres.IsUnique(err, "people_email_key") {
		return person.ErrEmailTaken
	}
	return err
}

func (s *People) Person(ctx context.Context, id string) (person.Person, error) {
	row, err := s.DB.Q.GetPerson(ctx, id)
	if err != nil {
		return person.Person{}, db.ErrorOf("person", err, person.ErrNotFound)
	}
	return PersonFromRow(row.Person), nil
}

// PersonByEmail implements person.Store and session.Store.
func (s *People) PersonByEmail(ctx context.Context, emailKey string) (person.Person, string, error) {
	row, err := s.DB.Q.GetPersonByEmail(ctx, emailKey)
	if err != nil {
		return person.Person{}, "", db.ErrorOf("person by e-mail", err, person.ErrNotFound)
	}
	return PersonFromRow(row.Person), row.Person.PasswordHash, nil
}

// lastOfBeginning sorts after every character that an email address can contain.
const lastOfBeginning = "\U0010FFFF"

func (s *People) PeopleByEmail(ctx context.Context, beginning string, atMost int) ([]person.Person, error) {
	rows, err := s.DB.Q.FindPeople(ctx, sqlc.FindPeopleParams{First: beginning, Until: beginning + lastOfBeginning, AtMost: int32(atMost)})
	if err != nil {
		return nil, db.ErrorOf("find people", err, nil)
	}
	found := make([]person.Person, 0, len(rows))
	for _, row := range rows {
		found = append(found, PersonFromRow(row.Person))
	}
	return found, nil
}

func (s *People) ReplacePasswordHash(ctx context.Context, personID, oldHash, newHash string) error {
	return db.ErrorOf("replace password hash", s.DB.Q.ReplacePasswordHash(ctx,
		sqlc.ReplacePasswordHashParams{ID: personID, OldHash: oldHash, NewHash: newHash}), nil)
}
