package job

import "strings"

// currencies are the current codes of money in use: ISO 4217:2015 list one, as
// the maintenance agency (SIX Group) publishes it at
// https://www.six-group.com/en/products-services/financial-information/market-reference-data/data-standards.html,
// with the amendments in force in 2026 (behaviour: jobs#salary). The list leaves out
// metals (XAU…), bond market and accounting units (XBA, XDR, XSU, XUA, XAD…), funds and
// indexation units (BOV, CHE, CHW, CLF, COU, MXV, USN, UYI, UYW), XTS and XXX.
//
// Codes that were withdrawn recently, each with its successor: HRK (EUR, 2023), SLL
// (SLE, 2024), ZWL (ZWG, 2024), ANG (XCG, 2025), CUC (CUP, 2025), BGN (EUR, 2026).
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

func codes(list string) map[string]bool {
	set := map[string]bool{}
	for _, code := range strings.Fields(list) {
		set[code] = true
	}
	return set
}

// isCurrency reports whether code is a current ISO 4217 code of money in use.
func isCurrency(code string) bool { return currencies[code] }
