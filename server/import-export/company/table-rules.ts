import type { MacroStep } from '@recado/contract/macros/macro-steps'
import { settingDefinitions } from '@recado/contract/settings'
import {
  isConditionGroup,
  type TicketCondition,
  type TicketConditionGroup,
} from '@recado/contract/views/ticket-conditions'
import type { SchemaTable } from './schema.ts'

/** Tables that are not exported, and why. Every other table of a company is exported, new ones automatically. */
export const excludedTables: Record<string, string> = {
  sessions: 'sessions: users log in again',
  furtherSessions: 'sessions: users log in again',
  passkeys: 'bound to the address of the house: made again',
  secondFactors: 'sealed with the secret of the house: set up again',
  passwordResets: 'codes sent by e-mail',
  invitations: 'links sent by e-mail: invite again',
  pushSubscriptions: 'bound to one address and its browsers',
  linkedKeys: 'session credentials of linked phones: link them again',
  linePasskeys: 'a phone that is being linked: link it again',
  lineLeases: 'which process runs a line',
  lineErrands: 'work of a running line',
  lineSends: 'the pace of a running line',
  linePaceDays: 'the pace of a running line',
  lineHistory: 'a running request for older messages',
  lineSignups: 'a number that is being connected',
  cloudInbox: 'work of a running line',
  cloudHealth: 'told by Meta to the line where it runs',
  cloudHealthEvents: 'told by Meta to the line where it runs',
  messageCosts: 'billed by Meta to the account of this line, which is connected anew',
  campaignLines: 'the pace of a running line',
  campaignNews: 'counters that are recomputed',
  userActivity: 'current presence',
  routingRequests: 'work of running queues',
  macroRuns: 'steps that are under way',
  ticketBatches: 'changes of many tickets that are under way',
  ticketBatchItems: 'changes of many tickets that are under way',
  ticketOffers: 'offers that are open now',
  flowTriggers: 'set when a flow is switched on',
  flowTimers: 'set when a flow is switched on',
  flowEvents: 'work of running flows',
  flowRuns: 'work of running flows',
  flowStepTallies: 'counts of runs',
  flowDays: 'counts of runs',
  flowDryRuns: 'trials of drafts, kept for a day',
  routingTurns: 'whose turn is next in running queues',
  asks: 'requests to AI models and integrations in progress',
  webhookDeliveries: 'deliveries that are under way, and their log',
  apiCalls: 'responses that are stored for one day',
  webhooks: 'signed with a secret that only this house can read: make them anew',
  webhookEvents: 'deliveries that are under way, and their log',
  webhookHours: 'counts of deliveries',
  invoices: 'bills of this platform',
  charges: 'bills of this platform',
  moneyEvents: 'bills of this platform',
  reminders: 'bills of this platform',
  tallies: 'counted by the database',
  storedFiles: 'counted anew from the store of files',
  ticketTallies: 'counted by the database',
  ticketViewMembers: 'found anew from the conditions of the view',
  ticketViewTallies: 'counted by the database',
  ticketViewChanges: 'work of running views',
  figureCalendars: 'reckoned anew from tickets and ratings',
  figureCells: 'reckoned anew from tickets and ratings',
  figureNews: 'reckoned anew from tickets and ratings',
  figureTagCalendars: 'reckoned anew from tickets and ratings',
  figureTagCells: 'reckoned anew from tickets and ratings',
  figureTagNews: 'reckoned anew from tickets and ratings',
  deletedContacts: 'bring them back first, or let their time run out',
  deletedContactRows: 'bring them back first, or let their time run out',
  movedRows: 'what an import into this house was made of',
}

/** Columns that are not exported, and why; the target uses its defaults. Encrypted columns (`…Sealed`) are never exported. */
export const excludedColumns: Record<string, Record<string, string>> = {
  companies: {
    planId: 'matched by the name of the plan',
    platform: 'one company runs a platform',
    referrerId: 'another company',
    rulesVersion: 'counted by the database',
    looks: 'counted by the database',
    movedFrom: 'the origin is set by the import',
  },
  users: {
    super: 'the platform operator',
    online: 'current presence',
    availability: 'current presence',
    availabilityReason: 'current presence',
    availabilitySince: 'current presence',
    availabilityCause: 'current presence',
    missedOffers: 'current presence',
    disconnectedAt: 'current presence',
    hasInitialPassword: 'about the first start of a server',
  },
  whatsapps: {
    status: 'a line is started by hand',
    reason: 'a line is started by hand',
    qrcode: 'one-time',
    pairingCode: 'one-time',
    pairingNumber: 'one-time',
    retries: 'a line is started by hand',
    wanted: 'a line is started manually, so that no two installations run it',
    wantedRound: 'a line is started by hand',
    tokenHash: 'made with the secret of the house',
  },
  cloudLines: { hook: 'an address of the house', calledAt: 'of that address' },
  prompts: { apiKeyEnd: 'of a key that stays' },
  audit: { keyId: 'its name stands beside it' },
  tickets: {
    flowRunId: 'work of running flows',
    routableSince: 'set by the database',
    tagWeight: 'set by the database',
    skillIds: 'set by the database',
    languageSkillId: 'set by the database',
  },
  ticketEvents: { undo: 'for six seconds only' },
  messages: { undo: 'for twenty seconds at most' },
  ticketViews: { fillBefore: 'its tickets are found anew', deletedAt: 'deleted views are not exported' },
  flows: {
    active: 'switched on by hand, so that no customer gets a message twice',
    stoppedAt: 'about this house',
    stopReason: 'about this house',
    hookHash: 'of an address of the house',
  },
  apiKeys: { mark: 'made with the secret of the house: make new keys' },
}

/** Rows that are not exported: settings that are secrets. */
const secretSettings = Object.entries(settingDefinitions).flatMap(([key, kind]) => ('secret' in kind ? [key] : []))
export const rowFilterByTable: Record<string, string> = {
  ticketViews: `"deletedAt" is null`,
  settings: `key <> all (array[${secretSettings.map((key) => `'${key}'`)}])`,
}

export const isSealedColumn = (column: string): boolean => /Sealed$/.test(column)
export const isExcludedColumn = (table: string, column: string): boolean =>
  isSealedColumn(column) || Object.hasOwn(excludedColumns[table] ?? {}, column)

/** References without a foreign key. */
export const softReferences: Record<string, Record<string, string>> = {
  messages: {
    contactId: 'contacts',
    whatsappId: 'whatsapps',
    senderId: 'contacts',
    userId: 'users',
    campaignId: 'campaigns',
    adId: 'ads',
  },
  tickets: { lastElsewhere: 'messages', adId: 'ads' },
  whatsapps: { movedTo: 'whatsapps' },
  ratingRequests: { messageId: 'messages' },
  userRatings: { commentAskedId: 'messages' },
  campaignShippings: { messageId: 'messages', confirmationId: 'messages' },
  schedules: { messageId: 'messages' },
  chats: { lastId: 'chatMessages' },
  chatUsers: { readId: 'chatMessages' },
  knowledgePieces: { promptId: 'prompts' },
  journal: { whatsappId: 'whatsapps', ticketId: 'tickets' },
  // The ids of erased contacts: no contact has or will have such an id.
  contactErasures: { contactId: 'contacts' },
  auditContacts: { contactId: 'contacts' },
}

/** References within a table that may be circular: lanes may pass their cards on in a circle. */
export const cyclicColumns: Record<string, string[]> = { tags: ['carryTo'] }

/** Maps a source id to the new id. */
export type RenumberId = (table: string, id: number) => number
type RenumberColumn = (value: never, to: RenumberId, row: Record<string, unknown>) => unknown

type Steps = { with?: Record<string, unknown> }[]
const renumberSteps = (steps: Steps, to: RenumberId): Steps => {
  const tableByKey: Record<string, string> = { ticket: 'tickets', campaign: 'campaigns', lineBefore: 'whatsapps' }
  return steps.map((step) => {
    if (!step?.with) return step
    const renumbered = Object.entries(step.with).map(([key, value]): [string, unknown] => {
      const table = Object.hasOwn(tableByKey, key) ? tableByKey[key] : undefined
      return [key, table && typeof value === 'number' ? to(table, value) : value]
    })
    return { ...step, with: Object.fromEntries(renumbered) }
  })
}
/** The key `c:7` stands for the contact 7, which has no phone number. */
const renumberContactKey = (key: string, to: RenumberId) =>
  /^c:\d+$/.test(key) ? `c:${to('contacts', Number(key.slice(2)))}` : key
const renumberLists = (kinds: Record<string, string>) => (value: Record<string, unknown>, to: RenumberId) =>
  Object.fromEntries(
    Object.entries(value ?? {}).map(([key, ids]) => {
      const table = Object.hasOwn(kinds, key) ? kinds[key] : undefined
      return [key, table && Array.isArray(ids) ? ids.map((id: number) => to(table, id)) : ids]
    }),
  )

type FilledOwner = { filled?: { ownerId?: { was: number | null; now: number } } }
/** The owner that a joined contact took over. */
function renumberFilledOwner<M extends FilledOwner>(moved: M, to: RenumberId): M {
  const owner = moved.filled?.ownerId
  if (!owner) return moved
  const ownerId = { was: owner.was === null ? null : to('users', owner.was), now: to('users', owner.now) }
  return { ...moved, filled: { ...moved.filled, ownerId } }
}
const renumberMovedLists = renumberLists({
  tickets: 'tickets',
  closed: 'tickets',
  notes: 'ticketNotes',
  fields: 'contactFields',
  senders: 'messages',
  alone: 'messages',
  schedules: 'schedules',
  shippings: 'campaignShippings',
  stops: 'campaignStops',
  replacedFields: 'contactFields',
})

/** The table of an audit entry's target, by its action or the action's first word. */
const tableByAuditAction: Record<string, string> = {
  ...{ key: 'apiKeys', webhook: 'webhooks', contact: 'contacts', company: 'companies', setting: 'companies' },
  ...{ flow: 'flows', user: 'users', login: 'users', 'two-factor': 'users', passkey: 'users', line: 'whatsapps' },
  ...{
    'campaign-stop': 'contacts',
    export: 'companies',
    'export.campaign': 'campaigns',
    'export.conversation': 'tickets',
  },
}

const tableByConditionField: Record<string, string> = {
  queue: 'queues',
  user: 'users',
  tag: 'tags',
  connection: 'whatsapps',
  ad: 'ads',
  owner: 'users',
  closingReason: 'closingReasons',
}
function renumberConditions(group: TicketConditionGroup, to: RenumberId): TicketConditionGroup {
  const renumber = (node: TicketConditionGroup['of'][number]) => {
    if (isConditionGroup(node)) return renumberConditions(node, to)
    const table = tableByConditionField[node.field]
    if (!table || !('in' in node)) return node
    return { ...node, in: node.in.map((id) => (typeof id === 'number' ? to(table, id) : id)) } as TicketCondition
  }
  return { ...group, of: group.of.map(renumber) }
}

const renumberMacroSteps = (steps: MacroStep[], to: RenumberId): MacroStep[] =>
  steps.map((step) => {
    if (step.kind === 'queue') return { ...step, queueId: to('queues', step.queueId) }
    if (step.kind === 'assign') return step.userId === 'me' ? step : { ...step, userId: to('users', step.userId) }
    if (step.kind === 'resolve')
      return step.closingReasonId ? { ...step, closingReasonId: to('closingReasons', step.closingReasonId) } : step
    if (step.kind === 'flow') return { ...step, flowId: to('flows', step.flowId) }
    if (step.kind !== 'tags') return step
    const renumber = (ids: number[]) => ids.map((id) => to('tags', id))
    return { ...step, add: renumber(step.add), remove: renumber(step.remove) }
  })

/** Only the fields that refer to a row; a field of the same name means the same in every trigger and step. */
const tableByFlowField: Record<string, string> = {
  ...{ queueIds: 'queues', tagIds: 'tags', closingReasonIds: 'closingReasons', campaignIds: 'campaigns' },
  ...{ queueId: 'queues', userId: 'users', closingReasonId: 'closingReasons', fileId: 'fileOptions', flowId: 'flows' },
  ...{ add: 'tags', remove: 'tags', mentions: 'users', promptId: 'prompts', integrationId: 'queueIntegrations' },
}
/** The headers of calls are sealed with the secret of the house: they have to be typed again. */
export function withoutSealedHeaders(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('steps' in value) || !Array.isArray(value.steps)) return value
  const steps = value.steps.map((step: unknown) =>
    typeof step === 'object' && step !== null && 'headers' in step ? { ...step, headers: [] } : step,
  )
  return { ...value, steps }
}
const renumberFlow = (document: unknown, to: RenumberId) => renumberFlowFields(withoutSealedHeaders(document), to)
function renumberFlowFields(value: unknown, to: RenumberId): unknown {
  if (Array.isArray(value)) return value.map((part) => renumberFlowFields(part, to))
  if (typeof value !== 'object' || value === null) return value
  const renumberField = ([key, part]: [string, unknown]): [string, unknown] => {
    if (key === 'conditions') return [key, renumberConditions(part as TicketConditionGroup, to)]
    const table = Object.hasOwn(tableByFlowField, key) ? tableByFlowField[key] : undefined
    const renumber = (id: unknown) => (table && typeof id === 'number' ? to(table, id) : renumberFlowFields(id, to))
    return [key, Array.isArray(part) ? part.map(renumber) : renumber(part)]
  }
  return Object.fromEntries(Object.entries(value).map(renumberField))
}

/** How to renumber the ids inside a column's list, object or text. */
export const renumberInsideColumn: Record<string, Record<string, RenumberColumn>> = {
  apiKeys: { whatsappIds: (ids: number[], to: RenumberId) => ids.map((id) => to('whatsapps', id)) },
  audit: {
    about: (id: number, to: RenumberId, { deed: action }) => {
      const [kind = ''] = String(action).split('.')
      const table = tableByAuditAction[String(action)] ?? tableByAuditAction[kind]
      return table ? to(table, id) : id
    },
  },
  contactMerges: {
    moved: (moved: Record<string, unknown>, to: RenumberId) => renumberFilledOwner(renumberMovedLists(moved, to), to),
  },
  contactLists: { question: renumberLists({ tagIds: 'tags', queueIds: 'queues', adIds: 'ads' }) },
  chatMessages: {
    mentions: (ids: number[], to: RenumberId) => ids.map((id) => to('users', id)),
    reactions: (all: { userId: number }[], to: RenumberId) =>
      all.map((one) => ({ ...one, userId: to('users', one.userId) })),
  },
  chats: {
    pair: (pair: string, to: RenumberId) =>
      pair
        .split(':')
        .map((id) => to('users', Number(id)))
        .join(':'),
  },
  tickets: {
    botSession: (session: { of?: number; upTo?: number }, to: RenumberId) => ({
      ...session,
      ...(session.of && { of: to('queueIntegrations', session.of) }),
      ...(session.upTo && { upTo: to('messages', session.upTo) }),
    }),
  },
  ...Object.fromEntries(
    ['users', 'queues', 'tags', 'queueOptions'].map((table) => [
      table,
      { skillIds: (ids: number[], to: RenumberId) => ids.map((id) => to('skills', id)) },
    ]),
  ),
  ticketEvents: { steps: renumberSteps },
  flows: { draft: renumberFlow },
  flowVersions: { document: renumberFlow },
  flowTests: { scene: renumberLists({ tagIds: 'tags' }) },
  macros: { steps: renumberMacroSteps },
  ticketViews: { conditions: renumberConditions },
  journal: { steps: renumberSteps },
  campaignShippings: { key: renumberContactKey },
  campaignStops: { key: renumberContactKey },
}

/** JSON and list columns without ids. A test fails until each new column is classified. */
export const columnsWithoutIds: Record<string, string[]> = {
  apiKeys: ['scopes'],
  // Ids in these values could be recognised only by the name of the changed field, so they stay unchanged.
  audit: ['changes'],
  auditContacts: ['changes'],
  campaigns: ['file', 'template', 'planned', 'counts'],
  campaignSettings: ['value'],
  cloudLines: ['templates'],
  companies: ['schedules', 'holidays'],
  flowTests: ['entries', 'trace'],
  journal: ['event'],
  knowledge: ['pairs'],
  listImports: ['headers', 'columns', 'samples', 'errors'],
  menuTests: ['steps'],
  messages: ['mediaKey', 'reactions', 'sendAs'],
  prompts: ['tools'],
  queues: ['schedules'],
  users: ['shifts'],
  sandboxCustomers: ['members'],
  sandboxMessages: ['content'],
  sandboxPhones: ['behaviour'],
  schedules: ['file', 'sendAs', 'repeat'],
  closingFields: ['choices'],
  ticketTracking: ['closingValues'],
}

/** Number columns whose names look like references but are not. */
export const nonReferenceColumns: Record<string, string[]> = {}

/** Text columns that look like secrets but are exported. Password hashes are exported, so that users log in as before. */
export const nonSecretColumns: Record<string, string[]> = {
  users: ['passwordHash'],
  // The token identifies a queue to other systems: users write it and can read it.
  queues: ['token'],
  messages: ['mediaKey'],
  settings: ['key'],
  // The ad's id at Meta.
  ads: ['key'],
  campaignSettings: ['key'],
  campaignShippings: ['key'],
  campaignStops: ['key'],
  contactListItems: ['key'],
}

/** The table that a column refers to, by foreign keys or our rules; null: none. */
export function referencedTable(tables: SchemaTable[], table: string, column: string): string | null {
  const softReference = softReferences[table]?.[column]
  if (softReference) return softReference
  for (const { columns, to, toColumns } of tables.find((t) => t.name === table)?.references ?? []) {
    const at = columns.indexOf(column)
    const targetColumn = toColumns[at]
    if (at < 0 || targetColumn === undefined) continue
    const target = tables.find((t) => t.name === to)
    if (target?.idColumn?.column === targetColumn) return to
    // A composite key is followed through the column that is not the company.
    const through = targetColumn === 'companyId' ? null : referencedTable(tables, to, targetColumn)
    if (through) return through
  }
  return null
}

export const exportedTables = (tables: SchemaTable[]): SchemaTable[] =>
  tables.filter(({ name }) => !Object.hasOwn(excludedTables, name))
export const exportedColumns = (table: SchemaTable): string[] =>
  table.columns.map((column) => column.name).filter((name) => !isExcludedColumn(table.name, name))
