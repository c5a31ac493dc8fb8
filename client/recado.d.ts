// Made from the contract by `npm run client`.
import type { CallOptions, Options } from './core.js'

export { type CallOptions, type Options, RecadoError, verifyWebhook } from './core.js'

export type UsersEveryoneInput = { companyId?: number }
export type UsersEveryoneReply = {
  id: number
  name: string
  email: string
  profile: 'user' | 'supervisor' | 'admin'
  super: boolean
  companyId: number
  allTicket: 'enabled' | 'desabled'
  whatsappId: number | null
  queues: { id: number; name: string; color: string; UserQueue: { queueId: number } }[]
  language: 'es' | 'pt' | 'en' | null
  timeZone: string
  hasTimeZone: boolean
  active: boolean
  invited: boolean
  twoFactor: boolean
  online: boolean
  availability: 'available' | 'break' | 'away'
  availabilityReason: string
  availabilitySince: string
  availabilityCause: 'person' | 'inactivity' | 'missedOffers'
  capacity: number | null
  skillIds: number[]
  shifts: {
    weekday: string
    weekdayEn: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
    startTime: string
    endTime: string
  }[]
  onShift: boolean
  hasLoggedIn: boolean
  weeklyMail: boolean
  hidesGuide: boolean
  undoSeconds: number
  createdAt: string
}[]
export type QueuesListInput = { companyId?: number }
export type QueuesListReply = {
  id: number
  name: string
  color: string
  orderQueue: number | null
  greetingMessage: string
  complationMessage: string
  outOfHoursMessage: string
  ratingMessage: string
  integrationId: number | null
  promptId: number | null
  schedules: {
    weekday: string
    weekdayEn: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
    startTime: string
    endTime: string
  }[]
  answerGoal: number | null
  resolveGoal: number | null
  answerGoalUrgent: number | null
  answerGoalHigh: number | null
  answerGoalLow: number | null
  resolveGoalUrgent: number | null
  resolveGoalHigh: number | null
  resolveGoalLow: number | null
  routing: 'manual' | 'roundRobin' | 'fewestOpen'
  capacity: number | null
  weight: number
  lastAgentFirst: boolean
  ownerFirst: boolean
  skillIds: number[]
  asksLanguage: boolean
  skillTimeoutMinutes: number | null
  returnAfterMinutes: number | null
  offerSeconds: number
  token: string
  closing: {
    reasonRequired: boolean
    reasons: { id: number; name: string }[]
    fields: {
      id: number
      name: string
      kind: 'text' | 'number' | 'choice' | 'yesNo'
      required: boolean
      choices: string[]
    }[]
  }
  options: {
    id: number
    queueId: number
    parentId: number | null
    option: number
    title: string
    message: string
    leads: 'person' | 'queue' | 'end'
    forwardQueueId: number | null
    skillIds: number[]
  }[]
}[]
export type QueuesClosingFormsInput = Record<string, never>
export type QueuesClosingFormsReply = {
  reasonRequired: boolean
  reasons: { id: number; name: string }[]
  fields: {
    id: number
    name: string
    kind: 'text' | 'number' | 'choice' | 'yesNo'
    required: boolean
    choices: string[]
  }[]
  queueId: number
}[]
export type QueuesShowInput = { id: number }
export type QueuesShowReply = {
  id: number
  name: string
  color: string
  orderQueue: number | null
  greetingMessage: string
  complationMessage: string
  outOfHoursMessage: string
  ratingMessage: string
  integrationId: number | null
  promptId: number | null
  schedules: {
    weekday: string
    weekdayEn: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
    startTime: string
    endTime: string
  }[]
  answerGoal: number | null
  resolveGoal: number | null
  answerGoalUrgent: number | null
  answerGoalHigh: number | null
  answerGoalLow: number | null
  resolveGoalUrgent: number | null
  resolveGoalHigh: number | null
  resolveGoalLow: number | null
  routing: 'manual' | 'roundRobin' | 'fewestOpen'
  capacity: number | null
  weight: number
  lastAgentFirst: boolean
  ownerFirst: boolean
  skillIds: number[]
  asksLanguage: boolean
  skillTimeoutMinutes: number | null
  returnAfterMinutes: number | null
  offerSeconds: number
  token: string
  closing: {
    reasonRequired: boolean
    reasons: { id: number; name: string }[]
    fields: {
      id: number
      name: string
      kind: 'text' | 'number' | 'choice' | 'yesNo'
      required: boolean
      choices: string[]
    }[]
  }
  options: {
    id: number
    queueId: number
    parentId: number | null
    option: number
    title: string
    message: string
    leads: 'person' | 'queue' | 'end'
    forwardQueueId: number | null
    skillIds: number[]
  }[]
}
export type ContactsListInput = {
  searchParam?: string
  date?: string
  dateStart?: string
  dateEnd?: string
  kind?: 'person' | 'group'
  pageNumber?: number
  sortBy?: 'name' | 'newest'
}
export type ContactsListReply = {
  contacts: {
    id: number
    uuid: string
    name: string
    number: string
    email: string
    profilePicUrl: string | null
    isGroup: boolean
    disableBot: boolean
    language: string | null
    ownerId: number | null
    createdAt: string
    updatedAt: string
  }[]
  count: number
  hasMore: boolean
  isLowerBound: boolean
}
export type ContactsShowInput = { id: number }
export type ContactsShowReply = {
  id: number
  uuid: string
  name: string
  number: string
  email: string
  profilePicUrl: string | null
  isGroup: boolean
  disableBot: boolean
  language: string | null
  ownerId: number | null
  createdAt: string
  updatedAt: string
  extraInfo: { id: number; name: string; value: string }[]
  whatsapp: { name: string } | null
}
export type ContactsCreateInput = {
  name: string
  number: string
  email?: string
  extraInfo?: { name: string; value?: string }[]
  disableBot?: boolean
  language?: string | null
  ownerId?: number | null
}
export type ContactsCreateReply = {
  id: number
  uuid: string
  name: string
  number: string
  email: string
  profilePicUrl: string | null
  isGroup: boolean
  disableBot: boolean
  language: string | null
  ownerId: number | null
  createdAt: string
  updatedAt: string
  extraInfo: { id: number; name: string; value: string }[]
  whatsapp: { name: string } | null
}
export type ContactsUpdateInput = {
  name: string
  number?: '' | string
  email?: string
  extraInfo?: { name: string; value?: string; id?: number }[]
  disableBot?: boolean
  language?: string | null
  ownerId?: number | null
  confirmNumber?: boolean
  id: number
}
export type ContactsUpdateReply = {
  id: number
  uuid: string
  name: string
  number: string
  email: string
  profilePicUrl: string | null
  isGroup: boolean
  disableBot: boolean
  language: string | null
  ownerId: number | null
  createdAt: string
  updatedAt: string
  extraInfo: { id: number; name: string; value: string }[]
  whatsapp: { name: string } | null
}
export type ContactsRemoveInput = { id: number }
export type ContactsRemoveReply = { message: string }
export type ContactsAllInput = { name?: string }
export type ContactsAllReply = { id: number; name: string; number: string }[]
export type ContactsExportInput = {
  searchParam?: string
  date?: string
  dateStart?: string
  dateEnd?: string
  kind?: 'person' | 'group'
}
export type ContactsExportReply = string
export type ContactsMediaInput = { pageNumber?: number; id: number }
export type ContactsMediaReply = {
  media: {
    id: string
    ticketId: number | null
    fromMe: boolean
    mediaType: string
    mediaUrl: string
    mediaName: string | null
    createdAt: string
  }[]
  hasMore: boolean
}
export type ContactsTicketsInput = { pageNumber?: number; id: number }
export type ContactsTicketsReply = {
  tickets: {
    id: number
    number: number
    uuid: string
    status: 'pending' | 'open' | 'closed'
    queue: { id: number; name: string; color: string } | null
    user: { id: number; name: string } | null
    createdAt: string
    updatedAt: string
  }[]
  hasMore: boolean
}
export type TagsListInput = { searchParam?: string; pageNumber?: number }
export type TagsListReply = {
  tags: {
    id: number
    name: string
    color: string
    kanban: number
    userId: number | null
    ticketsCount: number
    weight: number
    skillIds: number[]
  }[]
  count: number
  hasMore: boolean
}
export type TagsShowInput = { id: number }
export type TagsShowReply = {
  id: number
  name: string
  color: string
  kanban: number
  userId: number | null
  ticketsCount: number
  weight: number
  skillIds: number[]
}
export type TagsCreateInput = { name: string; color?: string; kanban?: number; weight?: number; skillIds?: number[] }
export type TagsCreateReply = {
  id: number
  name: string
  color: string
  kanban: number
  userId: number | null
  ticketsCount: number
  weight: number
  skillIds: number[]
}
export type TagsUpdateInput = {
  name: string
  color?: string
  kanban?: number
  weight?: number
  skillIds?: number[]
  id: number
}
export type TagsUpdateReply = {
  id: number
  name: string
  color: string
  kanban: number
  userId: number | null
  ticketsCount: number
  weight: number
  skillIds: number[]
}
export type TagsRemoveInput = { id: number }
export type TagsRemoveReply = { message: string }
export type TagsAllInput = { searchParam?: string }
export type TagsAllReply = {
  id: number
  name: string
  color: string
  kanban: number
  userId: number | null
  ticketsCount: number
  weight: number
  skillIds: number[]
}[]
export type TicketsListInput = {
  searchParam?: string
  pageNumber?: number
  status?: 'pending' | 'open' | 'closed'
  date?: string
  updatedAt?: string
  showAll?: boolean
  withUnreadMessages?: boolean
  order?: 'newest' | 'oldest' | 'waiting' | 'priority'
  snoozed?: 'only' | 'without'
  queueIds?: number[]
  tags?: number[]
  users?: number[]
  ads?: number[]
  viewId?: number
}
export type TicketsListReply = {
  tickets: {
    id: number
    number: number
    code: string
    uuid: string
    status: 'pending' | 'open' | 'closed'
    priority: 'urgent' | 'high' | 'normal' | 'low'
    lastMessage: string
    last: { id: string; fromMe: boolean; ack: number; mediaType: string | null } | null
    heard: { body: string; mediaType: string | null } | null
    waitingSince: string | null
    snooze: { since: string; until: string | null; wakesOnMessage: boolean; note: string } | null
    returned: { at: string; note: string } | null
    closingReason: { id: number; name: string } | null
    unreadMessages: number
    isGroup: boolean
    chatbot: boolean
    companyId: number
    userId: number | null
    user: { id: number; name: string } | null
    contactId: number
    contact: {
      id: number
      name: string
      number: string
      email: string
      profilePicUrl: string | null
      ownerId: number | null
    }
    queueId: number | null
    queue: { id: number; name: string; color: string } | null
    whatsappId: number | null
    whatsapp: { id: number; name: string } | null
    tags: { id: number; name: string; color: string; kanban: number }[]
    laneId: number | null
    adId: number | null
    useIntegration: boolean
    promptId: number | null
    integrationId: number | null
    windowEndsAt: string | null
    goals: { kind: 'answer' | 'resolve'; warnAt: string; dueAt: string }[]
    createdAt: string
    updatedAt: string
    hit?: { messageId: string; before: string; words: string; after: string }
  }[]
  count: number
  hasMore: boolean
}
export type TicketsCountsInput = { showAll?: boolean; queueIds?: number[] }
export type TicketsCountsReply = { open: number; pending: number; unread: number; snoozed: number }
export type TicketsShowInput = { id: number }
export type TicketsShowReply = {
  id: number
  number: number
  code: string
  uuid: string
  status: 'pending' | 'open' | 'closed'
  priority: 'urgent' | 'high' | 'normal' | 'low'
  lastMessage: string
  last: { id: string; fromMe: boolean; ack: number; mediaType: string | null } | null
  heard: { body: string; mediaType: string | null } | null
  waitingSince: string | null
  snooze: { since: string; until: string | null; wakesOnMessage: boolean; note: string } | null
  returned: { at: string; note: string } | null
  closingReason: { id: number; name: string } | null
  unreadMessages: number
  isGroup: boolean
  chatbot: boolean
  companyId: number
  userId: number | null
  user: { id: number; name: string } | null
  contactId: number
  contact: {
    id: number
    name: string
    number: string
    email: string
    profilePicUrl: string | null
    ownerId: number | null
    extraInfo: { id: number; name: string; value: string }[]
  }
  queueId: number | null
  queue: { id: number; name: string; color: string } | null
  whatsappId: number | null
  whatsapp: { id: number; name: string } | null
  tags: { id: number; name: string; color: string; kanban: number }[]
  laneId: number | null
  adId: number | null
  useIntegration: boolean
  promptId: number | null
  integrationId: number | null
  windowEndsAt: string | null
  goals: { kind: 'answer' | 'resolve'; warnAt: string; dueAt: string }[]
  createdAt: string
  updatedAt: string
  hit?: { messageId: string; before: string; words: string; after: string }
  byMention?: true
}
export type TicketsByUuidInput = { uuid: string }
export type TicketsByUuidReply = {
  id: number
  number: number
  code: string
  uuid: string
  status: 'pending' | 'open' | 'closed'
  priority: 'urgent' | 'high' | 'normal' | 'low'
  lastMessage: string
  last: { id: string; fromMe: boolean; ack: number; mediaType: string | null } | null
  heard: { body: string; mediaType: string | null } | null
  waitingSince: string | null
  snooze: { since: string; until: string | null; wakesOnMessage: boolean; note: string } | null
  returned: { at: string; note: string } | null
  closingReason: { id: number; name: string } | null
  unreadMessages: number
  isGroup: boolean
  chatbot: boolean
  companyId: number
  userId: number | null
  user: { id: number; name: string } | null
  contactId: number
  contact: {
    id: number
    name: string
    number: string
    email: string
    profilePicUrl: string | null
    ownerId: number | null
    extraInfo: { id: number; name: string; value: string }[]
  }
  queueId: number | null
  queue: { id: number; name: string; color: string } | null
  whatsappId: number | null
  whatsapp: { id: number; name: string } | null
  tags: { id: number; name: string; color: string; kanban: number }[]
  laneId: number | null
  adId: number | null
  useIntegration: boolean
  promptId: number | null
  integrationId: number | null
  windowEndsAt: string | null
  goals: { kind: 'answer' | 'resolve'; warnAt: string; dueAt: string }[]
  createdAt: string
  updatedAt: string
  hit?: { messageId: string; before: string; words: string; after: string }
  byMention?: true
}
export type TicketsCreateInput = {
  contactId: number
  queueId?: number | null
  whatsappId?: number | null
  userId?: number | null
  status?: 'open' | 'pending'
}
export type TicketsCreateReply = {
  id: number
  number: number
  code: string
  uuid: string
  status: 'pending' | 'open' | 'closed'
  priority: 'urgent' | 'high' | 'normal' | 'low'
  lastMessage: string
  last: { id: string; fromMe: boolean; ack: number; mediaType: string | null } | null
  heard: { body: string; mediaType: string | null } | null
  waitingSince: string | null
  snooze: { since: string; until: string | null; wakesOnMessage: boolean; note: string } | null
  returned: { at: string; note: string } | null
  closingReason: { id: number; name: string } | null
  unreadMessages: number
  isGroup: boolean
  chatbot: boolean
  companyId: number
  userId: number | null
  user: { id: number; name: string } | null
  contactId: number
  contact: {
    id: number
    name: string
    number: string
    email: string
    profilePicUrl: string | null
    ownerId: number | null
    extraInfo: { id: number; name: string; value: string }[]
  }
  queueId: number | null
  queue: { id: number; name: string; color: string } | null
  whatsappId: number | null
  whatsapp: { id: number; name: string } | null
  tags: { id: number; name: string; color: string; kanban: number }[]
  laneId: number | null
  adId: number | null
  useIntegration: boolean
  promptId: number | null
  integrationId: number | null
  windowEndsAt: string | null
  goals: { kind: 'answer' | 'resolve'; warnAt: string; dueAt: string }[]
  createdAt: string
  updatedAt: string
  hit?: { messageId: string; before: string; words: string; after: string }
}
export type TicketsUpdateInput = {
  status?: 'pending' | 'open' | 'closed'
  userId?: number | null
  queueId?: number | null
  whatsappId?: number | null
  useIntegration?: boolean
  promptId?: number | null
  integrationId?: number | null
  priority?: 'urgent' | 'high' | 'normal' | 'low'
  justClose?: boolean
  closingReasonId?: number | null
  closingFields?: { id: number; value?: string | number | boolean }[]
  closingNote?: string
  note?: string
  mentions?: number[]
  id: number
}
export type TicketsUpdateReply = {
  id: number
  number: number
  code: string
  uuid: string
  status: 'pending' | 'open' | 'closed'
  priority: 'urgent' | 'high' | 'normal' | 'low'
  lastMessage: string
  last: { id: string; fromMe: boolean; ack: number; mediaType: string | null } | null
  heard: { body: string; mediaType: string | null } | null
  waitingSince: string | null
  snooze: { since: string; until: string | null; wakesOnMessage: boolean; note: string } | null
  returned: { at: string; note: string } | null
  closingReason: { id: number; name: string } | null
  unreadMessages: number
  isGroup: boolean
  chatbot: boolean
  companyId: number
  userId: number | null
  user: { id: number; name: string } | null
  contactId: number
  contact: {
    id: number
    name: string
    number: string
    email: string
    profilePicUrl: string | null
    ownerId: number | null
    extraInfo: { id: number; name: string; value: string }[]
  }
  queueId: number | null
  queue: { id: number; name: string; color: string } | null
  whatsappId: number | null
  whatsapp: { id: number; name: string } | null
  tags: { id: number; name: string; color: string; kanban: number }[]
  laneId: number | null
  adId: number | null
  useIntegration: boolean
  promptId: number | null
  integrationId: number | null
  windowEndsAt: string | null
  goals: { kind: 'answer' | 'resolve'; warnAt: string; dueAt: string }[]
  createdAt: string
  updatedAt: string
  hit?: { messageId: string; before: string; words: string; after: string }
}
export type TicketsClosingsInput = { id: number }
export type TicketsClosingsReply = {
  closings: {
    at: string
    reason: { id: number; name: string } | null
    fields: { name: string; kind: 'text' | 'number' | 'choice' | 'yesNo'; value: string | number | boolean }[]
    note: string
    byItself: boolean
    user: { id: number; name: string } | null
  }[]
}
export type TicketsSnoozeInput = { until?: string | null; wakesOnMessage?: boolean; note?: string; id: number }
export type TicketsSnoozeReply = {
  id: number
  number: number
  code: string
  uuid: string
  status: 'pending' | 'open' | 'closed'
  priority: 'urgent' | 'high' | 'normal' | 'low'
  lastMessage: string
  last: { id: string; fromMe: boolean; ack: number; mediaType: string | null } | null
  heard: { body: string; mediaType: string | null } | null
  waitingSince: string | null
  snooze: { since: string; until: string | null; wakesOnMessage: boolean; note: string } | null
  returned: { at: string; note: string } | null
  closingReason: { id: number; name: string } | null
  unreadMessages: number
  isGroup: boolean
  chatbot: boolean
  companyId: number
  userId: number | null
  user: { id: number; name: string } | null
  contactId: number
  contact: {
    id: number
    name: string
    number: string
    email: string
    profilePicUrl: string | null
    ownerId: number | null
    extraInfo: { id: number; name: string; value: string }[]
  }
  queueId: number | null
  queue: { id: number; name: string; color: string } | null
  whatsappId: number | null
  whatsapp: { id: number; name: string } | null
  tags: { id: number; name: string; color: string; kanban: number }[]
  laneId: number | null
  adId: number | null
  useIntegration: boolean
  promptId: number | null
  integrationId: number | null
  windowEndsAt: string | null
  goals: { kind: 'answer' | 'resolve'; warnAt: string; dueAt: string }[]
  createdAt: string
  updatedAt: string
  hit?: { messageId: string; before: string; words: string; after: string }
}
export type TicketsUnsnoozeInput = { id: number }
export type TicketsUnsnoozeReply = {
  id: number
  number: number
  code: string
  uuid: string
  status: 'pending' | 'open' | 'closed'
  priority: 'urgent' | 'high' | 'normal' | 'low'
  lastMessage: string
  last: { id: string; fromMe: boolean; ack: number; mediaType: string | null } | null
  heard: { body: string; mediaType: string | null } | null
  waitingSince: string | null
  snooze: { since: string; until: string | null; wakesOnMessage: boolean; note: string } | null
  returned: { at: string; note: string } | null
  closingReason: { id: number; name: string } | null
  unreadMessages: number
  isGroup: boolean
  chatbot: boolean
  companyId: number
  userId: number | null
  user: { id: number; name: string } | null
  contactId: number
  contact: {
    id: number
    name: string
    number: string
    email: string
    profilePicUrl: string | null
    ownerId: number | null
    extraInfo: { id: number; name: string; value: string }[]
  }
  queueId: number | null
  queue: { id: number; name: string; color: string } | null
  whatsappId: number | null
  whatsapp: { id: number; name: string } | null
  tags: { id: number; name: string; color: string; kanban: number }[]
  laneId: number | null
  adId: number | null
  useIntegration: boolean
  promptId: number | null
  integrationId: number | null
  windowEndsAt: string | null
  goals: { kind: 'answer' | 'resolve'; warnAt: string; dueAt: string }[]
  createdAt: string
  updatedAt: string
  hit?: { messageId: string; before: string; words: string; after: string }
}
export type TicketsHappeningsInput = { pageNumber?: number; deeds?: boolean; id: number }
export type TicketsHappeningsReply = {
  events: {
    id: string
    at: string
    kind: string
    messageId: string | null
    phoneId: string | null
    actor: { id: number; name: string } | null
    steps: { step: string; why: string; with: Record<string, string | number | boolean | null | null> }[]
  }[]
  hasMore: boolean
}
export type TicketsSyncTagsInput = { ticketId: number; tags: { id: number }[] }
export type TicketsSyncTagsReply = {
  id: number
  number: number
  code: string
  uuid: string
  status: 'pending' | 'open' | 'closed'
  priority: 'urgent' | 'high' | 'normal' | 'low'
  lastMessage: string
  last: { id: string; fromMe: boolean; ack: number; mediaType: string | null } | null
  heard: { body: string; mediaType: string | null } | null
  waitingSince: string | null
  snooze: { since: string; until: string | null; wakesOnMessage: boolean; note: string } | null
  returned: { at: string; note: string } | null
  closingReason: { id: number; name: string } | null
  unreadMessages: number
  isGroup: boolean
  chatbot: boolean
  companyId: number
  userId: number | null
  user: { id: number; name: string } | null
  contactId: number
  contact: {
    id: number
    name: string
    number: string
    email: string
    profilePicUrl: string | null
    ownerId: number | null
  }
  queueId: number | null
  queue: { id: number; name: string; color: string } | null
  whatsappId: number | null
  whatsapp: { id: number; name: string } | null
  tags: { id: number; name: string; color: string; kanban: number }[]
  laneId: number | null
  adId: number | null
  useIntegration: boolean
  promptId: number | null
  integrationId: number | null
  windowEndsAt: string | null
  goals: { kind: 'answer' | 'resolve'; warnAt: string; dueAt: string }[]
  createdAt: string
  updatedAt: string
  hit?: { messageId: string; before: string; words: string; after: string }
}
export type MessagesListInput = { pageNumber?: number; markAsRead?: boolean; ticketId: number }
export type MessagesListReply = {
  messages: {
    id: string
    ticketId: number | null
    ticketNumber: number | null
    clientId: string | null
    body: string
    fromMe: boolean
    read: boolean
    ack: number
    mediaType:
      | 'conversation'
      | 'image'
      | 'audio'
      | 'video'
      | 'application'
      | 'sticker'
      | 'locationMessage'
      | 'contactMessage'
      | 'vcard'
      | 'call_log'
      | 'unknown'
      | null
    mediaUrl: string | null
    mediaName: string | null
    mediaSize: number | null
    mediaPages: number | null
    mediaState: 'none' | 'pending' | 'ready' | 'failed'
    error: string | null
    isDeleted: boolean
    isEdited: boolean
    isForwarded: boolean
    transcript: string | null
    bot: string | null
    user: { id: number; name: string } | null
    campaign: { id: number; name: string } | null
    apiKey: { id: number; name: string } | null
    ad: { id: number; title: string; body: string; url: string; picture: string } | null
    reactions: { emoji: string; fromMe: boolean; name: string }[]
    contact: { name: string } | null
    quotedMsg: {
      id: string
      fromMe: boolean
      body: string
      mediaType: string | null
      mediaUrl: string | null
      isDeleted: boolean
      contact: { name: string } | null
    } | null
    heldUntil: string | null
    createdAt: string
  }[]
  hasMore: boolean
}
export type MessagesSearchInput = { searchParam?: string; before?: string; ticketId: number }
export type MessagesSearchReply = { hits: { id: string; createdAt: string }[]; hasMore: boolean }
export type NotesListInput = { ticketId?: number; contactId?: number }
export type NotesListReply = {
  id: number
  note: string
  ticketId: number
  ticketNumber: number
  contactId: number
  user: { id: number; name: string }
  mentions: { id: number; name: string }[]
  createdAt: string
}[]
export type NotesCreateInput = { note: string; ticketId: number; contactId?: number; mentions?: number[] }
export type NotesCreateReply = {
  id: number
  note: string
  ticketId: number
  ticketNumber: number
  contactId: number
  user: { id: number; name: string }
  mentions: { id: number; name: string }[]
  createdAt: string
}
export type NotesRemoveInput = { id: number }
export type NotesRemoveReply = { message: string }
export type SendingSendInput = {
  number: string
  body?: string
  whatsappId?: number | null
  closeTicket?: boolean
  queueId?: number | null
  userId?: number | null
  quotedId?: string
  location?: { latitude: number; longitude: number; name?: string }
  contactCard?: number | null
  template?: { name?: string; language?: string; variables?: Record<string, string> }
}
export type SendingSendReply = {
  id: string
  ids: string[]
  state: 'queued' | 'sent' | 'delivered' | 'read' | 'failed'
  ticketId: number
  whatsappId: number
  number: string
  waitsUntil: string | null
  mensagem: string
}
export type SendingShowInput = { id: string }
export type SendingShowReply = {
  id: string
  state: 'queued' | 'sent' | 'delivered' | 'read' | 'failed'
  error: string
  fromMe: boolean
  number: string
  contactId: number
  whatsappId: number
  ticketId: number | null
  body: string
  mediaType:
    | 'conversation'
    | 'image'
    | 'audio'
    | 'video'
    | 'application'
    | 'sticker'
    | 'locationMessage'
    | 'contactMessage'
    | 'vcard'
    | 'call_log'
    | 'unknown'
    | null
  mediaUrl: string | null
  mediaName: string | null
  apiKey: { id: number; name: string } | null
  createdAt: string
  stateAt: string | null
  waitsUntil: string | null
}
export type SendingListInput = { since?: string; limit?: number; number?: string; whatsappId?: number | null }
export type SendingListReply = {
  messages: {
    id: string
    state: 'queued' | 'sent' | 'delivered' | 'read' | 'failed'
    error: string
    fromMe: boolean
    number: string
    contactId: number
    whatsappId: number
    ticketId: number | null
    body: string
    mediaType:
      | 'conversation'
      | 'image'
      | 'audio'
      | 'video'
      | 'application'
      | 'sticker'
      | 'locationMessage'
      | 'contactMessage'
      | 'vcard'
      | 'call_log'
      | 'unknown'
      | null
    mediaUrl: string | null
    mediaName: string | null
    apiKey: { id: number; name: string } | null
    createdAt: string
    stateAt: string | null
    waitsUntil: string | null
  }[]
  next: string
  hasMore: boolean
}
export type SendingCheckInput = { numbers: string[]; whatsappId?: number | null }
export type SendingCheckReply = { numbers: { asked: string; exists: boolean; number: string }[] }
export type WebhooksListInput = { searchParam?: string; pageNumber?: number }
export type WebhooksListReply = {
  webhooks: {
    id: number
    name: string
    url: string
    events: (
      | 'message.created'
      | 'message.state'
      | 'ticket.opened'
      | 'ticket.accepted'
      | 'ticket.transferred'
      | 'ticket.resolved'
      | 'ticket.late'
      | 'contact.created'
      | 'contact.merged'
      | 'rating.created'
      | 'line.state'
    )[]
    active: boolean
    calls: number[]
    failed: number[]
    waiting: number
    lastAt: string | null
    restsSince: string | null
    reason: string
    createdAt: string
    updatedAt: string
  }[]
  count: number
  hasMore: boolean
}
export type WebhooksShowInput = { id: number }
export type WebhooksShowReply = {
  id: number
  name: string
  url: string
  events: (
    | 'message.created'
    | 'message.state'
    | 'ticket.opened'
    | 'ticket.accepted'
    | 'ticket.transferred'
    | 'ticket.resolved'
    | 'ticket.late'
    | 'contact.created'
    | 'contact.merged'
    | 'rating.created'
    | 'line.state'
  )[]
  active: boolean
  calls: number[]
  failed: number[]
  waiting: number
  lastAt: string | null
  restsSince: string | null
  reason: string
  createdAt: string
  updatedAt: string
}
export type WebhooksCreateInput = {
  name?: string
  url: string
  events: (
    | 'message.created'
    | 'message.state'
    | 'ticket.opened'
    | 'ticket.accepted'
    | 'ticket.transferred'
    | 'ticket.resolved'
    | 'ticket.late'
    | 'contact.created'
    | 'contact.merged'
    | 'rating.created'
    | 'line.state'
  )[]
  active?: boolean
}
export type WebhooksCreateReply = {
  id: number
  name: string
  url: string
  events: (
    | 'message.created'
    | 'message.state'
    | 'ticket.opened'
    | 'ticket.accepted'
    | 'ticket.transferred'
    | 'ticket.resolved'
    | 'ticket.late'
    | 'contact.created'
    | 'contact.merged'
    | 'rating.created'
    | 'line.state'
  )[]
  active: boolean
  calls: number[]
  failed: number[]
  waiting: number
  lastAt: string | null
  restsSince: string | null
  reason: string
  createdAt: string
  updatedAt: string
  secret: string
}
export type WebhooksUpdateInput = {
  name?: string
  url: string
  events: (
    | 'message.created'
    | 'message.state'
    | 'ticket.opened'
    | 'ticket.accepted'
    | 'ticket.transferred'
    | 'ticket.resolved'
    | 'ticket.late'
    | 'contact.created'
    | 'contact.merged'
    | 'rating.created'
    | 'line.state'
  )[]
  active?: boolean
  id: number
}
export type WebhooksUpdateReply = {
  id: number
  name: string
  url: string
  events: (
    | 'message.created'
    | 'message.state'
    | 'ticket.opened'
    | 'ticket.accepted'
    | 'ticket.transferred'
    | 'ticket.resolved'
    | 'ticket.late'
    | 'contact.created'
    | 'contact.merged'
    | 'rating.created'
    | 'line.state'
  )[]
  active: boolean
  calls: number[]
  failed: number[]
  waiting: number
  lastAt: string | null
  restsSince: string | null
  reason: string
  createdAt: string
  updatedAt: string
}
export type WebhooksRemoveInput = { id: number }
export type WebhooksRemoveReply = { message: string }
export type WebhookToolsSecretInput = { id: number }
export type WebhookToolsSecretReply = { secret: string }
export type WebhookToolsDeliveriesInput = { before?: string; failed?: boolean; id: number }
export type WebhookToolsDeliveriesReply = {
  deliveries: {
    id: string
    eventId: string
    type:
      | 'message.created'
      | 'message.state'
      | 'ticket.opened'
      | 'ticket.accepted'
      | 'ticket.transferred'
      | 'ticket.resolved'
      | 'ticket.late'
      | 'contact.created'
      | 'contact.merged'
      | 'rating.created'
      | 'line.state'
      | 'test'
    ticketId: number | null
    state: 'waiting' | 'done' | 'given-up'
    tries: { at: string; status: number; ms: number; error: string }[]
    nextAt: string | null
    trace: string | null
    createdAt: string
  }[]
  hasMore: boolean
}
export type WebhookToolsDeliveryInput = { id: number; deliveryId: string }
export type WebhookToolsDeliveryReply = {
  id: string
  eventId: string
  type:
    | 'message.created'
    | 'message.state'
    | 'ticket.opened'
    | 'ticket.accepted'
    | 'ticket.transferred'
    | 'ticket.resolved'
    | 'ticket.late'
    | 'contact.created'
    | 'contact.merged'
    | 'rating.created'
    | 'line.state'
    | 'test'
  ticketId: number | null
  state: 'waiting' | 'done' | 'given-up'
  tries: { at: string; status: number; ms: number; error: string }[]
  nextAt: string | null
  trace: string | null
  createdAt: string
  body: string
  answer: string
}
export type WebhookToolsAgainInput = { id: number; deliveryId: string }
export type WebhookToolsAgainReply = {
  id: string
  eventId: string
  type:
    | 'message.created'
    | 'message.state'
    | 'ticket.opened'
    | 'ticket.accepted'
    | 'ticket.transferred'
    | 'ticket.resolved'
    | 'ticket.late'
    | 'contact.created'
    | 'contact.merged'
    | 'rating.created'
    | 'line.state'
    | 'test'
  ticketId: number | null
  state: 'waiting' | 'done' | 'given-up'
  tries: { at: string; status: number; ms: number; error: string }[]
  nextAt: string | null
  trace: string | null
  createdAt: string
}
export type WebhookToolsReplayInput = { from: string; until: string; id: number }
export type WebhookToolsReplayReply = { events: number }
export type WebhookToolsTestInput = { id: number }
export type WebhookToolsTestReply = {
  id: string
  eventId: string
  type:
    | 'message.created'
    | 'message.state'
    | 'ticket.opened'
    | 'ticket.accepted'
    | 'ticket.transferred'
    | 'ticket.resolved'
    | 'ticket.late'
    | 'contact.created'
    | 'contact.merged'
    | 'rating.created'
    | 'line.state'
    | 'test'
  ticketId: number | null
  state: 'waiting' | 'done' | 'given-up'
  tries: { at: string; status: number; ms: number; error: string }[]
  nextAt: string | null
  trace: string | null
  createdAt: string
  body: string
  answer: string
}

export type Recado = {
  users: {
    /** All users of the company, oldest first; the super user may name another company. `GET /users/list`, scope `tickets`. */
    everyone(input?: UsersEveryoneInput, options?: CallOptions): Promise<UsersEveryoneReply>
  }
  queues: {
    /** Every queue of the company, in menu order; the super user may name another company. `GET /queue`, scope `tickets`. */
    list(input?: QueuesListInput, options?: CallOptions): Promise<QueuesListReply>
    /** What agents are asked when they close a ticket, by queue; queues that ask nothing are left out. `GET /queue/closing-forms`, scope `tickets`. */
    closingForms(input?: QueuesClosingFormsInput, options?: CallOptions): Promise<QueuesClosingFormsReply>
    /** One queue. `GET /queue/:id`, scope `tickets`. */
    show(input: QueuesShowInput, options?: CallOptions): Promise<QueuesShowReply>
  }
  contacts: {
    /** A page of contacts, by name or newest first. The count of a search stops at 2,000, that of a filter at 100,000: then `isLowerBound` is set. `GET /contacts`, scope `contacts`. */
    list(input?: ContactsListInput, options?: CallOptions): Promise<ContactsListReply>
    /** One contact. `GET /contacts/:id`, scope `contacts`. */
    show(input: ContactsShowInput, options?: CallOptions): Promise<ContactsShowReply>
    /** Create a contact. `POST /contacts`, scope `contacts`. */
    create(input: ContactsCreateInput, options?: CallOptions): Promise<ContactsCreateReply>
    /** Change a contact. Changing the number needs `confirmNumber` while a ticket is open, and access to all of its conversations. `PUT /contacts/:id`, scope `contacts`. */
    update(input: ContactsUpdateInput, options?: CallOptions): Promise<ContactsUpdateReply>
    /** Delete a contact with its conversations; needs access to all of them. An admin can restore it for 30 days (`GET /contacts/deleted`). `DELETE /contacts/:id`, scope `contacts`. */
    remove(input: ContactsRemoveInput, options?: CallOptions): Promise<ContactsRemoveReply>
    /** Every contact, name and number only; at most the first 20,000 by name. `GET /contacts/list`, scope `contacts`. */
    all(input?: ContactsAllInput, options?: CallOptions): Promise<ContactsAllReply>
    /** Every contact, or those a search finds, as a spreadsheet file; `X-Total-Count` is the number of rows. `GET /contacts/export`, scope `contacts`. */
    export(input?: ContactsExportInput, options?: CallOptions): Promise<ContactsExportReply>
    /** Pictures, videos, audio and documents of the conversations with a contact, newest first. `GET /contacts/:id/media`, scope `messages`. */
    media(input: ContactsMediaInput, options?: CallOptions): Promise<ContactsMediaReply>
    /** Past and present conversations with a contact that the caller may see, newest first. `GET /contacts/:id/tickets`, scope `tickets`. */
    tickets(input: ContactsTicketsInput, options?: CallOptions): Promise<ContactsTicketsReply>
  }
  tags: {
    /** A page of tags; all of them without pageNumber. `GET /tags`, scope `tickets`. */
    list(input?: TagsListInput, options?: CallOptions): Promise<TagsListReply>
    /** One tag. `GET /tags/:id`, scope `tickets`. */
    show(input: TagsShowInput, options?: CallOptions): Promise<TagsShowReply>
    /** Create a tag. `POST /tags`, scope `tickets`. */
    create(input: TagsCreateInput, options?: CallOptions): Promise<TagsCreateReply>
    /** Change a tag. `PUT /tags/:id`, scope `tickets`. */
    update(input: TagsUpdateInput, options?: CallOptions): Promise<TagsUpdateReply>
    /** Delete a tag. `DELETE /tags/:id`, scope `tickets`. */
    remove(input: TagsRemoveInput, options?: CallOptions): Promise<TagsRemoveReply>
    /** Every tag. `GET /tags/list`, scope `tickets`. */
    all(input?: TagsAllInput, options?: CallOptions): Promise<TagsAllReply>
  }
  tickets: {
    /** A page of the tickets the caller may see. `GET /tickets`, scope `tickets`. */
    list(input?: TicketsListInput, options?: CallOptions): Promise<TicketsListReply>
    /** How many open and pending tickets the caller sees, for the badges; snoozed ones are counted separately. `GET /tickets/counts`, scope `tickets`. */
    counts(input?: TicketsCountsInput, options?: CallOptions): Promise<TicketsCountsReply>
    /** One ticket. `GET /tickets/:id`, scope `tickets`. */
    show(input: TicketsShowInput, options?: CallOptions): Promise<TicketsShowReply>
    /** One ticket by its uuid. `GET /tickets/u/:uuid`, scope `tickets`. */
    byUuid(input: TicketsByUuidInput, options?: CallOptions): Promise<TicketsByUuidReply>
    /** Start a conversation. `POST /tickets`, scope `tickets`. */
    create(input: TicketsCreateInput, options?: CallOptions): Promise<TicketsCreateReply>
    /** Accept, return, resolve, reopen, transfer or prioritize. `PUT /tickets/:id`, scope `tickets`. */
    update(input: TicketsUpdateInput, options?: CallOptions): Promise<TicketsUpdateReply>
    /** How the ticket was closed each time, newest first: reason, fields and summary; fifty at most. `GET /tickets/:id/closings`, scope `tickets`. */
    closings(input: TicketsClosingsInput, options?: CallOptions): Promise<TicketsClosingsReply>
    /** Put an open or pending ticket aside until a time, until the customer writes, or whichever comes first. `PUT /tickets/:id/snooze`, scope `tickets`. */
    snooze(input: TicketsSnoozeInput, options?: CallOptions): Promise<TicketsSnoozeReply>
    /** End the snooze of a ticket now. `DELETE /tickets/:id/snooze`, scope `tickets`. */
    unsnooze(input: TicketsUnsnoozeInput, options?: CallOptions): Promise<TicketsUnsnoozeReply>
    /** The trace of processing, each step with its reason; `deeds` leaves out plain arrivals. `GET /tickets/:id/events`, scope `tickets`. */
    happenings(input: TicketsHappeningsInput, options?: CallOptions): Promise<TicketsHappeningsReply>
    /** Replace all tags of a ticket. `POST /tags/sync`, scope `tickets`. */
    syncTags(input: TicketsSyncTagsInput, options?: CallOptions): Promise<TicketsSyncTagsReply>
  }
  messages: {
    /** The conversation, oldest first within the page, with earlier tickets of the same contact and line; opening it marks it read. `GET /messages/:ticketId`, scope `messages`. */
    list(input: MessagesListInput, options?: CallOptions): Promise<MessagesListReply>
    /** Search the conversation, in texts and file names, newest first, 200 hits at a time; `before` (the last hit of a page) returns the next page. `GET /messages/:ticketId/search`, scope `messages`. */
    search(input: MessagesSearchInput, options?: CallOptions): Promise<MessagesSearchReply>
  }
  notes: {
    /** Notes of a ticket and of its contact, newest first. `GET /ticket-notes/list`, scope `tickets`. */
    list(input?: NotesListInput, options?: CallOptions): Promise<NotesListReply>
    /** Write a note. `POST /ticket-notes`, scope `tickets`. */
    create(input: NotesCreateInput, options?: CallOptions): Promise<NotesCreateReply>
    /** Delete a note: own ones, any for admins. `DELETE /ticket-notes/:id`, scope `tickets`. */
    remove(input: NotesRemoveInput, options?: CallOptions): Promise<NotesRemoveReply>
  }
  sending: {
    /** Send a message. 202 (200 with the token of a line): it is stored and will not get lost. Repeating a call with the same Idempotency-Key header returns the same message. `POST /api/messages/send`, scope `send`. */
    send(input: SendingSendInput, options?: CallOptions): Promise<SendingSendReply>
    /** One message and its delivery status. `GET /api/messages/:id`, scope `messages`. */
    show(input: SendingShowInput, options?: CallOptions): Promise<SendingShowReply>
    /** Messages in the order in which they were stored, with a delay of a few seconds, from `since` on: a time, or the `next` of the previous page. `GET /api/messages`, scope `messages`. */
    list(input?: SendingListInput, options?: CallOptions): Promise<SendingListReply>
    /** Check which of these numbers are on WhatsApp, and how WhatsApp writes them. `POST /api/contacts/check`, scope `contacts`. */
    check(input: SendingCheckInput, options?: CallOptions): Promise<SendingCheckReply>
  }
  webhooks: {
    /** A page of webhooks. `GET /webhooks`, scope `webhooks`. */
    list(input?: WebhooksListInput, options?: CallOptions): Promise<WebhooksListReply>
    /** One webhook. `GET /webhooks/:id`, scope `webhooks`. */
    show(input: WebhooksShowInput, options?: CallOptions): Promise<WebhooksShowReply>
    /** Subscribe to events. The signing secret is in this response and is never shown again. A key can subscribe only to events that its scopes may read, and its subscriptions end with it. `POST /webhooks`, scope `webhooks`. */
    create(input: WebhooksCreateInput, options?: CallOptions): Promise<WebhooksCreateReply>
    /** Change a webhook. `PUT /webhooks/:id`, scope `webhooks`. */
    update(input: WebhooksUpdateInput, options?: CallOptions): Promise<WebhooksUpdateReply>
    /** Delete a webhook. `DELETE /webhooks/:id`, scope `webhooks`. */
    remove(input: WebhooksRemoveInput, options?: CallOptions): Promise<WebhooksRemoveReply>
  }
  webhookTools: {
    /** Create a new signing secret, shown only once. The old one also signs for one more day. `POST /webhooks/:id/secret`, scope `webhooks`. */
    secret(input: WebhookToolsSecretInput, options?: CallOptions): Promise<WebhookToolsSecretReply>
    /** Deliveries of a webhook, newest first; `before` is the id of the last one that was read. `GET /webhooks/:id/deliveries`, scope `webhooks`. */
    deliveries(input: WebhookToolsDeliveriesInput, options?: CallOptions): Promise<WebhookToolsDeliveriesReply>
    /** One delivery with its content. `GET /webhooks/:id/deliveries/:deliveryId`, scope `webhooks`. */
    delivery(input: WebhookToolsDeliveryInput, options?: CallOptions): Promise<WebhookToolsDeliveryReply>
    /** Deliver one event again, with the same id. `POST /webhooks/:id/deliveries/:deliveryId/again`, scope `webhooks`. */
    again(input: WebhookToolsAgainInput, options?: CallOptions): Promise<WebhookToolsAgainReply>
    /** Deliver all events of a period again, in order, at most 50,000. Returns how many there are. `POST /webhooks/:id/replay`, scope `webhooks`. */
    replay(input: WebhookToolsReplayInput, options?: CallOptions): Promise<WebhookToolsReplayReply>
    /** Send an event of the type `test` now; a paused webhook resumes when it responds. `POST /webhooks/:id/test`, scope `webhooks`. */
    test(input: WebhookToolsTestInput, options?: CallOptions): Promise<WebhookToolsTestReply>
  }
}
/** Every call that a key opens. */
export declare function connect(options: Options): Recado
