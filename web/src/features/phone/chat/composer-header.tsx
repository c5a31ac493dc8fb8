import type { SandboxCustomer, SandboxPhoneMessage } from '@recado/contract/sandbox'
import { useTexts } from '../../../lib/texts.ts'
import { ComposerContextBar } from '../../../parts/message/composer/composer-context-bar.tsx'
import { texts } from '../texts.ts'
import type { ComposerSubject } from './composer-subject.ts'
import classes from './phone-composer.module.css'

type GetName = (number: string) => string

type WriterProps = {
  person: SandboxCustomer
  senderNumber: string
  onSelectSender: (number: string) => void
  nameOf: GetName
}
/** In a group the phone belongs to one member; selecting another member switches the phone. */
export function GroupMemberSelect({ person, senderNumber, onSelectSender, nameOf }: WriterProps) {
  const words = useTexts(texts)
  return (
    <select
      className={classes.writer}
      aria-label={words.writesAsLabel}
      value={senderNumber}
      onChange={(event) => onSelectSender(event.currentTarget.value)}
    >
      {person.members.map((number) => (
        <option key={number} value={number}>
          {words.writesAs(nameOf(number))}
        </option>
      ))}
    </select>
  )
}

type AboutProps = { subject: NonNullable<ComposerSubject>; nameOf: GetName; onClose: () => void }
export function ComposerSubjectBar({ subject, nameOf, onClose }: AboutProps) {
  const words = useTexts(texts)
  const { action, message } = subject
  const title = action === 'edit' ? words.editing : words.replyingTo(authorName(message, words.you, nameOf))
  return (
    <ComposerContextBar
      title={title}
      text={message.body || (words.kinds[message.kind] ?? '')}
      close={{ label: words.cancel, onClose }}
    />
  )
}
const authorName = ({ fromCustomer, author }: SandboxPhoneMessage, you: string, nameOf: GetName) =>
  fromCustomer ? (author ? nameOf(author) : you) : '…'
