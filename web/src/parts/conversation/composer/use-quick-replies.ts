import { type Macro, macrosApi } from '@recado/contract/macros/macros'
import { type QuickMessage, quickMessagesApi } from '@recado/contract/quick-messages'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { ApiError, callApi } from '../../../lib/api.ts'
import { useRecordNews, useResync } from '../../../lib/live.ts'
import { mediaSrc } from '../../../lib/media-src.ts'
import { useRefetchQuery } from '../../../lib/query-cache.ts'
import { isOfferedIn, useMacros } from '../../macros/use-macros.ts'
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

/** An entry of the list: a macro or a quick reply. */
export type SlashOption = { kind: 'macro'; macro: Macro } | { kind: 'reply'; reply: QuickMessage }

/** How many things a macro does: the text and the file are steps, too. */
export const countSteps = ({ steps, message, mediaName }: Macro): number =>
  steps.length + (message ? 1 : 0) + (mediaName ? 1 : 0)

export type QuickReplyListState = {
  isOpen: boolean
  /** Whether it was opened with its button: then nothing was typed to filter it. */
  isComplete: boolean
  /** Macros first. */
  options: SlashOption[]
  /** Why the loaded list is empty. */
  emptyReason: 'none-exist' | 'no-match' | null
  activeIndex: number
  setActiveIndex: (at: number) => void
  toggle: () => void
  close: () => void
  /** Handles Up, Down, Enter, Tab and Escape while the list is open; returns true when the key was handled. */
  handleKey: (event: KeyboardEvent, pick: (option: SlashOption) => void) => boolean
}

/** The macros and quick replies that match, among those for the queue of the conversation. */
function findOptions(macros: Macro[], replies: QuickMessage[], query: string): SlashOption[] {
  const named = macros.map((macro) => ({
    macro,
    shortcode: macro.shortcode,
    message: `${macro.name} ${macro.message}`,
  }))
  return [
    ...searchQuickReplies(named, query).map(({ macro }): SlashOption => ({ kind: 'macro', macro })),
    ...searchQuickReplies(replies, query).map((reply): SlashOption => ({ kind: 'reply', reply })),
  ]
}

/**
 * The list of macros and quick replies above the composer: filtered by a slash and its query, or complete when opened by
 * its button.
 */
export function useQuickReplies(text: string, allowed: boolean, queueId: number | null): QuickReplyListState {
  const [state, setState] = useState({ isComplete: false, closedFor: '', at: 0 })
  // A list closed by Escape stays closed until the text changes.
  if (state.closedFor !== '' && state.closedFor !== text) setState({ ...state, closedFor: '' })
  const query = parseSlashQuery(text)
  const startsWithSlash = query !== null || text === '/'
  const wanted = allowed && (state.isComplete || (startsWithSlash && state.closedFor !== text))
  const isOffered = (one: { queueIds: number[] }) => isOfferedIn(one, queueId)
  const replies = useAllQuickReplies(wanted)?.filter(isOffered)
  const macros = useMacros(wanted)?.macros.filter(isOffered)
  const isListed = wanted && (state.isComplete || query !== null)
  const shown = isListed ? findOptions(macros ?? [], replies ?? [], query ?? '') : []
  const hasNone = replies?.length === 0 && macros?.length === 0
  const emptyReason = shown.length > 0 || !replies || !macros ? null : hasNone ? 'none-exist' : 'no-match'
  // Without a match the slash is ordinary text. Without any quick reply the list says so.
  const open = wanted && (shown.length > 0 || state.isComplete || emptyReason === 'none-exist')
  const at = Math.min(state.at, Math.max(0, shown.length - 1))
  const point = (next: number) => setState((before) => ({ ...before, at: next }))
  const close = () => setState({ isComplete: false, closedFor: text, at: 0 })
  return {
    isOpen: open,
    isComplete: open && state.isComplete,
    options: shown,
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
export async function fetchOptionFile(option: SlashOption): Promise<File> {
  const { mediaName, mediaPath } = option.kind === 'macro' ? option.macro : option.reply
  let response = await fetch(mediaSrc(mediaPath))
  if (!response.ok) response = await fetch(mediaSrc(await readFreshPath(option)))
  if (!response.ok) throw new ApiError('ERR_NO_FILE_FOUND', response.status)
  const bytes = await response.blob()
  return new File([bytes], mediaName ?? 'file', { type: bytes.type })
}

async function readFreshPath(option: SlashOption): Promise<string | null> {
  if (option.kind === 'reply')
    return (await callApi(quickMessagesApi.show, { params: { id: option.reply.id } })).mediaPath
  const { macros } = await callApi(macrosApi.list, {})
  return macros.find(({ id }) => id === option.macro.id)?.mediaPath ?? null
}
