import { Button } from '@mantine/core'
import type { ContactDetail } from '@recado/contract/contacts'
import type { Ticket } from '@recado/contract/tickets'
import { IconCalendarTime, IconPencil, IconRobotOff } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { ContactAvatar } from '../../../parts/contact-avatar.tsx'
import { formatPhoneNumber } from '../../../parts/phone-number.ts'
import { openScheduleDialog } from '../../../parts/ticket/ticket-dialog-state.ts'
import classes from './contact-drawer.module.css'
import { texts } from './texts.ts'

const loadDialog = () =>
  import('../../../parts/contact-form/contact-dialog.tsx').then((module) => ({ default: module.ContactDialog }))
const ContactDialog = lazy(loadDialog)
const CampaignStopNotice = lazy(() =>
  import('../../../parts/campaign-stop-notice.tsx').then((module) => ({ default: module.CampaignStopNotice })),
)

type Props = {
  contact: Ticket['contact']
  ticket: Ticket
  detail: ContactDetail | undefined
  isGroup: boolean
  onEditingChange?: ((is: boolean) => void) | undefined
}

/** The contact and the ways to reach them; or the edit form in the same place (spec 2). */
export function ContactProfile({ contact, ticket, detail, isGroup, onEditingChange }: Props) {
  const words = useTexts(texts)
  const { plan } = useSession()
  const [editing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const edit = (is: boolean) => {
    setEditing(is)
    onEditingChange?.(is)
    // The element that had the focus was removed, so the edit button gets the focus.
    if (!is) requestAnimationFrame(() => button.current?.focus())
  }
  if (editing)
    return (
      <Suspense fallback={null}>
        <ContactDialog inline opened onClose={() => edit(false)} contactId={contact.id} />
      </Suspense>
    )
  return (
    <div className={classes.person}>
      <ContactAvatar contact={contact} size={64} isGroup={isGroup} />
      <h2 className={classes.name}>{contact.name}</h2>
      {isGroup ? <span className={classes.quiet}>{words.group}</span> : <ContactLinks contact={contact} />}
      {detail?.disableBot && (
        <span className={classes.noBot}>
          <IconRobotOff size={14} stroke={1.75} aria-hidden="true" />
          {words.noBot}
        </span>
      )}
      {!isGroup && (
        <Suspense fallback={null}>
          <CampaignStopNotice contactId={contact.id} />
        </Suspense>
      )}
      <div className={classes.deeds}>
        <Button
          ref={button}
          variant="default"
          leftSection={<IconPencil size={16} stroke={1.75} />}
          onPointerEnter={() => void loadDialog()}
          onClick={() => edit(true)}
        >
          {words.edit}
        </Button>
        {plan?.useSchedules && (
          <Button
            variant="default"
            leftSection={<IconCalendarTime size={16} stroke={1.75} />}
            onClick={() => openScheduleDialog(ticket)}
          >
            {words.schedule}
          </Button>
        )}
      </div>
    </div>
  )
}

function ContactLinks({ contact: { number, email } }: Pick<Props, 'contact'>) {
  const words = useTexts(texts)
  return (
    <>
      {number && (
        <a
          className={classes.reach}
          href={`tel:${formatPhoneNumber(number)}`}
          aria-label={words.call(formatPhoneNumber(number))}
        >
          {formatPhoneNumber(number)}
        </a>
      )}
      {email && (
        <a className={classes.reach} href={`mailto:${email}`} aria-label={words.mail(email)}>
          {email}
        </a>
      )}
    </>
  )
}
