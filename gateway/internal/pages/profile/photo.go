package profile

import (
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/gateway/internal/pages/public"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/picture"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	photoPath = shell.ProfilePath + "/photo"
	// maxPhotoFile is the maximum size of a photo file in bytes (behaviour: photos#image-format).
	maxPhotoFile = 10 << 20
	// MaxPhotoForm also leaves room for the other fields of the form.
	MaxPhotoForm = maxPhotoFile + 16<<10
	// maxInline is the maximum size, in bytes, of a photo that the candidate service accepts. The gateway
	// scales down larger photos.
	maxInline = 512 << 10
	// photoMemory limits the memory, in bytes, for photos that are being scaled down. It admits one photo
	// of 48 megapixels or two of 24, and leaves room for other requests and pages.
	photoMemory = 128 << 20
)

// photoPages serves the pages for the person's own photo.
type photoPages struct {
	editorPages
	turns    *turns
	pictures *picture.Encoder
}

type photoView struct {
	Name  string
	Photo template.URL
}

// showPhoto shows the photo and the forms for replacing and removing it.
func (p photoPages) showPhoto(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	notice, err := p.TakeNotice(w, r, "title")
	if err != nil {
		return err
	}
	return p.drawPhoto(w, r, http.StatusOK, who, web.View{Notice: notice})
}

func (p photoPages) drawPhoto(w http.ResponseWriter, r *http.Request, status int, who shell.Person, v web.View) error {
	e, err := p.read(r, who, shell.MainCV)
	if err != nil {
		return err
	}
	photo, origin := public.PhotoOf(e.doc.Profile.GetAvatarUrl())
	v.Data = photoView{Name: e.doc.Profile.GetName(), Photo: photo}
	w.Header().Set(web.PolicyHeader, web.Policy{Images: origin, Scripts: true}.String())
	return p.Show(w, r, who, status, "ownphoto", v, "ownphoto.title")
}

// replacePhoto stores an uploaded picture, or removes the photo. It sends no version number, because it
// changes nothing else.
func (p photoPages) replacePhoto(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	end, ok := p.turns.begin(who.GetId())
	if !ok {
		w.Header().Set("Retry-After", strconv.Itoa(fileRetry))
		return p.refusePhoto(w, r, http.StatusTooManyRequests, who, fileOfOwn)
	}
	defer end()
	file, err := web.Upload(r, "photo")
	if err != nil {
		return err
	}
	address, notice := "", "notice.photo_removed"
	if r.PostForm.Get("do") != "remove" {
		if len(file) == 0 {
			return p.refusePhoto(w, r, http.StatusUnprocessableEntity, who, "editor.fault.photo_none")
		}
		if len(file) > maxInline {
			r.MultipartForm = nil // it holds the file as well
			file, err = p.pictures.JPEG(r.Context(), file)
			if r.Context().Err() != nil {
				err = errs.New(errs.Unavailable, errs.CodeUnavailable, "The request ended before the photo was read.").WithCause(err)
			}
		}
		if errs.HasCode(err, picture.ErrUnreadable.Code) {
			return p.refusePhoto(w, r, http.StatusUnprocessableEntity, who, "editor.fault.photo")
		}
		if err != nil {
			return err
		}
		address, notice = "data:"+pictureType(file)+";base64,"+base64.StdEncoding.EncodeToString(file), "notice.photo_saved"
	}
	_, err = p.editor.SaveOwnProfile(r.Context(), &candidatev1.SaveOwnProfileRequest{
		SessionToken: who.Token, Profile: &candidatev1.Profile{AvatarUrl: address}, UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"avatar_url"}},
	})
	if errs.KindOf(err) == errs.Invalid {
		return p.refusePhoto(w, r, http.StatusUnprocessableEntity, who, "editor.fault.photo")
	}
	if err != nil {
		return profileFailure(err)
	}
	return p.GoTo(w, photoPath, notice, "")
}

// refuseLargePhoto shows the form again if the submitted file is too large.
func (p photoPages) refuseLargePhoto(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.refusePhoto(w, r, http.StatusRequestEntityTooLarge, who, "editor.fault.photo_large")
}

func (p photoPages) refusePhoto(w http.ResponseWriter, r *http.Request, status int, who shell.Person, key string) error {
	fault, err := p.Fault(r, "photo", key)
	if err != nil {
		return err
	}
	return p.drawPhoto(w, r, status, who, web.View{Faults: []web.Fault{fault}})
}

// pictureType returns the media type of a picture, detected from its content. The candidate service rejects
// anything that is not a picture.
func pictureType(file []byte) string {
	switch found := http.DetectContentType(file); found {
	case "image/png", "image/webp", "image/gif":
		return found
	default:
		return "image/jpeg"
	}
}
