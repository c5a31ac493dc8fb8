import type { Schedule } from '@recado/contract/schedules/schedules'
import { render } from '@recado/contract/words/variables'
import { currentLanguage } from '../../lib/texts.ts'

type Written = Pick<Schedule, 'body' | 'sendAt' | 'template'> & {
  contact: { name: string; number: string } | null
  user: { name: string } | null
}

/** As the customer will read it, as far as it can be known before. */
export function asRead({ body, sendAt, template, contact, user }: Written, zone: string): string {
  if (template || !contact) return body
  const { name, number } = contact
  return render(
    body,
    { name, number, user: user?.name ?? null },
    { now: new Date(sendAt), zone, language: currentLanguage() },
  )
}
