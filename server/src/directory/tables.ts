import type { KnowledgeKind, KnowledgeState } from '@recado/contract/ai/knowledge'
import type { PromptTool } from '@recado/contract/ai/prompts'
import type { WebhookDelivery, WebhookEvent, webhookDeliveryStates } from '@recado/contract/api-access/webhooks'
import type { ContactList, ImportColumns, ListImport } from '@recado/contract/campaigns/contact-lists'
import type { HistoryImportProgress, LineProvider, LineStatus, PaceMode } from '@recado/contract/connections'
import type { Hours } from '@recado/contract/hours/hours'
import type { ExternalCallKind } from '@recado/contract/integrations/external-calls'
import type { IntegrationType } from '@recado/contract/integrations/integrations'
import type { MenuLeafAction } from '@recado/contract/menu/menu'
import type { RoutingMode } from '@recado/contract/queues'
import type { ClosingFieldKind } from '@recado/contract/tickets/closing'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { NullableTimestampColumn, TenantColumns, TimestampColumn } from '../kernel/data/tables.ts'

/** The kinds of identity of a person. */
export type IdentityKind = 'phone' | 'lid' | 'cloud' | 'username' | 'group'

/** A conversation whose older messages are requested. Without a contact: a conversation that only the phone has. */
export type PastChatTodo = { chat: string; contactId: number | null }

/** The rows that a merge moved from one contact to the other, by id; `filled`: values that the first contact lacked. */
export type MergedRows = {
  identities: { kind: IdentityKind; value: string }[]
  tickets: number[]
  closed: number[]
  notes: number[]
  fields: number[]
  /** Messages written into groups. */
  senders: number[]
  /** Messages without a ticket. Missing in merges that are older than this field. */
  alone?: number[]
  /** Scheduled messages. Missing in merges that are older than this field. */
  schedules?: number[]
  /** Campaign messages, sent or pending, and opt-outs. Missing in merges that are older than these fields. */
  shippings?: number[]
  stops?: number[]
  /** Own fields of the first contact that those of the second replaced. Only in merges by hand. */
  replacedFields?: number[]
  /** The first contact's number before the merge. Missing in merges that are older than this field. */
  numberBefore?: string
  filled: {
    [C in 'name' | 'number' | 'email' | 'profilePicUrl' | 'language']?: { was: string | null; now: string }
  } & {
    ownerId?: { was: number | null; now: number }
  }
}

/** The tables of the directory layer. Only this layer writes them; any other layer may join them. */
declare module '../kernel/data/tables.ts' {
  interface DB {
    whatsapps: TenantColumns & {
      name: string
      status: Generated<LineStatus>
      isDefault: Generated<boolean>
      provider: Generated<LineProvider>
      reason: Generated<string>
      number: Generated<string>
      qrcode: Generated<string>
      retries: Generated<number>
      tokenSealed: Generated<string>
      tokenHash: string | null
      greetingMessage: Generated<string>
      complationMessage: Generated<string>
      outOfHoursMessage: Generated<string>
      ratingMessage: Generated<string>
      expiresTicket: Generated<number>
      expiresInactiveMessage: Generated<string>
      timeToTransfer: number | null
      transferQueueId: number | null
      promptId: number | null
      integrationId: number | null
      timeUseBotQueues: Generated<number>
      maxUseBotQueues: Generated<number>
      wanted: Generated<boolean>
      wantedRound: Generated<number>
      pairingCode: Generated<string>
      pairingNumber: Generated<string>
      paceMode: Generated<PaceMode>
      pacePerMinute: Generated<number>
      paceDailyCap: number | null
      linkedNumber: Generated<string>
      linkedSince: NullableTimestampColumn
      lockedSince: NullableTimestampColumn
      lockedUntil: NullableTimestampColumn
      unreadableSince: NullableTimestampColumn
      /** The line to which the conversations of this one moved. */
      movedTo: number | null
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    /** Periods in which a line was connected; written by the database. */
    lineUp: {
      id: GeneratedAlways<number>
      companyId: number
      whatsappId: number
      since: TimestampColumn
      until: NullableTimestampColumn
    }
    whatsappQueues: { companyId: number; whatsappId: number; queueId: number }
    lineHistory: {
      companyId: number
      whatsappId: number
      state: HistoryImportProgress['state']
      todo: JSONColumnType<PastChatTodo[], string | null, string | null> | null
      done: Generated<number>
      percent: number | null
      messages: Generated<number>
      startedAt: TimestampColumn
    }
    lineSignups: {
      companyId: number
      userId: number
      stateHash: string
      name: Generated<string>
      whatsappId: number | null
      wantsHistory: Generated<boolean>
      expiresAt: TimestampColumn
      usedAt: NullableTimestampColumn
      accessTokenSealed: Generated<string>
    }
    linePaceDays: {
      companyId: number
      whatsappId: number
      day: string
      allowed: number | null
      written: Generated<number>
      delivered: Generated<number>
      read: Generated<number>
      answered: Generated<number>
      refused: Generated<number>
      stopped: Generated<number>
      countedAt: NullableTimestampColumn
    }
    lineSends: {
      id: Generated<number>
      companyId: number
      whatsappId: number
      contactId: number | null
      messageId: number | null
      sentAt: TimestampColumn
      nextAt: TimestampColumn
    }
    queues: TenantColumns & {
      name: string
      color: string
      orderQueue: number | null
      greetingMessage: Generated<string>
      complationMessage: Generated<string>
      outOfHoursMessage: Generated<string>
      ratingMessage: Generated<string>
      integrationId: number | null
      promptId: number | null
      token: Generated<string>
      schedules: JSONColumnType<Hours[], string | undefined, string>
      /** Minutes of opening hours. */
      answerGoal: number | null
      resolveGoal: number | null
      /** Null: as for the other priorities. */
      answerGoalUrgent: number | null
      answerGoalHigh: number | null
      answerGoalLow: number | null
      resolveGoalUrgent: number | null
      resolveGoalHigh: number | null
      resolveGoalLow: number | null
      routing: Generated<RoutingMode>
      /** How many open tickets an agent may have before the server assigns no more. Null: no limit. */
      capacity: Generated<number | null>
      /** How many places a ticket of the queue takes. */
      weight: Generated<number>
      skillIds: Generated<number[]>
      asksLanguage: Generated<boolean>
      skillTimeoutMinutes: Generated<number | null>
      ownerFirst: Generated<boolean>
      lastAgentFirst: Generated<boolean>
      /** Minutes until the waiting tickets of an absent agent return to the queue. Null: never. */
      returnAfterMinutes: Generated<number | null>
      /** Whether a person must choose a reason to close a ticket. */
      closingReasonRequired: Generated<boolean>
      /** How long an agent has to accept an offered ticket. 0: tickets are assigned at once. */
      offerSeconds: Generated<number>
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    prompts: TenantColumns & {
      name: string
      prompt: string
      model: string
      maxTokens: number
      temperature: number
      apiKeySealed: string
      apiKeyEnd: Generated<string>
      maxMessages: number
      queueId: number | null
      baseUrl: Generated<string>
      tools: Generated<PromptTool[]>
      canHear: Generated<boolean>
      canSee: Generated<boolean>
      forAgents: Generated<boolean>
      dailyTokens: Generated<number>
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    promptTokens: { companyId: number; promptId: number; day: string; tokens: Generated<number> }
    knowledge: TenantColumns & {
      promptId: number
      kind: KnowledgeKind
      name: string
      state: Generated<KnowledgeState>
      done: Generated<number>
      total: Generated<number>
      error: Generated<string>
      pieces: Generated<number>
      uses: Generated<number>
      size: Generated<number>
      text: Generated<string>
      pairs: JSONColumnType<{ question: string; answer: string }[], string | undefined, string>
      filePath: string | null
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    knowledgePieces: TenantColumns & {
      promptId: number
      knowledgeId: number
      at: number
      heading: string
      text: string
    }
    queueIntegrations: TenantColumns & {
      type: IntegrationType
      name: string
      projectName: Generated<string>
      jsonSealed: Generated<string>
      secretSealed: Generated<string>
      language: Generated<string>
      urlN8N: Generated<string>
      typebotSlug: Generated<string>
      typebotExpires: Generated<number>
      typebotDelayMessage: Generated<number>
      typebotKeywordFinish: Generated<string>
      typebotKeywordRestart: Generated<string>
      typebotUnknownMessage: Generated<string>
      typebotRestartMessage: Generated<string>
      failuresInRow: Generated<number>
      lastError: Generated<string>
      restsUntil: NullableTimestampColumn
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    webhooks: TenantColumns & {
      name: string
      url: string
      events: WebhookEvent[]
      active: Generated<boolean>
      /** The API key that last wrote this webhook; the key's scopes limit the events. */
      keyId: number | null
      secretSealed: string
      previousSealed: string | null
      previousUntil: NullableTimestampColumn
      failuresInRow: Generated<number>
      lastError: Generated<string>
      restsSince: NullableTimestampColumn
      restsUntil: NullableTimestampColumn
      holder: Generated<string>
      heldUntil: TimestampColumn
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    webhookEvents: {
      id: Generated<number>
      companyId: number
      webhookId: number
      eventId: string
      type: WebhookEvent | 'test'
      lane: string
      ticketId: number | null
      contactId: number | null
      data: JSONColumnType<Record<string, unknown>, string, string>
      file: JSONColumnType<{ mediaPath: string; mediaName: string | null }, string | null, string | null> | null
      state: Generated<(typeof webhookDeliveryStates)[number]>
      tries: JSONColumnType<WebhookDelivery['tries'], string | undefined, string>
      attempts: Generated<number>
      answer: Generated<string>
      nextAt: NullableTimestampColumn
      since: TimestampColumn
      /** The trace of the event's cause (kernel/trace.ts). */
      trace: string | null
      createdAt: TimestampColumn
    }
    webhookHours: {
      companyId: number
      webhookId: number
      hour: TimestampColumn
      calls: number
      failed: number
      lastAt: TimestampColumn
    }
    machineCalls: TenantColumns & {
      kind: ExternalCallKind
      promptId: number | null
      integrationId: number | null
      ticketId: number | null
      at: TimestampColumn
      ms: Generated<number>
      status: Generated<number>
      ok: Generated<boolean>
      tokensIn: Generated<number>
      tokensOut: Generated<number>
      asked: Generated<string>
      answered: Generated<string>
      error: Generated<string>
    }
    closingReasons: TenantColumns & {
      /** Null: the queue was deleted. */
      queueId: number | null
      name: string
      position: number
      /** Set if the reason was removed: it stays for the reports. */
      archivedAt: NullableTimestampColumn
      createdAt: TimestampColumn
    }
    closingFields: TenantColumns & {
      queueId: number
      name: string
      kind: ClosingFieldKind
      required: Generated<boolean>
      choices: Generated<string[]>
      position: number
    }
    queueOptions: TenantColumns & {
      queueId: number
      parentId: number | null
      option: number
      title: string
      message: Generated<string>
      leads: Generated<MenuLeafAction>
      forwardQueueId: number | null
      skillIds: Generated<number[]>
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    contacts: TenantColumns & {
      uuid: Generated<string>
      name: string
      number: string
      email: Generated<string>
      profilePicUrl: string | null
      isGroup: Generated<boolean>
      disableBot: Generated<boolean>
      whatsappId: number | null
      mergedInto: number | null
      /** For a group: its last reported name. */
      heardName: string | null
      /** The code of the language in which the contact writes; null if unknown. */
      language: string | null
      /** The user who looks after the contact. */
      ownerId: Generated<number | null>
      /** Written by the database: the searched text. */
      search: GeneratedAlways<string>
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    ads: {
      id: Generated<number>
      companyId: number
      key: string
      sourceType: Generated<string>
      sourceId: Generated<string>
      title: Generated<string>
      body: Generated<string>
      url: Generated<string>
      picture: Generated<string>
      createdAt: TimestampColumn
    }
    contactIdentities: {
      companyId: number
      kind: IdentityKind
      value: string
      contactId: number
      createdAt: TimestampColumn
    }
    deletedContacts: {
      id: Generated<number>
      companyId: number
      contactId: number
      name: string
      number: string
      isGroup: Generated<boolean>
      identities: Generated<string[]>
      tickets: Generated<number>
      messages: Generated<number>
      userId: number | null
      userName: Generated<string>
      keyName: Generated<string>
      deletedAt: TimestampColumn
    }
    deletedContactRows: {
      companyId: number
      deletedId: number
      tableName: string
      link: Generated<string>
      key: string
      row: JSONColumnType<Record<string, unknown>, string, string>
    }
    contactMerges: TenantColumns & {
      keptId: number
      mergedId: number
      reason: string
      moved: JSONColumnType<MergedRows, string, string>
      at: TimestampColumn
      undoneAt: NullableTimestampColumn
    }
    contactFields: TenantColumns & { contactId: number; name: string; value: string }
    /** Counters that change with each write; their sum is the count. */
    tallies: TenantColumns & { kind: 'contacts' | 'groups' | 'tag' | 'bytes'; of: number; n: number }
    tags: TenantColumns & {
      name: string
      color: string
      /** 1: a lane of the board. The following columns are only for lanes. */
      kanban: Generated<number>
      position: Generated<number>
      sayOn: Generated<boolean>
      sayText: Generated<string>
      carryOn: Generated<boolean>
      carryHours: Generated<number>
      carryTo: number | null
      weight: Generated<number>
      skillIds: Generated<number[]>
      userId: number | null
      createdAt: TimestampColumn
    }
    contactLists: TenantColumns & {
      name: string
      /** Null: the list consists of stored rows. */
      question: JSONColumnType<NonNullable<ContactList['question']>, string | null | undefined, string | null> | null
      contactsCount: Generated<number>
      validCount: Generated<number>
      invalidCount: Generated<number>
      createdAt: TimestampColumn
    }
    contactListItems: TenantColumns & {
      contactListId: number
      name: string
      number: string
      email: Generated<string>
      /** The phone key, as in contacts. */
      key: string
      isWhatsappValid: boolean | null
      checkAfter: TimestampColumn
      checkTries: Generated<number>
      createdAt: TimestampColumn
    }
    listImports: TenantColumns & {
      contactListId: number
      userId: number | null
      fileName: string
      filePath: string | null
      state: Generated<ListImport['state']>
      error: string | null
      headers: JSONColumnType<string[], string | undefined, string>
      columns: JSONColumnType<ImportColumns, string | undefined, string>
      samples: JSONColumnType<string[][], string | undefined, string>
      errors: JSONColumnType<ListImport['errors'], string | undefined, string>
      total: Generated<number>
      done: Generated<number>
      created: Generated<number>
      doubled: Generated<number>
      refused: Generated<number>
      createdAt: TimestampColumn
      endedAt: NullableTimestampColumn
    }
    quickMessages: TenantColumns & {
      userId: number | null
      shortcode: string
      message: string
      geral: boolean
      status: boolean
      mediaPath: string | null
      mediaName: string | null
      createdAt: TimestampColumn
    }
    quickMessageQueues: { companyId: number; quickMessageId: number; queueId: number }
    files: TenantColumns & { userId: number | null; name: string; message: string; createdAt: TimestampColumn }
    fileOptions: TenantColumns & {
      fileId: number
      name: string
      position: number
      mediaPath: string | null
      mediaName: string | null
      mediaType: string | null
    }
  }
}
