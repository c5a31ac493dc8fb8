import type { CampaignCounts, CampaignState } from '@recado/contract/campaigns/campaigns'
import type { Reckoned } from '@recado/contract/campaigns/pace'
import type { Template } from '@recado/contract/cloud'
import type { ApiSent } from '@recado/contract/doors/sending'
import type { MessageKind } from '@recado/contract/messages'
import type { Notice } from '@recado/contract/notices'
import type { Repetition } from '@recado/contract/schedules/repeat'
import type { ScheduleState } from '@recado/contract/schedules/schedules'
import type { Step } from '@recado/contract/tickets'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Moment, MomentOrNull, Tenant } from '../kernel/data/tables.ts'

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
export type ChosenTemplate = { name: string; language: string; variables: Record<string, string>; kept: Template }

/** What was confirmed when a campaign started. */
export type Planned = Pick<Reckoned, 'firstAt' | 'lastAt' | 'days' | 'runs'> & { gets: number; doubled: number }

/** The work itself. Only this floor writes these tables; any other may join them. */
declare module '../kernel/data/tables.ts' {
  interface DB {
    tickets: Tenant & {
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
      botMenuAt: MomentOrNull
      botLeft: Generated<boolean>
      awayTold: string | null
      saidMark: string | null
      saidAt: MomentOrNull
      waitingSince: MomentOrNull
      /** The board tag in whose lane it stands. */
      laneId: number | null
      /** Since when; null while it is closed, for then no time runs. */
      laneSince: MomentOrNull
      /** When the lane's words are due. */
      laneSayAt: MomentOrNull
      createdAt: Moment
      updatedAt: Moment
    }
    ticketTags: { companyId: number; ticketId: number; tagId: number }
    ticketEvents: {
      id: Generated<number>
      companyId: number
      ticketId: number
      userId: number | null
      kind: string
      steps: JSONColumnType<Step[], string | undefined, string>
      at: Moment
    }
    ticketTracking: Tenant & {
      ticketId: number
      whatsappId: number | null
      userId: number | null
      queuedAt: MomentOrNull
      startedAt: MomentOrNull
      ratingAt: MomentOrNull
      queueId: number | null
      finishedAt: MomentOrNull
      /** How the leg ended. */
      endedBy: 'resolved' | 'returned' | 'transferred' | 'bot' | null
      chatbotAt: MomentOrNull
      rated: Generated<boolean>
      /** When a person first said something on it. */
      answeredAt: MomentOrNull
      /** A conversation began with it, or came back to life. */
      began: 'new' | 'again' | null
      /** Seconds within the opening hours; the database fills them in, and the next two. */
      openWait: number | null
      openAnswer: number | null
      openTalk: number | null
      /** One person alone attended the conversation until this end of it. */
      once: Generated<boolean>
      /** When the same customer came again, within a week. */
      againAt: MomentOrNull
      /** Whether it was the bot that ended it. */
      botEnded: boolean | null
      createdAt: Moment
    }
    /** How many living tickets stand where; the sum of `n` is the count (desk/tickets/standing.ts). */
    ticketTallies: Tenant & {
      status: 'open' | 'pending'
      userId: number | null
      queueId: number | null
      laneId: number | null
      unread: boolean
      n: number
    }
    /** What queues promised (desk/tickets/goals.ts). */
    ticketGoals: Tenant & {
      ticketId: number
      queueId: number | null
      whatsappId: number | null
      userId: number | null
      kind: 'answer' | 'resolve'
      minutes: number
      since: Moment
      warnAt: Moment
      dueAt: Moment
      /** When the clock has something to do. */
      nextAt: MomentOrNull
      lateAt: MomentOrNull
      endedAt: MomentOrNull
    }
    /** Answers of people after their first one (see desk/figures). */
    nextAnswers: Tenant & {
      ticketId: number
      queueId: number | null
      userId: number | null
      whatsappId: number | null
      askedAt: Moment
      at: Moment
      openSeconds: number | null
    }
    /** Answers to a menu, each with where the customer stood. */
    menuSteps: Tenant & {
      ticketId: number
      whatsappId: number | null
      queueId: number | null
      optionId: number | null
      kind: 'right' | 'wrong' | 'left'
      first: Generated<boolean>
      at: Moment
    }
    /** What changed since the sums were made (see desk/figures). The database leaves it. */
    figureNews: {
      id: GeneratedAlways<number>
      companyId: number
      at: Moment
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
    ticketNotes: Tenant & {
      ticketId: number
      contactId: number
      userId: number | null
      userName: string
      note: string
      createdAt: Moment
    }
    noteMentions: { companyId: number; noteId: number; userId: number }
    notices: Tenant & {
      userId: number
      kind: Notice['kind']
      ticketId: number
      noteId: number | null
      byId: number | null
      byName: string
      createdAt: Moment
    }
    ratingRequests: {
      companyId: number
      ticketId: number
      userId: number | null
      messageId: number
      asked: Generated<number>
      /** The last word was said already. */
      completed: Generated<boolean>
      askedAt: Moment
      until: Moment
    }
    userRatings: Tenant & {
      ticketId: number
      userId: number | null
      queueId: number | null
      whatsappId: number | null
      rate: number
      createdAt: Moment
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
      ackAt: MomentOrNull
      reactions: JSONColumnType<
        { emoji: string; fromMe: boolean; name: string; from: string }[],
        string | undefined,
        string
      >
      createdAt: Moment
      storedAt: Moment
    }
    chats: Tenant & {
      uuid: Generated<string>
      title: string
      ownerId: number | null
      /** Of a one-to-one chat: the two of it. */
      pair: string | null
      lastMessage: Generated<string>
      lastSenderId: number | null
      /** Its newest message. */
      lastId: Generated<number>
      createdAt: Moment
      updatedAt: Moment
    }
    chatUsers: Tenant & {
      chatId: number
      userId: number
      unreads: Generated<number>
      mentions: Generated<number>
      readId: Generated<number>
      muted: Generated<boolean>
      createdAt: Moment
    }
    chatMessages: Tenant & {
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
      createdAt: Moment
    }
    schedules: Tenant & {
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
      sendAt: Moment
      sentAt: MomentOrNull
      status: Generated<ScheduleState>
      error: string | null
      onReply: Generated<'send' | 'hold'>
      heldAt: MomentOrNull
      /** While it waits for its line: after this it is too late. */
      waitsUntil: MomentOrNull
      messageId: number | null
      ticketId: number | null
      repeat: JSONColumnType<Repetition, string | null | undefined, string | null> | null
      /** The wall clock that the series counts from, and that of this time of it. */
      first: Generated<string>
      slot: Generated<string>
      nth: Generated<number>
      /** The next time of the series has its row. */
      followed: Generated<boolean>
      savedAt: Moment
      createdAt: Moment
    }
    campaigns: Tenant & {
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
      template: JSONColumnType<ChosenTemplate, string | null | undefined, string | null> | null
      scheduledAt: MomentOrNull
      startedAt: MomentOrNull
      completedAt: MomentOrNull
      held: string | null
      freshSince: Moment
      planned: JSONColumnType<Planned, string | null | undefined, string | null> | null
      counts: JSONColumnType<Partial<CampaignCounts>, string | undefined, string>
      userId: number | null
      createdAt: Moment
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
      askedAt: MomentOrNull
      confirmedAt: MomentOrNull
      queuedAt: MomentOrNull
      sentAt: MomentOrNull
      deliveredAt: MomentOrNull
      readAt: MomentOrNull
      answeredAt: MomentOrNull
      stoppedAt: MomentOrNull
      settledAt: MomentOrNull
    }
    campaignConsents: {
      id: Generated<number>
      companyId: number
      contactId: number
      words: string
      userId: number | null
      userName: Generated<string>
      at: Moment
    }
    campaignStops: Tenant & {
      key: string
      contactId: number | null
      whatsappId: number | null
      campaignId: number | null
      userId: number | null
      word: Generated<string>
      at: Moment
    }
    campaignLines: {
      companyId: number
      whatsappId: number
      nextAt: Moment
      inRow: Generated<number>
      day: Generated<string>
      sentToday: Generated<number>
      /** Whose turn it was. */
      turn: Generated<number>
    }
    campaignNews: { id: Generated<number>; companyId: number; campaignId: number; at: Moment }
    apiCalls: {
      companyId: number
      /** Null: somebody who is logged in tried it. */
      apiKeyId: number | null
      key: string
      asked: string
      reply: JSONColumnType<ApiSent, string, string>
      createdAt: Moment
    }
    lineErrands: {
      id: Generated<number>
      companyId: number
      whatsappId: number
      errand: JSONColumnType<Record<string, unknown>, string, string>
      attempts: Generated<number>
      notBefore: Moment
    }
  }
}
