import type { ReadResult } from '../../kernel/json/thread.ts'
import { boundEvent } from '../bounded.ts'
import { type Heard, heardIn } from './heard.ts'
import { isLoose } from './loose.ts'

/** Null: it is no notice of Meta's. */
export type NoticeHead = { templates: string[] } | null
/** One thing that is told of one number. */
export type NoticeItem = { phoneNumberId: string } & (
  | { event: Heard['events'][number] }
  | { sent: Heard['sent'][number] }
)

/** Loaded by kernel/json/thread.ts for long notices. */
export default function readNotice(value: unknown): ReadResult<NoticeHead, NoticeItem> {
  if (!isLoose(value) || !Array.isArray(value.entry)) return { head: null }
  const heard = heardIn(value)
  const templates = heard.filter((one) => one.templates).map((one) => one.phoneNumberId)
  const items = heard.flatMap(({ phoneNumberId, events, sent }): NoticeItem[] => [
    ...events.map((event) => ({ phoneNumberId, event: boundEvent(event) })),
    ...sent.map((one) => ({ phoneNumberId, sent: one })),
  ])
  return { head: { templates: [...new Set(templates)] }, items }
}
