import type { JsonReadResult } from '../../kernel/json/json-worker.ts'
import { truncateEvent } from '../event-limits.ts'
import { type AccountHealthChanges, parseHealth } from './parse-health.ts'
import { type NumberChanges, parseNotification } from './parse-notification.ts'
import { isJsonObject } from './untyped-json.ts'

/** Null: the body is not a notification from Meta. */
export type NotificationSummary = { templates: string[]; health: AccountHealthChanges[] } | null
/** One event of one phone number. */
export type NotificationItem = { phoneNumberId: string } & (
  | { event: NumberChanges['events'][number] }
  | { sent: NumberChanges['sent'][number] }
)

/** Ids at Meta have about a hundred characters. One that no index can hold would stop the line at this event. */
const maxIdChars = 1000
const hasUsualIds = ({ id, chat }: NumberChanges['events'][number]): boolean =>
  id.length <= maxIdChars && chat.length <= maxIdChars

/** Loaded by kernel/json/json-worker.ts for long notifications. */
export default function readNotification(value: unknown): JsonReadResult<NotificationSummary, NotificationItem> {
  if (!isJsonObject(value) || !Array.isArray(value.entry)) return { head: null }
  const changes = parseNotification(value)
  const templates = changes.filter((one) => one.templates).map((one) => one.phoneNumberId)
  const items = changes.flatMap(({ phoneNumberId, events, sent }): NotificationItem[] => [
    ...events.filter(hasUsualIds).map((event) => ({ phoneNumberId, event: truncateEvent(event) })),
    ...sent.map((one) => ({ phoneNumberId, sent: one })),
  ])
  return { head: { templates: [...new Set(templates)], health: parseHealth(value) }, items }
}
