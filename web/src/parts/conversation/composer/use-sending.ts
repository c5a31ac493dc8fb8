import type { Message } from '@recado/contract/messages'
import { notesApi, type Ticket } from '@recado/contract/tickets'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.tsx'
import { textsNow } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import type { Thing } from '../../message/attach/thing.ts'
import { readDraft, writeDraft } from '../../message/box/drafts.ts'
import { quoteOf } from '../../message/box/reply-bar.tsx'
import { emptyTray, trayOf } from '../../message/box/tray-files.ts'
import { useTicketActions } from '../../ticket/actions.ts'
import { deedTexts } from '../messages/texts.ts'
import { send } from '../outgoing/outgoing.ts'
import { draftOf, type Mode, trayAt } from '../outgoing/places.ts'
import { plan } from './plan.ts'

type Given = {
  ticket: Ticket
  mode: Mode
  signs: boolean
  replyTo: Message | null
  onSent: () => void
  /** Whom a note names. */
  mentioned: (note: string) => Promise<number[]>
}

/** Contract: a note has at least two characters. */
const leastNote = 2

/** Everything that leaves the box. */
export function useSending({ ticket, mode, signs, replyTo, onSent, mentioned }: Given) {
  const { user } = useSession()
  const actions = useTicketActions()
  const [saving, setSaving] = useState(false)
  const quoted = replyTo && quoteOf(replyTo)
  const places = { reply: draftOf(ticket.id, 'reply'), note: draftOf(ticket.id, 'note'), tray: trayAt(ticket.id) }

  /** From the box into the thread, in one step: it is never in both, and never in neither. */
  const sendReply = async (thenResolve: boolean) => {
    const tray = trayOf(places.tray)
    const drafts = plan(readDraft(places.reply), tray, signs && user ? user.name : null)
    if (drafts.length === 0 || tray.some(({ file }) => file === null)) return
    const stored = send(ticket.id, drafts, quoted)
    writeDraft(places.reply, '')
    emptyTray(places.tray)
    onSent()
    if ((await stored) && thenResolve) await actions.resolve(ticket)
  }

  /** A note has no name of its own that would make a second try the same note: it stays in the box until it is kept. */
  const saveNote = async () => {
    const note = readDraft(places.note).trim()
    if (note.length < leastNote || saving) return
    setSaving(true)
    try {
      const mentions = await mentioned(note)
      await call(notesApi.create, { body: { note, ticketId: ticket.id, contactId: ticket.contactId, mentions } })
      // What was typed on in the meantime is the next note.
      if (readDraft(places.note).trim() === note) writeDraft(places.note, '')
      toast.ok(textsNow(deedTexts).noteSaved)
      onSent()
    } catch (error) {
      toast.error(error)
    } finally {
      setSaving(false)
    }
  }

  return {
    saving,
    submit: () => void (mode === 'note' ? saveNote() : sendReply(false)),
    submitAndResolve: () => void sendReply(true),
    /** A place or a card: the words that are being written wait. */
    sendThing: (body: string, thing: Thing) => {
      void send(ticket.id, [{ text: '', body, file: null, thing }], quoted)
      onSent()
    },
    sendVoice: (file: File) => {
      void send(ticket.id, [{ text: '', body: '', file }], quoted)
      onSent()
    },
  }
}

export const isReady = (mode: Mode, text: string, files: { file: File | null }[], saving: boolean): boolean =>
  mode === 'note'
    ? text.trim().length >= leastNote && !saving
    : files.every(({ file }) => file !== null) && (text.trim() !== '' || files.length > 0)
