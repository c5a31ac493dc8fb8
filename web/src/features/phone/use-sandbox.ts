import { useThrottledCallback } from '@mantine/hooks'
import { topics } from '@recado/contract/live'
import { sandboxApi } from '@recado/contract/sandbox'
import { type TicketEvent, ticketsApi } from '@recado/contract/tickets'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useResync } from '../../lib/live.ts'
import { refetchAfterChange } from './refetch-after-change.ts'

const sandboxKey = (line: number, ...what: string[]) => ['sandbox', line, ...what]

/** All customers of this line. They are polled while the desk types, because no event ends the typing. */
export const useSandboxCustomers = (line: number) =>
  useQuery({
    queryKey: sandboxKey(line, 'customers'),
    queryFn: ({ signal }) => callApi(sandboxApi.customers, { params: { whatsappId: line } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some((one) => one.typing) ? 4000 : false),
  })

/** A chat as the customer's phone shows it. The newest page loads first, older pages are added above. */
export function usePhoneMessages(line: number, chat: string) {
  const query = useInfiniteQuery({
    queryKey: sandboxKey(line, 'messages', chat),
    queryFn: ({ pageParam, signal }) =>
      callApi(
        sandboxApi.messages,
        { params: { whatsappId: line }, query: { with: chat, pageNumber: pageParam } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
  })
  const pages = query.data?.pages ?? []
  const once = new Map(pages.toReversed().flatMap((page) => page.messages.map((message) => [message.id, message])))
  return { ...query, messages: [...once.values()] }
}

/** The journal. It is polled while a message was received but not yet processed. */
export const useSandboxTrace = (line: number, chat: string | undefined) =>
  useQuery({
    queryKey: sandboxKey(line, 'inside', chat ?? ''),
    queryFn: ({ signal }) =>
      callApi(sandboxApi.inside, { params: { whatsappId: line }, query: { with: chat ?? '' } }, { signal }),
    enabled: chat !== undefined,
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? 1000 : false),
  })

/**
 * Whether an event is still being processed. Its first step is always the journal; the others follow within moments,
 * unless the message is not processed.
 */
const isUnfinished = ({ id, at, steps }: TicketEvent) =>
  id.startsWith('j') && steps.length < 2 && Date.now() - new Date(at).getTime() < 30_000

/** The ticket of a customer. It is loaded again with the journal. */
export const useSandboxTicket = (line: number, ticketId: number) =>
  useQuery({
    queryKey: sandboxKey(line, 'ticket', String(ticketId)),
    queryFn: ({ signal }) => callApi(ticketsApi.show, { params: { id: ticketId } }, { signal }),
    retry: false,
  })

export const useSandboxFaults = (line: number) =>
  useQuery({
    queryKey: sandboxKey(line, 'behaviour'),
    queryFn: ({ signal }) => callApi(sandboxApi.behaviour, { params: { whatsappId: line } }, { signal }),
  })

/** Reloads the data that changed on the server; a burst of events causes one request. */
export function useSandboxNews(line: number, chat: string | undefined): void {
  const client = useQueryClient()
  const refetch = (...what: string[]) => refetchAfterChange(client, sandboxKey(line, ...what))
  const people = useThrottled(() => void refetch('customers'))
  const open = useThrottled(() => {
    if (chat) void refetch('messages', chat)
  })
  const inside = useThrottled(() => {
    if (!chat) return
    void refetch('inside', chat)
    void refetch('ticket')
  })
  useLiveTopic(topics.sandbox, (news) => {
    if (news.whatsappId !== line) return
    people()
    if (news.chat !== chat) return
    open()
    inside()
  })
  // The inbox works after the phone's event; these events mean that the inbox has finished.
  useLiveTopic(topics.message, inside)
  useLiveTopic(topics.ticket, inside)
  useResync(() => void refetch())
}

/** Runs at once, and then at most once per 200 ms. */
const useThrottled = (run: () => void) => useThrottledCallback(run, 200)
