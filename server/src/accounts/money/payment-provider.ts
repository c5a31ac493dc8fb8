import type { Scope } from '../../kernel/data/scope.ts'
import type { CompanyRow } from './invoices.ts'
import type { ChargeRow, ReceivedPayment } from './receive-payment.ts'

/** A charge to create, before the provider is called. */
export type ChargeOrder = { company: CompanyRow; txid: string; cents: number; dueDate: string; description: string }
export type CreatedCharge = { code: string; reference: string; expiresAt: Date | null }

/** A payment provider. */
export type PaymentProvider = {
  /** Creates the id of a new charge, which both the provider and we use. */
  newTxid(invoiceId: number): string
  /** Creates a payable charge. Idempotent by txid. */
  createCharge(scope: Scope, order: ChargeOrder): Promise<CreatedCharge>
  /** The payments received for a charge so far. */
  listPayments(scope: Scope, charge: ChargeRow): Promise<ReceivedPayment[]>
  /** Queries the provider for a reported payment. Null: the payment does not exist. */
  confirmPayment(scope: Scope, reference: string): Promise<ReceivedPayment | null>
  /** The header in which the webhook sends our key back. */
  tokenHeader?: string
  /** The charges that a webhook call refers to. */
  parseWebhook(body: unknown): PaymentHint[]
  /** Tests the credentials, and registers the webhook URL. */
  testCredentials(scope: Scope, hook: string, key: string): Promise<void>
}
export type PaymentHint = { txid: string; reference: string }
