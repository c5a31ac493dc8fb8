import type { Scope } from '../../kernel/data/scope.ts'
import type { CompanyRow } from './invoices.ts'
import type { ChargeRow, ReceivedPayment } from './receive-payment.ts'

/** What is to be paid, before anybody outside knows of it. */
export type ChargeOrder = { company: CompanyRow; txid: string; cents: number; dueDate: string; words: string }
export type CreatedCharge = { code: string; reference: string; expiresAt: Date | null }

/** One way of being paid. */
export type PaymentProvider = {
  /** The name under which a new charge is known on both sides. */
  newTxid(invoiceId: number): string
  /** Makes what can be paid. Doing it twice with one txid makes one charge. */
  charge(scope: Scope, order: ChargeOrder): Promise<CreatedCharge>
  /** What was paid of it by now, and whether anything more can come. */
  read(scope: Scope, charge: ChargeRow): Promise<ReceivedPayment[]>
  /** Somebody says that this was paid: is it so, and what is it? Null: they do not know it. */
  confirm(scope: Scope, reference: string): Promise<ReceivedPayment | null>
  /** The header in which its webhook brings our key once more. */
  tokenHeader?: string
  /** What a webhook is about. */
  hints(body: unknown): PaymentHint[]
  /** Does it let us in, and does it know where to tell us? */
  test(scope: Scope, hook: string, key: string): Promise<void>
}
export type PaymentHint = { txid: string; reference: string }
