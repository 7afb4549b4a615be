package answer

import (
	"maps"
	"net/http"
	"slices"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// The public error codes that Go code in the gateway refers to.
const (
	CodeInternal           = "INTERNAL_ERROR"
	CodeUnavailable        = errs.CodeUnavailable
	CodeNotFound           = "NOT_FOUND"
	CodeMethodNotAllowed   = "METHOD_NOT_ALLOWED"
	CodePayloadTooLarge    = "PAYLOAD_TOO_LARGE"
	CodeUnsupportedType    = "UNSUPPORTED_MEDIA_TYPE"
	CodeInvalid            = fault.CodeValidation
	CodeOAuthRequest       = "OAUTH_INVALID_REQUEST"
	CodeOAuthClient        = "OAUTH_INVALID_CLIENT"
	codeOAuthGrant         = "OAUTH_INVALID_GRANT"
	CodeOAuthGrantType     = "OAUTH_UNSUPPORTED_GRANT_TYPE"
	CodeOAuthToken         = "OAUTH_INVALID_TOKEN"
	CodeOAuthScope         = "OAUTH_INSUFFICIENT_SCOPE"
	CodeAPIKeyInvalid      = "API_KEY_INVALID"
	CodeAPIKeyScope        = "API_KEY_INSUFFICIENT_SCOPE"
	CodeAccountSuspended   = "DEVELOPER_ACCOUNT_SUSPENDED"
	CodePlatformDisabled   = "DEVELOPER_PLATFORM_DISABLED"
	CodeCVNotFound         = "CV_NOT_FOUND"
	CodeCVLinkNotFound     = "CV_LINK_NOT_FOUND"
	CodeConnectionNotFound = "CONNECTION_NOT_FOUND"
	CodePhotoNotFound      = "PHOTO_NOT_FOUND"
)

// Code describes a public code.
type Code struct {
	// Status is the HTTP status (behaviour: errors#codes-of-every-endpoint).
	Status int
	// Means explains to partners when the code is returned, in Markdown. It is part of the OpenAPI
	// document.
	Means string
	// Message is an example message.
	Message string
}

// CodeOf describes a code, and reports whether it is public.
func CodeOf(code string) (c Code, public bool) {
	c, public = codes[code]
	return c, public
}

// StatusOf returns the HTTP status of a code, and reports whether the code is public.
func StatusOf(code string) (status int, public bool) {
	c, public := codes[code]
	return c.Status, public
}

// Codes returns the public codes in alphabetical order.
func Codes() []string { return slices.Sorted(maps.Keys(codes)) }

// codes contains every public code. Other codes are internal and never reach a client.
var codes = map[string]Code{
	CodeOAuthRequest:            {http.StatusBadRequest, "A required parameter is missing, repeated or malformed.", "The parameter token is missing."},
	CodeOAuthClient:             {http.StatusUnauthorized, "The client id is unknown, or client authentication failed.", "Client authentication failed."},
	codeOAuthGrant:              {http.StatusBadRequest, "The code or refresh token is expired, was used, was issued to another client, or the PKCE verifier does not match.", "The grant is invalid, expired, already used, or was issued to another client."},
	"OAUTH_INVALID_SCOPE":       {http.StatusBadRequest, "The app may not request the scope, or it exceeds what was granted.", "The scope exceeds what was granted."},
	"OAUTH_UNAUTHORIZED_CLIENT": {http.StatusBadRequest, "The app may not use this grant type: no user scope is registered for it.", "The app may not use this grant type."},
	CodeOAuthGrantType:          {http.StatusBadRequest, "Only `authorization_code` and `refresh_token` are supported.", "Only authorization_code and refresh_token are supported."},
	"OAUTH_ACCESS_DENIED":       {http.StatusForbidden, "The person declined.", "The person declined."},
	CodeOAuthToken:              {http.StatusUnauthorized, "The access token is missing, expired or revoked.", "The access token is unknown, expired or revoked."},
	CodeOAuthScope:              {http.StatusForbidden, "The token is valid, but the scope was not granted.", "The access token lacks the scope cv:read."},

	CodeAPIKeyInvalid:            {http.StatusUnauthorized, "The key is missing, expired or revoked, or the credential is of another kind.", "The API key is unknown, expired or revoked."},
	CodeAPIKeyScope:              {http.StatusForbidden, "The key lacks the scope.", "The API key lacks the scope jobs:write."},
	"COMPANY_NOT_MANAGED_BY_APP": {http.StatusForbidden, "The company, or the company of the job or application, was not created by your app.", "The company is not managed by this app."},
	CodeInvalid:                  {http.StatusBadRequest, "The request is malformed, or not possible in the current state of the resource, for example publishing a live job. The message begins with the JSON path of the field, or the name of the parameter or header.", "The query is not well-formed."},
	"JOB_NOT_FOUND":              {http.StatusNotFound, "There is no job with this id.", "There is no job with this id."},
	"APPLICATION_NOT_FOUND":      {http.StatusNotFound, "There is no application with this id.", "There is no application with this id."},
	CodeCVNotFound:               {http.StatusNotFound, "The person has no CV to share yet.", "The account has no CV to share yet."},
	CodeCVLinkNotFound:           {http.StatusNotFound, "The link is unknown or no longer valid. Read `pdf.url` again for a new one.", "This link does not exist or is no longer valid."},
	CodePhotoNotFound:            {http.StatusNotFound, "The URL of the photo is unknown or no longer valid, or the photo is not available. Read the field that it came from again for a new one.", "This photo does not exist or is no longer shared."},
	CodeConnectionNotFound:       {http.StatusNotFound, "The connection behind the token no longer exists.", "The connection behind this token is gone."},

	CodePlatformDisabled:  {http.StatusNotFound, "The developer platform is turned off in this deployment.", "The developer platform is switched off."},
	CodeAccountSuspended:  {http.StatusForbidden, "The developer account is suspended, so requests of all its apps are rejected.", "The developer account of this app is suspended."},
	"RATE_LIMIT_EXCEEDED": {http.StatusTooManyRequests, "The account has used its requests of this minute, or requests arrive faster than this part of the API accepts.", "The developer account has spent its 300 requests of this minute."},
	"QUOTA_EXCEEDED":      {http.StatusTooManyRequests, "The account has used its requests of this UTC day.", "The developer account has spent its 20000 requests of this UTC day."},

	CodeNotFound:         {http.StatusNotFound, "There is nothing at this path.", "There is nothing at this path."},
	CodeMethodNotAllowed: {http.StatusMethodNotAllowed, "The path does not support this method. `Allow` lists the methods that it supports.", "This path does not take the request's method."},
	CodePayloadTooLarge:  {http.StatusRequestEntityTooLarge, "The body is larger than 1 MiB.", "The request body is larger than 1 MiB."},
	CodeUnsupportedType:  {http.StatusUnsupportedMediaType, "The content type of the body is not supported, or the body has a content encoding.", "The request body must be application/json."},
	CodeInternal:         {http.StatusInternalServerError, "Something failed in the service. Retry with backoff, and quote the request ID if it keeps failing.", "Internal error."},
	CodeUnavailable:      {http.StatusServiceUnavailable, "A part of the service is unavailable. Retry after `Retry-After` seconds.", "A part of the service is not available now. Try again shortly."},
}
