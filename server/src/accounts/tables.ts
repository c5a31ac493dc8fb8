import type { AuditAction, AuditChange } from '@recado/contract/api-access/audit'
import type { BillingField } from '@recado/contract/billing'
import type { KeyScope, PlanFlag } from '@recado/contract/endpoint'
import type { Holiday, Hours } from '@recado/contract/hours/hours'
import type { Currency } from '@recado/contract/money/currency'
import type { Invoice, InvoiceStatus, PaymentProviderName } from '@recado/contract/money/invoices'
import type { PriceList } from '@recado/contract/money/message-prices'
import type { MoneyEvent, Payment } from '@recado/contract/money/platform'
import type { Charge } from '@recado/contract/money/subscription'
import type { Plan } from '@recado/contract/plans'
import type { Profile } from '@recado/contract/rules'
import type { Availability, AvailabilityCause, Language } from '@recado/contract/users'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { NullableTimestampColumn, TenantColumns, TimestampColumn } from '../kernel/data/tables.ts'
import type { Device } from './session-limit.ts'

type SessionColumns = {
  userId: number
  companyId: number
  id: string
  generation: Generated<number>
  rotatedAt: TimestampColumn
  expiresAt: TimestampColumn
  device: Generated<Device>
  /** Time of the login; written by the database. */
  openedAt: GeneratedAlways<string | null>
}

/** Companies and users. Only this layer writes these tables; any other layer may join them. */
declare module '../kernel/data/tables.ts' {
  interface DB {
    plans: {
      id: Generated<number>
      name: string
      users: number
      connections: number
      queues: number
      value: number
      currency: Generated<Currency>
      prices: JSONColumnType<Plan['prices'], string | undefined, string>
      storageMb: Generated<number | null>
      createdAt: TimestampColumn
    } & Record<PlanFlag, boolean>
    companies: {
      id: Generated<number>
      name: string
      email: string | null
      phone: Generated<string>
      planId: number | null
      status: Generated<boolean>
      dueDate: string | null
      trialExpiration: string | null
      /** The day of the month on which the company is due; null: the day of its due date. */
      billingDay: Generated<number | null>
      recurrence: 'MENSAL' | 'BIMESTRAL' | 'TRIMESTRAL' | 'SEMESTRAL' | 'ANUAL' | null
      /** The currency of the next invoices. */
      currency: Generated<Currency>
      schedules: JSONColumnType<Hours[], string | undefined, string>
      holidays: JSONColumnType<Holiday[], string | undefined, string>
      /** Increased by the database with every change that automatic answers depend on. */
      rulesVersion: Generated<number>
      looks: Generated<number>
      /** The export of another server that this company was imported from. */
      movedFrom: Generated<string | null>
      /** Salt for the hashes of phone numbers that no campaign may write to (migration 0146). */
      stopSalt: Generated<string>
      platform: Generated<boolean>
      referrerId: number | null
      createdAt: TimestampColumn
    } & Record<BillingField, Generated<string>>
    settings: { companyId: number; key: string; value: string }
    users: TenantColumns & {
      name: string
      email: string
      passwordHash: string
      /** Counts credential changes; tokens with an older version are refused. */
      credentialVersion: Generated<number>
      profile: Profile
      super: Generated<boolean>
      active: Generated<boolean>
      /** The user has not chosen a password yet. */
      invited: Generated<boolean>
      allTicket: 'enabled' | 'desabled'
      whatsappId: number | null
      language: Language | null
      /** The user's own time zone, if it differs from the company's. */
      timeZone: Generated<string | null>
      /** Whether the user wants last week's report by mail on Mondays; `weeklyMailedOn`: the Monday of the last mail. */
      weeklyMail: Generated<boolean>
      weeklyMailedOn: Generated<string | null>
      /** Has hidden the getting-started guide. */
      hidesGuide: Generated<boolean>
      /** For how many seconds the user's messages can be taken back; 0: not at all. */
      undoSeconds: Generated<number>
      /** Still has the password that the first start of the server printed or took from the environment. */
      hasInitialPassword: Generated<boolean>
      online: Generated<boolean>
      lastSeenAt: NullableTimestampColumn
      availability: Generated<Availability>
      availabilityReason: Generated<string>
      availabilitySince: TimestampColumn
      availabilityCause: Generated<AvailabilityCause>
      /** How many offers in a row ran out without an answer. */
      missedOffers: Generated<number>
      /** When the last browser closed; a minute later the user is offline. */
      disconnectedAt: NullableTimestampColumn
      /** Overrides the capacity of the queues. */
      capacity: Generated<number | null>
      skillIds: Generated<number[]>
      /** The weekly plan; whether a shift is running, and when the next one begins or ends. */
      shifts: JSONColumnType<Hours[], string | undefined, string>
      onShift: Generated<boolean>
      shiftChangesAt: NullableTimestampColumn
      createdAt: TimestampColumn
    }
    apiKeys: {
      id: Generated<number>
      companyId: number
      name: string
      /** `line`: the API token of a WhatsApp connection; its hash is stored with the connection. */
      kind: Generated<'key' | 'line'>
      mark: string | null
      hint: Generated<string>
      scopes: KeyScope[]
      whatsappIds: Generated<number[]>
      whatsappId: number | null
      expiresAt: NullableTimestampColumn
      lastUsedAt: NullableTimestampColumn
      revokedAt: NullableTimestampColumn
      userId: number | null
      createdAt: TimestampColumn
    }
    audit: {
      id: Generated<number>
      companyId: number
      deed: AuditAction
      about: number
      name: Generated<string>
      userId: number | null
      userName: Generated<string>
      changes: JSONColumnType<AuditChange[], string | undefined, never>
      keyId: number | null
      keyName: Generated<string>
      at: TimestampColumn
    }
    auditContacts: {
      companyId: number
      auditId: number
      contactId: number
      name: Generated<string>
      changes: JSONColumnType<AuditChange[], string | undefined, never>
    }
    secondFactors: {
      userId: number
      companyId: number
      secretSealed: string
      step: Generated<number>
      confirmedAt: NullableTimestampColumn
      recovery: Generated<string[]>
    }
    passkeys: TenantColumns & {
      userId: number
      name: string
      credentialId: string
      publicKey: string
      algorithm: number
      counter: Generated<number>
      signedFor: Generated<number>
      createdAt: TimestampColumn
      lastUsedAt: NullableTimestampColumn
    }
    skills: TenantColumns & { name: string; language: string | null; createdAt: TimestampColumn }
    userQueues: { companyId: number; userId: number; queueId: number }
    /** The periods in which a user had an open socket; written by the database. */
    userOnline: {
      id: GeneratedAlways<number>
      companyId: number
      userId: number
      since: TimestampColumn
      until: NullableTimestampColumn
    }
    /** When a user last did something: typed, clicked, wrote to a customer. */
    userActivity: { companyId: number; userId: number; at: TimestampColumn }
    /** The periods in which an online user was available, on a break or away; written by the database. */
    availabilitySpans: {
      id: GeneratedAlways<number>
      companyId: number
      userId: number
      availability: Availability
      reason: Generated<string>
      since: TimestampColumn
      until: NullableTimestampColumn
    }
    sessions: SessionColumns
    /** Sessions of users who already have a row in `sessions`. Queries on `sessions` include these rows. */
    furtherSessions: SessionColumns
    passwordResets: {
      userId: number
      companyId: number
      codeHash: string
      tries: Generated<number>
      expiresAt: TimestampColumn
    }
    invitations: { userId: number; companyId: number; keyHash: string; expiresAt: TimestampColumn }
    pushSubscriptions: TenantColumns & {
      userId: number
      sessionId: string
      endpoint: string
      p256dh: string
      auth: string
      createdAt: TimestampColumn
    }
    /** Amounts in cents. */
    invoices: TenantColumns & {
      detail: string
      cents: number
      currency: Generated<Currency>
      dueDate: string
      status: Generated<InvoiceStatus>
      kind: Generated<Invoice['kind']>
      months: Generated<number>
      planId: number | null
      paidAt: NullableTimestampColumn
      paidBy: Generated<PaymentProviderName | 'hand' | null>
      note: Generated<string>
      replacedById: Generated<number | null>
      claimedAt: NullableTimestampColumn
      createdAt: TimestampColumn
    }
    charges: TenantColumns & {
      invoiceId: number
      provider: PaymentProviderName
      txid: string
      reference: Generated<string>
      code: string
      cents: number
      status: Generated<Charge['status']>
      expiresAt: NullableTimestampColumn
      lookAt: NullableTimestampColumn
      createdAt: TimestampColumn
    }
    payments: {
      id: Generated<number>
      provider: PaymentProviderName
      reference: string
      txid: Generated<string>
      cents: number
      payer: Generated<string>
      paidAt: TimestampColumn
      state: Generated<Payment['state']>
      why: Generated<Payment['why']>
      chargeId: number | null
      invoiceId: Generated<number | null>
      note: Generated<string>
      createdAt: TimestampColumn
    }
    moneySettings: {
      one: Generated<boolean>
      provider: Generated<PaymentProviderName>
      plain: JSONColumnType<object, string, string>
      sealed: string | null
    }
    moneyEvents: TenantColumns & {
      at: TimestampColumn
      kind: MoneyEvent['kind']
      invoiceId: number | null
      cents: number | null
      currency: Generated<Currency>
      way: MoneyEvent['way']
      before: string
      after: string
      note: string
      userName: string
    }
    reminders: { companyId: number; dueDate: string; days: number; createdAt: TimestampColumn }
    backups: {
      id: Generated<number>
      startedAt: TimestampColumn
      endedAt: TimestampColumn
      file: string | null
      bytes: number | null
      error: string | null
    }
    platformSettings: { key: string; value: string }
    messagePrices: {
      id: Generated<boolean>
      lists: JSONColumnType<PriceList[], string, string>
      updatedAt: TimestampColumn
    }
    helps: { id: Generated<number>; title: string; description: string; video: string; createdAt: TimestampColumn }
    announcements: TenantColumns & {
      title: string
      text: string
      priority: number
      status: boolean
      mediaPath: string | null
      mediaName: string | null
      createdAt: TimestampColumn
    }
  }
}
