package grpcapi

import (
	"vitae.internal/pkg/vocabulary"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

var (
	statuses           = vocabulary.New[partnercatalogv1.JobStatus]()
	saveAs             = vocabulary.New[partnercatalogv1.SaveAs]()
	workModes          = vocabulary.New[partnercatalogv1.WorkMode]()
	employments        = vocabulary.New[partnercatalogv1.Employment]()
	seniorities        = vocabulary.New[partnercatalogv1.Seniority]()
	periods            = vocabulary.New[partnercatalogv1.SalaryPeriod]()
	distributions      = vocabulary.New[partnercatalogv1.Distribution]()
	candidateLocations = vocabulary.New[partnercatalogv1.CandidateLocation]()
	experiences        = vocabulary.New[partnercatalogv1.ExperienceYears]()
	languages          = vocabulary.New[partnercatalogv1.LanguageRule]()
	workEligibilities  = vocabulary.New[partnercatalogv1.WorkEligibility]()
	programmes         = vocabulary.New[partnercatalogv1.Programme]()
	questionTypes      = vocabulary.New[partnercatalogv1.QuestionType]()
	questionSources    = vocabulary.New[partnercatalogv1.QuestionSource]()
	defaultQuestions   = vocabulary.New[partnercatalogv1.DefaultQuestion]()
)
