import type { Template } from '@recado/contract/cloud'
import type { LineStatus, PaceMode, PastProgress, Provider } from '@recado/contract/connections'
import type { Holiday, Hours } from '@recado/contract/hours'
import type { PlanFlag } from '@recado/contract/kit'
import type { Leads } from '@recado/contract/menu'
import type { MessageKind } from '@recado/contract/messages'
import type { MenuStep } from '@recado/contract/queues'
import type { Profile } from '@recado/contract/rules'
import type { Misbehaviour } from '@recado/contract/sandbox'
import type { Step } from '@recado/contract/tickets'
import type { Language } from '@recado/contract/users'
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** Moments leave the database as ISO text; both text and Date go in. */
type Moment = ColumnType<string, string | Date | undefined, string | Date>
type MomentOrNull = ColumnType<string | null, string | Date | null | undefined, string | Date | null>

/** The ways a person is known. */
export type IdentityKind = 'phone' | 'lid' | 'cloud' | 'username' | 'group'
/** A conversation that older messages are asked of; without a contact, one that only the phone knows. */
export type PastTodo = { chat: string; contactId: number | null }
/** What joining two contacts moved from one to the other, by id; `filled` is what the survivor lacked and got. */
export type Moved = {
  identities: { kind: IdentityKind; value: string }[]
  tickets: number[]
  closed: number[]
  notes: number[]
  fields: number[]
  /** Messages written into groups. */
  senders: number[]
  filled: { [C in 'name' | 'number' | 'email' | 'profilePicUrl']?: { was: string | null; now: string | null } }
}

/** What goes along with a message's text to the line. */
export type SendAs = {
  choices?: { text: string; button: string; options: { key: string; title: string }[] }
  template?: { name: string; language: string; components: Record<string, unknown>[] }
  location?: { latitude: number; longitude: number; name: string }
  contact?: { name: string; vcard: string }
}

type Tenant = { id: Generated<number>; companyId: number }

export interface DB {
  plans: {
    id: Generated<number>
    name: string
    users: number
    connections: number
    queues: number
    value: number
    createdAt: Moment
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
    recurrence: 'MENSAL' | 'BIMESTRAL' | 'TRIMESTRAL' | 'SEMESTRAL' | 'ANUAL' | null
    schedules: JSONColumnType<Hours[], string | undefined, string>
    holidays: JSONColumnType<Holiday[], string | undefined, string>
    /** The database counts it up with every change of what automatic answers depend on. */
    rulesVersion: Generated<number>
    platform: Generated<boolean>
    referrerId: number | null
    createdAt: Moment
  }
  settings: { companyId: number; key: string; value: string }
  queues: Tenant & {
    name: string
    color: string
    orderQueue: number | null
    greetingMessage: Generated<string>
    complationMessage: Generated<string>
    outOfHoursMessage: Generated<string>
    ratingMessage: Generated<string>
    integrationId: number | null
    promptId: number | null
    schedules: JSONColumnType<Hours[], string | undefined, string>
    createdAt: Moment
    updatedAt: Moment
  }
  queueOptions: Tenant & {
    queueId: number
    parentId: number | null
    option: number
    title: string
    message: Generated<string>
    leads: Generated<Leads>
    forwardQueueId: number | null
    createdAt: Moment
    updatedAt: Moment
  }
  menuTests: Tenant & {
    queueId: number
    whatsappId: number | null
    name: string
    steps: JSONColumnType<MenuStep[], string | undefined, string>
    createdAt: Moment
  }
  whatsapps: Tenant & {
    name: string
    status: Generated<LineStatus>
    isDefault: Generated<boolean>
    provider: Generated<Provider>
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
    timeUseBotQueues: Generated<number>
    maxUseBotQueues: Generated<number>
    wanted: Generated<boolean>
    wantedRound: Generated<number>
    pairingCode: Generated<string>
    pairingNumber: Generated<string>
    leavePhone: Generated<boolean>
    paceMode: Generated<PaceMode>
    pacePerMinute: Generated<number>
    paceDailyCap: number | null
    linkedNumber: Generated<string>
    linkedSince: MomentOrNull
    createdAt: Moment
    updatedAt: Moment
  }
  whatsappQueues: { companyId: number; whatsappId: number; queueId: number }
  linkedKeys: { companyId: number; whatsappId: number; type: string; id: string; value: string; updatedAt: Moment }
  lineHistory: {
    companyId: number
    whatsappId: number
    state: PastProgress['state']
    todo: JSONColumnType<PastTodo[], string | null, string | null> | null
    done: Generated<number>
    messages: Generated<number>
    startedAt: Moment
  }
  lineSends: { id: Generated<number>; companyId: number; whatsappId: number; sentAt: Moment; nextAt: Moment }
  lineLeases: { whatsappId: number; companyId: number; holder: string; fence: Generated<number>; until: Moment }
  cloudLines: {
    whatsappId: number
    companyId: number
    hook: Generated<string>
    phoneNumberId: Generated<string>
    businessAccountId: Generated<string>
    accessTokenSealed: Generated<string>
    appSecretSealed: Generated<string>
    verifyTokenSealed: Generated<string>
    calledAt: MomentOrNull
    templates: JSONColumnType<Template[], string | null | undefined, string | null> | null
    templatesAt: MomentOrNull
  }
  cloudSends: { companyId: number; whatsappId: number; wid: string; wamid: string | null; askedAt: Moment }
  cloudInbox: {
    id: Generated<number>
    companyId: number
    whatsappId: number
    events: JSONColumnType<Record<string, unknown>[], string, string>
    receivedAt: Moment
  }
  sandboxPhones: {
    whatsappId: number
    companyId: number
    linked: Generated<boolean>
    behaviour: JSONColumnType<Partial<Misbehaviour>, string | undefined, string>
  }
  sandboxCustomers: {
    companyId: number
    whatsappId: number
    number: string
    name: string
    isGroup: Generated<boolean>
    members: Generated<string[]>
    typingUntil: MomentOrNull
    createdAt: Moment
  }
  sandboxMessages: {
    seq: Generated<number>
    companyId: number
    whatsappId: number
    chat: string
    id: string
    fromCustomer: boolean
    author: string | null
    kind: string
    body: Generated<string>
    content: JSONColumnType<Record<string, unknown>, string | undefined, string>
    mediaPath: string | null
    mediaName: string | null
    mediaType: string | null
    quotedId: string | null
    reaction: string | null
    isDeleted: Generated<boolean>
    isEdited: Generated<boolean>
    ack: Generated<number>
    at: Moment
    delivered: Generated<boolean>
  }
  users: Tenant & {
    name: string
    email: string
    passwordHash: string
    profile: Profile
    super: Generated<boolean>
    active: Generated<boolean>
    allTicket: 'enabled' | 'desabled'
    whatsappId: number | null
    language: Language | null
    online: Generated<boolean>
    lastSeenAt: MomentOrNull
    createdAt: Moment
  }
  userQueues: { companyId: number; userId: number; queueId: number }
  sessions: {
    userId: number
    companyId: number
    id: string
    generation: Generated<number>
    rotatedAt: Moment
    expiresAt: Moment
  }
  platformSecrets: { name: string; sealed: string }
  pushSubscriptions: Tenant & {
    userId: number
    sessionId: string
    endpoint: string
    p256dh: string
    auth: string
    createdAt: Moment
  }
  passwordResets: { userId: number; companyId: number; codeHash: string; tries: Generated<number>; expiresAt: Moment }
  contacts: Tenant & {
    uuid: Generated<string>
    name: string
    number: string
    email: Generated<string>
    profilePicUrl: string | null
    isGroup: Generated<boolean>
    disableBot: Generated<boolean>
    whatsappId: number | null
    mergedInto: number | null
    /** Of a group: what it was called when it was last heard of. */
    heardName: string | null
    /** The database writes it: what searches look into. */
    search: GeneratedAlways<string>
    createdAt: Moment
    updatedAt: Moment
  }
  contactIdentities: { companyId: number; kind: IdentityKind; value: string; contactId: number; createdAt: Moment }
  contactMerges: Tenant & {
    keptId: number
    mergedId: number
    reason: string
    moved: JSONColumnType<Moved, string, string>
    at: Moment
    undoneAt: MomentOrNull
  }
  contactFields: Tenant & { contactId: number; name: string; value: string }
  tickets: Tenant & {
    uuid: Generated<string>
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
    fromMe: Generated<boolean>
    queueOptionId: number | null
    botWrong: Generated<number>
    botMenus: Generated<number>
    botMenuAt: MomentOrNull
    botLeft: Generated<boolean>
    awayTold: string | null
    saidMark: string | null
    saidAt: MomentOrNull
    createdAt: Moment
    updatedAt: Moment
  }
  ratingRequests: {
    companyId: number
    ticketId: number
    userId: number | null
    messageId: number
    asked: Generated<number>
    askedAt: Moment
    until: Moment
  }
  userRatings: Tenant & { ticketId: number; userId: number | null; rate: number; createdAt: Moment }
  ticketTracking: Tenant & {
    ticketId: number
    whatsappId: number | null
    userId: number | null
    queuedAt: MomentOrNull
    startedAt: MomentOrNull
    ratingAt: MomentOrNull
    finishedAt: MomentOrNull
    chatbotAt: MomentOrNull
    rated: Generated<boolean>
    createdAt: Moment
  }
  ticketEvents: {
    id: Generated<number>
    companyId: number
    ticketId: number
    userId: number | null
    kind: string
    steps: JSONColumnType<Step[], string | undefined, string>
    at: Moment
  }
  ticketNotes: Tenant & {
    ticketId: number
    contactId: number
    userId: number | null
    userName: string
    note: string
    createdAt: Moment
  }
  messages: {
    id: Generated<number>
    companyId: number
    ticketId: number
    contactId: number
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
    quotedWid: string | null
    ack: Generated<number>
    state: Generated<'received' | 'queued' | 'sending' | 'sent' | 'failed'>
    error: string | null
    read: Generated<boolean>
    isDeleted: Generated<boolean>
    isEdited: Generated<boolean>
    bot: string | null
    sendAs: JSONColumnType<SendAs, string | null | undefined, string | null> | null
    reactions: JSONColumnType<
      { emoji: string; fromMe: boolean; name: string; from: string }[],
      string | undefined,
      string
    >
    createdAt: Moment
    storedAt: Moment
  }
  lineErrands: {
    id: Generated<number>
    companyId: number
    whatsappId: number
    errand: JSONColumnType<Record<string, unknown>, string, string>
    attempts: Generated<number>
    notBefore: Moment
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
  tags: Tenant & { name: string; color: string; kanban: Generated<number>; userId: number | null; createdAt: Moment }
  ticketTags: { companyId: number; ticketId: number; tagId: number }
  quickMessages: Tenant & {
    userId: number | null
    shortcode: string
    message: string
    geral: boolean
    status: boolean
    mediaPath: string | null
    mediaName: string | null
    createdAt: Moment
  }
  files: Tenant & { userId: number | null; name: string; message: string; createdAt: Moment }
  fileOptions: Tenant & {
    fileId: number
    name: string
    position: number
    mediaPath: string | null
    mediaName: string | null
    mediaType: string | null
  }
  helps: { id: Generated<number>; title: string; description: string; video: string; createdAt: Moment }
  announcements: Tenant & {
    title: string
    text: string
    priority: number
    status: boolean
    mediaPath: string | null
    mediaName: string | null
    createdAt: Moment
  }
}
