import type { Scope } from '../../kernel/data/scope.ts'
import type { CompanyRow } from './invoices.ts'
import type { ChargeRow, Received } from './receive.ts'

/** What is to be paid, before anybody outside knows of it. */
export type Order = { company: CompanyRow; txid: string; cents: number; dueDate: string; words: string }
export type Made = { code: string; reference: string; expiresAt: Date | null }

/** One way of being paid. */
export type Provider = {
  /** The name under which a new charge is known on both sides. */
  newTxid(invoiceId: number): string
  /** Makes what can be paid. Doing it twice with one txid makes one charge. */
  charge(scope: Scope, order: Order): Promise<Made>
  /** What was paid of it by now, and whether anything more can come. */
  read(scope: Scope, charge: ChargeRow): Promise<Received[]>
  /** Somebody says that this was paid: is it so, and what is it? Null: they do not know it. */
  confirm(scope: Scope, reference: string): Promise<Received | null>
  /** The header in which its webhook brings our key once more. */
  tokenHeader?: string
  /** What a webhook is about. */
  hints(body: unknown): Hint[]
  /** Does it let us in, and does it know where to tell us? */
  test(scope: Scope, hook: string, key: string): Promise<void>
}
export type Hint = { txid: string; reference: string }
