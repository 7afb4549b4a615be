package app

import (
	"errors"
	"net/url"

	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/candidate/internal/blobs"
)

// Config is the configuration of the service.
type Config struct {
	// Postgres is the service's own database.
	Postgres postgres.Config
	// Addr is where the service listens.
	Addr string `env:"VITAE_CANDIDATE_GRPC_ADDR" envDefault:"127.0.0.1:9103"`
	// PartnerCatalogAddr is where service partnercatalog is.
	PartnerCatalogAddr string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102"`
	// AuthAddr is where service auth is, which keeps the audit log and the accounts of people.
	AuthAddr string `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101"`
	// CVRenderAddr is where service cvrender is, which makes the PDFs of exports.
	CVRenderAddr string `env:"VITAE_CVRENDER_GRPC_ADDR" envDefault:"127.0.0.1:9104"`
	// AppURL is the public address of the pages, for the links of public profiles.
	AppURL string `env:"VITAE_APP_URL" envDefault:"http://127.0.0.1:8081"`
	// BaseURL is the public address of the REST API, for the addresses of resumes.
	BaseURL string `env:"VITAE_BASE_URL" envDefault:"http://127.0.0.1:8080"`
	// BlobURL is the bucket of the resumes, as gocloud.dev/blob reads it:
	// file:///folder, or s3://name with the options of its driver.
	BlobURL string `env:"VITAE_BLOB_URL" envDefault:"file:///var/lib/vitae/resumes"`
	// BlobSigningKeys sign the addresses of a file bucket, the same on every replica. Other
	// buckets need none.
	BlobSigningKeys keyring.Ring `env:"VITAE_BLOB_SIGNING_KEYS"`
	// BlobSigningKey is a ring of one key, as releases before this one had it.
	BlobSigningKey keyring.Single `env:"VITAE_BLOB_SIGNING_KEY"`
}

// check refuses a configuration with which the service cannot start. Package blobs
// checks what belongs to the bucket, and the listener checks the address.
func (c Config) check() error {
	if err := c.Postgres.Check(); err != nil {
		return err
	}
	if c.PartnerCatalogAddr == "" {
		return errors.New("VITAE_PARTNERCATALOG_GRPC_ADDR must not be empty")
	}
	if u, err := url.Parse(c.AppURL); err != nil || u.Scheme == "" || u.Host == "" {
		return errors.New("VITAE_APP_URL must be an absolute URL")
	}
	if c.CVRenderAddr == "" {
		return errors.New("VITAE_CVRENDER_GRPC_ADDR must not be empty")
	}
	return nil
}

// bucket is where the resumes are.
func (c Config) bucket() blobs.Config {
	return blobs.Config{URL: c.BlobURL, SigningKeys: c.BlobSigningKeys, SigningKey: c.BlobSigningKey, BaseURL: c.BaseURL}
}
