import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import {
  type AnyMediaMessageContent,
  type BinaryNode,
  downloadContentFromMessage,
  encodeWAMessage,
  generateMessageIDV2,
  type MediaType,
  prepareWAMessageMedia,
  type proto,
} from 'baileys'
import { notifyIdentityChanged, notifyNewDevice, notifyNewPicture } from './account-notifications.ts'
import type { Account, AccountPlayer, LinkedDevice, PersonEvents } from './accounts.ts'
import type { Addressing } from './addressing.ts'
import {
  corruptStanza,
  encryptFor,
  encryptMessageTo,
  encryptOwnCopy,
  mediaTypeOf,
  type Sender,
  stanzaTypeOf,
} from './envelope.ts'
import type { Group } from './group.ts'
import type { OlderHistory } from './history.ts'
import type { MediaServer } from './media.ts'
import { MessageReader, type ReadingPerson, type SendOptions } from './message-reader.ts'
import { createNode, unixNow } from './nodes.ts'
import { type PairingQr, parseQr, signDeviceIdentity } from './pairing.ts'
import { SignalDevice } from './signal-device.ts'

/** The parts of the service that a person needs. */
export type PersonHost = {
  media: MediaServer
  link(qr: PairingQr, account: Account, sealedIdentity: Uint8Array): Promise<LinkedDevice>
  linkByCode(code: string, account: Account): Promise<LinkedDevice>
}

/** A simulated phone user: the owner who scans the QR, or a customer. */
export class Person extends EventEmitter<PersonEvents> implements AccountPlayer, ReadingPerson {
  readonly account: Account
  /** The devices by id. The phone is device 0; the others are simulated companions. */
  readonly devices = new Map<number, SignalDevice>([[0, new SignalDevice()]])
  /** Whether every decrypted message is confirmed, as on a real phone. */
  autoDeliveryReceipts = true
  /** Messages this person sent, for recipients that could not decrypt a message and request a resend. */
  readonly sent = new Map<string, { to: Account; message: proto.IMessage; options: SendOptions }>()
  /** The source of older messages, used when a companion requests them. */
  olderHistory:
    | ((
        asked: proto.Message.PeerDataOperationRequestMessage.IHistorySyncOnDemandRequest,
      ) => OlderHistory | Promise<OlderHistory>)
    | undefined
  readonly host: PersonHost
  readonly #reading: MessageReader

  constructor(account: Account, host: PersonHost) {
    super()
    this.account = account
    this.host = host
    this.#reading = new MessageReader(this)
  }

  /** The phone's keys. */
  get signal(): SignalDevice {
    return this.deviceKeys(0)
  }

  deviceKeys(device: number): SignalDevice {
    const found = this.devices.get(device)
    if (!found) throw new Error(`${this.account.phoneNumber} plays no device ${device}`)
    return found
  }

  /** Scans the QR shown by a client; resolves when the client has countersigned. */
  async scan(qrText: string): Promise<LinkedDevice> {
    return this.link(parseQr(qrText))
  }

  /** Types the eight characters that a client shows instead of a QR. */
  enterPairingCode(code: string): Promise<LinkedDevice> {
    return this.host.linkByCode(code, this.account)
  }

  async link(qr: PairingQr): Promise<LinkedDevice> {
    const identity = signDeviceIdentity(this.signal.identity, qr, this.account.nextDeviceId)
    return this.host.link(qr, this.account, identity)
  }

  /** Links a simulated companion. The contacts of this person are notified. */
  addDevice(contacts: Account[]): number {
    const id = this.account.nextDeviceId++
    this.devices.set(id, new SignalDevice())
    notifyNewDevice(this.account, id, contacts)
    return id
  }

  /** Simulates a new phone or a reinstalled app: new keys, no history, no companions. */
  reinstall(contacts: Account[]): void {
    this.devices.clear()
    this.devices.set(0, new SignalDevice())
    notifyIdentityChanged(this.account, contacts)
  }

  setPicture(jpeg: Buffer, contacts: Account[]): void {
    this.account.picture = this.host.media.put(`picture-${randomBytes(8).toString('hex')}`, jpeg)
    notifyNewPicture(this.account, contacts)
  }

  sendText(to: Account, text: string, options?: SendOptions): Promise<string> {
    return this.send(to, { conversation: text }, options)
  }

  async sendMedia(to: Account, content: AnyMediaMessageContent, options?: SendOptions): Promise<string> {
    const { media } = this.host
    const message = await prepareWAMessageMedia(content, {
      upload: async (filePath, { fileEncSha256B64 }) => {
        const directPath = media.put(Buffer.from(fileEncSha256B64, 'base64').toString('hex'), await readFile(filePath))
        return { mediaUrl: media.url(directPath), directPath }
      },
    })
    return this.send(to, message, options)
  }

  async send(to: Account, message: proto.IMessage, options: SendOptions = {}): Promise<string> {
    const id = options.id ?? generateMessageIDV2()
    this.sent.set(id, { to, message, options: { ...options, id } })
    to.writers.add(this.account)
    const sender = this.sender(options)
    for (const device of to.linkedDevices.values()) {
      const stanza = await encryptMessageTo(device, sender, id, message)
      device.deliver(options.isGarbled ? corruptStanza(stanza) : stanza)
    }
    for (const device of this.account.linkedDevices.values())
      device.deliver(await encryptOwnCopy(device, sender, to, id, message))
    return id
  }

  sender({ device = 0, addressing = 'lid' }: SendOptions = {}): Sender {
    return { account: this.account, device, signal: this.deviceKeys(device), addressing }
  }

  async sendToGroup(group: Group, message: proto.IMessage): Promise<string> {
    const id = generateMessageIDV2()
    const { ciphertext, distribution } = await this.signal.encryptForGroup(group.jid, encodeWAMessage(message))
    const keyMessage = {
      senderKeyDistributionMessage: { groupId: group.jid, axolotlSenderKeyDistributionMessage: distribution },
    }
    const attrs = {
      id,
      from: group.jid,
      participant: this.account.jid('lid'),
      participant_pn: this.account.jid('pn'),
      addressing_mode: 'lid',
      type: stanzaTypeOf(message),
      t: unixNow(),
      notify: this.account.pushName,
    }
    const skmsg = createNode('enc', { v: '2', type: 'skmsg', mediatype: mediaTypeOf(message) }, ciphertext)
    for (const device of group.members.flatMap((member) => [...member.linkedDevices.values()]))
      device.deliver(createNode('message', attrs, [await encryptFor(this.signal, device, keyMessage), skmsg]))
    return id
  }

  /** Encrypts without delivering, for load tests that must not measure the sender. */
  encryptOnly(device: LinkedDevice, message: proto.IMessage, options?: SendOptions): Promise<BinaryNode> {
    return encryptMessageTo(device, this.sender(options), generateMessageIDV2(), message)
  }

  sendReceipt(
    to: Account,
    ids: string[],
    type?: 'read' | 'played',
    options: SendOptions = {},
    groupJid?: string,
  ): void {
    const [id, ...more] = ids
    const items = more.map((item) => createNode('item', { id: item }))
    const self = this.account.jid(options.addressing ?? 'lid', options.device)
    const attrs = { id, from: groupJid ?? self, participant: groupJid && self, type, t: unixNow() }
    for (const device of to.linkedDevices.values())
      device.deliver(createNode('receipt', attrs, items.length ? [createNode('list', {}, items)] : undefined))
  }

  /** Requests a resend of this id, like a device that lost the message in a crash. */
  requestRetry(of: Account, id: string, { addressing = 'lid', device = 0 }: SendOptions = {}): void {
    for (const linked of of.linkedDevices.values()) this.#reading.requestRetry(linked, id, addressing, device)
  }

  setTyping(to: Account, state: 'composing' | 'paused', addressing: Addressing = 'lid'): void {
    for (const device of to.linkedDevices.values())
      device.push(createNode('chatstate', { from: this.account.jid(addressing) }, [createNode(state)]))
  }

  /** Calls the account; returns the id of the call. */
  call(to: Account, options: { video?: boolean; addressing?: Addressing } = {}): string {
    const id = randomBytes(16).toString('hex').toUpperCase()
    const from = this.account.jid(options.addressing ?? 'lid')
    const attrs = { 'call-id': id, 'call-creator': from, caller_pn: this.account.jid('pn') }
    const offer = createNode('offer', attrs, options.video ? [createNode('video')] : [])
    for (const device of to.linkedDevices.values())
      device.deliver(createNode('call', { id, from, t: unixNow() }, [offer]))
    return id
  }

  /** Handles a stanza that a linked device sent to one of this person's devices. */
  receive(from: LinkedDevice, stanza: BinaryNode, enc: BinaryNode, device: number): void {
    this.#reading.receive(from, stanza, enc, device)
  }

  receiveReceipt(from: LinkedDevice, stanza: BinaryNode): void {
    this.#reading.receiveReceipt(from, stanza)
  }

  /** Downloads and decrypts the file of a received message. */
  async download(message: proto.IMessage): Promise<Buffer> {
    const type = mediaTypeOf(message)
    const content = type && message[`${type}Message` as 'imageMessage']
    if (!content) throw new Error('the message has no file')
    return buffer(await downloadContentFromMessage(content, type as MediaType))
  }
}
