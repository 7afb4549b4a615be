// Package profile manages people's profiles and CVs: the data, the validation rules, and the use cases of the
// owners and of internal teams.
//
// Its results contain private fields, so they must never be returned to partners. Package sharing serves
// partners, through package projection.
package profile
