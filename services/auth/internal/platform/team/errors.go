package team

import (
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

// Errors returned by this package.
var (
	ErrRole           = errs.New(errs.Denied, "ROLE_NOT_ALLOWED", "Your role in this account does not allow this.")
	ErrMemberNotFound = errs.New(errs.NotFound, "MEMBER_NOT_FOUND", "There is no such member.")
	ErrAlreadyMember  = errs.New(errs.Exists, "ALREADY_MEMBER", "The person is already a member.")
	ErrLastOwner      = errs.New(errs.Precondition, "LAST_OWNER", "The account would be without an owner. Make someone else an owner first.")
	// ErrInvitationNotFound is returned for an invitation that is unknown, used, withdrawn or expired, or was sent
	// to another person.
	ErrInvitationNotFound = errs.New(errs.NotFound, "INVITATION_NOT_FOUND", "There is no such invitation.")
)

// Thing is a kind of resource that belongs to an account.
type Thing int

// The kinds of resources.
const (
	Account Thing = iota + 1
	App
	APIKey
	ClientSecret
	Invitation
)

// unknown maps each kind of resource to an error. It is returned if the resource does not exist, or if the person is
// not a member of the account to which the resource belongs.
var unknown = map[Thing]error{
	Account:      account.ErrNotFound,
	App:          app.ErrNotFound,
	APIKey:       app.ErrKeyNotFound,
	ClientSecret: app.ErrSecretNotFound,
	Invitation:   ErrInvitationNotFound,
}
