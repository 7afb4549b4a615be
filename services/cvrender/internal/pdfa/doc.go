// Package pdfa checks files against PDF/A-2a (ISO 19005-2): the clauses that concern what a CV holds.
// Package matterhorn checks what 6.7 has in common with PDF/UA-1: that all is tagged, and the types of
// the structure. Where the standard allows something under conditions and no CV has it, such as forms,
// spot colours or embedded files, having it is a fault here.
//
// It must never be imported by anything but tests.
package pdfa
