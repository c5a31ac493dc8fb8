import { traits } from '@recado/contract/traits'
import type { Scope } from '../../kernel/data/scope.ts'
import { storeFile } from '../../kernel/files/media.ts'
import { type Line, LineRefusal, type LineRow, type OutboundMessage } from '../line.ts'
import type { Link } from './link.ts'
import { chatOf, customersOf, deskTypes, meetCustomer, membersOf, tellPhone } from './phone.ts'
import { change, deskReads, isShown, type Shown, show } from './shown.ts'

/** What the desk does, as the customer's phone shows it. */
export function deskSide(scope: Scope, row: LineRow, link: Link): Omit<Line, 'start' | 'stop'> {
  const changed = (chat: string | undefined) => void (chat && tellPhone(scope, row.id, chat))
  return {
    cannot: traits.sandbox.cannot,
    async send(message) {
      await link.mustBeUp()
      if (message.reaction) {
        const { targetId, emoji } = message.reaction
        return changed(await change(scope, row.id, targetId, { reaction: emoji || null }))
      }
      const chat = await chatOf(scope, row.id, message.chat)
      if (!isNumber(chat)) throw new LineRefusal('no-whatsapp')
      if (!(await isShown(scope, row.id, message.id))) {
        await meetCustomer(scope, row.id, { number: chat })
        const shown = shownAs(message)
        const extra = message.forwarded ? { ...shown.extra, forwarded: true as const } : shown.extra
        await show(scope, row.id, { ...shown, extra, chat, media: await ownCopy(scope, message), at: scope.now() })
        changed(chat)
      }
      void link.deliver()
    },
    async edit(_chat, id, body) {
      await link.mustBeUp()
      changed(await change(scope, row.id, id, { body, isEdited: true }))
    },
    async revoke(_chat, id) {
      await link.mustBeUp()
      changed(await change(scope, row.id, id, { isDeleted: true }))
    },
    async markRead(address, ids) {
      const chat = await chatOf(scope, row.id, address)
      await deskReads(scope, row.id, chat, ids)
      changed(chat)
    },
    typing: async (address, on) => deskTypes(scope, row.id, await chatOf(scope, row.id, address), on),
    checkNumber: async (number) => (isNumber(number) && /^\d{8,15}$/.test(number) ? number : null),
    profilePicture: async () => null,
    async members(group) {
      await link.mustBeUp()
      return membersOf(scope, row.id, await chatOf(scope, row.id, group))
    },
    // The caller's phone shows the call as one that nobody took.
    rejectCall: async (_chat, callId) => changed(await change(scope, row.id, callId, { body: 'rejected' })),
    async fetchMedia({ mediaPath, mediaName }) {
      if (typeof mediaPath !== 'string') throw new LineRefusal('media-missing')
      return { stream: scope.means.files.read(row.companyId, mediaPath), name: String(mediaName ?? 'file') }
    },
    contacts: () => customersOf(scope, row.id),
    pastChats: unsupported,
    fetchPast: unsupported,
  }
}

const unsupported = async (): Promise<never> => {
  throw new LineRefusal('unsupported')
}

/** Everybody has a telephone here, except numbers that begin with 000. */
const isNumber = (number: string) => !number.startsWith('000')

function shownAs(message: OutboundMessage): Pick<Shown, 'id' | 'kind' | 'body' | 'extra' | 'quotedId'> {
  const base = { id: message.id, body: message.body, extra: {}, quotedId: message.quoted?.id ?? null }
  if (message.media) return { ...base, kind: message.media.type, extra: spoken(message.media) }
  if (message.location) {
    const { latitude, longitude, name } = message.location
    return { ...base, kind: 'location', body: name, extra: { latitude, longitude } }
  }
  if (message.contact) return { ...base, kind: 'contact', extra: { cards: [message.contact] } }
  return { ...base, kind: 'text' }
}

/** A voice note, as WhatsApp has it: ogg, and sent as one. */
function spoken({ voice, mime, seconds = 0, waveform }: NonNullable<OutboundMessage['media']>): Shown['extra'] {
  return voice && mime.startsWith('audio/ogg') ? { voice: { seconds, waveform: [...(waveform ?? [])] } } : {}
}

/** The phone keeps its own file: the desk may delete the one it sent. */
async function ownCopy(scope: Scope, { media }: OutboundMessage): Promise<Shown['media']> {
  if (!media) return null
  const { files } = scope.means
  return storeFile(scope, await files.receive(await media.open(), media.name))
}
