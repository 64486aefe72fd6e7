package transcript

import "github.com/sabot-table/sabot/table/vocab"

// TellsOfPaid says whether an output tells what was paid instead of what was due. Earlier programs did not.
func TellsOfPaid(out *vocab.Output) bool {
	return out.Kind == vocab.Payout || (out.Kind == vocab.Irregular || out.Kind == vocab.Finished) &&
		out.Trouble != nil && out.Payment.Differs
}

// AppendEarlier writes the lines of an answer, each with its newline, as those programs did.
func AppendEarlier(dst []byte, outs []vocab.Output) []byte {
	for i := range outs {
		out := outs[i]
		if out.Kind == vocab.Payout {
			continue
		}
		if TellsOfPaid(&out) {
			trouble := *out.Trouble
			trouble.Payment = vocab.PaymentTold{}
			out.Trouble = &trouble
		}
		dst = append(AppendOutput(dst, &out), '\n')
	}
	return dst
}
