import type { Customer, PhoneMessage } from '@recado/contract/sandbox'
import { useTexts } from '../../../lib/texts.ts'
import { QuotingBar } from '../../../parts/message/box/quoting-bar.tsx'
import { texts } from '../texts.ts'
import type { About } from './about.ts'
import classes from './composer.module.css'

type NameOf = (number: string) => string

type WriterProps = { person: Customer; writer: string; onWriter: (number: string) => void; nameOf: NameOf }
/** The phone belongs to one of the group; choosing another hands it over. */
export function Writer({ person, writer, onWriter, nameOf }: WriterProps) {
  const words = useTexts(texts)
  return (
    <select
      className={classes.writer}
      aria-label={words.writesAsLabel}
      value={writer}
      onChange={(event) => onWriter(event.currentTarget.value)}
    >
      {person.members.map((number) => (
        <option key={number} value={number}>
          {words.writesAs(nameOf(number))}
        </option>
      ))}
    </select>
  )
}

type AboutProps = { about: NonNullable<About>; nameOf: NameOf; onClose: () => void }
export function AboutLine({ about, nameOf, onClose }: AboutProps) {
  const words = useTexts(texts)
  const { what, message } = about
  const title = what === 'edit' ? words.editing : words.replyingTo(nameIn(message, words.you, nameOf))
  return (
    <QuotingBar
      title={title}
      text={message.body || (words.kinds[message.kind] ?? '')}
      close={{ label: words.cancel, onClose }}
    />
  )
}
const nameIn = ({ fromCustomer, author }: PhoneMessage, you: string, nameOf: NameOf) =>
  fromCustomer ? (author ? nameOf(author) : you) : '…'
