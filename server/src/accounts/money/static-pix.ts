import { randomBytes } from 'node:crypto'
import { buildBrCode } from './br-code.ts'
import type { PaymentProvider } from './payment-provider.ts'

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A static code for the platform's Pix key. There are no payment notifications: the super user checks the account. */
export const makeStaticPixProvider = (to: { key: string; name: string; city: string }): PaymentProvider => ({
  newTxid(invoiceId) {
    const random = [...randomBytes(12)].map((byte) => letters[byte % letters.length]).join('')
    // Banks accept 25 letters and digits; the super user finds the leading invoice number in the bank statement.
    return `FAT${invoiceId}X${random}`.slice(0, 25)
  },
  createCharge: async (_scope, { txid, cents }) => ({
    code: buildBrCode({ ...to, cents, txid }),
    reference: '',
    expiresAt: null,
  }),
  listPayments: async () => [],
  confirmPayment: async () => null,
  parseWebhook: () => [],
  testCredentials: async () => {},
})
