package membership

import (
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/developer"
)

// Errors of the package.
var (
	ErrRole           = errs.New(errs.Denied, "ROLE_NOT_ALLOWED", "Your role in this account does not allow this.")
	ErrMemberNotFound = errs.New(errs.NotFound, "MEMBER_NOT_FOUND", "There is no such member.")
	ErrAlreadyMember  = errs.New(errs.Exists, "ALREADY_MEMBER", "The person is a member already.")
	ErrLastOwner      = errs.New(errs.Precondition, "LAST_OWNER", "The account would be without an owner. Make somebody else an owner first.")
	// ErrInvitationNotFound is the same for an unknown, used, withdrawn and expired
	// invitation, and for one to somebody else.
	ErrInvitationNotFound = errs.New(errs.NotFound, "INVITATION_NOT_FOUND", "There is no such invitation.")
)

// Thing is a kind of thing from which an account follows.
type Thing int

// The kinds of thing.
const (
	Account Thing = iota + 1
	App
	APIKey
	ClientSecret
	Invitation
)

// unknown has the error for each kind of thing that is not there for a person.
var unknown = map[Thing]error{
	Account:      developer.ErrAccountNotFound,
	App:          developer.ErrAppNotFound,
	APIKey:       developer.ErrKeyNotFound,
	ClientSecret: developer.ErrSecretNotFound,
	Invitation:   ErrInvitationNotFound,
}
