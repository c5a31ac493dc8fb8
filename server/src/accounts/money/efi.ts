import { randomUUID } from 'node:crypto'
import { toCents } from '@recado/contract/money/invoices'
import { z } from 'zod'
import { minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { type CallProvider, keepDigits, makeProviderCall } from './provider-call.ts'
import type { ReceivedPayment } from './receive-payment.ts'

/** Client id, secret and the P12 certificate in base64, as issued by Efí. */
export type EfiCredentials = { id: string; secret: string; certificate: string; pixKey: string; sandbox: boolean }

const chargeTtlSeconds = 3600
const Pix = z.object({
  endToEndId: z.string(),
  txid: z.string().default(''),
  valor: z.coerce.number(),
  horario: z.string(),
  pagador: z.object({ nome: z.string().default('') }).optional(),
})
const Cob = z.object({
  pixCopiaECola: z.string().default(''),
  loc: z.object({ id: z.number() }).optional(),
  pix: z.array(Pix).default([]),
})
const EfiWebhookBody = z.object({
  pix: z
    .array(z.object({ txid: z.string().max(40).default(''), endToEndId: z.string().max(60) }))
    .max(200)
    .catch([]),
})

const toReceivedPayment = (pix: z.infer<typeof Pix>, txid = pix.txid): ReceivedPayment => ({
  provider: 'efi',
  reference: pix.endToEndId,
  txid,
  cents: toCents(pix.valor),
  payer: pix.pagador?.nome ?? '',
  paidAt: new Date(pix.horario),
})

/** Immediate charges of Efí: OAuth with a client certificate, a QR valid for an hour, a webhook as a hint. */
export function makeEfiProvider(keys: EfiCredentials): PaymentProvider {
  const identity = { pfx: Buffer.from(keys.certificate, 'base64'), passphrase: '' }
  const base = ({ deps }: Scope) =>
    deps.efiUrl || (keys.sandbox ? 'https://pix-h.api.efipay.com.br' : 'https://pix.api.efipay.com.br')

  /** Gets a new token each time: there are few charges, and a cached token would have to be shared and renewed. */
  async function authenticate(scope: Scope): Promise<CallProvider> {
    const basic = Buffer.from(`${keys.id}:${keys.secret}`).toString('base64')
    const callToken = makeProviderCall(scope, base(scope), { authorization: `Basic ${basic}` }, identity)
    const { access_token } = await callToken('POST', '/oauth/token', z.object({ access_token: z.string() }), {
      grant_type: 'client_credentials',
    })
    return makeProviderCall(scope, base(scope), { authorization: `Bearer ${access_token}` }, identity)
  }

  return {
    newTxid: () => randomUUID().replaceAll('-', ''),
    async createCharge(scope, { company, txid, cents, description }) {
      const callProvider = await authenticate(scope)
      const document = keepDigits(company.billingDocument)
      const nome = company.billingName || company.name
      const devedor =
        document.length === 11 ? { cpf: document, nome } : document.length === 14 ? { cnpj: document, nome } : undefined
      const cob = await callProvider('PUT', `/v2/cob/${txid}`, Cob, {
        calendario: { expiracao: chargeTtlSeconds },
        ...(devedor && { devedor }),
        valor: { original: (cents / 100).toFixed(2) },
        chave: keys.pixKey,
        solicitacaoPagador: description.slice(0, 140),
      })
      const code =
        cob.pixCopiaECola ||
        (await callProvider('GET', `/v2/loc/${cob.loc?.id}/qrcode`, z.object({ qrcode: z.string() }))).qrcode
      return { code, reference: txid, expiresAt: new Date(scope.now().getTime() + minutes(60)) }
    },
    async listPayments(scope, { txid }) {
      const callProvider = await authenticate(scope)
      // Efí does not know a charge whose creation failed: it counts as unpaid.
      const missing = { pixCopiaECola: '', pix: [] }
      const cob = await callProvider('GET', `/v2/cob/${txid}`, Cob, undefined, { missing })
      return cob.pix.map((pix) => toReceivedPayment(pix, txid))
    },
    async confirmPayment(scope, reference) {
      if (!/^[A-Za-z0-9]{1,60}$/.test(reference)) return null
      const callProvider = await authenticate(scope)
      const pix = await callProvider('GET', `/v2/pix/${reference}`, Pix.nullable(), undefined, { missing: null })
      return pix && toReceivedPayment(pix)
    },
    parseWebhook: (body) =>
      EfiWebhookBody.parse(body ?? {}).pix.map(({ txid, endToEndId }) => ({ txid, reference: endToEndId })),
    async testCredentials(scope, hook) {
      const callProvider = await authenticate(scope)
      await callProvider(
        'PUT',
        `/v2/webhook/${encodeURIComponent(keys.pixKey)}`,
        z.unknown(),
        { webhookUrl: hook },
        {
          headers: { 'x-skip-mtls-checking': 'true' },
        },
      )
    },
  }
}
