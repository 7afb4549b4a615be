package profile

import (
	"context"
	"encoding/base64"
	"strings"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/picture"
)

// KeptPhoto is the AvatarURL of a person whose photo is kept by this service. It is an
// inline image without its bytes, which are in Profile.Photo.
const KeptPhoto = "data:image/jpeg;base64,"

// Pictures makes pictures of ours. picture.Encoder implements it.
type Pictures interface {
	// JPEG gives the picture in a file as a small JPEG. Errors: picture.ErrUnreadable.
	JPEG(ctx context.Context, file []byte) ([]byte, error)
}

// PhotoAddress gives the photo as internal teams read it: the URL that was written, or
// the picture that is kept, inline. Empty for none.
func (p Profile) PhotoAddress() string {
	if p.AvatarURL == KeptPhoto {
		return InlinePhoto(p.Photo)
	}
	return p.AvatarURL
}

// InlinePhoto gives a kept picture as a data URL, empty for no picture.
func InlinePhoto(jpeg []byte) string {
	if len(jpeg) == 0 {
		return ""
	}
	return KeptPhoto + base64.StdEncoding.EncodeToString(jpeg)
}

// InlineFile gives the file in a data URL of a picture; false if address is none.
func InlineFile(address string) ([]byte, bool) {
	start, body, ok := strings.Cut(address, ",")
	if !ok || !strings.HasPrefix(start, "data:") {
		return nil, false
	}
	file, err := base64.StdEncoding.DecodeString(body)
	return file, err == nil && len(file) > 0
}

// takePhoto encodes an inline photo anew, and adds what is wrong with it to faults. What
// is wrong with its form has been added before. kept is the picture of the profile that
// is replaced: who writes back what they have read loses no quality by it.
func (s *Service) takePhoto(ctx context.Context, p *Profile, kept []byte, faults *fault.List) error {
	const path = root + "." + string(FieldAvatarURL)
	file, inline := InlineFile(p.AvatarURL)
	if !inline || faults.Has(path) {
		return nil
	}
	jpeg := kept
	if string(file) != string(kept) {
		var err error
		jpeg, err = s.pictures.JPEG(ctx, file)
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
