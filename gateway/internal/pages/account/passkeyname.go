package account

import (
	"net/http"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/pasted"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

type renameView struct {
	passkeyView
	// Fresh is the new name as the person typed it, or the current name.
	Fresh string
}

// askName shows the form for renaming a passkey.
func (p passkeyPages) askName(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.about(w, r, who, func(key passkeyView) error {
		return p.showName(w, r, http.StatusOK, who, nil, renameView{key, key.Name})
	})
}

func (p passkeyPages) showName(w http.ResponseWriter, r *http.Request, status int, who shell.Person, faults []web.Fault, v renameView) error {
	return p.show(w, r, status, who, "passkeyrename", "passkey.rename.title", faults, v)
}

func (p passkeyPages) rename(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	name := pasted.Line(r.PostForm.Get("name"))
	if key := passkeyNameFault(name); key != "" {
		return p.refuseName(w, r, who, name, key)
	}
	_, err := p.Passkeys.RenamePasskey(r.Context(), &authv1.RenamePasskeyRequest{SessionToken: who.Token, Id: r.PathValue("id"), Name: name})
	switch {
	case errs.HasCode(err, codeUnknownKey): // it was removed in a different tab
	case refusesName(err):
		return p.refuseName(w, r, who, name, "passkey.error.name")
	case err != nil:
		return err
	default:
		p.Notify(w, "notice.passkey_renamed", "")
	}
	web.SeeOther(w, shell.AccountPath)
	return nil
}

// refuseName shows the form again, with the name as the person typed it.
func (p passkeyPages) refuseName(w http.ResponseWriter, r *http.Request, who shell.Person, name, key string) error {
	faults, err := p.Faults(r, shell.At("name", key))
	if err != nil {
		return err
	}
	return p.about(w, r, who, func(key passkeyView) error {
		return p.showName(w, r, http.StatusUnprocessableEntity, who, faults, renameView{key, name})
	})
}
