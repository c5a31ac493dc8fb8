import type { MenuStep } from '@recado/contract/queues'
import type { TicketEventStep } from '@recado/contract/tickets'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { NullableTimestampColumn, TenantColumns, TimestampColumn } from '../kernel/data/tables.ts'
import type { TicketSnapshot } from './bot-requests/ticket-snapshot.ts'

/** Automation tables. Only this layer writes them; any other layer may join them. */
declare module '../kernel/data/tables.ts' {
  interface DB {
    contactErasures: TenantColumns & {
      contactId: number
      userId: number | null
      userName: string
      state: Generated<'running' | 'done'>
      total: Generated<number>
      done: Generated<number>
      createdAt: TimestampColumn
      endedAt: NullableTimestampColumn
    }
    /** Queues to look at, because a ticket began to wait or an agent has a free place; written by the database. */
    /** `notBefore`: a look that is due later. */
    routingRequests: {
      id: GeneratedAlways<number>
      companyId: number
      queueId: number
      notBefore: NullableTimestampColumn
    }
    /** When an agent last got a ticket of a queue from the server. */
    routingTurns: { companyId: number; queueId: number; userId: number; at: TimestampColumn }
    /** A waiting ticket that is offered, or was offered since it began to wait. Ends with the wait, by the database. */
    ticketOffers: {
      companyId: number
      ticketId: number
      queueId: number
      /** Null: nobody has the offer now. */
      userId: number | null
      offeredAt: TimestampColumn
      seconds: number
      /** When the offer runs out; without a user, when it starts over with everybody. */
      dueAt: TimestampColumn
      why: string
      details: JSONColumnType<TicketEventStep['with'], string, string>
      /** Who declined it or let it run out. */
      passedUserIds: Generated<number[]>
    }
    journal: {
      id: Generated<number>
      companyId: number
      whatsappId: number
      eventId: string
      chat: string
      kind: string
      event: JSONColumnType<Record<string, unknown>, string, string>
      receivedAt: TimestampColumn
      processedAt: NullableTimestampColumn
      attempts: Generated<number>
      error: string | null
      ticketId: number | null
      waitsFor: string | null
      steps: JSONColumnType<TicketEventStep[], string | undefined, string>
    }
    asks: {
      id: Generated<number>
      companyId: number
      ticketId: number
      bot: string
      asker: string
      about: JSONColumnType<Record<string, unknown>, string, string>
      seen: JSONColumnType<TicketSnapshot, string, string>
      fence: Generated<number>
      failures: Generated<number>
      error: string | null
      /** The trace id of the bot request (kernel/trace.ts). */
      trace: string | null
      askedAt: TimestampColumn
      notBefore: TimestampColumn
      heldUntil: TimestampColumn
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
      heldUntil: TimestampColumn
      answer: Generated<string>
      /** The trace id of the event that caused the task (kernel/trace.ts). */
      trace: string | null
      createdAt: TimestampColumn
    }
    menuTests: TenantColumns & {
      queueId: number
      whatsappId: number | null
      name: string
      steps: JSONColumnType<MenuStep[], string | undefined, string>
      createdAt: TimestampColumn
    }
  }
}
