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
	// Postgres configures the service's database.
	Postgres           postgres.Config
	Addr               string       `env:"VITAE_CANDIDATE_GRPC_ADDR" envDefault:"127.0.0.1:9103" help:"Where candidate listens."`
	PartnerCatalogAddr string       `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102" help:"gRPC target of partnercatalog."`
	AuthAddr           string       `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101" help:"gRPC target of auth."`
	CVRenderAddr       string       `env:"VITAE_CVRENDER_GRPC_ADDR" envDefault:"127.0.0.1:9104" help:"gRPC target of cvrender."`
	AppURL             string       `env:"VITAE_APP_URL" envDefault:"http://127.0.0.1:8081" help:"Public address of the pages, for links to public profiles."`
	BaseURL            string       `env:"VITAE_BASE_URL" envDefault:"http://127.0.0.1:8080" help:"Public address of the REST API, for resumes in a folder."`
	BlobURL            string       `env:"VITAE_BLOB_URL" envDefault:"file:///var/lib/vitae/resumes" help:"Bucket for resumes and exports: file:///folder, or s3://name with the options of gocloud.dev/blob."`
	BlobSigningKeys    keyring.Ring `env:"VITAE_BLOB_SIGNING_KEYS" help:"Ring of keys for addresses of resumes in a folder, the same on every replica. Other buckets need none."`
}

// check returns an error for a configuration with which the service cannot start. Package blobs
// checks the bucket, and the listener checks its own address.
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

// bucket returns the configuration of the bucket that stores resumes and exports.
func (c Config) bucket() blobs.Config {
	return blobs.Config{URL: c.BlobURL, SigningKeys: c.BlobSigningKeys, BaseURL: c.BaseURL}
}
