package money

import (
	"slices"

	"github.com/sabot-table/sabot/table/plaintext"
)

// usual is how many decimals amounts have in most currencies.
const usual = 2

// currencies are those of ISO 4217 (list one, column "minor unit"), by the number of their decimals. Funds, metals and
// units of account are none in which anybody pays.
var currencies = [...][]string{
	0: plaintext.Fields("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"),
	usual: plaintext.Fields(
		"AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN " +
			"BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD " +
			"FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR " +
			"KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN " +
			"MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD " +
			"SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD " +
			"TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW"),
	3: plaintext.Fields("BHD IQD JOD KWD LYD OMR TND"),
}

// IsCurrency says whether a code is a currency's.
func IsCurrency(code string) bool { return slices.Contains(currencies[Digits(code)], code) }

// Scaled is an amount of a currency with from decimals as one of a currency with to decimals: 20.00 as 20 or 20.000.
func Scaled(a Amount, from, to int, how Rounding) Amount {
	as := Ratio{1, 1}
	for range to {
		as.Num *= 10
	}
	for range from {
		as.Den *= 10
	}
	scaled, _ := Share(a, as, 1, how)
	return scaled
}

// Digits is how many decimals the amounts of a currency have. What is no currency has as many as most: so only those
// that have others are looked for, of which there are few, since each drawing of a page asks.
func Digits(code string) int {
	for digits, codes := range currencies {
		if digits != usual && slices.Contains(codes, code) {
			return digits
		}
	}
	return usual
}
