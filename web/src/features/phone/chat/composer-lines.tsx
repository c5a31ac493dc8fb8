import type { Customer, PhoneMessage } from '@recado/contract/sandbox'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
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
    <Banner onClose={onClose} label={words.cancel}>
      <b>{title}</b>
      {message.body || words.kinds[message.kind]}
    </Banner>
  )
}
const nameIn = ({ fromCustomer, author }: PhoneMessage, you: string, nameOf: NameOf) =>
  fromCustomer ? (author ? nameOf(author) : you) : '…'

export function Banner({ children, label, onClose }: { children: ReactNode; label: string; onClose: () => void }) {
  return (
    <div className={classes.banner}>
      <span>{children}</span>
      <button type="button" aria-label={label} onClick={onClose}>
        <IconX size={16} stroke={1.75} />
      </button>
    </div>
  )
}
