package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/candidate/internal/export"
)

// codeUnknown is the auth service's error code for a person without an account.
const codeUnknown = "PERSON_NOT_FOUND"

// readWithin limits how long it may take to read an account.
const readWithin = 2 * time.Minute

func (c *Client) Read(ctx context.Context, personID string) (data export.AccountData, found bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	stream, err := c.data.ReadPersonData(ctx, &authv1.ReadPersonDataRequest{PersonId: personID})
	if err != nil {
		return data, false, fmt.Errorf("auth client: read: %w", err)
	}
	for {
		piece, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return data, data.ID != "", nil
		case errs.HasCode(err, codeUnknown):
			return data, false, nil
		case err != nil:
			return data, false, fmt.Errorf("auth client: read: %w", err)
		}
		if err := add(&data, piece); err != nil {
			return data, false, err
		}
	}
}

// Announce does nothing if the person's account has been deleted.
func (c *Client) Announce(ctx context.Context, e export.Export) error {
	_, err := c.data.AnnounceExport(ctx, &authv1.AnnounceExportRequest{PersonId: e.PersonID, ExportId: e.ID, Language: e.Language, ExpiresAt: timestamppb.New(e.ExpiresAt)})
	if err != nil && !errs.HasCode(err, codeUnknown) {
		return fmt.Errorf("auth client: announce: %w", err)
	}
	return nil
}

// add adds a piece of the stream to d. Each connection is directly followed by its reads.
func add(d *export.AccountData, piece *authv1.ReadPersonDataResponse) error {
	switch p := piece.GetPiece().(type) {
	case *authv1.ReadPersonDataResponse_Account:
		who := p.Account.GetPerson()
		d.ID, d.Email, d.EmailVerified, d.CreatedAt = who.GetId(), who.GetEmail(), who.GetEmailVerified(), who.GetCreatedAt().AsTime()
		d.Language, d.PasswordSetAt = p.Account.GetLanguage(), timeOf(p.Account.GetPasswordSetAt())
		d.DeletionRequestedAt, d.DeletionDueAt = timeOf(p.Account.GetDeletionRequestedAt()), timeOf(p.Account.GetDeletionDueAt())
	case *authv1.ReadPersonDataResponse_Session:
		d.Sessions = append(d.Sessions, sessionFromProto(p.Session))
	case *authv1.ReadPersonDataResponse_Passkey:
		k := p.Passkey
		d.Passkeys = append(d.Passkeys, export.Passkey{Name: k.GetName(), CreatedAt: k.GetCreatedAt().AsTime(), UsedAt: timeOf(k.GetUsedAt())})
	case *authv1.ReadPersonDataResponse_Browser:
		b := p.Browser
		d.Browsers = append(d.Browsers, export.Browser{
			SignedInAt: b.GetSignedInAt().AsTime(), ExpiresAt: b.GetExpiresAt().AsTime(), WrongPasswords: int(b.GetWrongPasswords()),
		})
	case *authv1.ReadPersonDataResponse_ConsoleSession:
		c := p.ConsoleSession
		d.ConsoleSessions = append(d.ConsoleSessions, export.ConsoleSession{
			CreatedAt: c.GetCreatedAt().AsTime(), UsedAt: c.GetUsedAt().AsTime(), ExpiresAt: c.GetExpiresAt().AsTime(),
		})
	case *authv1.ReadPersonDataResponse_Connection:
		d.Connections = append(d.Connections, connectionFromProto(p.Connection))
	case *authv1.ReadPersonDataResponse_Read:
		last := len(d.Connections) - 1
		if last < 0 || d.Connections[last].ID != p.Read.GetConnectionId() {
			return errors.New("auth client: a read does not follow its connection")
		}
		d.Connections[last].Reads = append(d.Connections[last].Reads, export.Read{
			Day: p.Read.GetDay(), Kind: p.Read.GetKind(), Count: p.Read.GetCount(), LastAt: p.Read.GetLastAt().AsTime(),
			Countries: countriesFromProto(p.Read.GetFrom()),
		})
	case *authv1.ReadPersonDataResponse_Membership:
		m := p.Membership
		d.Memberships = append(d.Memberships, export.Membership{
			AccountID: m.GetAccountId(), AccountName: m.GetAccountName(), Role: m.GetRole(), CreatedAt: m.GetCreatedAt().AsTime(),
		})
	case *authv1.ReadPersonDataResponse_Invitation:
		i := p.Invitation
		d.Invitations = append(d.Invitations, export.Invitation{
			AccountID: i.GetAccountId(), AccountName: i.GetAccountName(), Role: i.GetRole(),
			CreatedAt: i.GetCreatedAt().AsTime(), ExpiresAt: i.GetExpiresAt().AsTime(),
		})
	case *authv1.ReadPersonDataResponse_Event:
		d.Events = append(d.Events, eventFromProto(p.Event))
	}
	return nil
}

func countriesFromProto(from []*authv1.ReadsFromCountry) []export.CountryReads {
	all := make([]export.CountryReads, len(from))
	for i, f := range from {
		all[i] = export.CountryReads{Country: f.GetCountry(), Count: f.GetReads()}
	}
	return all
}

func sessionFromProto(s *authv1.ExportedSession) export.Session {
	shown := s.GetSession()
	return export.Session{
		Browser: shown.GetBrowser().GetName(), System: shown.GetBrowser().GetSystem(), Country: shown.GetCountry(), Language: s.GetLanguage(),
		CreatedAt: shown.GetCreatedAt().AsTime(), UsedAt: shown.GetUsedAt().AsTime(), ProvenAt: s.GetProvenAt().AsTime(), ExpiresAt: s.GetExpiresAt().AsTime(),
	}
}

func eventFromProto(e *authv1.ExportedEvent) export.Event {
	return export.Event{
		At: e.GetAt().AsTime(), Action: e.GetAction(), Outcome: e.GetOutcome(), ErrorCode: e.GetErrorCode(), Actor: e.GetActor(), AppID: e.GetAppId(),
		ObjectType: e.GetObjectType(), ObjectID: e.GetObjectId(), ClientAddress: e.GetClientAddress(), Details: e.GetDetails(),
	}
}

func connectionFromProto(c *authv1.ExportedConnection) export.Connection {
	links := make([]export.Link, len(c.GetLinks()))
	for i, l := range c.GetLinks() {
		links[i] = export.Link{CreatedAt: l.GetCreatedAt().AsTime(), EndedAt: timeOf(l.GetEndedAt())}
	}
	return export.Connection{
		ID: c.GetId(), AppID: c.GetAppId(), AppName: c.GetAppName(),
		GrantedScopes: append([]string{}, c.GetGrantedScopes()...), Scopes: append([]string{}, c.GetScopes()...), CvID: c.GetCvId(),
		CvShared: c.GetCvSharing(), PhotoShared: c.GetSharePhoto(), Legacy: c.GetLegacy(), CreatedAt: c.GetCreatedAt().AsTime(),
		PausedAt: timeOf(c.GetPausedAt()), EndsAt: timeOf(c.GetEndsAt()), EndedAt: timeOf(c.GetEndedAt()), Reads: []export.Read{},
		Withheld: append([]string{}, c.GetWithheldScopes()...), PhotoWithheld: c.GetPhotoWithheld(), Links: links,
	}
}

func timeOf(t *timestamppb.Timestamp) *time.Time {
	if t == nil {
		return nil
	}
	at := t.AsTime()
	return &at
}
