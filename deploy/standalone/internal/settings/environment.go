package settings

import (
	"net/url"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/mtls"
)

// Secrets are known to the parts that need them and to nobody else.
type Secrets struct {
	// CVLinkKey and CookieKey are base64 of 32 bytes, for the gateway alone.
	CVLinkKey, CookieKey string
	// RecordKey is base64 of 32 bytes, for auth and the gateway.
	RecordKey string
	// BlobSigningKey is base64 of 32 bytes, for candidate alone.
	BlobSigningKey string
}

// ring is the setting of a ring that has a stack's one key.
func ring(key string) string { return "local:" + key }

// Backing says where the servers behind the parts are.
type Backing struct {
	// Postgres has each service's own URL, by its name, and Owners the one with the role
	// that owns the tables.
	Postgres, Owners map[string]string
	// Redis has the URL of each part that has one.
	Redis map[string]string
	// ResumesDir is the folder of the resumes, unless VITAE_BLOB_URL names a bucket.
	ResumesDir string
	// MailDir is the folder of the mails, unless VITAE_SMTP_URL names a server.
	MailDir string
}

// Plan computes the environment of every part.
type Plan struct {
	Settings Settings
	Secrets  Secrets
	Backing  Backing
	// TLSDir holds the authority and every part's certificate.
	TLSDir string
	// Base is the environment that this process was started with.
	Base config.Environment
}

// ours are variables of the stack as a whole. To a single part they mean something
// else, or nothing.
var ours = []string{
	"VITAE_DATA_DIR", "VITAE_WORLD", "VITAE_SPLIT", "VITAE_GATEWAY_REPLICAS",
	"VITAE_POSTGRES_URL", "VITAE_POSTGRES_MIGRATION_URL", "VITAE_REDIS_URL", "VITAE_OPS_ADDR", "VITAE_BLOB_URL",
	"VITAE_CV_LINK_KEYS", "VITAE_COOKIE_KEYS", "VITAE_RECORD_KEYS", "VITAE_BLOB_SIGNING_KEYS",
	"VITAE_SMTP_URL",
}

// common is what every part gets.
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

// database says where a service's database is. The service migrates it as its owner and
// serves with a role that can only add to what is append-only.
func (p Plan) database(service string) config.Environment {
	e := config.Environment{"VITAE_POSTGRES_URL": p.Backing.Postgres[service]}
	if owner := p.Backing.Owners[service]; owner != "" {
		e["VITAE_POSTGRES_MIGRATION_URL"] = owner
	}
	return e
}

// Auth is the environment of the auth service.
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

// PartnerCatalog is the environment of the partner catalogue.
func (p Plan) PartnerCatalog() config.Environment {
	return p.common("partnercatalog").With(p.database("partnercatalog"))
}

// Candidate is the environment of the candidate service.
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

// CVRender is the environment of the renderer.
func (p Plan) CVRender() config.Environment { return p.common("cvrender") }

// Gateway is the environment of one replica of the gateway.
func (p Plan) Gateway(at Addresses) config.Environment {
	return p.common("gateway").With(config.Environment{
		"VITAE_PUBLIC_ADDR": at.PublicAddr, "VITAE_APP_ADDR": at.AppAddr, "VITAE_LEGACY_ADDR": at.LegacyAddr, "VITAE_CONSOLE_ADDR": at.ConsoleAddr,
		"VITAE_REDIS_URL":    p.Backing.Redis["gateway"],
		"VITAE_CV_LINK_KEYS": ring(p.Secrets.CVLinkKey),
		"VITAE_COOKIE_KEYS":  ring(p.Secrets.CookieKey),
		"VITAE_RECORD_KEYS":  ring(p.Secrets.RecordKey),
	})
}
