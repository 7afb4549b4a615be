// Package job is the rules of jobs: what a job may hold, what it takes to be
// live, and how it moves between draft, active, closed and archived (spec: Job,
// Job status; decisions 27 to 34).
//
// There are two kinds of rule. The shape (shape.go) holds for every job, drafts
// included: lengths, allowed values, list sizes. The publish contract
// (contract.go) holds for live jobs alone. A request that breaks the shape can
// never succeed (errs.Invalid); one that breaks the contract or the state table
// is forbidden by what the job is (errs.Precondition). Both name the field by its
// path in the .proto.
//
// It must never let a job be live that breaks the contract: whatever changes a
// job goes through Job.edit, Job.publish, Job.close or Job.archive, on a job
// that the store keeps locked.
package job
