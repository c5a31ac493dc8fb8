import type { SessionUser } from '@recado/contract/users'
import { lazy, Suspense } from 'react'
import { createPortal } from 'react-dom'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { useOffers } from './use-offers.ts'

const OfferCard = lazy(() => import('./offer-card.tsx'))

/**
 * The tickets offered to the user, on every screen. The card stands at the foot of the ticket list, where tickets live,
 * or in the same corner of other screens; its code loads with the first offer.
 */
export function OfferHost({ me }: { me: SessionUser }) {
  const { offers, ended, now, setAnswered } = useOffers(me.id)
  const phone = useIsPhone()
  if (offers.length === 0 && !ended) return null
  const place =
    (!phone && (document.getElementById('offer-slot') ?? document.getElementById('content'))) || document.body
  return createPortal(
    <Suspense fallback={null}>
      <OfferCard me={me} offers={offers} ended={ended} now={now} setAnswered={setAnswered} />
    </Suspense>,
    place,
  )
}
