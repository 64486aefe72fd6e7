package rules

import (
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Digits is how many decimals the table's amounts have.
func (r *Rules) Digits() int { return money.Digits(r.Table.Currency) }

// CurrencyHint is what to write for a currency.
const CurrencyHint = "write its three letters of ISO 4217, such as EUR"

func (r *Rules) checkCurrency(c *Complaints) {
	code := r.Table.Currency
	c.when(!money.IsCurrency(code), "table.currency", "\""+plaintext.Visible(code)+"\" is no currency",
		CurrencyHint)
}
