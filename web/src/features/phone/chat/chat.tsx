import { Button } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import type { Customer } from '@recado/contract/sandbox'
import { IconBuildingStore, IconChevronLeft, IconListDetails, IconPhone, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { Handset } from '../../../parts/handset.tsx'
import classes from '../handset.module.css'
import page from '../phone-page.module.css'
import { texts } from '../texts.ts'
import { useMessages } from '../use-sandbox.ts'
import type { About } from './about.ts'
import { Composer } from './composer.tsx'
import { QuickButtons } from './quick-buttons.tsx'
import { Thread } from './thread.tsx'
import { useReading } from './use-reading.ts'
import { useWriting } from './use-writing.ts'

type Props = {
  line: Connection
  person: Customer | undefined
  people: Customer[]
  /** On a small screen: whether this is the step that is seen. */
  shown: boolean
  onBack: () => void
  onInside: () => void
}

/** One customer's phone, with the chat with the company open. */
export function Chat({ person, ...rest }: Props) {
  return person ? <OpenChat person={person} {...rest} /> : <NoChat />
}

function NoChat() {
  const words = useTexts(texts)
  return (
    <Handset>
      <div className={classes.alone}>
        <div>
          <h3>{words.pickPerson}</h3>
          <p>{words.pickPersonLine}</p>
        </div>
      </div>
    </Handset>
  )
}

function OpenChat({ line, person, people, shown, onBack, onInside }: Props & { person: Customer }) {
  const words = useTexts(texts)
  const messages = useMessages(line.id, person.number)
  const [writer, setWriter] = useState(person.isGroup ? (person.members[0] ?? '') : person.number)
  const [about, setAbout] = useState<About>(null)
  const chat = { line: line.id, chat: person.number, from: writer, group: person.isGroup }
  const { write, retry, pending } = useWriting(chat)
  useReading(line.id, person, shown)
  const nameOf = (number: string) => people.find((one) => one.number === number)?.name ?? number
  return (
    <>
      <div className={`${page.step} ${classes.steps}`}>
        <span />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconListDetails size={15} stroke={1.75} />}
          onClick={onInside}
        >
          {words.toInside}
        </Button>
      </div>
      <Handset>
        <ChatHead {...{ line, person, nameOf, onBack, onInside }} onCall={() => write({ kind: 'call' })} />
        <Thread
          {...{ messages, pending, person, nameOf, write, retry }}
          me={writer}
          onAbout={setAbout}
          label={words.thread}
        />
        <Composer
          {...{ line, person, people, nameOf, write, about }}
          writer={writer}
          onWriter={setWriter}
          onAboutDone={() => setAbout(null)}
        />
      </Handset>
      <QuickButtons write={write} people={people} mayCall={!person.isGroup} />
    </>
  )
}

type HeadProps = Pick<Props, 'line' | 'onBack' | 'onInside'> & {
  person: Customer
  nameOf: (number: string) => string
  onCall: () => void
}
/** Who this phone is talking to: the company, or a group that the company is in. */
function ChatHead({ line, person, nameOf, onBack, onInside, onCall }: HeadProps) {
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
          {person.typing ? words.typing : person.isGroup ? members : presence}
        </div>
      </div>
      <button
        type="button"
        className={`${classes.icon} ${classes.small}`}
        aria-label={words.toInside}
        onClick={onInside}
      >
        <IconListDetails size={20} stroke={1.75} />
      </button>
      {!person.isGroup && (
        <button type="button" className={classes.icon} aria-label={words.call} onClick={onCall}>
          <IconPhone size={18} stroke={1.75} />
        </button>
      )}
    </div>
  )
}
