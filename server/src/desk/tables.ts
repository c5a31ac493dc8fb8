import type { ApiSendReply } from '@recado/contract/api-access/api-messages'
import type { CampaignCounts, CampaignState } from '@recado/contract/campaigns/campaigns'
import type { SendingPlan } from '@recado/contract/campaigns/pace'
import type { Template } from '@recado/contract/cloud'
import type { MessageKind } from '@recado/contract/messages'
import type { Notice } from '@recado/contract/notices'
import type { Repetition } from '@recado/contract/schedules/repetition-rule'
import type { ScheduleState } from '@recado/contract/schedules/schedules'
import type { TicketEventStep } from '@recado/contract/tickets'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { NullableTimestampColumn, TenantColumns, TimestampColumn } from '../kernel/data/tables.ts'

/** What goes along with a message's text to the line. */
export type SendAs = {
  choices?: { text: string; button: string; options: { key: string; title: string }[] }
  template?: { name: string; language: string; components: Record<string, unknown>[] }
  location?: { latitude: number; longitude: number; name: string }
  contact?: { name: string; vcard: string }
  /** A recording as a voice note: the file that goes to the customer, beside the one that is played here. */
  voice?: { path: string; seconds: number; waveform: number[] | null }
  /** It comes from another conversation: a line that can marks it so. */
  forwarded?: true
  /** Who gets it sees us type for so long first. Their conversation waits, and nobody else's. */
  typeMs?: number
}

/** A template that a campaign sends, with what is in its gaps: texts that may name variables. */
export type CampaignTemplate = { name: string; language: string; variables: Record<string, string>; kept: Template }

/** What was confirmed when a campaign started. */
export type ConfirmedPlan = Pick<SendingPlan, 'firstAt' | 'lastAt' | 'days' | 'runs'> & {
  gets: number
  doubled: number
}

/** The work itself. Only this floor writes these tables; any other may join them. */
declare module '../kernel/data/tables.ts' {
  interface DB {
    tickets: TenantColumns & {
      uuid: Generated<string>
      /** Counted for each company by the database. */
      number: Generated<number>
      contactId: number
      whatsappId: number | null
      queueId: number | null
      userId: number | null
      status: 'pending' | 'open' | 'closed'
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
      /** The board tag in whose lane it stands. */
      laneId: number | null
      /** Since when; null while it is closed, for then no time runs. */
      laneSince: NullableTimestampColumn
      /** When the lane's words are due. */
      laneSayAt: NullableTimestampColumn
      createdAt: TimestampColumn
      updatedAt: TimestampColumn
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
      /** How the leg ended. */
      endedBy: 'resolved' | 'returned' | 'transferred' | 'bot' | null
      chatbotAt: NullableTimestampColumn
      rated: Generated<boolean>
      /** When a person first said something on it. */
      answeredAt: NullableTimestampColumn
      /** A conversation began with it, or came back to life. */
      began: 'new' | 'again' | null
      /** Seconds within the opening hours; the database fills them in, and the next two. */
      openWait: number | null
      openAnswer: number | null
      openTalk: number | null
      /** One person alone attended the conversation until this end of it. */
      once: Generated<boolean>
      /** When the same customer came again, within a week. */
      againAt: NullableTimestampColumn
      /** Whether it was the bot that ended it. */
      botEnded: boolean | null
      createdAt: TimestampColumn
    }
    /** How many living tickets stand where; the sum of `n` is the count (desk/tickets/standing.ts). */
    ticketTallies: TenantColumns & {
      status: 'open' | 'pending'
      userId: number | null
      queueId: number | null
      laneId: number | null
      unread: boolean
      n: number
    }
    /** What queues promised (desk/tickets/goals.ts). */
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
      /** When the clock has something to do. */
      nextAt: NullableTimestampColumn
      lateAt: NullableTimestampColumn
      endedAt: NullableTimestampColumn
    }
    /** Answers of people after their first one (see desk/figures). */
    nextAnswers: TenantColumns & {
      ticketId: number
      queueId: number | null
      userId: number | null
      whatsappId: number | null
      askedAt: TimestampColumn
      at: TimestampColumn
      openSeconds: number | null
    }
    /** Answers to a menu, each with where the customer stood. */
    menuSteps: TenantColumns & {
      ticketId: number
      whatsappId: number | null
      queueId: number | null
      optionId: number | null
      kind: 'right' | 'wrong' | 'left'
      first: Generated<boolean>
      at: TimestampColumn
    }
    /** What changed since the sums were made (see desk/figures). The database leaves it. */
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
    /** In whose zone the cells of a company were made. */
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
      /** The last word was said already. */
      completed: Generated<boolean>
      askedAt: TimestampColumn
      until: TimestampColumn
    }
    userRatings: TenantColumns & {
      ticketId: number
      userId: number | null
      queueId: number | null
      whatsappId: number | null
      rate: number
      createdAt: TimestampColumn
    }
    messages: {
      id: Generated<number>
      companyId: number
      /** Null: it belongs to no ticket (see desk/messages/alone.ts). */
      ticketId: number | null
      contactId: number
      /** The contact, where it belongs to no ticket. */
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
      /** Bytes; of files from before it was kept, null. */
      mediaSize: number | null
      mediaPages: number | null
      mediaState: Generated<'none' | 'pending' | 'ready' | 'failed'>
      mediaKey: JSONColumnType<Record<string, unknown>, string | null | undefined, string | null> | null
      /** What a machine heard in it. */
      transcript: string | null
      quotedWid: string | null
      ack: Generated<number>
      state: Generated<'received' | 'queued' | 'sending' | 'sent' | 'failed'>
      error: string | null
      read: Generated<boolean>
      isDeleted: Generated<boolean>
      isEdited: Generated<boolean>
      bot: string | null
      /** It lets everything else of its line pass. */
      later: Generated<boolean>
      sendAs: JSONColumnType<SendAs, string | null | undefined, string | null> | null
      /** Which campaign it is of, or answers to. */
      campaignId: number | null
      /** The key of the program that sent it. */
      apiKeyId: number | null
      /** What it was written for (kernel/trace.ts). */
      trace: string | null
      /** When it last became known how far it has come. */
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
      /** Of a one-to-one chat: the two of it. */
      pair: string | null
      lastMessage: Generated<string>
      lastSenderId: number | null
      /** Its newest message. */
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
      sentAt: NullableTimestampColumn
      status: Generated<ScheduleState>
      error: string | null
      onReply: Generated<'send' | 'hold'>
      heldAt: NullableTimestampColumn
      /** While it waits for its line: after this it is too late. */
      waitsUntil: NullableTimestampColumn
      messageId: number | null
      ticketId: number | null
      repeat: JSONColumnType<Repetition, string | null | undefined, string | null> | null
      /** The wall clock that the series counts from, and that of this time of it. */
      first: Generated<string>
      slot: Generated<string>
      nth: Generated<number>
      /** The next time of the series has its row. */
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
      /** Whose turn it was. */
      turn: Generated<number>
    }
    campaignNews: { id: Generated<number>; companyId: number; campaignId: number; at: TimestampColumn }
    apiCalls: {
      companyId: number
      /** Null: somebody who is logged in tried it. */
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
