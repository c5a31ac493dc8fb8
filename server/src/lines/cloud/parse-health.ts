import type { HealthEventKind, HealthLevel } from '@recado/contract/health/line-health'
import { asJsonObject, asJsonObjects, asText, type JsonObject } from './untyped-json.ts'

/** A change of a line's health. Every text is bounded; `value` is one of the contract's values or Meta's own word. */
export type HealthChange = {
  kind: HealthEventKind
  level: HealthLevel
  /** What the change is about: the template with its language, or the display name. */
  subject: string
  value: string
  before: string
  /** Meta's code or sentence. */
  reason: string
  until: string | null
}
/** The number in digits, or empty if the change concerns every number of the account. `time`: when Meta wrote it. */
export type AccountHealthChanges = {
  businessAccountId: string
  number: string
  time: string
  changes: HealthChange[]
}

/** Maximum number of health changes that are read from one notification. */
const maxChangesPerNotification = 100
const maxSubjectChars = 600
const maxReasonChars = 500

/** The fields of a webhook that describe a line's health. */
const parserByField: Record<string, (value: JsonObject) => HealthChange[]> = {
  phone_number_quality_update: parseQuality,
  business_capability_update: parseCapability,
  account_update: parseAccount,
  account_review_update: parseReview,
  account_alerts: parseAlert,
  message_template_status_update: parseTemplateStatus,
  message_template_quality_update: parseTemplateQuality,
  phone_number_name_update: parseName,
}

/** All health changes of one webhook call. */
export function parseHealth(body: JsonObject): AccountHealthChanges[] {
  const found: AccountHealthChanges[] = []
  let count = 0
  for (const entry of asJsonObjects(body.entry))
    for (const { field, value } of asJsonObjects(entry.changes)) {
      const parse = Object.hasOwn(parserByField, asText(field)) ? parserByField[asText(field)] : undefined
      const content = asJsonObject(value)
      const changes = parse?.(content).slice(0, maxChangesPerNotification - count) ?? []
      if (!changes.length) continue
      count += changes.length
      found.push({
        businessAccountId: boundText(entry.id, 40),
        number: boundText(content.display_phone_number ?? content.phone_number, 40).replace(/\D/g, ''),
        time: boundText(entry.time, 20),
        changes,
      })
    }
  return found
}

const boundText = (value: unknown, maxChars: number): string => asText(value).slice(0, maxChars).toWellFormed()
/** One of Meta's words, in the notation of our own codes. */
const readWord = (value: unknown): string =>
  boundText(value, 60)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')

const makeChange = (
  kind: HealthEventKind,
  level: HealthLevel,
  value: string,
  more: Partial<HealthChange> = {},
): HealthChange => ({ kind, level, value, subject: '', before: '', reason: '', until: null, ...more })

/** `TIER_1K`, `TIER_UNLIMITED`, or a number: the people per day, -1 for no limit, null if it is not known. */
export function parseMessagingLimit(value: unknown): number | null {
  const word = boundText(value, 30)
    .toUpperCase()
    .replace(/^TIER_/, '')
  if (word === 'UNLIMITED' || word === '-1') return -1
  const [, digits, thousands] = /^(\d{1,7})(K?)$/.exec(word) ?? []
  return digits ? Math.min(Number(digits) * (thousands ? 1000 : 1), 10_000_000) : null
}
const formatLimit = (limit: number | null): string => (limit === null ? '' : limit === -1 ? 'unlimited' : String(limit))

/** A change of the limit from the stored one; no change if it is the same, because Meta repeats the limit. */
export function compareLimit(limit: number | null, before: number | null): HealthChange[] {
  if (limit === null || limit === before) return []
  const rank = (one: number) => (one === -1 ? Number.POSITIVE_INFINITY : one)
  const level = before === null ? 'info' : rank(limit) < rank(before) ? 'warn' : 'good'
  return [makeChange('limit', level, formatLimit(limit), { before: formatLimit(before) })]
}

function parseQuality(value: JsonObject): HealthChange[] {
  const event = readWord(value.event)
  const limitChange = compareLimit(
    parseMessagingLimit(value.max_daily_conversations_per_business ?? value.current_limit),
    null,
  )
  if (event === 'flagged') return [makeChange('quality', 'bad', 'red'), ...limitChange]
  if (event === 'unflagged') return [makeChange('quality', 'good', 'restored'), ...limitChange]
  return limitChange
}

function parseCapability(value: JsonObject): HealthChange[] {
  const given = value.max_daily_conversations_per_business ?? value.max_daily_conversation_per_phone
  return compareLimit(parseMessagingLimit(given), null)
}

const accountLevels: Record<string, HealthLevel> = {
  restricted: 'bad',
  violation: 'bad',
  scheduled: 'bad',
  disabled: 'bad',
  deleted: 'bad',
  rejected: 'bad',
  reinstated: 'good',
  verified: 'good',
  approved: 'good',
}
const accountValueByEvent: Record<string, string> = {
  'account-restriction': 'restricted',
  'account-violation': 'violation',
  'account-deleted': 'deleted',
  'disabled-update': 'disabled',
  'verified-account': 'verified',
  'account-reinstated': 'reinstated',
}
const accountValueByBanState: Record<string, string> = {
  'schedule-for-disable': 'scheduled',
  disable: 'disabled',
  reinstate: 'reinstated',
}

function parseAccount(value: JsonObject): HealthChange[] {
  const event = readWord(value.event)
  if (!event) return []
  const ban = asJsonObject(value.ban_info)
  const restrictions = asJsonObjects(value.restriction_info).slice(0, 10)
  const banState = accountValueByBanState[readWord([ban.waba_ban_state].flat()[0])]
  const state = (event === 'disabled-update' && banState) || accountValueByEvent[event] || event
  const expirations = restrictions.flatMap(({ expiration }) => parseMoment(expiration))
  const until = expirations.length
    ? (expirations.toSorted().at(-1) as string)
    : (parseMoment(ban.waba_ban_date)[0] ?? null)
  const reason = [
    boundText(asJsonObject(value.violation_info).violation_type, 100),
    ...restrictions.map(({ restriction_type }) => boundText(restriction_type, 100)),
  ]
  return [
    makeChange('account', accountLevels[state] ?? 'info', state, {
      reason: reason.filter(Boolean).join(', ').slice(0, maxReasonChars),
      until,
    }),
  ]
}

/** A Unix time or a date in words, between now-ish years; anything else is left out. */
function parseMoment(value: unknown): string[] {
  const text = boundText(value, 40)
  const ms = /^\d{9,11}$/.test(text) ? Number(text) * 1000 : text ? Date.parse(text) : Number.NaN
  return ms > Date.UTC(2020, 0) && ms < Date.UTC(2100, 0) ? [new Date(ms).toISOString()] : []
}

function parseReview(value: JsonObject): HealthChange[] {
  const decision = readWord(value.decision)
  if (decision === 'approved') return [makeChange('account', 'good', 'approved')]
  return decision === 'rejected' ? [makeChange('account', 'bad', 'rejected')] : []
}

const levelBySeverity: Record<string, HealthLevel> = { critical: 'bad', warning: 'warn' }

/** Older versions of the API put the alert itself into the value. */
function parseAlert(value: JsonObject): HealthChange[] {
  const alert = { ...value, ...asJsonObject(value.alert_info) }
  const type = readWord(alert.alert_type)
  if (!type) return []
  const isOver = readWord(alert.alert_status) === 'none'
  const level = isOver ? 'good' : (levelBySeverity[readWord(alert.alert_severity)] ?? 'info')
  return [makeChange('alert', level, type, { reason: boundText(alert.alert_description, maxReasonChars) })]
}

const describeTemplate = (value: JsonObject): string =>
  [boundText(value.message_template_name, 512), boundText(value.message_template_language, 20)]
    .filter(Boolean)
    .join(' · ')
    .slice(0, maxSubjectChars)

const templateLevels: Record<string, HealthLevel> = {
  approved: 'good',
  reinstated: 'good',
  unpaused: 'good',
  rejected: 'warn',
  paused: 'warn',
  flagged: 'warn',
  locked: 'warn',
  'limit-exceeded': 'warn',
  'pending-deletion': 'warn',
  disabled: 'bad',
}

function parseTemplateStatus(value: JsonObject): HealthChange[] {
  const [subject, event] = [describeTemplate(value), readWord(value.event)]
  if (!subject || !event) return []
  const reason = boundText(value.reason, 100)
  const words = boundText(asJsonObject(value.rejection_info).reason ?? asJsonObject(value.other_info).description, 400)
  return [
    makeChange('template', templateLevels[event] ?? 'info', event, {
      subject,
      reason: [reason === 'NONE' ? '' : reason, words].filter(Boolean).join(': ').slice(0, maxReasonChars),
    }),
  ]
}

const levelByQuality: Record<string, HealthLevel> = { green: 'good', yellow: 'warn', red: 'bad' }

function parseTemplateQuality(value: JsonObject): HealthChange[] {
  const [subject, score] = [describeTemplate(value), readWord(value.new_quality_score)]
  if (!subject || !score) return []
  const before = readWord(value.previous_quality_score)
  return [makeChange('template-quality', levelByQuality[score] ?? 'info', score, { subject, before })]
}

const decisionByWord: Record<string, [string, HealthLevel]> = {
  approved: ['approved', 'good'],
  'available-without-review': ['approved', 'good'],
  pending: ['pending', 'info'],
  deferred: ['pending', 'info'],
  'pending-review': ['pending', 'info'],
  rejected: ['rejected', 'bad'],
  declined: ['rejected', 'bad'],
}

function parseName(value: JsonObject): HealthChange[] {
  const [decision, level] = decisionByWord[readWord(value.decision)] ?? []
  if (!decision || !level) return []
  const reason = boundText(value.rejection_reason, 100)
  return [
    makeChange('name', level, decision, {
      subject: boundText(value.requested_verified_name, 200),
      reason: reason === 'NONE' ? '' : reason,
    }),
  ]
}

/** What the line itself asks Meta for. `quality` is empty while Meta does not know it. */
export function parsePolledHealth(reply: unknown): { quality: string; limit: number | null } {
  const fields = asJsonObject(reply)
  const quality = readWord(fields.quality_rating)
  const tier = fields.whatsapp_business_manager_messaging_limit ?? fields.messaging_limit_tier
  return { quality: Object.hasOwn(levelByQuality, quality) ? quality : '', limit: parseMessagingLimit(tier) }
}

/** The changes between the stored state and what Meta answered. */
export function comparePolledHealth(
  stored: { quality: string; messagingLimit: number | null },
  { quality, limit }: { quality: string; limit: number | null },
): HealthChange[] {
  const isOther = quality !== '' && quality !== stored.quality
  return [
    ...(isOther ? [makeChange('quality', levelByQuality[quality] ?? 'info', quality, { before: stored.quality })] : []),
    ...compareLimit(limit, stored.messagingLimit),
  ]
}
