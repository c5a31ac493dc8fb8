import type { EventEmitter } from 'node:events'
import { type BinaryNode, proto, unpadRandomMax16 } from 'baileys'
import type { Account, LinkedDevice, PersonEvents, ReceivedMessage } from './accounts.ts'
import { type Addressing, addressingOf } from './addressing.ts'
import { encryptMessageTo, type Sender } from './envelope.ts'
import { type OlderHistory, sendOlderHistory } from './history.ts'
import type { MediaServer } from './media.ts'
import {
  bundleNodes,
  childNode,
  childNodes,
  createNode,
  nodeBytes,
  nodeUint,
  parsePreKey,
  parseSignedPreKey,
  unixNow,
} from './nodes.ts'
import { verifyDeviceIdentity } from './pairing.ts'
import type { SignalDevice } from './signal-device.ts'

const { HISTORY_SYNC_ON_DEMAND } = proto.Message.PeerDataOperationRequestType

export type SendOptions = {
  id?: string
  addressing?: Addressing
  device?: number
  /** Whether the message is unreadable the first time; a resend is intact. */
  isGarbled?: boolean
}

/** The parts of a person that `MessageReader` needs. */
export type ReadingPerson = EventEmitter<PersonEvents> & {
  readonly account: Account
  readonly host: { media: MediaServer }
  autoDeliveryReceipts: boolean
  readonly sent: Map<string, { message: proto.IMessage; options: SendOptions }>
  olderHistory:
    | ((
        peerRequest: proto.Message.PeerDataOperationRequestMessage.IHistorySyncOnDemandRequest,
      ) => OlderHistory | Promise<OlderHistory>)
    | undefined
  deviceKeys(device: number): SignalDevice
  sender(options: SendOptions): Sender
  sendReceipt(to: Account, ids: string[], type: undefined, options: SendOptions, groupJid?: string): void
}

/** Reads messages of the client under test as a person: in order, with resend requests for unreadable messages. */
export class MessageReader {
  readonly #person: ReadingPerson
  #work: Promise<void> = Promise.resolve()

  constructor(person: ReadingPerson) {
    this.#person = person
  }

  receive(from: LinkedDevice, stanza: BinaryNode, enc: BinaryNode, device: number): void {
    this.#work = this.#work.then(() => this.#receive(from, stanza, enc, device))
  }

  async #receive(from: LinkedDevice, stanza: BinaryNode, enc: BinaryNode, device: number): Promise<void> {
    const person = this.#person
    const id = stanza.attrs.id ?? ''
    const to = stanza.attrs.to ?? ''
    const groupJid = to.endsWith('@g.us') ? to : undefined
    const addressing = addressingOf(to)
    try {
      const decoded = await this.#open(from, stanza, enc, device)
      if (groupJid && decoded.senderKeyDistributionMessage) return // The group key comes in a separate message, before the actual message.
      if (await this.#isForThePhone(from, decoded, id)) return
      const sent = decoded.deviceSentMessage
      person.emit('message', {
        id,
        from: from.account,
        message: sent?.message ?? decoded,
        ciphertextType: enc.attrs.type as ReceivedMessage['ciphertextType'],
        device,
        ...(groupJid && { groupJid }),
        ...(sent?.destinationJid && { destinationJid: sent.destinationJid }),
      })
      if (person.autoDeliveryReceipts && from.account !== person.account)
        person.sendReceipt(from.account, [id], undefined, { addressing, device }, groupJid)
    } catch (error) {
      person.emit('undecryptable', { id, error: error as Error })
      this.requestRetry(from, id, addressing, device)
    }
  }

  async #open(from: LinkedDevice, stanza: BinaryNode, enc: BinaryNode, device: number): Promise<proto.Message> {
    const signal = this.#person.deviceKeys(device)
    const to = stanza.attrs.to ?? ''
    const type = enc.attrs.type as ReceivedMessage['ciphertextType']
    if (type === 'pkmsg') {
      const identity = nodeBytes(childNode(stanza, 'device-identity'))
      if (!verifyDeviceIdentity(identity, from.identity, from.account.person.signal.identity.public))
        throw new Error('the identity of the sending device does not verify')
    }
    const plaintext =
      type === 'skmsg'
        ? await signal.decryptFromGroup(to, from.signalAddress, nodeBytes(enc))
        : await signal.decrypt(from.signalAddress, type, nodeBytes(enc))
    const decoded = proto.Message.decode(unpadRandomMax16(plaintext))
    const senderKey = decoded.senderKeyDistributionMessage?.axolotlSenderKeyDistributionMessage
    if (senderKey) await signal.acceptSenderKey(to, from.signalAddress, senderKey)
    return decoded
  }

  /** Handles a companion's request to its own phone. */
  async #isForThePhone(from: LinkedDevice, message: proto.Message, id: string): Promise<boolean> {
    const { protocolMessage } = message.deviceSentMessage?.message ?? message
    const peerRequest = protocolMessage?.peerDataOperationRequestMessage
    if (!peerRequest || from.account !== this.#person.account) return false
    const request = peerRequest.historySyncOnDemandRequest
    if (peerRequest.peerDataOperationRequestType === HISTORY_SYNC_ON_DEMAND && request && this.#person.olderHistory) {
      const { requestId = id, ...history } = await this.#person.olderHistory(request)
      await sendOlderHistory(from, this.#person.host.media, history, requestId)
    }
    return true
  }

  /** Asks the sender to encrypt the message again, offering a fresh session. */
  requestRetry(from: LinkedDevice, id: string, addressing: Addressing, device: number): void {
    const signal = this.#person.deviceKeys(device)
    const [registration, ...keys] = bundleNodes(signal.publish())
    signal.forgetSession(from.signalAddress)
    const self = this.#person.account.jid(addressing, device)
    from.deliver(
      createNode('receipt', { id, from: self, type: 'retry', t: unixNow() }, [
        createNode('retry', { count: 1, id, t: unixNow(), v: '1' }),
        ...(registration ? [registration] : []),
        createNode('keys', {}, keys),
      ]),
    )
  }

  receiveReceipt(from: LinkedDevice, stanza: BinaryNode): void {
    const { id, type } = stanza.attrs
    const ids = [id, ...childNodes(childNode(stanza, 'list')).map((item) => item.attrs.id)].filter(
      (one) => one !== undefined,
    )
    if (type === 'retry' && id) void this.#resend(from, stanza, id)
    this.#person.emit('receipt', { from: from.account, ids, type })
  }

  /** The client could not decrypt the message: drops the session, starts a new one, and sends the same id again. */
  async #resend(device: LinkedDevice, stanza: BinaryNode, id: string): Promise<void> {
    const entry = this.#person.sent.get(id)
    if (!entry) return
    const sender = this.#person.sender(entry.options)
    sender.signal.forgetSession(device.signalAddress)
    const keys = childNode(stanza, 'keys')
    if (keys) {
      const key = childNode(keys, 'key')
      await sender.signal.startSession(device.signalAddress, {
        registrationId: nodeUint(childNode(stanza, 'registration')),
        identity: nodeBytes(childNode(keys, 'identity')),
        signedPreKey: parseSignedPreKey(childNode(keys, 'skey')),
        ...(key && { preKey: parsePreKey(key) }),
      })
    }
    const count = Number(childNode(stanza, 'retry')?.attrs.count ?? 1)
    device.deliver(await encryptMessageTo(device, sender, id, entry.message, count))
  }
}
