import type { TicketOffer } from '@recado/contract/routing/offers'
import { useEffect } from 'react'
import { playNotificationSound, readVolume, reminderLoudness } from '../../lib/sound.ts'
import { runInOneTab } from '../notifications/one-tab.ts'

/** When the reminder sounds, in seconds before the offer runs out. */
const reminderSeconds = 10
/** No other tab sounds for the same offer within this time. */
const holdMs = 5000

/** Sounds once when an offer arrives, and softly when little time is left. */
export function useOfferSounds(offer: TicketOffer | undefined, secondsLeft: number): void {
  const what = offer && `offer ${offer.ticket.id} ${offer.dueAt}`
  const isEnding = offer !== undefined && offer.seconds > reminderSeconds && secondsLeft <= reminderSeconds
  useEffect(() => {
    if (what) void runInOneTab(what, 'first', holdMs, () => playNotificationSound())
  }, [what])
  useEffect(() => {
    if (what && isEnding)
      void runInOneTab(`${what} ends`, 'first', holdMs, () => playNotificationSound(readVolume() * reminderLoudness))
  }, [what, isEnding])
}
