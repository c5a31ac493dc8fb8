import type { Macro } from '@recado/contract/macros/macros'
import { prepareSteps } from '@recado/contract/macros/prepare-steps'
import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { isShortcutPressed } from '../../../lib/shortcut-keys.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { useUnsupportedReason } from '../../line/line-abilities.ts'
import { loadSnoozeTimes } from '../../macros/load-snooze-times.ts'
import { addToMacroTray, type MacroTray, useMacroTray } from '../../macros/macro-tray-store.ts'
import { useMentions } from '../../mentions/use-mentions.ts'
import { addPendingFile, useAttachedFiles } from '../../message/composer/attached-files-store.ts'
import { onReturnedToDraft, useDraft } from '../../message/composer/drafts.ts'
import type { MessageInputHandle } from '../../message/composer/message-input.tsx'
import { useAttachFiles } from '../../message/composer/use-attach-files.ts'
import { resolveKeys } from '../../ticket/resolve-keys.ts'
import { findLastEditable } from '../messages/editable-messages.ts'
import { type CachedThread, threadKey } from '../messages/thread-cache.ts'
import { type ComposerMode, draftKey, trayKey } from '../outgoing/composer-keys.ts'
import { quoteKeys } from '../thread/use-message-gestures.ts'
import { texts } from './texts.ts'
import { useAgentTyping } from './use-agent-typing.ts'
import { useComposerFocus } from './use-composer-focus.ts'
import { fetchOptionFile, type SlashOption, useQuickReplies } from './use-quick-replies.ts'
import { useRenderVariables } from './use-render-variables.ts'
import { canSend, useSendFromComposer } from './use-send-from-composer.ts'
import { useSignatureSetting } from './use-signature-setting.ts'

export type ComposerBoxProps = {
  ticket: Ticket
  mode: ComposerMode
  onModeChange: (mode: ComposerMode) => void
  replyTo: Message | null
  onReplyTo: (message: Message | null) => void
  onEdit: (message: Message) => void
  /** The remaining time of the 24 hours on the official API, in milliseconds; null without a limit. */
  timeLeftMs: number | null
  /** Incremented whenever the focus is requested. */
  focusRequests: number
}

/** The state and actions of the composer; composer-box.tsx renders it. */
export function useComposer(
  { ticket, mode, replyTo, onReplyTo, onEdit, focusRequests }: ComposerBoxProps,
  area: RefObject<MessageInputHandle | null>,
) {
  const [text, write] = useDraft(draftKey(ticket.id, mode))
  const tray = useAttachedFiles(trayKey(ticket.id))
  const [chars, setSigns] = useSignatureSetting()
  const typing = useAgentTyping(ticket.id)
  const reply = mode === 'reply'
  const files = reply ? tray : []
  const replies = useQuickReplies(text, reply, ticket.queueId)
  const onSent = () => {
    onReplyTo(null)
    typing(false)
  }
  const mentions = useMentions({
    ticketId: ticket.id,
    isEnabled: !reply,
    text,
    element: () => area.current?.element() ?? null,
  })
  const sending = useSendFromComposer({
    ticket,
    mode,
    isSigned: chars,
    replyTo,
    onSent,
    findMentionedIds: mentions.findMentioned,
  })
  const fillVariables = useRenderVariables(ticket, replies.isOpen || reply)
  const prepare = usePrepareMacro(ticket, fillVariables)
  const pick = usePickOption(ticket, { text, write, close: replies.close, fillVariables, prepare }, area)
  const macroTray = useMacroTray(ticket.id)
  const editable = useLastEditable(ticket)
  const moveQuote = useMoveQuote(ticket.id, replyTo, onReplyTo)
  const attach = useAttachFiles(trayKey(ticket.id))
  useFocusRequests(ticket.id, replyTo, focusRequests, area)
  useComposerFocus(area)
  return {
    text,
    files,
    reply,
    replies,
    mentions,
    filled: fillVariables,
    pick,
    signs: chars,
    setSigned: setSigns,
    attach: (given: File[]) => {
      attach(given)
      // The browser's file dialog returns the focus to the button.
      if (!matchMedia('(pointer: coarse)').matches) requestAnimationFrame(() => area.current?.focus())
    },
    macroTray: reply ? macroTray : null,
    /** A macro that writes nothing runs at once, and can be undone; another one is prepared. */
    pressMacro: (macro: Macro) => {
      if (macro.message || macro.mediaName || macroTray) return pick({ kind: 'macro', macro })
      prepare(macro)
        .then(async (tray) => (await import('../../macros/run-macro.ts')).runMacro(ticket.id, tray))
        .catch((error: unknown) => toast.error(error))
    },
    /** Whether there is a message to send, besides the steps of a macro. */
    hasMessage: canSend(mode, text, files, sending.isSaving),
    ...sending,
    stopTyping: () => {
      typing(false)
      mentions.close()
    },
    type(next: string) {
      write(next)
      mentions.updateQuery()
      if (reply) typing(next.trim() !== '')
    },
    onKey(event: KeyboardEvent): boolean {
      if (replies.handleKey(event, pick) || mentions.handleKey(event)) return true
      // Without a text, the page's shortcut resolves the ticket.
      if (reply && isShortcutPressed(resolveKeys, event)) {
        if (!canSend(mode, text, files, sending.isSaving)) return true
        event.preventDefault()
        sending.submitAndResolve()
        return true
      }
      if (reply && moveQuote(event)) return true
      const last = event.key === 'ArrowUp' && reply && text === '' && files.length === 0 && editable()
      if (last) {
        event.preventDefault()
        onEdit(last)
        return true
      }
      if (event.key !== 'Escape') return false
      if (replyTo) onReplyTo(null)
      // The focus leaves the composer: the arrow keys then move between messages.
      else document.getElementById('conversation')?.focus()
      return true
    },
  }
}

/** Ctrl and the arrows move the quote from message to message; after the newest one there is no quote. */
function useMoveQuote(ticketId: number, replyTo: Message | null, onReplyTo: (message: Message | null) => void) {
  const client = useQueryClient()
  return (event: KeyboardEvent): boolean => {
    const isUp = isShortcutPressed(quoteKeys, event)
    if (!isUp && !isShortcutPressed('mod+ArrowDown', event)) return false
    const messages = client.getQueryData<CachedThread>(threadKey(ticketId))?.messages ?? []
    const quotable = messages.filter(({ isDeleted, fromMe, ack }) => !isDeleted && (!fromMe || ack > 1))
    const at = quotable.findIndex(({ id }) => id === replyTo?.id)
    if (isUp) onReplyTo(quotable[Math.max(0, (at < 0 ? quotable.length : at) - 1)] ?? null)
    else onReplyTo(at < 0 ? null : (quotable[at + 1] ?? null))
    event.preventDefault()
    return true
  }
}

/**
 * Finds the message that arrow up edits. It is evaluated only when the key is pressed, because the thread changes
 * constantly.
 */
function useLastEditable(ticket: Ticket): () => Message | undefined {
  const client = useQueryClient()
  const userId = useSession().user?.id ?? 0
  const cannot = useUnsupportedReason(ticket.whatsappId)
  return () =>
    cannot('edit')
      ? undefined
      : findLastEditable(client.getQueryData<CachedThread>(threadKey(ticket.id))?.messages ?? [], userId)
}

type DraftAccess = {
  text: string
  write: (text: string) => void
  close: () => void
  /** Fills in the variables, so that the composer shows what the customer will read. */
  fillVariables: (text: string) => string
  prepare: (macro: Macro) => Promise<MacroTray>
}

/** Inserts a quick reply or the text of a macro into the composer, its file and the macro's steps into their trays. */
function usePickOption(
  ticket: Ticket,
  { text, write, close, fillVariables, prepare }: DraftAccess,
  area: RefObject<MessageInputHandle | null>,
) {
  const words = useTexts(texts)
  return (option: SlashOption) => {
    close()
    const chosen = option.kind === 'macro' ? option.macro : option.reply
    // The text replaces a slash and its query. One chosen with the button is appended.
    const filledText = fillVariables(chosen.message)
    if (text.startsWith('/') || text === '') write(filledText)
    else if (filledText) area.current?.insert(filledText)
    requestAnimationFrame(() => area.current?.focus())
    if (chosen.mediaPath)
      addPendingFile(trayKey(ticket.id), chosen.mediaName ?? '', fetchOptionFile(option)).catch(() =>
        toast.warn(words.noFile),
      )
    if (option.kind === 'macro')
      prepare(option.macro)
        .then((tray) => addToMacroTray(ticket.id, tray))
        .catch((error: unknown) => toast.error(error))
  }
}

/** Gives the steps of a macro their real values for this ticket. */
function usePrepareMacro(ticket: Ticket, fillVariables: (text: string) => string) {
  const client = useQueryClient()
  const me = useSession().user?.id ?? 0
  return async ({ id, steps }: Macro): Promise<MacroTray> => {
    const times = await loadSnoozeTimes(client, ticket, steps)
    return { macroId: id, steps: prepareSteps(steps, { me, now: Date.now(), times, fillVariables }) }
  }
}

/** Moves the cursor to the composer: for a reply, restored text, or a shortcut. */
function useFocusRequests(
  ticketId: number,
  replyTo: Message | null,
  focusRequests: number,
  area: RefObject<MessageInputHandle | null>,
): void {
  useEffect(
    () => onReturnedToDraft((place) => place === draftKey(ticketId, 'reply') && area.current?.focus()),
    [ticketId, area],
  )
  useEffect(() => {
    if (replyTo || focusRequests > 0) area.current?.focus()
  }, [replyTo, focusRequests, area])
}

/**
 * The recorder replaces the composer. Afterwards the composer gets the focus, but not on a phone, to keep its
 * keyboard closed.
 */
export function useVoiceRecording(area: RefObject<MessageInputHandle | null>) {
  const [recording, setRecording] = useState(false)
  return {
    recording,
    start: () => setRecording(true),
    end: () => {
      setRecording(false)
      if (!matchMedia('(pointer: coarse)').matches) requestAnimationFrame(() => area.current?.focus())
    },
  }
}
