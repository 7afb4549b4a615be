package postgres

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var (
	_ person.Store  = (*Store)(nil)
	_ session.Store = (*Store)(nil)
)

func personFromRow(row sqlc.Person) person.Person {
	p := person.Person{ID: row.ID, Email: row.Email, EmailVerified: row.EmailVerified, CreatedAt: row.CreatedAt}
	if row.Locale != nil {
		p.Language = *row.Locale
	}
	return p
}

func (s *Store) SetLanguage(ctx context.Context, personID, language string) error {
	return s.tx(ctx, "set language", func(t transaction) error {
		if err := t.Queries.SetLanguage(ctx, sqlc.SetLanguageParams{ID: personID, Locale: language}); err != nil {
			return err
		}
		return t.record(ctx, audit.About{By: audit.ByPerson(personID), PersonID: personID, ObjectID: personID})
	})
}

func (s *Store) CreatePerson(ctx context.Context, p person.Person, emailKey, passwordHash string) error {
	err := s.txInTime(ctx, "create person", func(t transaction) error {
		q := t.Queries
		if err := q.CreatePerson(ctx, sqlc.CreatePersonParams{
			ID: p.ID, Email: p.Email, EmailKey: emailKey, EmailVerified: p.EmailVerified,
			PasswordHash: passwordHash, CreatedAt: p.CreatedAt,
		}); err != nil {
			return err
		}
		return t.record(ctx, audit.About{PersonID: p.ID, ObjectID: p.ID})
	})
	return takenOr(err)
}

// takenOr tells an address that is taken from other errors.
func takenOr(err error) error {
	if postgres.IsUnique(err, "people_email_key") {
		return person.ErrEmailTaken
	}
	return err
}

func (s *Store) Person(ctx context.Context, id string) (person.Person, error) {
	row, err := s.q.GetPerson(ctx, id)
	if err != nil {
		return person.Person{}, errorOf("person", err, person.ErrNotFound)
	}
	return personFromRow(row.Person), nil
}

// PersonByEmail implements person.Store and session.Store.
func (s *Store) PersonByEmail(ctx context.Context, emailKey string) (person.Person, string, error) {
	row, err := s.q.GetPersonByEmail(ctx, emailKey)
	if err != nil {
		return person.Person{}, "", errorOf("person by e-mail", err, person.ErrNotFound)
	}
	return personFromRow(row.Person), row.Person.PasswordHash, nil
}

// lastOfBeginning is after every character of an address.
const lastOfBeginning = "\U0010FFFF"

func (s *Store) PeopleByEmail(ctx context.Context, beginning string, atMost int) ([]person.Person, error) {
	rows, err := s.q.FindPeople(ctx, sqlc.FindPeopleParams{First: beginning, Until: beginning + lastOfBeginning, AtMost: int32(atMost)})
	if err != nil {
		return nil, errorOf("find people", err, nil)
	}
	found := make([]person.Person, 0, len(rows))
	for _, row := range rows {
		found = append(found, personFromRow(row.Person))
	}
	return found, nil
}

func (s *Store) ReplacePasswordHash(ctx context.Context, personID, oldHash, newHash string) error {
	return errorOf("replace password hash", s.q.ReplacePasswordHash(ctx,
		sqlc.ReplacePasswordHashParams{ID: personID, OldHash: oldHash, NewHash: newHash}), nil)
}
