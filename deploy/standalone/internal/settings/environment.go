package settings

import (
	"net/url"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/mtls"
)

// Secrets holds the secrets of the services. Each service gets only the secrets that it needs.
type Secrets struct {
	// CVLinkKey and CookieKey are 32 bytes in base64, for the gateway.
	CVLinkKey, CookieKey string
	// RecordKey is 32 bytes in base64, for the auth service and the gateway.
	RecordKey string
	// BlobSigningKey is 32 bytes in base64, for the candidate service.
	BlobSigningKey string
}

// ring returns the setting for a key ring with one key.
func ring(key string) string { return "local:" + key }

// Backing names the servers that the services use.
type Backing struct {
	// Postgres contains each service's URL, and Owners contains the URL for the role that owns the service's tables.
	Postgres, Owners map[string]string
	// Redis contains the URL for each service that uses Redis.
	Redis map[string]string
	// ResumesDir is the folder for resumes, unless VITAE_BLOB_URL names a bucket.
	ResumesDir string
	// MailDir is the folder for sent emails, unless VITAE_SMTP_URL names a server.
	MailDir string
}

// Plan computes the environments of all services.
type Plan struct {
	Settings Settings
	Secrets  Secrets
	Backing  Backing
	// TLSDir contains the certificate authority and the certificates.
	TLSDir string
	// Base is the environment of this process.
	Base config.Environment
}

// ours lists the variables that configure the stack. They are not passed to the services, where they would have
// a different meaning or none.
var ours = []string{
	"VITAE_DATA_DIR", "VITAE_WORLD", "VITAE_SPLIT", "VITAE_GATEWAY_REPLICAS",
	"VITAE_POSTGRES_URL", "VITAE_POSTGRES_MIGRATION_URL", "VITAE_REDIS_URL", "VITAE_OPS_ADDR", "VITAE_BLOB_URL",
	"VITAE_CV_LINK_KEYS", "VITAE_COOKIE_KEYS", "VITAE_RECORD_KEYS", "VITAE_BLOB_SIGNING_KEYS",
	"VITAE_SMTP_URL",
}

// common returns the variables that every service's environment contains.
func (p Plan) common(name string) config.Environment {
	e := p.Base.With(nil)
	for _, variable := range ours {
		delete(e, variable)
	}
	files := mtls.Files(p.TLSDir, name)
	s := p.Settings
	return e.With(config.Environment{
		"VITAE_TLS_CA": files.CAFile, "VITAE_TLS_CERT": files.CertFile, "VITAE_TLS_KEY": files.KeyFile,
		"VITAE_AUTH_GRPC_ADDR": s.AuthAddr, "VITAE_PARTNERCATALOG_GRPC_ADDR": s.PartnerCatalogAddr,
		"VITAE_CANDIDATE_GRPC_ADDR": s.CandidateAddr, "VITAE_CVRENDER_GRPC_ADDR": s.CVRenderAddr,
		"VITAE_BASE_URL": s.BaseURL, "VITAE_APP_URL": s.AppURL, "VITAE_LEGACY_BASE_URL": s.LegacyBaseURL,
		"VITAE_CONSOLE_URL": s.ConsoleURL,
	})
}

// database returns the settings for a service's database. The service migrates the database as its owner. It serves
// requests with a role that can only insert into append-only tables.
func (p Plan) database(service string) config.Environment {
	e := config.Environment{"VITAE_POSTGRES_URL": p.Backing.Postgres[service]}
	if owner := p.Backing.Owners[service]; owner != "" {
		e["VITAE_POSTGRES_MIGRATION_URL"] = owner
	}
	return e
}

// Auth returns the environment of the auth service.
func (p Plan) Auth() config.Environment {
	mail := config.Environment{"VITAE_MAIL_DIR": p.Backing.MailDir}
	if server := p.Base["VITAE_SMTP_URL"]; server != "" {
		mail = config.Environment{"VITAE_SMTP_URL": server}
	}
	return p.common("auth").With(p.database("auth")).With(mail).With(config.Environment{
		"VITAE_REDIS_URL":   p.Backing.Redis["auth"],
		"VITAE_RECORD_KEYS": ring(p.Secrets.RecordKey),
	})
}

// PartnerCatalog returns the environment of the partnercatalog service.
func (p Plan) PartnerCatalog() config.Environment {
	return p.common("partnercatalog").With(p.database("partnercatalog"))
}

// Candidate returns the environment of the candidate service.
func (p Plan) Candidate() config.Environment {
	bucket := p.Base["VITAE_BLOB_URL"]
	if bucket == "" {
		folder := url.URL{Scheme: "file", Path: p.Backing.ResumesDir, RawQuery: "create_dir=true"}
		bucket = folder.String()
	}
	return p.common("candidate").With(p.database("candidate")).With(config.Environment{
		"VITAE_BLOB_URL":          bucket,
		"VITAE_BLOB_SIGNING_KEYS": ring(p.Secrets.BlobSigningKey),
	})
}

// CVRender returns the environment of the cvrender service.
func (p Plan) CVRender() config.Environment { return p.common("cvrender") }

// Gateway returns the environment of one gateway replica.
func (p Plan) Gateway(at Addresses) config.Environment {
	return p.common("gateway").With(config.Environment{
		"VITAE_PUBLIC_ADDR": at.PublicAddr, "VITAE_APP_ADDR": at.AppAddr, "VITAE_LEGACY_ADDR": at.LegacyAddr, "VITAE_CONSOLE_ADDR": at.ConsoleAddr,
		"VITAE_REDIS_URL":    p.Backing.Redis["gateway"],
		"VITAE_CV_LINK_KEYS": ring(p.Secrets.CVLinkKey),
		"VITAE_COOKIE_KEYS":  ring(p.Secrets.CookieKey),
		"VITAE_RECORD_KEYS":  ring(p.Secrets.RecordKey),
	})
}
