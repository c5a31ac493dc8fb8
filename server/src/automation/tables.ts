import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowKind } from '@recado/contract/flows/flow-line'
import type { TestEntry, TestScene } from '@recado/contract/flows/flow-tests'
import type { FlowTrigger, FlowTriggerKind } from '@recado/contract/flows/flow-triggers'
import type { DryRun, FlowRun, flowRunStates } from '@recado/contract/flows/flows'
import type { FlowPosition } from '@recado/contract/flows/walk'
import type { MenuStep } from '@recado/contract/queues'
import type { TicketEventStep } from '@recado/contract/tickets'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { NullableTimestampColumn, TenantColumns, TimestampColumn } from '../kernel/data/tables.ts'
import type { TicketSnapshot } from './bot-requests/ticket-snapshot.ts'

declare module '../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Something starts flows, or a run is due; also sent by the database. */
    flows: []
  }
}

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
    flows: TenantColumns & {
      kind: FlowKind
      name: string
      position: Generated<number>
      draft: JSONColumnType<FlowDocument, string, string>
      revision: Generated<number>
      versionId: number | null
      active: Generated<boolean>
      stoppedAt: NullableTimestampColumn
      stopReason: string | null
      failuresInARow: Generated<number>
      /** Of the token in the address that programs call; null: there is none. */
      hookHash: string | null
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    flowVersions: TenantColumns & {
      flowId: number
      number: number
      document: JSONColumnType<FlowDocument, string, never>
      userId: number | null
      publishedAt: TimestampColumn
    }
    flowTriggers: { companyId: number; kind: FlowTriggerKind; flowId: number }
    /** The triggers of active flows that depend on time alone; added by the database. */
    flowTimers: TenantColumns & {
      flowId: number
      kind: FlowTriggerKind
      trigger: JSONColumnType<FlowTrigger, never, never>
      doneUntil: TimestampColumn
      afterContactId: Generated<number>
      announced: Generated<number>
      nextAt: TimestampColumn
    }
    /** What happened that starts flows; written by the database and by timers. */
    flowEvents: {
      id: GeneratedAlways<number>
      companyId: number
      kind: FlowTriggerKind
      key: string
      ticketId: number
      details: JSONColumnType<Record<string, unknown>, string | undefined, never>
      at: TimestampColumn
      lookAt: Generated<string>
      tries: Generated<number>
    }
    flowRuns: {
      id: GeneratedAlways<number>
      companyId: number
      flowId: number
      versionId: number
      eventKey: string
      ticketId: number
      contactId: number
      startedById: number | null
      position: JSONColumnType<FlowPosition, string, string>
      state: Generated<(typeof flowRunStates)[number]>
      dueAt: NullableTimestampColumn
      /** When the pause of a waiting run is over; `dueAt` may be earlier. */
      waitsUntil: NullableTimestampColumn
      listensSince: NullableTimestampColumn
      speaks: Generated<boolean>
      isReply: Generated<boolean>
      /** How often continuing failed for a reason that is not the step's. */
      tries: Generated<number>
      /** How many calls of other systems were finished. */
      calls: Generated<number>
      error: string | null
      endReason: FlowRun['endReason']
      startedAt: TimestampColumn
      endedAt: NullableTimestampColumn
    }
    flowStepTallies: {
      companyId: number
      versionId: number
      stepId: string
      came: Generated<number>
      left: Generated<number>
      answered: Generated<number>
      failed: Generated<number>
      optedOut: Generated<number>
    }
    flowDays: { companyId: number; flowId: number; day: string; started: Generated<number>; failed: Generated<number> }
    flowTests: TenantColumns & {
      flowId: number
      name: string
      scene: JSONColumnType<TestScene, string, string>
      entries: JSONColumnType<TestEntry[], string, string>
      trace: JSONColumnType<string[], string, string>
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    flowDryRuns: TenantColumns & {
      userId: number
      document: JSONColumnType<FlowDocument, string, never>
      published: JSONColumnType<FlowDocument | null, string | null, never>
      state: Generated<DryRun['state']>
      result: JSONColumnType<Partial<Omit<DryRun, 'id' | 'state'>>, string | undefined, string>
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
