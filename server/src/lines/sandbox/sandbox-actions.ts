import { lineTraits } from '@recado/contract/line-traits'
import type { Scope } from '../../kernel/data/scope.ts'
import { storeFile } from '../../kernel/files/media.ts'
import { type Line, LineRefusedError, type LineRow, type OutboundMessage } from '../line.ts'
import { changePhoneMessage, isOnPhone, markReadByDesk, type NewPhoneMessage, showOnPhone } from './phone-messages.ts'
import type { SandboxLink } from './sandbox-link.ts'
import {
  findChatNumber,
  listSandboxCustomers,
  listSandboxGroupMembers,
  publishPhoneChange,
  showDeskTyping,
  upsertCustomer,
} from './test-phone.ts'

/** The actions of the desk, as they appear on the customer's phone. */
export function makeSandboxActions(scope: Scope, row: LineRow, link: SandboxLink): Omit<Line, 'start' | 'stop'> {
  const publishChange = (chat: string | undefined) => void (chat && publishPhoneChange(scope, row.id, chat))
  return {
    unsupported: lineTraits.sandbox.cannot,
    async send(message) {
      await link.assertReachable()
      if (message.reaction) {
        const { targetId, emoji } = message.reaction
        return publishChange(await changePhoneMessage(scope, row.id, targetId, { reaction: emoji || null }))
      }
      const chat = await findChatNumber(scope, row.id, message.chat)
      if (!hasTelephone(chat)) throw new LineRefusedError('no-whatsapp')
      if (!(await isOnPhone(scope, row.id, message.id))) {
        await upsertCustomer(scope, row.id, { number: chat })
        const phoneMessage = toPhoneMessage(message)
        const extra = message.forwarded ? { ...phoneMessage.extra, forwarded: true as const } : phoneMessage.extra
        await showOnPhone(scope, row.id, {
          ...phoneMessage,
          extra,
          chat,
          media: await copyMedia(scope, message),
          at: scope.now(),
        })
        publishChange(chat)
      }
      void link.deliver()
    },
    async edit(_chat, id, body) {
      await link.assertReachable()
      publishChange(await changePhoneMessage(scope, row.id, id, { body, isEdited: true }))
    },
    async revoke(_chat, id) {
      await link.assertReachable()
      publishChange(await changePhoneMessage(scope, row.id, id, { isDeleted: true }))
    },
    async markRead(address, ids) {
      const chat = await findChatNumber(scope, row.id, address)
      await markReadByDesk(scope, row.id, chat, ids)
      publishChange(chat)
    },
    setTyping: async (address, on) => showDeskTyping(scope, row.id, await findChatNumber(scope, row.id, address), on),
    checkNumber: async (number) => (hasTelephone(number) && /^\d{8,15}$/.test(number) ? number : null),
    profilePicture: async () => null,
    async members(group) {
      await link.assertReachable()
      return listSandboxGroupMembers(scope, row.id, await findChatNumber(scope, row.id, group))
    },
    // The caller's phone shows the call as unanswered.
    rejectCall: async (_chat, callId) =>
      publishChange(await changePhoneMessage(scope, row.id, callId, { body: 'rejected' })),
    async fetchMedia({ mediaPath, mediaName }) {
      if (typeof mediaPath !== 'string') throw new LineRefusedError('media-missing')
      return { stream: scope.deps.files.read(row.companyId, mediaPath), name: String(mediaName ?? 'file') }
    },
    contacts: () => listSandboxCustomers(scope, row.id),
    pastChats: rejectUnsupported,
    fetchPast: rejectUnsupported,
  }
}

const rejectUnsupported = async (): Promise<never> => {
  throw new LineRefusedError('unsupported')
}

/** In the sandbox every number exists, except those that begin with 000. */
const hasTelephone = (number: string) => !number.startsWith('000')

function toPhoneMessage(
  message: OutboundMessage,
): Pick<NewPhoneMessage, 'id' | 'kind' | 'body' | 'extra' | 'quotedId'> {
  const base = { id: message.id, body: message.body, extra: {}, quotedId: message.quoted?.id ?? null }
  if (message.media) return { ...base, kind: message.media.type, extra: voiceNoteExtra(message.media) }
  if (message.location) {
    const { latitude, longitude, name } = message.location
    return { ...base, kind: 'location', body: name, extra: { latitude, longitude } }
  }
  if (message.contact) return { ...base, kind: 'contact', extra: { cards: [message.contact] } }
  return { ...base, kind: 'text' }
}

/** Marks a voice note by WhatsApp's rule: it is ogg, and was sent as a voice note. */
function voiceNoteExtra({
  voice,
  mime,
  seconds = 0,
  waveform,
}: NonNullable<OutboundMessage['media']>): NewPhoneMessage['extra'] {
  return voice && mime.startsWith('audio/ogg') ? { voice: { seconds, waveform: [...(waveform ?? [])] } } : {}
}

/** Copies the file for the phone: the desk may delete the file that it sent. */
async function copyMedia(scope: Scope, { media }: OutboundMessage): Promise<NewPhoneMessage['media']> {
  if (!media) return null
  const { files } = scope.deps
  return storeFile(scope, await files.receive(await media.open(), media.name))
}
