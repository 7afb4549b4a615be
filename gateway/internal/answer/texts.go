package answer

// Text describes a public code for partners, in the OpenAPI document.
type Text struct {
	// Means explains when the code is returned, in Markdown.
	Means string
	// Message is an example message.
	Message string
}

// TextOf returns the text for a code and reports whether the code is public.
func TextOf(code string) (text Text, public bool) {
	text, public = texts[code]
	return text, public
}

// texts holds the text for every public code.
var texts = map[string]Text{
	"OAUTH_INVALID_REQUEST":        {"A required parameter is missing, repeated or malformed.", "The parameter token is missing."},
	"OAUTH_INVALID_CLIENT":         {"The client id is unknown, or client authentication failed.", "Client authentication failed."},
	"OAUTH_INVALID_GRANT":          {"The code or refresh token is expired, was used, was issued to another client, or the PKCE verifier does not match.", "The grant is invalid, expired, already used, or was issued to another client."},
	"OAUTH_INVALID_SCOPE":          {"The app may not request the scope, or it exceeds what was granted.", "The scope exceeds what was granted."},
	"OAUTH_UNAUTHORIZED_CLIENT":    {"The app may not use this grant type: no user scope is registered for it.", "The app may not use this grant type."},
	"OAUTH_UNSUPPORTED_GRANT_TYPE": {"Only `authorization_code` and `refresh_token` are supported.", "Only authorization_code and refresh_token are supported."},
	"OAUTH_ACCESS_DENIED":          {"The person declined.", "The person declined."},
	"OAUTH_INVALID_TOKEN":          {"The access token is missing, expired or revoked.", "The access token is unknown, expired or revoked."},
	"OAUTH_INSUFFICIENT_SCOPE":     {"The token is valid, but the scope was not granted.", "The access token lacks the scope cv:read."},

	"API_KEY_INVALID":            {"The key is missing, expired or revoked, or the credential is of another kind.", "The API key is unknown, expired or revoked."},
	"API_KEY_INSUFFICIENT_SCOPE": {"The key lacks the scope.", "The API key lacks the scope jobs:write."},
	"COMPANY_NOT_MANAGED_BY_APP": {"The company, or the company of the job or application, was not created by your app.", "The company is not managed by this app."},
	CodeInvalid:                  {"The request is malformed, or not possible in the current state of the resource, for example publishing a live job. The message begins with the JSON path of the field, or the name of the parameter or header.", "The query is not well-formed."},
	"JOB_NOT_FOUND":              {"There is no job with this id.", "There is no job with this id."},
	"APPLICATION_NOT_FOUND":      {"There is no application with this id.", "There is no application with this id."},
	"CV_NOT_FOUND":               {"The person has no CV to share yet.", "The account has no CV to share yet."},
	"CV_LINK_NOT_FOUND":          {"The link is unknown or no longer valid. Read `pdf.url` again for a new one.", "This link does not exist or is no longer valid."},
	"PHOTO_NOT_FOUND":            {"The URL of the photo is unknown or no longer valid, or the photo is not available. Read the field that it came from again for a new one.", "This photo does not exist or is no longer shared."},
	"CONNECTION_NOT_FOUND":       {"The connection behind the token no longer exists.", "The connection behind this token is gone."},

	"DEVELOPER_PLATFORM_DISABLED": {"The developer platform is turned off in this deployment.", "The developer platform is switched off."},
	"DEVELOPER_ACCOUNT_SUSPENDED": {"The developer account is suspended, so requests of all its apps are rejected.", "The developer account of this app is suspended."},
	"RATE_LIMIT_EXCEEDED":         {"The account has used its requests of this minute, or requests arrive faster than this part of the API accepts.", "The developer account has spent its 300 requests of this minute."},
	"QUOTA_EXCEEDED":              {"The account has used its requests of this UTC day.", "The developer account has spent its 20000 requests of this UTC day."},

	"NOT_FOUND":              {"There is nothing at this path.", "There is nothing at this path."},
	"METHOD_NOT_ALLOWED":     {"The path does not support this method. `Allow` lists the methods that it supports.", "This path does not take the request's method."},
	"PAYLOAD_TOO_LARGE":      {"The body is larger than 1 MiB.", "The request body is larger than 1 MiB."},
	"UNSUPPORTED_MEDIA_TYPE": {"The content type of the body is not supported, or the body has a content encoding.", "The request body must be application/json."},
	"INTERNAL_ERROR":         {"Something failed in the service. Retry with backoff, and quote the request ID if it keeps failing.", "Internal error."},
	"SERVICE_UNAVAILABLE":    {"A part of the service is unavailable. Retry after `Retry-After` seconds.", "A part of the service is not available now. Try again shortly."},
}
