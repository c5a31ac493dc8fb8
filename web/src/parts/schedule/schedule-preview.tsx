import { dateOfWallTime } from '@recado/contract/schedules/occurrences'
import { IconPaperclip } from '@tabler/icons-react'
import { useSession } from '../../lib/session.tsx'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { CustomerPhoneMockup, PhoneMockupBubble } from '../customer-phone-mockup.tsx'
import { formatCalendarDay } from './calendar.ts'
import { renderScheduleText } from './render-schedule-text.ts'
import classes from './schedule-form.module.css'
import { texts } from './texts.ts'

type Props = {
  person: { name: string; number: string } | null
  body: string
  /** Set when the text comes from a template, in which no variables are filled in. */
  template: { name: string; language: string } | null
  sendAt: string
  zone: string
  file: string | null
}

/** The text as the customer will read it, with their data filled in. */
export function SchedulePreview({ person, body, template, sendAt, zone, file }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const me = useSession().user
  const wall = sendAt || '2000-01-01T00:00'
  const contact = person ?? { name: words.sampleName, number: '' }
  const text = renderScheduleText(
    { body, template, contact, user: me ?? null, sendAt: dateOfWallTime(wall, zone).toISOString() },
    zone,
  )
  return (
    <aside className={classes.pane}>
      <p className={classes.paneHead}>
        <b>{person ? words.readsAs(person.name.split(/\s+/)[0] ?? '') : words.preview}</b>
      </p>
      <div className={classes.phone}>
        <CustomerPhoneMockup label={words.preview}>
          <span className={classes.day}>{sendAt && formatCalendarDay(wall.slice(0, 10), language)}</span>
          {file && (
            <span className={classes.file}>
              <IconPaperclip size={14} stroke={2} aria-hidden="true" />
              {file}
            </span>
          )}
          {text.trim() && <PhoneMockupBubble text={text.trim()} time={sendAt.slice(11)} isHighlighted />}
        </CustomerPhoneMockup>
      </div>
      <p className={classes.quiet}>{words.inYourName}</p>
    </aside>
  )
}
