import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import { formatPhoneNumber } from '../../phone-number.ts'
import { parseContactCards, type VcardContact } from '../body/message-body.ts'
import classes from '../media/media.module.css'
import { useMessageContext } from '../message-context.ts'
import { texts } from '../texts.ts'
import type { ContactCardAction } from './contact-card-actions.tsx'

const ContactCardActions = lazy(() =>
  import('./contact-card-actions.tsx').then((module) => ({ default: module.ContactCardActions })),
)

type Props = {
  body: string
  meta: ReactNode
  /** Whether we sent a card of one of our own contacts. */
  isOwn?: boolean
}

/** Contact cards from the customer, with buttons to save or to write to the contact. */
export function ContactCards({ body, meta, isOwn = false }: Props) {
  const cards = parseContactCards(body)
  if (cards.length === 0)
    return (
      <>
        {body}
        {meta}
      </>
    )
  return cards.map((card, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the cards of a message never change places
    <ContactCardView key={i} card={card} isOwn={isOwn} meta={i === cards.length - 1 && meta} />
  ))
}

type CardProps = { name: string; number: string; children?: ReactNode }
/** The person on the card, with the message's metadata at its end. */
export function PersonCard({ name, number, children }: CardProps) {
  const words = useTexts(texts)
  // A card names the number as digits, or as its sender wrote it.
  const shownNumber = formatPhoneNumber(number.replace(/^\+(?=\d+$)/, ''))
  const seed = Number(number.replaceAll(/\D/g, '').slice(-4)) || name.length
  return (
    <div className={classes.card}>
      <PersonAvatar id={seed} name={name || '?'} size={40} />
      <div>
        <div className={classes.name}>{name || shownNumber}</div>
        <div className={classes.foot}>
          <span className={classes.small}>{shownNumber || words.noNumber}</span>
          {children}
        </div>
      </div>
    </div>
  )
}

function ContactCardView({ card, meta, isOwn }: { card: VcardContact; meta: ReactNode; isOwn: boolean }) {
  const words = useTexts(texts)
  const { readOnly } = useMessageContext()
  const [openAction, setOpenAction] = useState<ContactCardAction | null>(null)
  return (
    <>
      <PersonCard name={card.name} number={card.number}>
        {meta}
      </PersonCard>
      {card.number && !readOnly && !isOwn && (
        <div className={classes.cardButtons}>
          <button type="button" onClick={() => setOpenAction('write')}>
            {words.writeTo}
          </button>
          <button type="button" onClick={() => setOpenAction('save')}>
            {words.saveContact}
          </button>
        </div>
      )}
      {openAction && (
        <Suspense fallback={null}>
          <ContactCardActions card={card} action={openAction} onDone={() => setOpenAction(null)} />
        </Suspense>
      )}
    </>
  )
}
