import type { SearchHit, Ticket } from '@recado/contract/tickets'
import {
  type Icon,
  IconAddressBook,
  IconClock,
  IconEyeOff,
  IconFile,
  IconListCheck,
  IconMapPin,
  IconMicrophone,
  IconPhoneX,
  IconPhoto,
  IconQuestionMark,
  IconSearch,
  IconSticker,
  IconVideo,
} from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import { AckIcon } from './ack-icon.tsx'
import classes from './last-message.module.css'
import { buildTicketPreview, type PreviewKind } from './ticket-preview.ts'
import { ticketPreviewTexts } from './ticket-preview-texts.ts'

const icons: Record<PreviewKind, Icon> = {
  photo: IconPhoto,
  video: IconVideo,
  audio: IconMicrophone,
  file: IconFile,
  location: IconMapPin,
  contact: IconAddressBook,
  call: IconPhoneX,
  sticker: IconSticker,
  poll: IconListCheck,
  viewOnce: IconEyeOff,
  waiting: IconClock,
  unknown: IconQuestionMark,
}

/** The message text around a search match. */
function SearchHitText({ hit: { before, words, after } }: { hit: SearchHit }) {
  return (
    <>
      <IconSearch className={classes.kind} size={15} stroke={1.75} aria-hidden="true" />
      <span className={classes.said}>
        {before}
        <mark className={classes.hit}>{words}</mark>
        {after}
      </span>
    </>
  )
}

/** The last message: its delivery state if we sent it, and its kind if it is not text. */
export function LastMessage({ ticket }: { ticket: Ticket }) {
  const words = useTexts(ticketPreviewTexts)
  if (ticket.hit) return <SearchHitText hit={ticket.hit} />
  const { kind, text } = buildTicketPreview(ticket, words.kinds)
  const KindIcon = kind && icons[kind]
  return (
    <>
      {ticket.last?.fromMe && !ticket.heard && <AckIcon ack={ticket.last.ack} label={words.acks[ticket.last.ack]} />}
      {KindIcon && <KindIcon className={classes.kind} size={15} stroke={1.75} aria-hidden="true" />}
      <span className={classes.said}>{text}</span>
    </>
  )
}
