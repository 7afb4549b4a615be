package platform

import (
	"cmp"
	"context"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/invitation"
	"vitae.internal/services/auth/internal/platform/team"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func invitationFromRow(row sqlc.Invitation) invitation.Invitation {
	return invitation.Invitation{
		ID: row.ID, AccountID: row.AccountID, Email: row.Email, Role: team.Role(row.Role),
		CreatedBy: row.CreatedBy, CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt,
	}
}

func offerFromRow(row sqlc.InvitationByHashRow) invitation.Offer {
	return invitation.Offer{Invitation: invitationFromRow(row.Invitation), AccountName: row.AccountName, Suspended: row.Suspended}
}

func aboutInvitation(i invitation.Invitation) audit.About {
	return audit.About{AccountID: i.AccountID, ObjectID: i.ID, Details: map[string]string{audit.Role: string(i.Role)}}
}

func (s *Teams) CreateInvitation(ctx context.Context, i invitation.Invitation, hash credential.Digest, e *mail.Entry) (emailed bool, err error) {
	emailKey := person.EmailKey(i.Email)
	err = s.DB.TxInTime(ctx, "create invitation", func(t db.Transaction) error {
		q := t.Queries
		if _, err := q.LockOpenAccount(ctx, i.AccountID); err != nil {
			return db.ErrorOf("lock account", err, account.ErrNotFound)
		}
		// A member who has been removed or demoted since the call was authorized must not be able to invite anyone.
		if may, err := q.MayInvite(ctx, sqlc.MayInviteParams{MadeBy: i.CreatedBy, AccountID: i.AccountID}); err != nil || !may {
			return cmp.Or(err, error(team.ErrRole))
		}
		member, err := q.IsMemberByEmail(ctx, sqlc.IsMemberByEmailParams{AccountID: i.AccountID, EmailKey: emailKey})
		if err != nil {
			return err
		}
		if member {
			return team.ErrAlreadyMember
		}
		if err := q.ReplaceInvitation(ctx, sqlc.ReplaceInvitationParams{AccountID: i.AccountID, EmailKey: emailKey}); err != nil {
			return err
		}
		open, err := q.CountInvitations(ctx, sqlc.CountInvitationsParams{AccountID: i.AccountID, At: i.CreatedAt})
		if err != nil {
			return err
		}
		if open >= invitation.MostOpen {
			return invitation.ErrTooMany
		}
		if err := q.AddInvitation(ctx, sqlc.AddInvitationParams{
			ID: i.ID, AccountID: i.AccountID, Email: i.Email, EmailKey: emailKey, Role: string(i.Role), Hash: hash[:],
			CreatedBy: i.CreatedBy, CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt,
		}); err != nil {
			return err
		}
		if emailed, err = mailInvitation(ctx, q, e); err != nil {
			return err
		}
		return t.Record(ctx, aboutInvitation(i))
	})
	return emailed && err == nil, err
}

// mailInvitation queues the invitation email unless the email address or the account has reached its limit.
func mailInvitation(ctx context.Context, q *sqlc.Queries, e *mail.Entry) (bool, error) {
	if e == nil {
		return false, nil
	}
	room, err := outbox.SpendMail(ctx, q, *e, mail.Invitations)
	if err != nil || !room {
		return false, err
	}
	of := *e
	of.EmailKey = e.AccountID
	if room, err = outbox.SpendMail(ctx, q, of, mail.InvitationsOf); err != nil || !room {
		return false, err
	}
	return true, outbox.AddMail(ctx, q, *e)
}

func (s *Teams) Invitations(ctx context.Context, accountID string, now time.Time) ([]invitation.Invitation, error) {
	if _, err := readAccount(ctx, s.DB.Q, accountID); err != nil {
		return nil, err
	}
	rows, err := s.DB.Q.ListInvitations(ctx, sqlc.ListInvitationsParams{AccountID: accountID, At: now})
	if err != nil {
		return nil, db.ErrorOf("list invitations", err, nil)
	}
	all := make([]invitation.Invitation, 0, len(rows))
	for _, row := range rows {
		all = append(all, invitationFromRow(row.Invitation))
	}
	return all, nil
}

func (s *Teams) WithdrawInvitation(ctx context.Context, id string, now time.Time) error {
	return s.DB.Tx(ctx, "withdraw invitation", func(t db.Transaction) error {
		q := t.Queries
		accountID, err := q.DeleteInvitation(ctx, sqlc.DeleteInvitationParams{ID: id, At: now})
		if err != nil {
			return db.ErrorOf("delete invitation", err, team.ErrInvitationNotFound)
		}
		return t.Record(ctx, audit.About{AccountID: accountID, ObjectID: id})
	})
}

func (s *Teams) Invitation(ctx context.Context, hash credential.Digest, now time.Time) (invitation.Offer, error) {
	row, err := s.DB.Q.InvitationByHash(ctx, sqlc.InvitationByHashParams{Hash: hash[:], At: now})
	if err != nil {
		return invitation.Offer{}, db.ErrorOf("invitation", err, team.ErrInvitationNotFound)
	}
	return offerFromRow(row), nil
}

// AcceptInvitation implements invitation.Store. If two calls accept the same invitation, only one of them deletes
// its row.
func (s *Teams) AcceptInvitation(ctx context.Context, hash credential.Digest, personID string, now time.Time, check invitation.Check, e *mail.Event) (invitation.Offer, error) {
	var offer invitation.Offer
	var already error
	err := s.DB.TxInTime(ctx, "accept invitation", func(t db.Transaction) error {
		q := t.Queries
		row, err := q.InvitationByHash(ctx, sqlc.InvitationByHashParams{Hash: hash[:], At: now})
		if err != nil {
			return db.ErrorOf("invitation", err, team.ErrInvitationNotFound)
		}
		offer = offerFromRow(row)
		if err := check(offer); err != nil {
			return err
		}
		if _, err := q.LockOpenAccount(ctx, offer.AccountID); err != nil {
			return db.ErrorOf("lock account", err, team.ErrInvitationNotFound)
		}
		if _, err := q.DeleteInvitation(ctx, sqlc.DeleteInvitationParams{ID: offer.ID, At: now}); err != nil {
			return db.ErrorOf("delete invitation", err, team.ErrInvitationNotFound)
		}
		if _, err := insertMember(ctx, q, team.Member{AccountID: offer.AccountID, PersonID: personID, Role: offer.Role, CreatedAt: now}); err != nil {
			if !errs.HasCode(err, team.ErrAlreadyMember.Code) {
				return err
			}
			already = err // the invitation has nevertheless been used up
			return nil
		}
		already = nil
		if e != nil {
			e.AccountID = offer.AccountID
		}
		if err := outbox.TellOwners(ctx, q, personID, e); err != nil {
			return err
		}
		return t.Record(ctx, aboutInvitation(offer.Invitation))
	})
	if err != nil {
		return invitation.Offer{}, err
	}
	return offer, already
}
