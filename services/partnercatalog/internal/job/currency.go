package job

import "strings"

// currencies is the set of codes of currencies that are currently in circulation: ISO 4217:2015 list one, as
// published by SIX Group at
// https://www.six-group.com/en/products-services/financial-information/market-reference-data/data-standards.html,
// with the amendments in force in 2026 (behaviour: jobs#salary). It excludes metals (XAU…), bond market and
// accounting units (XBA, XDR, XSU, XUA, XAD…), funds and indexation units (BOV, CHE, CHW, CLF, COU, MXV, USN,
// UYI, UYW), XTS and XXX.
//
// Move codes that are withdrawn to the list below.
var currencies = codes(`
	AED AFN ALL AMD AOA ARS AUD AWG AZN
	BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD
	CAD CDF CHF CLP CNY COP CRC CUP CVE CZK
	DJF DKK DOP DZD
	EGP ERN ETB EUR
	FJD FKP
	GBP GEL GHS GIP GMD GNF GTQ GYD
	HKD HNL HTG HUF
	IDR ILS INR IQD IRR ISK
	JMD JOD JPY
	KES KGS KHR KMF KPW KRW KWD KYD KZT
	LAK LBP LKR LRD LSL LYD
	MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN
	NAD NGN NIO NOK NPR NZD
	OMR
	PAB PEN PGK PHP PKR PLN PYG
	QAR
	RON RSD RUB RWF
	SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
	THB TJS TMT TND TOP TRY TTD TWD TZS
	UAH UGX USD UYU UZS
	VED VES VND VUV
	WST
	XAF XCD XCG XOF XPF
	YER
	ZAR ZMW ZWG`)

// withdrawn is the set of recently withdrawn codes. Their successors are EUR for HRK (2023), SLE for SLL (2024),
// ZWG for ZWL (2024), XCG for ANG (2025), CUP for CUC (2025) and EUR for BGN (2026). Responses for stored jobs
// still contain them, but no request can set them.
var withdrawn = codes("ANG BGN CUC HRK SLL ZWL")

func codes(list string) map[string]bool {
	set := map[string]bool{}
	for _, code := range strings.Fields(list) {
		set[code] = true
	}
	return set
}

// isCurrency reports whether code is a current ISO 4217 code.
func isCurrency(code string) bool { return currencies[code] }

// CurrencyCode returns a currency code in upper case (behaviour: jobs#salary). It changes only ASCII letters,
// because a few other letters also have an ASCII upper-case form but are not part of any code.
func CurrencyCode(currency string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, currency)
}

// Salary returns the compensation to show in responses. It returns nil if there is none, or if its currency is
// not an ISO 4217 code, because drafts used to accept any text (behaviour: jobs#salary).
func (s Sections) Salary() *Compensation {
	if c := s.Compensation; c != nil && (isCurrency(c.Currency) || withdrawn[c.Currency]) {
		return c
	}
	return nil
}
