import { type QuickMessage, quickMessagesApi } from '@recado/contract/quick-messages'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { ApiError, callApi } from '../../../lib/api.ts'
import { useRecordNews, useResync } from '../../../lib/live.ts'
import { mediaSrc } from '../../../lib/media-src.ts'
import { useRefetchQuery } from '../../../lib/query-cache.ts'
import { parseSlashQuery, searchQuickReplies } from '../../message/composer/match-quick-replies.ts'

const quickRepliesKey = ['quick-replies']

/** All quick replies of this user, loaded on first use and updated by events. */
function useAllQuickReplies(enabled: boolean): QuickMessage[] | undefined {
  const again = useRefetchQuery(quickRepliesKey)
  useRecordNews(quickMessagesApi.topic, again)
  useResync(again)
  const { data } = useQuery({
    queryKey: quickRepliesKey,
    queryFn: ({ signal }) => callApi(quickMessagesApi.all, {}, { signal }),
    enabled,
  })
  return data
}

export type QuickReplyListState = {
  isOpen: boolean
  replies: QuickMessage[]
  /** Why the loaded list is empty. */
  emptyReason: 'none-exist' | 'no-match' | null
  activeIndex: number
  setActiveIndex: (at: number) => void
  toggle: () => void
  close: () => void
  /** Handles Up, Down, Enter, Tab and Escape while the list is open; returns true when the key was handled. */
  handleKey: (event: KeyboardEvent, pick: (reply: QuickMessage) => void) => boolean
}

/**
 * The list of quick replies above the composer: filtered by a slash and its query, or complete when opened by its
 * button.
 */
export function useQuickReplies(text: string, allowed: boolean): QuickReplyListState {
  const [state, setState] = useState({ isComplete: false, closedFor: '', at: 0 })
  // A list closed by Escape stays closed until the text changes.
  if (state.closedFor !== '' && state.closedFor !== text) setState({ ...state, closedFor: '' })
  const query = parseSlashQuery(text)
  const startsWithSlash = query !== null || text === '/'
  const wanted = allowed && (state.isComplete || (startsWithSlash && state.closedFor !== text))
  const replies = useAllQuickReplies(wanted)
  const shown = wanted && (state.isComplete || query !== null) ? searchQuickReplies(replies ?? [], query ?? '') : []
  const emptyReason = shown.length > 0 || !replies ? null : replies.length === 0 ? 'none-exist' : 'no-match'
  // Without a match the slash is ordinary text. Without any quick reply the list says so.
  const open = wanted && (shown.length > 0 || state.isComplete || emptyReason === 'none-exist')
  const at = Math.min(state.at, Math.max(0, shown.length - 1))
  const point = (next: number) => setState((before) => ({ ...before, at: next }))
  const close = () => setState({ isComplete: false, closedFor: text, at: 0 })
  return {
    isOpen: open,
    replies: shown,
    emptyReason,
    activeIndex: at,
    setActiveIndex: point,
    close,
    toggle: () => setState((before) => ({ isComplete: !before.isComplete, closedFor: '', at: 0 })),
    handleKey(event, pick) {
      if (!open) return false
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const chosen = shown[at]
      if (move && shown.length > 0) point((at + move + shown.length) % shown.length)
      else if (event.key === 'Escape') close()
      else if ((event.key === 'Enter' || event.key === 'Tab') && chosen && !event.shiftKey) pick(chosen)
      else return false
      event.preventDefault()
      // Escape closes only the topmost element.
      event.stopPropagation()
      return true
    },
  }
}

/**
 * Loads the attached file. Its signed URL may have expired since the list was loaded; in that case the URL is
 * requested again.
 */
export async function fetchQuickReplyFile(reply: QuickMessage): Promise<File> {
  const name = reply.mediaName ?? 'file'
  let response = await fetch(mediaSrc(reply.mediaPath))
  if (!response.ok) {
    const fresh = await callApi(quickMessagesApi.show, { params: { id: reply.id } })
    response = await fetch(mediaSrc(fresh.mediaPath))
  }
  if (!response.ok) throw new ApiError('ERR_NO_FILE_FOUND', response.status)
  const bytes = await response.blob()
  return new File([bytes], name, { type: bytes.type })
}
