import type { Wanted } from '../dump/read.ts'

/**
 * The tables of the family and their columns that are of use here, as their installations have them: single-company
 * Whaticket, the services for many companies that grew from it, and ticketz. Not every one has every table or column.
 */
const dates = ['createdAt', 'updatedAt']
const own = ['id', 'companyId', ...dates]
const texts = [1, 2, 3, 4, 5].flatMap((n) => [`message${n}`, `confirmationMessage${n}`])
const flags = [
  'useCampaigns',
  'useKanban',
  'useOpenAi',
  'useIntegrations',
  'useSchedules',
  'useInternalChat',
  'useExternalApi',
]

export const wanted = {
  plans: ['id', 'name', 'users', 'connections', 'queues', 'value', ...flags],
  companies: [
    'id',
    'name',
    'phone',
    'email',
    'status',
    'dueDate',
    'recurrence',
    'schedules',
    'planId',
    'language',
    ...dates,
  ],
  settings: ['key', 'value', 'companyId'],
  users: [...own, 'name', 'email', 'passwordHash', 'profile', 'super', 'whatsappId', 'allTicket', 'language'],
  userqueues: ['userId', 'queueId'],
  queues: [...own, 'name', 'color', 'orderQueue', 'greetingMessage', 'outOfHoursMessage', 'schedules', 'mediaPath'],
  queueoptions: ['id', 'title', 'message', 'option', 'queueId', 'parentId', 'forwardQueueId', 'exitChatbot', ...dates],
  whatsapps: [
    ...[...own, 'name', 'isDefault', 'greetingMessage', 'farewellMessage', 'complationMessage', 'outOfHoursMessage'],
    ...['ratingMessage', 'expiresTicket', 'expiresInactiveMessage', 'timeToTransfer', 'transferQueueId', 'token'],
    ...['timeUseBotQueues', 'maxUseBotQueues', 'channel'],
  ],
  whatsappqueues: ['whatsappId', 'queueId'],
  tags: [...own, 'name', 'color', 'kanban'],
  contacts: [...own, 'name', 'number', 'email', 'isGroup', 'disableBot', 'channel'],
  contactcustomfields: ['id', 'name', 'value', 'contactId'],
  contacttags: ['contactId', 'tagId'],
  quickmessages: [...own, 'shortcode', 'message', 'userId', 'geral', 'status', 'mediaPath', 'mediaName'],
  quickanswers: ['id', 'shortcut', 'message', ...dates],
  tickets: [
    ...[...own, 'uuid', 'status', 'lastMessage', 'unreadMessages', 'isGroup', 'chatbot', 'userId', 'contactId'],
    ...['whatsappId', 'queueId', 'channel'],
  ],
  tickettags: ['ticketId', 'tagId'],
  tickettraking: ['id', 'ticketId', 'userId', 'queuedAt', 'startedAt', 'finishedAt', 'ratingAt', 'rated', ...dates],
  userratings: ['id', 'ticketId', 'userId', 'rate', ...dates],
  ticketnotes: ['id', 'note', 'userId', 'contactId', 'ticketId', ...dates],
  messages: [
    ...[
      'id',
      'ticketId',
      'body',
      'ack',
      'read',
      'fromMe',
      'mediaType',
      'mediaUrl',
      'isDeleted',
      'isEdited',
      'createdAt',
    ],
    ...['contactId', 'quotedMsgId', 'userId'],
  ],
  schedules: [
    ...own,
    'body',
    'sendAt',
    'sentAt',
    'contactId',
    'ticketId',
    'userId',
    'status',
    'mediaPath',
    'mediaName',
  ],
  contactlists: [...own, 'name'],
  contactlistitems: [...own, 'name', 'number', 'email', 'isWhatsappValid', 'contactListId'],
  campaigns: [
    ...[...own, ...texts, 'name', 'status', 'confirmation', 'scheduledAt', 'completedAt', 'contactListId', 'tagId'],
    ...['whatsappId', 'mediaPath', 'mediaName'],
  ],
  campaignshipping: [
    ...['id', 'number', 'message', 'confirmationMessage', 'contactId', 'campaignId', 'confirmationRequestedAt'],
    ...['confirmedAt', 'deliveredAt', 'createdAt'],
  ],
  campaignsettings: ['key', 'value', 'companyId'],
  // Only counted: the report says that they stay behind.
  announcements: ['id'],
  chats: ['id'],
  chatmessages: ['id'],
  files: ['id'],
  helps: ['id'],
  integrations: ['id'],
  invoices: ['id'],
  prompts: ['id'],
  queueintegrations: ['id'],
  oldmessages: ['id'],
  outofticketmessages: ['id'],
} satisfies Wanted

export type TableName = keyof typeof wanted

/** What has no place here, or is not the company's own. In words, for the report. */
export const leftBehind: Partial<Record<TableName, string>> = {
  announcements: 'announcements',
  chats: 'chats of the team',
  chatmessages: 'messages of the team’s chats',
  files: 'file lists',
  helps: 'help videos',
  integrations: 'integrations',
  invoices: 'invoices',
  prompts: 'AI prompts',
  queueintegrations: 'integrations of queues',
  oldmessages: 'earlier wordings of edited messages',
  outofticketmessages: 'messages outside of tickets',
}
