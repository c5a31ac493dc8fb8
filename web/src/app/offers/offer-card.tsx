import { ActionIcon, Button, Menu } from '@mantine/core'
import { offersApi, type TicketOffer } from '@recado/contract/routing/offers'
import type { SessionUser } from '@recado/contract/users'
import { IconDots, IconPlayerPause, IconUserQuestion } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatAriaKeys, formatKeyCaps } from '../../lib/shortcut-keys.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import { saveAvailability } from '../../parts/save-availability.ts'
import { PriorityMark } from '../../parts/ticket/priority-mark.tsx'
import { useTicketActions } from '../../parts/ticket/ticket-actions.ts'
import { buildTicketPreview } from '../../parts/ticket/ticket-preview.ts'
import { ticketPreviewTexts } from '../../parts/ticket/ticket-preview-texts.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import classes from './offer-card.module.css'
import { type OfferTexts, offerTexts } from './texts.ts'
import { useOfferSounds } from './use-offer-sounds.ts'
import { type EndedOffer, offerKey } from './use-offers.ts'

type Props = {
  me: SessionUser
  offers: TicketOffer[]
  ended: EndedOffer | null
  now: number
  setAnswered: (offer: TicketOffer, isAnswered: boolean) => void
}

const acceptKeys = 'alt+a'

/** One offer at a time, with the time that is left (design w-routing, offer). It never takes the focus: people type. */
export default function OfferCard({ me, offers: [offer, next], ended, now, setAnswered }: Props) {
  const words = useTexts(offerTexts)
  const isTalking = useRouterState({ select: (state) => /^\/(tickets|chats)\/./.test(state.location.pathname) })
  const secondsLeft = offer ? Math.max(0, Math.ceil((Date.parse(offer.dueAt) - now) / 1000)) : 0
  useOfferSounds(offer, secondsLeft)
  return (
    <div className={classes.root} data-talking={isTalking || undefined}>
      {ended && (
        <div className={classes.line} role="status">
          {ended.userName ? words.wentTo(ended.userName) : words.wentBack}
        </div>
      )}
      {offer && (
        <Offer
          key={offerKey(offer)}
          {...{ me, offer, now, secondsLeft }}
          setAnswered={(isAnswered) => setAnswered(offer, isAnswered)}
        />
      )}
      {next && (
        <div className={classes.line}>
          <ContactAvatar contact={next.ticket.contact} size={24} />
          <span className={classes.clip}>
            {words.next} <b>{next.ticket.contact.name}</b>
          </span>
          <span className={classes.wait}>{formatWait(next, now, words)}</span>
        </div>
      )}
    </div>
  )
}

type OfferProps = {
  me: SessionUser
  offer: TicketOffer
  now: number
  secondsLeft: number
  setAnswered: (isAnswered: boolean) => void
}
function Offer({ me, offer, now, secondsLeft, setAnswered }: OfferProps) {
  const words = useTexts(offerTexts)
  const kinds = useTexts(ticketPreviewTexts).kinds
  const actions = useTicketActions()
  const { ticket } = offer
  const { name } = ticket.contact
  const accept = async () => {
    setAnswered(true)
    try {
      actions.showAccepted(await callApi(offersApi.accept, { params: { ticketId: ticket.id } }))
    } catch (error) {
      setAnswered(false)
      toast.error(error)
    }
  }
  const pass = async () => {
    setAnswered(true)
    await callApi(offersApi.pass, { params: { ticketId: ticket.id } }).catch((error: unknown) => {
      setAnswered(false)
      toast.error(error)
    })
  }
  useShortcut(acceptKeys, () => void accept(), { label: words.acceptKey })
  const share = { '--left': Math.min(1, secondsLeft / offer.seconds) } as CSSProperties
  return (
    <section className={classes.card} aria-label={words.region} style={share}>
      {/* Announced once: the time that is left is read on request. */}
      <span className={classes.hidden} role="status">
        {words.offered(name)}
      </span>
      <span className={classes.bar} aria-hidden="true" />
      <div className={classes.head}>
        <ContactAvatar contact={ticket.contact} size={44} isGroup={ticket.isGroup} />
        <div className={classes.who}>
          <span className={classes.name}>
            <span className={classes.clip}>{name}</span>
            {ticket.priority !== 'normal' && <PriorityMark priority={ticket.priority} size={15} />}
          </span>
          <span className={classes.about}>
            {ticket.queue && <ColorDot color={ticket.queue.color} size={9} />}
            {ticket.queue && <span className={classes.clip}>{ticket.queue.name}</span>}
            {ticket.whatsapp && <span className={classes.clip}>{ticket.whatsapp.name}</span>}
            <span className={classes.wait}>{formatWait(offer, now, words)}</span>
          </span>
        </div>
        <span className={classes.ring} role="timer" aria-label={words.left(secondsLeft)}>
          {secondsLeft}
        </span>
      </div>
      <p className={classes.message}>{buildTicketPreview(ticket, kinds).text}</p>
      <p className={classes.why}>
        <IconUserQuestion size={16} stroke={1.75} aria-hidden="true" />
        <span>{describeChoice(offer, words)}</span>
      </p>
      <div className={classes.actions}>
        <Button
          className={classes.accept ?? ''}
          aria-keyshortcuts={formatAriaKeys(acceptKeys)}
          onClick={() => void accept()}
        >
          {words.accept}
          <span className={classes.key} aria-hidden="true">
            {formatKeyCaps(acceptKeys).join(' ')}
          </span>
        </Button>
        <Button variant="default" onClick={() => void pass()}>
          {words.pass}
        </Button>
        <Menu position="top-end">
          <Menu.Target>
            <ActionIcon size={36} variant="subtle" color="gray" aria-label={words.more}>
              <IconDots size={18} stroke={2} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconPlayerPause size={16} stroke={1.75} />}
              onClick={() => void pass().then(() => saveAvailability(me.id, 'break'))}
            >
              {words.passAndPause}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </section>
  )
}

const formatWait = ({ ticket }: TicketOffer, now: number, words: OfferTexts): string =>
  words.waits(Math.floor((now - Date.parse(ticket.waitingSince ?? ticket.updatedAt)) / 60_000))

/** Why the user was chosen, and how many tickets they will have. */
function describeChoice({ why, with: given }: TicketOffer, words: OfferTexts): string {
  const reason = words.why[why] ?? words.whyOther
  if (typeof given.open !== 'number') return reason
  return `${reason} · ${words.load(given.open, typeof given.capacity === 'number' ? given.capacity : null)}`
}
