package rules

import (
	"slices"

	"github.com/sabot-table/sabot/table/plaintext"
)

// currencies are those of ISO 4217 whose minor unit is a hundredth: amounts are written with two decimals.
var currencies = plaintext.Fields("AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN " +
	"BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD " +
	"FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR " +
	"KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN " +
	"MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD " +
	"SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD " +
	"TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW")

// wholeOrThousandths are those whose amounts have no decimals, or three.
var wholeOrThousandths = plaintext.Fields(
	"BHD BIF CLP DJF GNF IQD ISK JOD JPY KMF KRW KWD LYD OMR PYG RWF TND UGX VND VUV " +
		"XAF XOF XPF")

func (r *Rules) checkCurrency(c *Complaints) {
	code := r.Table.Currency
	switch {
	case slices.Contains(currencies, code):
	case slices.Contains(wholeOrThousandths, code):
		c.when(true, "table.currency", "amounts of "+code+" have no two decimals, and all amounts here do",
			"write a currency with hundredths, such as EUR")
	default:
		c.when(true, "table.currency", "\""+plaintext.Visible(code)+"\" is no currency",
			"write its three letters of ISO 4217, such as EUR")
	}
}
