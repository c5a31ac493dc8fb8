import { messagesApi } from '@recado/contract/messages'
import { call } from '../../../lib/api.ts'
import { type Loaded, nextPage, touches, withOlder } from './merge.ts'

/** So many newer pages are read to meet what is kept; further apart it is quicker to start anew. */
const pagesToMeet = 5

export type Reading = { ticketId: number; markAsRead: boolean }

export const pageOf = ({ ticketId, markAsRead }: Reading, pageNumber: number): Promise<Loaded> =>
  call(messagesApi.list, { params: { ticketId }, query: { pageNumber, markAsRead } })

/** The newest pages, as many as wanted and until they meet what is known. */
export async function readNewest(from: Reading, before: Loaded | undefined, wanted: number) {
  let fresh = await pageOf(from, 1)
  for (let page = 2; fresh.hasMore; page++) {
    const met = !before || touches(before, fresh) || page > pagesToMeet
    if (met && page > wanted) break
    fresh = withOlder(fresh, await pageOf(from, page))
  }
  return fresh
}

/** Page after page upwards, until it is enough. */
export async function readOlder(from: Reading, loaded: Loaded, isEnough: (all: Loaded) => boolean): Promise<Loaded> {
  let all = loaded
  do all = withOlder(all, await pageOf(from, nextPage(all)))
  while (all.hasMore && !isEnough(all))
  return all
}
