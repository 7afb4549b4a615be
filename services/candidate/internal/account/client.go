// Package account is the client of service auth: it reads what auth holds of a person, and has
// people told of their exports.
//
// It must never hold a rule about accounts.
package account

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/candidate/internal/export"
)

// Client implements export.Account.
type Client struct {
	data authv1.PersonDataServiceClient
}

var _ export.Account = (*Client)(nil)

// New makes a client on a connection of grpcx.Dial, which stays the caller's.
func New(conn grpc.ClientConnInterface) (*Client, error) {
	if conn == nil {
		return nil, errors.New("account: a connection is required")
	}
	return &Client{data: authv1.NewPersonDataServiceClient(conn)}, nil
}

// codeUnknown is auth's answer for somebody without an account.
const codeUnknown = "PERSON_NOT_FOUND"

// readWithin bounds the reading of an account.
const readWithin = 2 * time.Minute

// Read implements export.Account.
func (c *Client) Read(ctx context.Context, personID string) (data export.AccountData, found bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	stream, err := c.data.ReadPersonData(ctx, &authv1.ReadPersonDataRequest{PersonId: personID})
	if err != nil {
		return data, false, fmt.Errorf("account: read: %w", err)
	}
	for {
		piece, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return data, data.ID != "", nil
		case errs.HasCode(err, codeUnknown):
			return data, false, nil
		case err != nil:
			return data, false, fmt.Errorf("account: read: %w", err)
		}
		if err := add(&data, piece); err != nil {
			return data, false, err
		}
	}
}

// Announce implements export.Account. A person who is gone is not told.
func (c *Client) Announce(ctx context.Context, e export.Export) error {
	_, err := c.data.AnnounceExport(ctx, &authv1.AnnounceExportRequest{PersonId: e.PersonID, ExportId: e.ID, Language: e.Language})
	if err != nil && !errs.HasCode(err, codeUnknown) {
		return fmt.Errorf("account: announce: %w", err)
	}
	return nil
}

// add adds a piece. The reads of a connection come right after it.
func add(d *export.AccountData, piece *authv1.ReadPersonDataResponse) error {
	switch p := piece.GetPiece().(type) {
	case *authv1.ReadPersonDataResponse_Account:
		who := p.Account.GetPerson()
		d.ID, d.Email, d.EmailVerified, d.CreatedAt = who.GetId(), who.GetEmail(), who.GetEmailVerified(), who.GetCreatedAt().AsTime()
		d.Language, d.PasswordSetAt = p.Account.GetLanguage(), p.Account.GetPasswordSetAt().AsTime()
	case *authv1.ReadPersonDataResponse_Session:
		b := p.Session.GetBrowser()
		d.Sessions = append(d.Sessions, export.Session{
			Browser: b.GetName(), System: b.GetSystem(), CreatedAt: p.Session.GetCreatedAt().AsTime(), UsedAt: p.Session.GetUsedAt().AsTime(),
		})
	case *authv1.ReadPersonDataResponse_Connection:
		d.Connections = append(d.Connections, connectionFromProto(p.Connection))
	case *authv1.ReadPersonDataResponse_Read:
		last := len(d.Connections) - 1
		if last < 0 || d.Connections[last].ID != p.Read.GetConnectionId() {
			return errors.New("account: a read does not follow its connection")
		}
		d.Connections[last].Reads = append(d.Connections[last].Reads, export.Read{
			Day: p.Read.GetDay(), Kind: p.Read.GetKind(), Count: p.Read.GetCount(), LastAt: p.Read.GetLastAt().AsTime(),
		})
	case *authv1.ReadPersonDataResponse_Membership:
		m := p.Membership
		d.Memberships = append(d.Memberships, export.Membership{
			AccountID: m.GetAccountId(), AccountName: m.GetAccountName(), Role: m.GetRole(), CreatedAt: m.GetCreatedAt().AsTime(),
		})
	case *authv1.ReadPersonDataResponse_Event:
		e := p.Event
		d.Events = append(d.Events, export.Event{
			At: e.GetAt().AsTime(), Action: e.GetAction(), Outcome: e.GetOutcome(), Actor: e.GetActor(), AppID: e.GetAppId(), ClientAddress: e.GetClientAddress(),
		})
	}
	return nil
}

func connectionFromProto(c *authv1.ExportedConnection) export.Connection {
	return export.Connection{
		ID: c.GetId(), AppID: c.GetAppId(), AppName: c.GetAppName(),
		GrantedScopes: append([]string{}, c.GetGrantedScopes()...), Scopes: append([]string{}, c.GetScopes()...), CvID: c.GetCvId(),
		CvShared: c.GetCvSharing(), PhotoShared: c.GetSharePhoto(), Legacy: c.GetLegacy(), CreatedAt: c.GetCreatedAt().AsTime(),
		PausedAt: timeOf(c.GetPausedAt()), EndsAt: timeOf(c.GetEndsAt()), EndedAt: timeOf(c.GetEndedAt()), Reads: []export.Read{},
	}
}

func timeOf(t *timestamppb.Timestamp) *time.Time {
	if t == nil {
		return nil
	}
	at := t.AsTime()
	return &at
}
