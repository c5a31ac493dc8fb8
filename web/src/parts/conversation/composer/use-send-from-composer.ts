import type { Message } from '@recado/contract/messages'
import { notesApi, type Ticket } from '@recado/contract/tickets'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.tsx'
import { currentTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { addToMacroTray, takeMacroTray } from '../../macros/macro-tray-store.ts'
import type { LocationOrCard } from '../../message/attach/location-or-card.ts'
import { clearAttachedFiles, getAttachedFiles } from '../../message/composer/attached-files-store.ts'
import { readDraft, writeDraft } from '../../message/composer/drafts.ts'
import { toQuotedMessage } from '../../message/composer/replying-to-bar.tsx'
import { useTicketActions } from '../../ticket/ticket-actions.ts'
import { messageActionTexts } from '../messages/texts.ts'
import { type ComposerMode, draftKey, trayKey } from '../outgoing/composer-keys.ts'
import { sendDrafts } from '../outgoing/outgoing-messages.ts'
import { splitIntoDrafts } from './split-into-drafts.ts'

type SendOptions = {
  ticket: Ticket
  mode: ComposerMode
  isSigned: boolean
  replyTo: Message | null
  onSent: () => void
  /** Finds the users mentioned in a note. */
  findMentionedIds: (note: string) => Promise<number[]>
}

/** Contract: a note has at least two characters. */
const minNoteLength = 2

/** All sending from the composer. */
export function useSendFromComposer({ ticket, mode, isSigned, replyTo, onSent, findMentionedIds }: SendOptions) {
  const { user } = useSession()
  const actions = useTicketActions()
  const [saving, setSaving] = useState(false)
  const quoted = replyTo && toQuotedMessage(replyTo)
  const places = { reply: draftKey(ticket.id, 'reply'), note: draftKey(ticket.id, 'note'), tray: trayKey(ticket.id) }

  /** Moves the text from the composer into the thread in one step, so that it is never in both or in neither. */
  const sendReply = async (thenResolve: boolean) => {
    const tray = getAttachedFiles(places.tray)
    const drafts = splitIntoDrafts(readDraft(places.reply), tray, isSigned && user ? user.name : null)
    if (tray.some(({ file }) => file === null)) return
    if (drafts.length === 0) {
      const alone = takeMacroTray(ticket.id)
      if (!alone) return
      const { runMacro } = await import('../../macros/run-macro.ts')
      if (!(await runMacro(ticket.id, alone))) addToMacroTray(ticket.id, alone)
      return
    }
    // Nothing is sent before the agent has said how to close the ticket.
    const answer = thenResolve ? await actions.askClosing(ticket) : null
    if (thenResolve && !answer) return
    const macro = takeMacroTray(ticket.id)
    const stored = sendDrafts(ticket.id, drafts, quoted, { undoSeconds: user?.undoSeconds, macro })
    writeDraft(places.reply, '')
    clearAttachedFiles(places.tray)
    onSent()
    if ((await stored) && answer) await actions.resolve(ticket, { answer })
  }

  /** A note has no idempotency key, so it stays in the composer until it is stored. */
  const saveNote = async () => {
    const note = readDraft(places.note).trim()
    if (note.length < minNoteLength || saving) return
    setSaving(true)
    try {
      const mentions = await findMentionedIds(note)
      await callApi(notesApi.create, { body: { note, ticketId: ticket.id, contactId: ticket.contactId, mentions } })
      // Text typed in the meantime is the next note.
      if (readDraft(places.note).trim() === note) writeDraft(places.note, '')
      toast.ok(currentTexts(messageActionTexts).noteSaved)
      onSent()
    } catch (error) {
      toast.error(error)
    } finally {
      setSaving(false)
    }
  }

  return {
    isSaving: saving,
    submit: () => void (mode === 'note' ? saveNote() : sendReply(false)),
    submitAndResolve: () => void sendReply(true),
    /** Sends a location or a contact card: the draft is kept. */
    sendLocationOrCard: (body: string, thing: LocationOrCard) => {
      void sendDrafts(ticket.id, [{ text: '', body, file: null, thing }], quoted, { undoSeconds: user?.undoSeconds })
      onSent()
    },
    sendVoice: (file: File) => {
      void sendDrafts(ticket.id, [{ text: '', body: '', file }], quoted, { undoSeconds: user?.undoSeconds })
      onSent()
    },
  }
}

export const canSend = (mode: ComposerMode, text: string, files: { file: File | null }[], saving: boolean): boolean =>
  mode === 'note'
    ? text.trim().length >= minNoteLength && !saving
    : files.every(({ file }) => file !== null) && (text.trim() !== '' || files.length > 0)
