import type { Reply } from '@recado/contract/endpoint'
import { topics } from '@recado/contract/live'
import { offersApi, type TicketOffer } from '@recado/contract/routing/offers'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useResync } from '../../lib/live.ts'

/** An offer that ended without the user: who has the ticket now, or may accept it. */
export type EndedOffer = { key: string; userName: string | null }
type Offers = Reply<typeof offersApi.list> & { clockOffsetMs: number; gone: EndedOffer | null }
/** A ticket may be offered to the user again. */
export const offerKey = ({ ticket, dueAt }: TicketOffer): string => `${ticket.id} ${dueAt}`

const offersKey = ['routing', 'offers']
/** How long the card says where the ticket went. */
const endedNoteMs = 3000
/** An event that an offer has ended may be lost: the list is read again this long after its time. */
const lateMs = 1500

/** The tickets offered to the user. `now` is the server's time. */
export function useOffers(userId: number) {
  const client = useQueryClient()
  const [answered, setAnsweredKeys] = useState<ReadonlySet<string>>(new Set())
  const [ended, setEnded] = useState<EndedOffer | null>(null)
  const query = useQuery({
    queryKey: offersKey,
    queryFn: ({ signal }) => readOffers(client.getQueryData<Offers>(offersKey)?.offers ?? [], signal),
  })
  const reread = () => void client.invalidateQueries({ queryKey: offersKey })
  useLiveTopic(topics.offers, (news) => news.userId === userId && reread())
  useResync(reread)

  const { data } = query
  useEffect(() => {
    const gone = data?.gone
    if (!gone || answered.has(gone.key)) return
    setEnded(gone)
    const timer = setTimeout(() => setEnded(null), endedNoteMs)
    return () => clearTimeout(timer)
  }, [data?.gone, answered])
  const offers = (data?.offers ?? []).filter((offer) => !answered.has(offerKey(offer)))
  const setAnswered = (offer: TicketOffer, isAnswered: boolean) =>
    setAnsweredKeys((keys) => {
      const others = [...keys].filter((key) => key !== offerKey(offer))
      return new Set(isAnswered ? [...others, offerKey(offer)] : others)
    })
  const clockOffsetMs = data?.clockOffsetMs ?? 0
  const now = useNow(offers.length > 0) + clockOffsetMs
  const isLate = offers.some(({ dueAt }) => Date.parse(dueAt) + lateMs < now)
  useEffect(() => {
    if (isLate) void client.invalidateQueries({ queryKey: offersKey })
  }, [isLate, client])
  return { offers: offers.filter(({ dueAt }) => Date.parse(dueAt) > now), ended, now, setAnswered }
}

async function readOffers(before: TicketOffer[], signal: AbortSignal): Promise<Offers> {
  const reply = await callApi(offersApi.list, {}, { signal })
  const gone = before.find(({ ticket }) => !reply.offers.some((offer) => offer.ticket.id === ticket.id))
  const clockOffsetMs = Date.parse(reply.now) - Date.now()
  if (!gone) return { ...reply, clockOffsetMs, gone: null }
  const { ended } = await callApi(offersApi.list, { query: { ended: gone.ticket.id } }, { signal })
  return { ...reply, clockOffsetMs, gone: ended && { key: offerKey(gone), userName: ended.userName } }
}

/** The time of this browser, by the second. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isTicking])
  return now
}
