import { messagesApi } from '@recado/contract/messages'
import { callApi } from '../../../lib/api.ts'
import { hasNoGap, type LoadedMessages, nextOlderPageNumber, prependOlderPage } from './merge-messages.ts'

/**
 * How many newer pages are loaded to reach the cached messages. Beyond that it is faster to start with the newest page
 * only.
 */
const maxPagesToConnect = 5

export type ThreadReadOptions = { ticketId: number; markAsRead: boolean }

export const readMessagePage = (
  { ticketId, markAsRead }: ThreadReadOptions,
  pageNumber: number,
): Promise<LoadedMessages> => callApi(messagesApi.list, { params: { ticketId }, query: { pageNumber, markAsRead } })

/** The newest pages: as many as requested, and further pages until they connect to the cached messages. */
export async function readNewestPages(from: ThreadReadOptions, before: LoadedMessages | undefined, wanted: number) {
  let fresh = await readMessagePage(from, 1)
  for (let page = 2; fresh.hasMore; page++) {
    const met = !before || hasNoGap(before, fresh) || page > maxPagesToConnect
    if (met && page > wanted) break
    fresh = prependOlderPage(fresh, await readMessagePage(from, page))
  }
  return fresh
}

/** Loads older pages until `isEnough`. */
export async function readOlderPages(
  from: ThreadReadOptions,
  loaded: LoadedMessages,
  isEnough: (all: LoadedMessages) => boolean,
): Promise<LoadedMessages> {
  let all = loaded
  do all = prependOlderPage(all, await readMessagePage(from, nextOlderPageNumber(all)))
  while (all.hasMore && !isEnough(all))
  return all
}
