import { randomUUID } from 'node:crypto'
import { fromCents, toCents } from '@recado/contract/money/invoices'
import { z } from 'zod'
import { days } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { CompanyRow } from './invoices.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { keepDigits, makeProviderCall, ProviderError } from './provider-call.ts'
import type { ReceivedPayment } from './receive-payment.ts'

export type AsaasCredentials = { token: string; sandbox: boolean }

const Payment = z.object({
  id: z.string(),
  status: z.string(),
  value: z.number(),
  externalReference: z.string().nullish(),
  paymentDate: z.string().nullish(),
})
const PaymentList = z.object({ data: z.array(Payment) })
/** All states in which the money has arrived. */
const paidStates = ['RECEIVED', 'CONFIRMED', 'RECEIVED_IN_CASH']
const AsaasWebhookBody = z.object({
  payment: z
    .object({ id: z.string().max(60), externalReference: z.string().max(60).nullish() })
    .optional()
    .catch(undefined),
})

const toReceivedPayment = ({ id, value, externalReference }: z.infer<typeof Payment>, now: Date): ReceivedPayment => ({
  provider: 'asaas',
  reference: id,
  txid: externalReference ?? '',
  cents: toCents(value),
  payer: '',
  paidAt: now,
})

/** Pix charges of Asaas: a customer, a payment, its QR, and a webhook with a token. */
export function makeAsaasProvider(keys: AsaasCredentials): PaymentProvider {
  const callProvider = (scope: Scope) =>
    makeProviderCall(
      scope,
      scope.deps.asaasUrl || (keys.sandbox ? 'https://api-sandbox.asaas.com/v3' : 'https://api.asaas.com/v3'),
      { access_token: keys.token, 'user-agent': 'Recado' },
    )

  async function customerOf(scope: Scope, company: CompanyRow): Promise<string> {
    const externalReference = `recado-${company.id}`
    const List = z.object({ data: z.array(z.object({ id: z.string() })) })
    const customers = await callProvider(scope)('GET', `/customers?externalReference=${externalReference}`, List)
    const [first] = customers.data
    if (first) return first.id
    const cpfCnpj = keepDigits(company.billingDocument)
    if (!cpfCnpj) throw new ProviderError('the company has no CPF or CNPJ')
    const name = company.billingName || company.name
    const customer = await callProvider(scope)('POST', '/customers', z.object({ id: z.string() }), {
      ...{ name, cpfCnpj, externalReference, notificationDisabled: true },
      ...(company.email && { email: company.email }),
    })
    return customer.id
  }

  return {
    tokenHeader: 'asaas-access-token',
    newTxid: () => randomUUID().replaceAll('-', ''),
    async createCharge(scope, { company, txid, cents, dueDate, description }) {
      const customer = await customerOf(scope, company)
      const payment = await callProvider(scope)('POST', '/payments', Payment, {
        customer,
        billingType: 'PIX',
        value: fromCents(cents),
        dueDate,
        description: description,
        externalReference: txid,
      })
      const qr = await callProvider(scope)(
        'GET',
        `/payments/${payment.id}/pixQrCode`,
        z.object({ payload: z.string() }),
      )
      // Asaas codes can be paid until the end of their date and later; a new code each day keeps the amount right.
      return { code: qr.payload, reference: payment.id, expiresAt: new Date(scope.now().getTime() + days(1)) }
    },
    async listPayments(scope, { txid, reference }) {
      // The process may have died before it stored the reference, so the payment is also looked up by our own id.
      const payments = reference
        ? [await callProvider(scope)('GET', `/payments/${reference}`, Payment)]
        : (await callProvider(scope)('GET', `/payments?externalReference=${txid}`, PaymentList)).data
      return payments
        .filter(({ status }) => paidStates.includes(status))
        .map((payment) => ({ ...toReceivedPayment(payment, scope.now()), txid }))
    },
    async confirmPayment(scope, reference) {
      if (!/^[\w-]{1,60}$/.test(reference)) return null
      const payment = await callProvider(scope)('GET', `/payments/${reference}`, Payment.nullable(), undefined, {
        missing: null,
      })
      return payment && paidStates.includes(payment.status) ? toReceivedPayment(payment, scope.now()) : null
    },
    parseWebhook(body) {
      const { payment } = AsaasWebhookBody.parse(body ?? {})
      return payment ? [{ txid: payment.externalReference ?? '', reference: payment.id }] : []
    },
    async testCredentials(scope, hook, key) {
      const Hooks = z.object({ data: z.array(z.object({ id: z.string(), url: z.string() })) })
      const registered = await callProvider(scope)('GET', '/webhooks', Hooks)
      if (registered.data.some(({ url }) => url === hook)) return
      await callProvider(scope)('POST', '/webhooks', z.unknown(), {
        name: 'Recado',
        url: hook,
        enabled: true,
        interrupted: false,
        apiVersion: 3,
        authToken: key,
        sendType: 'SEQUENTIALLY',
        events: ['PAYMENT_RECEIVED', 'PAYMENT_CONFIRMED'],
      })
    },
  }
}
