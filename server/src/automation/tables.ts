import type { MenuStep } from '@recado/contract/queues'
import type { Step } from '@recado/contract/tickets'
import type { Generated, JSONColumnType } from 'kysely'
import type { Moment, MomentOrNull, Tenant } from '../kernel/data/tables.ts'
import type { Seen } from './asking/seen.ts'

/** What works by itself. Only this floor writes these tables; any other may join them. */
declare module '../kernel/data/tables.ts' {
  interface DB {
    contactErasures: Tenant & {
      contactId: number
      userId: number | null
      userName: string
      state: Generated<'running' | 'done'>
      total: Generated<number>
      done: Generated<number>
      createdAt: Moment
      endedAt: MomentOrNull
    }
    journal: {
      id: Generated<number>
      companyId: number
      whatsappId: number
      eventId: string
      chat: string
      kind: string
      event: JSONColumnType<Record<string, unknown>, string, string>
      receivedAt: Moment
      processedAt: MomentOrNull
      attempts: Generated<number>
      error: string | null
      ticketId: number | null
      waitsFor: string | null
      steps: JSONColumnType<Step[], string | undefined, string>
    }
    asks: {
      id: Generated<number>
      companyId: number
      ticketId: number
      bot: string
      asker: string
      about: JSONColumnType<Record<string, unknown>, string, string>
      seen: JSONColumnType<Seen, string, string>
      fence: Generated<number>
      failures: Generated<number>
      error: string | null
      /** What it is asked for (kernel/trace.ts). */
      trace: string | null
      askedAt: Moment
      notBefore: Moment
      heldUntil: Moment
    }
    webhookDeliveries: {
      id: Generated<number>
      companyId: number
      integrationId: number
      ticketId: number
      messageId: number
      body: JSONColumnType<Record<string, unknown>, string, string>
      state: Generated<'waiting' | 'done' | 'given-up'>
      attempts: Generated<number>
      heldUntil: Moment
      answer: Generated<string>
      /** What it follows from (kernel/trace.ts). */
      trace: string | null
      createdAt: Moment
    }
    menuTests: Tenant & {
      queueId: number
      whatsappId: number | null
      name: string
      steps: JSONColumnType<MenuStep[], string | undefined, string>
      createdAt: Moment
    }
  }
}
