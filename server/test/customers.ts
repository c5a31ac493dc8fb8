import { type Ability, connectionsApi } from '@recado/contract/connections'
import type { ReceivedMessage } from '@recado/whatsapp/accounts'
import type { Person as Account } from '@recado/whatsapp/person'
import { proto } from 'baileys'
import { openCloudLine } from './cloud-phone.ts'
import { nextPhoneNumber } from './desk.ts'
import type { FakeGraph } from './fake-graph.ts'
import { createLinkedLine, createShop, type LinkedServer } from './linked-phone.ts'
import { openSandboxLine } from './sandbox-phone.ts'
import type { TestServer, TestUser } from './test-server.ts'

export type TestPicture = { bytes: Buffer; name: string; mime: string }
/** One of our messages on the customer's phone, under the vendor's id. */
export type CustomerPhoneMessage = {
  id: string
  kind: 'text' | 'image' | 'location' | 'contact' | 'other'
  /** The text; for a location its name, for a card the name of its person. */
  body: string
  quotedId: string | null
  isDeleted: boolean
}
/** A customer with a phone, on any provider. Actions return the vendor's id. */
export type Customer = {
  number: string
  says(text: string, quotedId?: string): Promise<string>
  sends(picture: TestPicture, caption: string): Promise<string>
  reacts(targetId: string, emoji: string): Promise<void>
  edits(targetId: string, text: string): Promise<void>
  deletes(targetId: string): Promise<void>
  /** Chooses the nth option of the latest menu, counted from one. */
  picks(nth: number): Promise<void>
  /** All messages that the desk sent, in order. */
  listMessages(): Promise<CustomerPhoneMessage[]>
  fileOf(id: string): Promise<Buffer>
  /** The desk's reaction to this message; empty: none. */
  reactionTo(id: string): Promise<string>
  /** Opens the chat: all messages count as delivered and read. */
  reads(): Promise<void>
}
/** One line of a company, and its customers. */
export type CustomerLine = {
  id: number
  unsupported: readonly Ability[]
  customer(name: string): Customer
  /** Interrupts the connection for a moment. */
  interrupt(): Promise<void>
}

const kinds = ['text', 'image', 'location', 'contact'] as const

const loadCannot = async (admin: TestUser, id: number) =>
  (await admin.call(connectionsApi.show, { params: { id } })).cannot

/** A line on the sandbox phone. */
export async function openSandboxCounter(h: TestServer, admin: TestUser): Promise<CustomerLine> {
  const line = await openSandboxLine(admin)
  return {
    id: line.id,
    unsupported: await loadCannot(admin, line.id),
    async interrupt() {
      await line.dropConnection()
    },
    customer(name) {
      const phone = line.customer(nextPhoneNumber(), name)
      const ours = async () => (await phone.listMessages()).filter((message) => !message.fromCustomer)
      return {
        number: phone.number,
        says: (text, quotedId) => phone.says(text, quotedId ? { quotedId } : {}),
        sends: ({ bytes, name: file, mime }, caption) =>
          phone.sends(new File([new Uint8Array(bytes)], file, { type: mime }), { body: caption }),
        reacts: async (id, emoji) => void (await phone.reacts(id, emoji)),
        edits: async (id, text) => void (await phone.edits(id, text)),
        deletes: async (id) => void (await phone.deletes(id)),
        picks: async (nth) => void (await phone.says(String(nth))),
        listMessages: async () =>
          (await ours()).map(({ id, kind, body, quotedId, isDeleted }) => ({
            id,
            kind: kinds.find((one) => one === kind) ?? 'other',
            // The sandbox phone shows a location and a card as several rows of text.
            body: kind === 'location' || kind === 'contact' ? (body.split('\n')[0] ?? '') : body,
            quotedId,
            isDeleted,
          })),
        async fileOf(id) {
          const address = (await ours()).find((message) => message.id === id)?.mediaUrl ?? ''
          const response = await fetch(address.replace(/^https?:\/\/[^/]+/, h.address))
          return Buffer.from(await response.arrayBuffer())
        },
        reactionTo: async (id) => (await phone.listMessages()).find((message) => message.id === id)?.reaction ?? '',
        reads: async () => void (await phone.reads()),
      }
    },
  }
}

/** A linked phone with the real client library, and a fake WhatsApp server. */
export async function openLinkedCounter(all: LinkedServer, admin: TestUser): Promise<CustomerLine> {
  const shop = createShop(all)
  const line = await createLinkedLine(admin)
  const device = await line.scanWith(shop)
  return {
    id: line.id,
    unsupported: await loadCannot(admin, line.id),
    interrupt: async () => device.connection?.terminate(),
    customer: (name) => makeLinkedCustomer(all.wa.addPerson(nextPhoneNumber(), name), shop),
  }
}

function makeLinkedCustomer(person: Account, shop: Account): Customer {
  const received: ReceivedMessage[] = []
  person.on('message', (message) => received.push(message))
  const { account } = shop
  const keyOf = (id: string) => ({
    id,
    remoteJid: account.jid('lid'),
    fromMe: !received.some((message) => message.id === id),
  })
  const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
  const correct = async (id: string, type: number, editedMessage?: proto.IMessage) => {
    const protocolMessage = { key: keyOf(id), type, ...(editedMessage && { editedMessage }) }
    await person.send(account, { protocolMessage })
  }
  const about = (id: string, type: number) =>
    received.findLast(({ message: { protocolMessage: action } }) => action?.key?.id === id && action.type === type)
      ?.message
  /** The current state of a message on the phone. */
  const shownNow = (one: ReceivedMessage): CustomerPhoneMessage => {
    const edited = about(one.id, MESSAGE_EDIT)?.protocolMessage?.editedMessage
    return {
      ...toCustomerPhoneMessage(one),
      ...(edited && { body: toCustomerPhoneMessage({ ...one, message: edited }).body }),
      isDeleted: about(one.id, REVOKE) !== undefined,
    }
  }
  return {
    number: person.account.phoneNumber,
    says: (text, quotedId) =>
      quotedId
        ? person.send(account, { extendedTextMessage: { text, contextInfo: { stanzaId: quotedId } } })
        : person.sendText(account, text),
    sends: ({ bytes, mime }, caption) => person.sendMedia(account, { image: bytes, mimetype: mime, caption }),
    reacts: async (id, text) => void (await person.send(account, { reactionMessage: { key: keyOf(id), text } })),
    edits: (id, text) => correct(id, MESSAGE_EDIT, { conversation: text }),
    deletes: (id) => correct(id, REVOKE),
    picks: async (nth) => void (await person.sendText(account, String(nth))),
    listMessages: async () =>
      received
        .filter(({ message }) => !message.protocolMessage && !message.reactionMessage)
        .map((one) => shownNow(one)),
    async reactionTo(id) {
      const last = received.findLast(({ message }) => message.reactionMessage?.key?.id === id)
      return last?.message.reactionMessage?.text ?? ''
    },
    async fileOf(id) {
      const found = received.find((message) => message.id === id)
      return found ? person.download(found.message) : Buffer.alloc(0)
    },
    async reads() {
      const ids = received.map(({ id }) => id)
      if (ids.length) person.sendReceipt(account, ids, 'read', { addressing: 'pn' })
    },
  }
}

function toCustomerPhoneMessage({ id, message }: ReceivedMessage): Omit<CustomerPhoneMessage, 'isDeleted'> {
  const { extendedTextMessage: text, imageMessage: image, locationMessage: place, contactMessage: card } = message
  const context = text?.contextInfo ?? image?.contextInfo
  const kind = image ? 'image' : place ? 'location' : card ? 'contact' : message.conversation || text ? 'text' : 'other'
  const words = message.conversation || text?.text || image?.caption || place?.name || card?.displayName || ''
  return { id, kind, body: words, quotedId: context?.stanzaId ?? null }
}

/** A line on Meta's official API, with a fake Meta server. */
export async function openCloudCounter(graph: FakeGraph, admin: TestUser): Promise<CustomerLine> {
  const line = await openCloudLine(admin, graph)
  await line.waitForStatus('CONNECTED')
  return {
    id: line.id,
    unsupported: await loadCannot(admin, line.id),
    interrupt: async () => void graph.troubles.push({ kind: 'refuse', status: 500, code: 131000 }),
    customer: (name) => makeCloudCustomer(graph, line, nextPhoneNumber(), name),
  }
}

type CloudBody = {
  to?: string
  type?: string
  text?: { body: string }
  image?: { id: string; caption?: string }
  location?: { name: string }
  contacts?: { name: { formatted_name: string } }[]
  reaction?: { message_id: string; emoji: string }
  context?: { message_id: string }
  interactive?: { body: { text: string }; action: { buttons?: CloudButton[]; sections?: { rows: CloudRow[] }[] } }
  biz_opaque_callback_data?: string
}
type CloudRow = { id: string; title: string }
type CloudButton = { reply: CloudRow }

function makeCloudCustomer(
  graph: FakeGraph,
  line: Awaited<ReturnType<typeof openCloudLine>>,
  number: string,
  name: string,
): Customer {
  const phone = line.customer(number, name)
  const cannot = () => Promise.reject(new Error('Meta does not tell'))
  const all = () =>
    graph.acceptedSends
      .map(({ wamid, body }) => ({ wamid, body: body as CloudBody }))
      .filter(({ body }) => body.to === number)
  const sentMessages = () => all().filter(({ body }) => body.type !== 'reaction')
  return {
    number,
    says: (text, quotedId) => phone.says(text, quotedId ? { context: { id: quotedId } } : {}),
    sends: ({ bytes, mime, name: file }, caption) =>
      phone.sends({ type: 'image', image: { id: graph.storeFile(bytes, mime, file), mime_type: mime, caption } }),
    reacts: async (id, emoji) => void (await phone.sends({ type: 'reaction', reaction: { message_id: id, emoji } })),
    edits: cannot,
    deletes: cannot,
    async picks(nth) {
      const { buttons, sections } =
        sentMessages().findLast(({ body }) => body.interactive)?.body.interactive?.action ?? {}
      const [button, row] = [buttons?.[nth - 1]?.reply, sections?.flatMap(({ rows }) => rows)[nth - 1]]
      const interactive = button
        ? { type: 'button_reply', button_reply: button }
        : { type: 'list_reply', list_reply: row }
      await phone.sends({ type: 'interactive', interactive })
    },
    listMessages: async () =>
      sentMessages().map(({ wamid, body }) => ({
        id: wamid,
        kind: body.interactive
          ? 'text'
          : body.contacts
            ? 'contact'
            : (kinds.find((one) => body[one as 'text']) ?? 'other'),
        body: cloudTextOf(body),
        quotedId: body.context?.message_id ?? null,
        isDeleted: false,
      })),
    reactionTo: async (id) =>
      all().findLast(({ body }) => body.reaction?.message_id === id)?.body.reaction?.emoji ?? '',
    async fileOf(id) {
      const file = sentMessages().find(({ wamid }) => wamid === id)?.body.image?.id ?? ''
      return graph.files.get(file)?.bytes ?? Buffer.alloc(0)
    },
    async reads() {
      for (const one of sentMessages())
        for (const status of ['delivered', 'read']) await line.deliverChanges(line.status(one as never, status))
    },
  }
}

const cloudTextOf = ({ text, interactive, image, location, contacts }: CloudBody): string =>
  text?.body ?? interactive?.body.text ?? image?.caption ?? location?.name ?? contacts?.[0]?.name.formatted_name ?? ''
