package grpcapi

import (
	"vitae.internal/pkg/vocabulary"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// The domain values of the contract's enums.
var (
	credentialKinds = vocabulary.New[identityv1.CredentialKind]()
	planNames       = vocabulary.New[authv1.PlanName]()
	clientTypes     = vocabulary.New[authv1.ClientType]()
	roles           = vocabulary.New[optionsv1.Role]()

	readKinds         = vocabulary.New[authv1.ReadKind]()
	planRequestStates = vocabulary.New[authv1.PlanRequestState]()
)
