package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/services/candidate/internal/blobs"
	"vitae.internal/services/candidate/internal/inventory"
	"vitae.internal/services/candidate/internal/postgres"
)

// CheckResumes compares the resume rows with the files in the bucket and prints the differences. It
// returns an error if there are any. With -remove N, it removes the files that have no row,
// provided that there are exactly N. The service may be running at the same time.
func CheckResumes(ctx context.Context, cfg Config, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("candidate check-resumes", flag.ContinueOnError)
	flags.SetOutput(out)
	remove := flags.Int("remove", 0, "remove the files without a row, if they are `N`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pool, err := pkgpostgres.Open(ctx, cfg.Postgres)
	if err != nil {
		return err
	}
	defer pool.Close()
	bucket, err := blobs.Open(ctx, cfg.bucket())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bucket.Close()) }()
	stores, err := postgres.New(pool)
	if err != nil {
		return err
	}
	all, err := inventory.New(inventory.Config{Rows: stores.Resumes, Files: bucket})
	if err != nil {
		return err
	}
	found, err := all.Check(ctx)
	if err != nil {
		return err
	}
	if *remove > 0 {
		if err := all.Remove(ctx, found, *remove); err != nil {
			return err
		}
		fmt.Fprintf(out, "%d files without a row were removed\n", *remove)
		found.Files, found.Ownerless = found.Files-*remove, nil
	}
	return printed(out, found)
}

func printed(out io.Writer, r inventory.Report) error {
	for _, row := range r.Lost {
		fmt.Fprintf(out, "no file: %s of application %q, at %s with %d bytes\n", row.ID, row.ApplicationID, row.Key, row.Size)
	}
	for _, key := range r.Ownerless {
		fmt.Fprintf(out, "no row: %s\n", key)
	}
	for _, key := range r.Foreign {
		fmt.Fprintf(out, "not a resume: %s\n", key)
	}
	fmt.Fprintf(out, "%d resumes by their rows, %d without their file; %d files, %d without a row\n", r.Rows, len(r.Lost), r.Files, len(r.Ownerless))
	if len(r.Lost) > 0 || len(r.Ownerless) > 0 {
		return errors.New("rows and files differ")
	}
	return nil
}
