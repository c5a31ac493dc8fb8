import type { Schedule } from '@recado/contract/schedules/schedules'
import { renderVariables } from '@recado/contract/text/variables'
import { currentLanguage } from '../../lib/texts.ts'
import { nameVariables } from '../variable-names.ts'

type ScheduleText = Pick<Schedule, 'body' | 'sendAt' | 'template'> & {
  contact: { name: string; number: string } | null
  user: { name: string } | null
}

/** The text as the customer will read it, with all values that are already known. */
export function renderScheduleText({ body, sendAt, template, contact, user }: ScheduleText, zone: string): string {
  if (template) return body
  if (!contact) return nameVariables(body)
  const { name, number } = contact
  const known = renderVariables(
    body,
    { name, number, user: user?.name ?? null },
    { now: new Date(sendAt), zone, language: currentLanguage() },
  )
  // The queue is known only when the message is sent.
  return nameVariables(known)
}
