// Package picture turns a picture that a stranger made into one of ours: decoded,
// turned upright, scaled down, encoded anew. Nothing of the original file is left but
// the picture: no metadata, no trailing data, no second meaning of its bytes.
//
// It must never decode a picture before its dimensions are checked, and it knows
// nothing of where pictures come from.
package picture
