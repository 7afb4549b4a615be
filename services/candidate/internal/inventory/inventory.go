package inventory

import (
	"context"
	"errors"
	"fmt"

	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/resume"
)

// batch is the maximum number of rows or keys per statement.
const batch = 500

// Row is a resume whose bytes are completely stored.
type Row struct {
	// ID has the prefix "res_".
	ID string
	// ApplicationID is empty if the resume has not been submitted.
	ApplicationID string
	// Key and Size are the key and the size of the resume's file.
	Key  string
	Size int64
}

// Rows reads resume rows.
type Rows interface {
	// ReadyResumes returns up to atMost complete resumes, ordered by id. It starts after the id
	// given in after.
	ReadyResumes(ctx context.Context, after string, atMost int) ([]Row, error)
	// UnknownResumes returns those ids for which there is no row, whether complete or not.
	UnknownResumes(ctx context.Context, ids []string) ([]string, error)
}

// Files is the bucket.
type Files interface {
	// Each passes every key to the function do. It stops at the first error.
	Each(ctx context.Context, do func(key string) error) error
	// Size returns the number of bytes at key, and whether the key exists.
	Size(ctx context.Context, key string) (size int64, there bool, err error)
	// Remove removes the file at key.
	Remove(ctx context.Context, key string) error
}

// Config holds the dependencies of an Inventory. Both are required.
type Config struct {
	Rows  Rows
	Files Files
}

// Inventory compares rows with files.
type Inventory struct{ cfg Config }

// New returns an Inventory.
func New(c Config) (*Inventory, error) {
	if c.Rows == nil || c.Files == nil {
		return nil, errors.New("inventory: Rows and Files are required")
	}
	return &Inventory{c}, nil
}

// Report lists the differences between the rows and the files.
type Report struct {
	// Rows is the number of complete resumes. Files is the number of keys.
	Rows, Files int
	// Lost lists the resumes whose file is missing or has a different size.
	Lost []Row
	// Ownerless lists the keys of resumes without a row.
	Ownerless []string
	// Foreign lists the keys that do not belong to resumes.
	Foreign []string
}

// Check compares the rows and the files. It lists the files first: a row is written before its file
// and deleted after it, so concurrent uploads do not appear as differences.
func (i *Inventory) Check(ctx context.Context) (r Report, err error) {
	if err := i.checkFiles(ctx, &r); err != nil {
		return Report{}, err
	}
	if err := i.checkRows(ctx, &r); err != nil {
		return Report{}, err
	}
	return r, nil
}

func (i *Inventory) checkFiles(ctx context.Context, r *Report) error {
	keys := map[string][]string{} // by resume id
	flush := func() error {
		ids := make([]string, 0, len(keys))
		for id := range keys {
			ids = append(ids, id)
		}
		unknown, err := i.cfg.Rows.UnknownResumes(ctx, ids)
		for _, id := range unknown {
			r.Ownerless = append(r.Ownerless, keys[id]...)
		}
		clear(keys)
		return err
	}
	err := i.cfg.Files.Each(ctx, func(key string) error {
		if export.IsKey(key) {
			return nil
		}
		r.Files++
		id, ok := resume.OfKey(key)
		if !ok {
			r.Foreign = append(r.Foreign, key)
			return nil
		}
		if keys[id] = append(keys[id], key); len(keys) < batch {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

func (i *Inventory) checkRows(ctx context.Context, r *Report) error {
	for after := ""; ; {
		rows, err := i.cfg.Rows.ReadyResumes(ctx, after, batch)
		if err != nil {
			return err
		}
		for _, row := range rows {
			size, there, err := i.cfg.Files.Size(ctx, row.Key)
			if err != nil {
				return err
			}
			if !there || size != row.Size {
				r.Lost = append(r.Lost, row)
			}
		}
		r.Rows += len(rows)
		if len(rows) < batch {
			return nil
		}
		after = rows[len(rows)-1].ID
	}
}

// Remove removes the files without a row, provided that there are exactly expected of them. The
// number protects against using the wrong database, in which none of the files would have a row.
func (i *Inventory) Remove(ctx context.Context, r Report, expected int) error {
	if len(r.Ownerless) != expected {
		return fmt.Errorf("there are %d files without a row, not %d: nothing was removed", len(r.Ownerless), expected)
	}
	for _, key := range r.Ownerless {
		if err := i.cfg.Files.Remove(ctx, key); err != nil {
			return err
		}
	}
	return nil
}
