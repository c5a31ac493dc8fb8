import { type BinaryNode, encodeWAMessage, type proto } from 'baileys'
import type { Account, LinkedDevice } from './accounts.ts'
import { type Addressing, otherAddressing } from './addressing.ts'
import { childNodes, createNode, nodeBytes, unixNow } from './nodes.ts'
import type { SignalDevice } from './signal-device.ts'

const MEDIA_TYPES = ['image', 'video', 'audio', 'document', 'sticker'] as const

export function mediaTypeOf(message: proto.IMessage): (typeof MEDIA_TYPES)[number] | undefined {
  return MEDIA_TYPES.find((type) => message[`${type}Message`])
}

export const stanzaTypeOf = (message: proto.IMessage): string => (mediaTypeOf(message) ? 'media' : 'text')

/** The sender: account, device, and the kind of address on the envelope. */
export type Sender = { account: Account; device: number; signal: SignalDevice; addressing: Addressing }

/** Encrypts for one device, starting a session if none exists. */
export async function encryptFor(
  signal: SignalDevice,
  device: LinkedDevice,
  message: proto.IMessage,
): Promise<BinaryNode> {
  const address = device.signalAddress
  if (!signal.hasSession(address)) await signal.startSession(address, device.takeBundle())
  const { type, ciphertext } = await signal.encrypt(address, encodeWAMessage(message))
  return createNode('enc', { v: '2', type, mediatype: mediaTypeOf(message) }, ciphertext)
}

/** A message from a customer's device to one device of the account under test. */
export async function encryptMessageTo(
  device: LinkedDevice,
  from: Sender,
  id: string,
  message: proto.IMessage,
  retryCount?: number,
): Promise<BinaryNode> {
  const other = otherAddressing(from.addressing)
  const enc = await encryptFor(from.signal, device, message)
  if (retryCount) enc.attrs.count = String(retryCount)
  return createNode(
    'message',
    {
      id,
      from: from.account.jid(from.addressing, from.device),
      [`sender_${other}`]: from.account.jid(other),
      addressing_mode: from.addressing,
      type: stanzaTypeOf(message),
      t: unixNow(),
      notify: from.account.pushName,
    },
    [enc],
  )
}

/** The copy for the sender's own companions, so that they can show messages written on the phone. */
export async function encryptOwnCopy(
  device: LinkedDevice,
  from: Sender,
  to: Account,
  id: string,
  message: proto.IMessage,
): Promise<BinaryNode> {
  const other = otherAddressing(from.addressing)
  const destinationJid = to.jid(from.addressing)
  return createNode(
    'message',
    {
      id,
      from: from.account.jid(from.addressing),
      recipient: destinationJid,
      [`peer_recipient_${other}`]: to.jid(other),
      addressing_mode: from.addressing,
      type: stanzaTypeOf(message),
      t: unixNow(),
      notify: from.account.pushName,
    },
    [await encryptFor(from.signal, device, { deviceSentMessage: { destinationJid, message } })],
  )
}

/** The same stanza with one bit of its ciphertext flipped. */
export function corruptStanza(stanza: BinaryNode): BinaryNode {
  const content = childNodes(stanza).map((enc) => {
    const spoilt = nodeBytes(enc)
    // Flip a bit near the end, but before the bytes that no checksum covers.
    const at = spoilt.length - 20
    spoilt.writeUInt8(spoilt.readUInt8(at) ^ 1, at)
    return { ...enc, content: spoilt }
  })
  return { ...stanza, content }
}
