import { Button } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import type { SandboxCustomer } from '@recado/contract/sandbox'
import { IconBuildingStore, IconChevronLeft, IconListDetails, IconPhone, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { PhoneFrame } from '../../../parts/phone-frame.tsx'
import { IconHintText } from '../../../ui/phone-bar/icon-hint-text.tsx'
import classes from '../handset.module.css'
import page from '../phone-page.module.css'
import { texts } from '../texts.ts'
import { usePhoneMessages } from '../use-sandbox.ts'
import type { ComposerSubject } from './composer-subject.ts'
import { NoMenuNotice } from './no-menu-notice.tsx'
import { PhoneComposer } from './phone-composer.tsx'
import { PhoneThread } from './phone-thread.tsx'
import { QuickButtons } from './quick-buttons.tsx'
import { useMarkPhoneChatRead } from './use-mark-phone-chat-read.ts'
import { useSendAsCustomer } from './use-send-as-customer.ts'

type Props = {
  line: Connection
  person: SandboxCustomer | undefined
  /** The ticket of the customer's latest message. */
  ticketId: number | undefined
  people: SandboxCustomer[]
  /** Whether this step is visible on a small screen. */
  isVisible: boolean
  /** Whether the user has just chosen or created this customer: then the message field gets the focus. */
  takesFocus: boolean
  onBack: () => void
  onShowTrace: () => void
  /** Opens the phone of a new customer. */
  onStartFresh: () => void
}

/** One customer's phone, showing the chat with the company. */
export function PhoneChat({ person, ...rest }: Props) {
  return person ? <OpenChat person={person} {...rest} /> : <NoChat />
}

function NoChat() {
  const words = useTexts(texts)
  return (
    <PhoneFrame>
      <div className={classes.alone}>
        <div>
          <h3>{words.pickPerson}</h3>
          <p>{words.pickPersonLine}</p>
        </div>
      </div>
    </PhoneFrame>
  )
}

function OpenChat({
  line,
  person,
  ticketId,
  people: customers,
  isVisible,
  takesFocus,
  onBack,
  onShowTrace,
  onStartFresh,
}: Props & { person: SandboxCustomer }) {
  const words = useTexts(texts)
  const messages = usePhoneMessages(line.id, person.number)
  const [senderNumber, setSenderNumber] = useState(person.isGroup ? (person.members[0] ?? '') : person.number)
  const [subject, setSubject] = useState<ComposerSubject>(null)
  const chat = { line: line.id, chat: person.number, from: senderNumber, group: person.isGroup }
  const { write, retry, pending } = useSendAsCustomer(chat)
  useMarkPhoneChatRead(line.id, person, isVisible)
  const nameOf = (number: string) => customers.find((one) => one.number === number)?.name ?? number
  return (
    <>
      <div className={`${page.step} ${classes.steps}`}>
        <span />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconListDetails size={15} stroke={1.75} />}
          onClick={onShowTrace}
        >
          {words.toInside}
        </Button>
      </div>
      <PhoneFrame>
        <PhoneChatHeader
          {...{ line, person, nameOf, onBack, onShowTrace: onShowTrace }}
          onCall={() => write({ kind: 'call' })}
        />
        <PhoneThread
          {...{ messages, pending, person, nameOf, write, retry }}
          ownNumber={senderNumber}
          onSelectSubject={setSubject}
          label={words.thread}
        />
        {ticketId !== undefined && (
          <NoMenuNotice line={line} ticketId={ticketId} name={person.name} onStartFresh={onStartFresh} />
        )}
        <PhoneComposer
          {...{ line, person, people: customers, nameOf, write, subject: subject }}
          senderNumber={senderNumber}
          onSelectSender={setSenderNumber}
          onSubjectDone={() => setSubject(null)}
          takesFocus={takesFocus}
        />
      </PhoneFrame>
      <QuickButtons write={write} customers={customers} canCall={!person.isGroup} />
    </>
  )
}

type HeadProps = Pick<Props, 'line' | 'onBack' | 'onShowTrace'> & {
  person: SandboxCustomer
  nameOf: (number: string) => string
  onCall: () => void
}
/** The other side of the chat: the company, or a group the company is in. */
function PhoneChatHeader({ line, person, nameOf, onBack, onShowTrace, onCall }: HeadProps) {
  const words = useTexts(texts)
  const company = useSession().user?.company.name ?? line.name
  const members = [company, ...person.members.map(nameOf)].join(', ')
  const presence = line.status === 'CONNECTED' ? words.online : words.offline
  const Icon = person.isGroup ? IconUsersGroup : IconBuildingStore
  return (
    <div className={classes.head}>
      <button type="button" className={`${classes.icon} ${classes.small}`} aria-label={words.back} onClick={onBack}>
        <IconChevronLeft size={22} stroke={1.75} />
      </button>
      <IconChevronLeft className={classes.chevron ?? ''} size={20} stroke={1.75} aria-hidden="true" />
      <span className={classes.company} aria-hidden="true">
        <Icon size={20} stroke={1.75} />
      </span>
      <div className={classes.who}>
        <div className={classes.whoName}>{person.isGroup ? person.name : company}</div>
        <div className={classes.whoLine} aria-live="polite">
          {person.typing ? words.typing : person.isGroup ? members : `${words.youAre(person.name)} · ${presence}`}
        </div>
      </div>
      <button
        type="button"
        className={`${classes.icon} ${classes.small}`}
        aria-label={words.toInside}
        onClick={onShowTrace}
      >
        <IconListDetails size={20} stroke={1.75} />
        <IconHintText>{words.toInside}</IconHintText>
      </button>
      {!person.isGroup && (
        <button type="button" className={classes.icon} aria-label={words.call} onClick={onCall}>
          <IconPhone size={18} stroke={1.75} />
        </button>
      )}
    </div>
  )
}
