package rules

import (
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Digits is how many decimals the table's amounts have.
func (r *Rules) Digits() int { return money.Digits(r.Table.Currency) }

func (r *Rules) checkCurrency(c *Complaints) {
	code := r.Table.Currency
	c.when(!money.IsCurrency(code), "table.currency", "\""+plaintext.Visible(code)+"\" is no currency",
		"write its three letters of ISO 4217, such as EUR")
	c.when(r.Digits() != money.Digits("EUR"), "table.currency", "amounts of "+code+
		" have no two decimals, and all amounts here do", "write a currency with hundredths, such as EUR")
}
