package profile

import (
	"context"
	"encoding/base64"
	"strings"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/picture"
)

// KeptPhoto is the AvatarURL of a person whose photo is stored in this service. It is a data URL without the
// image data, which is in Profile.Photo.
const KeptPhoto = "data:image/jpeg;base64,"

// Pictures encodes pictures. picture.Encoder implements it.
type Pictures interface {
	// JPEG converts a picture to a small JPEG. It returns picture.ErrUnreadable if it cannot decode the
	// picture.
	JPEG(ctx context.Context, file []byte) ([]byte, error)
}

// PhotoAddress returns the photo in the form that internal teams see: its URL, the stored picture as a data
// URL, or "" if there is none.
func (p Profile) PhotoAddress() string {
	if p.AvatarURL == KeptPhoto {
		return InlinePhoto(p.Photo)
	}
	return p.AvatarURL
}

// InlinePhoto returns a picture as a data URL, or "" if there is no picture.
func InlinePhoto(jpeg []byte) string {
	if len(jpeg) == 0 {
		return ""
	}
	return KeptPhoto + base64.StdEncoding.EncodeToString(jpeg)
}

// InlineFile returns the file contained in a picture's data URL. It returns false if address is not such a
// URL.
func InlineFile(address string) ([]byte, bool) {
	start, body, ok := strings.Cut(address, ",")
	if !ok || !strings.HasPrefix(start, "data:") {
		return nil, false
	}
	file, err := base64.StdEncoding.DecodeString(body)
	return file, err == nil && len(file) > 0
}

// takePhoto re-encodes an inline photo, and adds any validation errors to faults. The format of the URL has
// already been checked. If the photo is the same as the stored picture, given in kept, takePhoto does not
// re-encode it, so it loses no quality.
func (s *Service) takePhoto(ctx context.Context, p *Profile, kept []byte, faults *fault.List) error {
	const path = root + "." + string(FieldAvatarURL)
	file, inline := InlineFile(p.AvatarURL)
	if !inline || faults.Has(path) {
		return nil
	}
	jpeg := kept
	if string(file) != string(kept) {
		var err error
		jpeg, err = s.cfg.Pictures.JPEG(ctx, file)
		if errs.HasCode(err, picture.ErrUnreadable.Code) {
			faults.Add(path, "must hold an image that can be read, of at most 16 megapixels")
			return nil
		}
		if err != nil {
			return err
		}
	}
	p.AvatarURL, p.Photo = KeptPhoto, jpeg
	return nil
}
