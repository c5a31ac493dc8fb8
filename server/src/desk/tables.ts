import type { ApiSendReply } from '@recado/contract/api-access/api-messages'
import type { CampaignCounts, CampaignState } from '@recado/contract/campaigns/campaigns'
import type { SendingPlan } from '@recado/contract/campaigns/pace'
import type { Template } from '@recado/contract/cloud'
import type { MacroStep, PreparedStep } from '@recado/contract/macros/macro-steps'
import type { MessageKind } from '@recado/contract/messages'
import type { PriceCategory } from '@recado/contract/money/message-prices'
import type { Notice } from '@recado/contract/notices'
import type { Draft } from '@recado/contract/schedules/drafts'
import type { Repetition } from '@recado/contract/schedules/repetition-rule'
import type { ScheduleState } from '@recado/contract/schedules/schedules'
import type { RatingScale } from '@recado/contract/text/rating-scale'
import type { TicketPriority, TicketStatus } from '@recado/contract/ticket-statuses'
import type { TicketEventStep } from '@recado/contract/tickets'
import type { StoredClosingValue } from '@recado/contract/tickets/closing'
import type { TicketBatch, TicketBatchAction } from '@recado/contract/tickets/ticket-batches'
import type { TicketConditions } from '@recado/contract/views/ticket-conditions'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { NullableTimestampColumn, TenantColumns, TimestampColumn } from '../kernel/data/tables.ts'

/** Data sent to the line together with a message's text. */
export type SendAs = {
  choices?: { text: string; button: string; options: { key: string; title: string; description?: string }[] }
  template?: { name: string; language: string; components: Record<string, unknown>[] }
  location?: { latitude: number; longitude: number; name: string }
  contact?: { name: string; vcard: string }
  /** A voice note: the file for the customer, stored beside the file played in the app. */
  voice?: { path: string; seconds: number; waveform: number[] | null }
  /** The message was forwarded from another conversation: lines that support it mark it as forwarded. */
  forwarded?: true
  /** How long typing is shown to the recipient before the message. Only this conversation waits meanwhile. */
  typeMs?: number
}

/** What an undo of an action on a ticket restores: rows as they were before, and what the action added. */
export type UndoRecord = {
  ticket: Record<string, unknown>
  segment: { lastId: number; running: Record<string, unknown> | null }
  goals: { lastId: number; running: Record<string, unknown>[] }
  /** Messages to the customer that wait until the time to undo is over. */
  messageIds: number[]
  noteIds: number[]
}

/** What taking back a message restores: who waited, and what counted as answered because of the message. */
export type ReplySnapshot = {
  waitingSince: string | null
  fromMe: boolean
  /** The running segment, if nobody had answered in it. */
  unansweredSegment: number | null
  /** The newest recorded later answer. */
  lastAnswerId: number
  goals: UndoRecord['goals']
}

/** What an undo restores on one ticket of a batch: the state before an event, the priority, or the tags. */
export type TicketChangeUndo =
  | { eventId: number }
  | { priority: { from: TicketPriority; to: TicketPriority } }
  | { tags: { added: number[]; removed: number[] } }

/** What an undo restores of a ticket of a batch. `steps`: those of a macro, in their order; only while `lastEventId` is the last event. */
export type BatchUndo = TicketChangeUndo | { steps: MacroStepUndo[]; lastEventId: number | null }

/** What an undo restores of a step of a macro. */
export type MacroStepUndo = TicketChangeUndo | { noteId: number }

/** What came of a step of a macro: the error code, or what an undo restores. */
export type MacroStepResult = { error: string } | { undo: MacroStepUndo | null }

/** What a batch does. The steps of a macro are those that it had when the batch began. */
export type StoredBatchAction = Exclude<TicketBatchAction, { kind: 'macro' }> | { kind: 'macro'; steps: MacroStep[] }

/** A campaign's template with the values of its variables, which may contain placeholders. */
export type CampaignTemplate = { name: string; language: string; variables: Record<string, string>; kept: Template }

/** The plan that was confirmed when a campaign started. */
export type ConfirmedPlan = Pick<SendingPlan, 'firstAt' | 'lastAt' | 'days' | 'runs'> & {
  gets: number
  doubled: number
}

/** Ticket data. Only this layer writes these tables; any other layer may join them. */
declare module '../kernel/data/tables.ts' {
  interface DB {
    messageCosts: {
      id: GeneratedAlways<number>
      companyId: number
      messageId: number
      whatsappId: number | null
      campaignId: number | null
      template: Generated<string>
      category: PriceCategory | ''
      country: Generated<string>
      isCharged: boolean
      /** Whole millionths of the currency; null: free, or without a price. */
      micros: number | null
      currency: string | null
      at: TimestampColumn
    }
    tickets: TenantColumns & {
      uuid: Generated<string>
      /** The ticket number, assigned per company by the database. */
      number: Generated<number>
      contactId: number
      whatsappId: number | null
      queueId: number | null
      userId: number | null
      status: 'pending' | 'open' | 'closed'
      /** The position in `ticketPriorities`. */
      priority: Generated<number>
      /** The reason of a closed ticket; a reopened one keeps it until it is closed again. */
      closingReasonId: number | null
      /** Since when the ticket waits in its queue for an agent; set by the database. */
      routableSince: NullableTimestampColumn
      /** The flow that speaks in the conversation. */
      flowRunId: Generated<number | null>
      /** The option of a menu with which the customer came to a person. */
      chosenOptionId: Generated<number | null>
      /** The largest weight of the ticket's tags; set by the database, like the following two. */
      tagWeight: Generated<number>
      /** The skills that its tags and its menu option ask for. */
      skillIds: Generated<number[]>
      /** The skill that stands for the customer's language; 0: none. */
      languageSkillId: Generated<number>
      lastMessage: Generated<string>
      lastElsewhere: number | null
      past: Generated<boolean>
      unreadMessages: Generated<number>
      isGroup: Generated<boolean>
      chatbot: Generated<boolean>
      useIntegration: Generated<boolean>
      promptId: number | null
      integrationId: number | null
      botSession: JSONColumnType<Record<string, unknown>, string | null, string | null> | null
      fromMe: Generated<boolean>
      queueOptionId: number | null
      botWrong: Generated<number>
      botMenus: Generated<number>
      botMenuAt: NullableTimestampColumn
      botLeft: Generated<boolean>
      awayTold: string | null
      saidMark: string | null
      saidAt: NullableTimestampColumn
      waitingSince: NullableTimestampColumn
      snoozedAt: NullableTimestampColumn
      snoozedUntil: NullableTimestampColumn
      snoozeWakesOnMessage: Generated<boolean>
      snoozeNote: Generated<string>
      snoozedById: number | null
      returnedAt: NullableTimestampColumn
      /** The board tag of the ticket's lane. */
      laneId: number | null
      adId: number | null
      /** Since when the ticket is in the lane; null while it is closed, because lane times do not count then. */
      laneSince: NullableTimestampColumn
      /** When the lane's message is due. */
      laneSayAt: NullableTimestampColumn
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    drafts: {
      companyId: number
      userId: number
      ticketId: number
      mode: Draft['mode']
      body: string
      updatedAt: TimestampColumn
    }
    ticketPins: { companyId: number; userId: number; ticketId: number; createdAt: TimestampColumn }
    ticketViews: {
      id: Generated<number>
      companyId: number
      userId: number | null
      name: string
      conditions: JSONColumnType<TicketConditions>
      order: 'newest' | 'oldest' | 'waiting' | 'priority'
      audience: 'me' | 'queues' | 'all'
      /** Tickets with a lower id were not looked at yet. */
      fillBefore: Generated<number | null>
      deletedAt: NullableTimestampColumn
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    ticketViewQueues: { companyId: number; viewId: number; queueId: number }
    /** The tickets of a view (ticket-views/members.ts). */
    ticketViewMembers: {
      companyId: number
      viewId: number
      ticketId: number
      status: TicketStatus
      userId: number | null
      queueId: number | null
      updatedMinute: number
      forOwn: boolean
      forOthers: boolean
      recheckAt: NullableTimestampColumn
    }
    ticketViewTallies: {
      id: GeneratedAlways<number>
      companyId: number
      viewId: number
      status: TicketStatus
      userId: number | null
      queueId: number | null
      forOwn: boolean
      forOthers: boolean
      n: number
    }
    ticketViewChanges: { id: GeneratedAlways<number>; companyId: number; ticketId: number; lookAt: TimestampColumn }
    ticketBatches: TenantColumns & {
      userId: number
      action: JSONColumnType<StoredBatchAction, string, string>
      state: Generated<TicketBatch['state']>
      total: number
      done: Generated<number>
      refused: Generated<number>
      undone: Generated<number>
      createdAt: TimestampColumn
      endedAt: NullableTimestampColumn
    }
    ticketBatchItems: {
      companyId: number
      batchId: number
      position: number
      ticketId: number
      state: Generated<'waiting' | 'done' | 'refused' | 'undone' | 'kept'>
      error: string | null
      undo: JSONColumnType<BatchUndo, string | null | undefined, string | null> | null
      unsent: string | null
    }
    macros: {
      id: Generated<number>
      companyId: number
      userId: number | null
      name: string
      shortcode: string
      message: string
      mediaPath: string | null
      mediaName: string | null
      steps: JSONColumnType<MacroStep[], string, string>
      audience: 'me' | 'queues' | 'all'
      digit: number | null
      uses: Generated<number>
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    macroQueues: { companyId: number; macroId: number; queueId: number }
    macroRuns: {
      id: Generated<number>
      companyId: number
      userId: number
      ticketId: number
      messageId: number | null
      clientId: string | null
      state: Generated<'waiting' | 'done' | 'undone'>
      steps: JSONColumnType<PreparedStep[], string, string>
      results: JSONColumnType<MacroStepResult[], string | undefined, string>
      lastEventId: number | null
      createdAt: TimestampColumn
      endedAt: NullableTimestampColumn
    }
    ticketTags: { companyId: number; ticketId: number; tagId: number }
    ticketEvents: {
      id: Generated<number>
      companyId: number
      ticketId: number
      userId: number | null
      kind: string
      steps: JSONColumnType<TicketEventStep[], string | undefined, string>
      at: TimestampColumn
      /** What an undo of the action restores (see desk/tickets/undo.ts). */
      undo: JSONColumnType<UndoRecord, string | null | undefined, string | null> | null
    }
    ticketTracking: TenantColumns & {
      ticketId: number
      whatsappId: number | null
      userId: number | null
      queuedAt: NullableTimestampColumn
      startedAt: NullableTimestampColumn
      ratingAt: NullableTimestampColumn
      queueId: number | null
      finishedAt: NullableTimestampColumn
      /** How the segment ended. */
      endedBy: 'resolved' | 'returned' | 'transferred' | 'bot' | null
      chatbotAt: NullableTimestampColumn
      rated: Generated<boolean>
      /** When an agent first replied in the segment. */
      answeredAt: NullableTimestampColumn
      /** Set if a conversation began or was reopened with this segment. */
      began: 'new' | 'again' | null
      /** Seconds within opening hours. The database fills this column and the next two. */
      openWait: number | null
      openAnswer: number | null
      openTalk: number | null
      /** Whether only one agent attended the conversation until it was closed in this segment. */
      once: Generated<boolean>
      /** When the same customer returned, within a week. */
      againAt: NullableTimestampColumn
      /** Whether the bot closed the ticket. */
      botEnded: boolean | null
      /** What the person who closed it said (contract/src/tickets/closing.ts). */
      closingReasonId: number | null
      closingNote: string | null
      closingValues: JSONColumnType<StoredClosingValue[], string | null, string | null> | null
      /** Whether a bot, a timer or another rule closed it. */
      closedItself: boolean | null
      createdAt: TimestampColumn
    }
    /** Counts of open tickets by status, agent, queue, lane and unread; the count is the sum of `n` (ticket-tallies.ts). */
    ticketTallies: TenantColumns & {
      status: 'open' | 'pending'
      userId: number | null
      queueId: number | null
      laneId: number | null
      unread: boolean
      n: number
    }
    /** SLA goals of queues (desk/tickets/base/goals.ts). */
    ticketGoals: TenantColumns & {
      ticketId: number
      queueId: number | null
      whatsappId: number | null
      userId: number | null
      kind: 'answer' | 'resolve'
      minutes: number
      since: TimestampColumn
      warnAt: TimestampColumn
      dueAt: TimestampColumn
      /** When the timer is next due. */
      nextAt: NullableTimestampColumn
      lateAt: NullableTimestampColumn
      endedAt: NullableTimestampColumn
    }
    /** Replies of agents after their first one (see desk/reports). */
    nextAnswers: TenantColumns & {
      ticketId: number
      queueId: number | null
      userId: number | null
      whatsappId: number | null
      askedAt: TimestampColumn
      at: TimestampColumn
      openSeconds: number | null
    }
    /** Answers to a menu, each with the customer's position. */
    menuSteps: TenantColumns & {
      ticketId: number
      whatsappId: number | null
      queueId: number | null
      optionId: number | null
      kind: 'right' | 'wrong' | 'left'
      first: Generated<boolean>
      at: TimestampColumn
    }
    /** Changes since the sums were built (see desk/reports). Written by the database. */
    figureNews: {
      id: GeneratedAlways<number>
      companyId: number
      at: TimestampColumn
      queueId: number | null
      userId: number | null
      whatsappId: number | null
      kind: string
      value: number
      n: number
    }
    /** The zone in which a company's cells were built. */
    figureCalendars: { companyId: number; zone: string; contacts: Generated<boolean> }
    figureTagCalendars: { companyId: number; tagId: number; zone: string }
    ticketNotes: TenantColumns & {
      ticketId: number
      contactId: number
      userId: number | null
      userName: string
      note: string
      createdAt: TimestampColumn
    }
    tasks: TenantColumns & { userId: number; text: string; createdAt: TimestampColumn; updatedAt: TimestampColumn }
    noteMentions: { companyId: number; noteId: number; userId: number }
    notices: TenantColumns & {
      userId: number
      kind: Notice['kind']
      ticketId: number
      noteId: number | null
      byId: number | null
      byName: string
      createdAt: TimestampColumn
    }
    ratingRequests: {
      companyId: number
      ticketId: number
      userId: number | null
      messageId: number
      asked: Generated<number>
      /** Whether the farewell was already sent. */
      completed: Generated<boolean>
      askedAt: TimestampColumn
      until: TimestampColumn
      scale: Generated<RatingScale>
    }
    userRatings: TenantColumns & {
      ticketId: number
      userId: number | null
      queueId: number | null
      whatsappId: number | null
      rate: number
      createdAt: TimestampColumn
      scale: Generated<RatingScale>
      /** The answer on its own scale; null: `rate`. */
      score: number | null
      comment: Generated<string>
      commentUntil: NullableTimestampColumn
      commentAskedId: number | null
    }
    messages: {
      id: Generated<number>
      companyId: number
      /** Null: the message belongs to no ticket (see desk/messages/send-without-ticket.ts). */
      ticketId: number | null
      contactId: number
      /** The contact, if the message belongs to no ticket. */
      aloneWith: GeneratedAlways<number | null>
      whatsappId: number
      senderId: number | null
      userId: number | null
      wid: string
      clientId: string | null
      fromMe: boolean
      body: Generated<string>
      mediaType: MessageKind
      mediaPath: string | null
      mediaName: string | null
      /** File size in bytes; null for files stored before this column existed. */
      mediaSize: number | null
      mediaPages: number | null
      mediaState: Generated<'none' | 'pending' | 'ready' | 'failed'>
      mediaKey: JSONColumnType<Record<string, unknown>, string | null | undefined, string | null> | null
      /** The automatic transcript of a voice note. */
      transcript: string | null
      quotedWid: string | null
      ack: Generated<number>
      state: Generated<'received' | 'queued' | 'sending' | 'sent' | 'failed'>
      error: string | null
      read: Generated<boolean>
      isDeleted: Generated<boolean>
      isEdited: Generated<boolean>
      bot: string | null
      /** Low priority: all other messages of the line are sent first. */
      later: Generated<boolean>
      /** A flow wrote it by itself, and not as an answer. */
      unprompted: Generated<boolean>
      sendAs: JSONColumnType<SendAs, string | null | undefined, string | null> | null
      /** The campaign that the message belongs to or answers. */
      campaignId: number | null
      adId: number | null
      adClickId: string | null
      /** The API key that sent the message. */
      apiKeyId: number | null
      /** The trace id of the message (kernel/trace.ts). */
      trace: string | null
      /** The message is not sent before this time, so that the action that caused it can be undone. */
      notBefore: NullableTimestampColumn
      /** What taking back the message restores (see desk/composition/undo-send.ts). */
      undo: JSONColumnType<ReplySnapshot, string | null | undefined, string | null> | null
      /** When the delivery state of the message last changed. */
      ackAt: NullableTimestampColumn
      reactions: JSONColumnType<
        { emoji: string; fromMe: boolean; name: string; from: string }[],
        string | undefined,
        string
      >
      createdAt: TimestampColumn
      storedAt: TimestampColumn
    }
    chats: TenantColumns & {
      uuid: Generated<string>
      title: string
      ownerId: number | null
      /** The two members of a one-to-one chat. */
      pair: string | null
      lastMessage: Generated<string>
      lastSenderId: number | null
      /** The id of the newest message of the chat. */
      lastId: Generated<number>
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
    }
    chatUsers: TenantColumns & {
      chatId: number
      userId: number
      unreads: Generated<number>
      mentions: Generated<number>
      readId: Generated<number>
      muted: Generated<boolean>
      createdAt: TimestampColumn
    }
    chatMessages: TenantColumns & {
      chatId: number
      senderId: number | null
      senderName: string
      message: Generated<string>
      clientId: string | null
      quotedId: number | null
      mediaType: MessageKind | null
      mediaPath: string | null
      mediaName: string | null
      mediaSize: number | null
      mediaPages: number | null
      isDeleted: Generated<boolean>
      isEdited: Generated<boolean>
      mentions: Generated<number[]>
      reactions: JSONColumnType<{ userId: number; emoji: string }[], string | undefined, string>
      createdAt: TimestampColumn
    }
    schedules: TenantColumns & {
      contactId: number
      whatsappId: number | null
      userId: number | null
      body: string
      mediaPath: string | null
      mediaName: string | null
      file: JSONColumnType<
        { kind: MessageKind; size: number; pages: number | null },
        string | null | undefined,
        string | null
      > | null
      sendAs: JSONColumnType<SendAs, string | null | undefined, string | null> | null
      sendAt: TimestampColumn
      /** Until when a schedule that is due waits for the file that its client may upload. */
      uploadUntil: NullableTimestampColumn
      sentAt: NullableTimestampColumn
      status: Generated<ScheduleState>
      error: string | null
      onReply: Generated<'send' | 'hold'>
      heldAt: NullableTimestampColumn
      /** The time at which a schedule that waits for its line expires. */
      waitsUntil: NullableTimestampColumn
      messageId: number | null
      ticketId: number | null
      repeat: JSONColumnType<Repetition, string | null | undefined, string | null> | null
      /** The wall-clock time of the first occurrence of the series, and of this one. */
      first: Generated<string>
      slot: Generated<string>
      nth: Generated<number>
      /** Whether the next occurrence of the series has its own row. */
      followed: Generated<boolean>
      savedAt: TimestampColumn
      createdAt: TimestampColumn
    }
    campaigns: TenantColumns & {
      name: string
      status: Generated<CampaignState>
      contactListId: number | null
      tagId: number | null
      whatsappId: number | null
      queueId: number | null
      fileListId: number | null
      message1: Generated<string>
      message2: Generated<string>
      message3: Generated<string>
      message4: Generated<string>
      message5: Generated<string>
      confirmation: Generated<boolean>
      confirmationMessage1: Generated<string>
      confirmationMessage2: Generated<string>
      confirmationMessage3: Generated<string>
      confirmationMessage4: Generated<string>
      confirmationMessage5: Generated<string>
      mediaPath: string | null
      mediaName: string | null
      file: JSONColumnType<
        { kind: MessageKind; size: number; pages: number | null },
        string | null | undefined,
        string | null
      > | null
      template: JSONColumnType<CampaignTemplate, string | null | undefined, string | null> | null
      scheduledAt: NullableTimestampColumn
      /** Until when a campaign that is due waits for the file that its client may upload. */
      uploadUntil: NullableTimestampColumn
      startedAt: NullableTimestampColumn
      completedAt: NullableTimestampColumn
      held: string | null
      freshSince: TimestampColumn
      planned: JSONColumnType<ConfirmedPlan, string | null | undefined, string | null> | null
      counts: JSONColumnType<Partial<CampaignCounts>, string | undefined, string>
      userId: number | null
      createdAt: TimestampColumn
    }
    campaignSettings: { companyId: number; key: string; value: JSONColumnType<object, string, string> }
    campaignShippings: {
      id: Generated<number>
      companyId: number
      campaignId: number
      contactId: number | null
      key: string
      name: string
      number: string
      email: Generated<string>
      variant: Generated<number>
      body: Generated<string>
      confirmationBody: Generated<string>
      state: Generated<'pending' | 'asked' | 'confirmed' | 'queued' | 'sent' | 'failed' | 'skipped'>
      reason: string | null
      whatsappId: number | null
      messageId: number | null
      confirmationId: number | null
      askedAt: NullableTimestampColumn
      confirmedAt: NullableTimestampColumn
      queuedAt: NullableTimestampColumn
      sentAt: NullableTimestampColumn
      deliveredAt: NullableTimestampColumn
      readAt: NullableTimestampColumn
      answeredAt: NullableTimestampColumn
      stoppedAt: NullableTimestampColumn
      settledAt: NullableTimestampColumn
    }
    campaignConsents: {
      id: Generated<number>
      companyId: number
      contactId: number
      words: string
      userId: number | null
      userName: Generated<string>
      at: TimestampColumn
    }
    campaignStops: TenantColumns & {
      key: string
      contactId: number | null
      whatsappId: number | null
      campaignId: number | null
      userId: number | null
      word: Generated<string>
      at: TimestampColumn
    }
    campaignLines: {
      companyId: number
      whatsappId: number
      nextAt: TimestampColumn
      inRow: Generated<number>
      day: Generated<string>
      sentToday: Generated<number>
      /** The campaign that had the last turn. */
      turn: Generated<number>
    }
    campaignNews: { id: Generated<number>; companyId: number; campaignId: number; at: TimestampColumn }
    apiCalls: {
      companyId: number
      /** Null: a logged-in user made the call, to try the API. */
      apiKeyId: number | null
      key: string
      asked: string
      reply: JSONColumnType<ApiSendReply, string, string>
      createdAt: TimestampColumn
    }
    lineErrands: {
      id: Generated<number>
      companyId: number
      whatsappId: number
      errand: JSONColumnType<Record<string, unknown>, string, string>
      attempts: Generated<number>
      notBefore: TimestampColumn
    }
  }
}
