import { type KeyObject, randomInt } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { type BinaryNode, jidEncode, type proto } from 'baileys'
import type { Addressing } from './addressing.ts'
import type { Connection } from './connection.ts'
import { createNode } from './nodes.ts'
import type { PairingQr } from './pairing.ts'
import type { CiphertextType, PreKeyBundle, SignalDevice } from './signal-device.ts'

/** A passkey that the owner of an account has created, with its public key (ES256). */
export type AccountPasskey = { credentialId: Buffer; publicKey: KeyObject }

export class Account {
  readonly phoneNumber: string
  readonly lidUser = `${randomInt(1e11, 1e12)}${randomInt(100, 999)}`
  readonly pushName: string
  /** Set for accounts of the WhatsApp Business app: the client then gets its own name when it is linked. */
  businessName: string | undefined
  /** Path of the profile picture on the media server. */
  picture: string | undefined
  /** If set, linking requires a signature with this passkey, which only a browser can provide. */
  passkey: AccountPasskey | undefined
  /** Whether the request for a passkey leaves out its options, so that the client has to ask for them. */
  withholdsPasskeyOptions = false
  /** Until when this account may write only to people who wrote to it. */
  reachOutLockEnds: Date | undefined
  /** When the number was registered; undefined: now. */
  registeredAt: Date | undefined
  /** Accounts that have written to this one. */
  readonly writers = new Set<Account>()
  /** The simulated owner of this account's devices. */
  person!: AccountPlayer
  /** The companion devices that the real client under test runs. */
  readonly linkedDevices = new Map<number, LinkedDevice>()
  nextDeviceId = 1

  constructor(phoneNumber: string, pushName: string) {
    this.phoneNumber = phoneNumber
    this.pushName = pushName
  }

  jid(addressing: Addressing, device = 0): string {
    return addressing === 'lid'
      ? jidEncode(this.lidUser, 'lid', device || undefined)
      : jidEncode(this.phoneNumber, 's.whatsapp.net', device || undefined)
  }

  get deviceIds(): number[] {
    return [...this.person.devices.keys(), ...this.linkedDevices.keys()]
  }
}

export type DeviceKeys = {
  noiseKey: Buffer
  identity: Buffer
  registrationId: number
  signedPreKey: PreKeyBundle['signedPreKey']
}

/** A companion device run by the real client under test. */
export class LinkedDevice {
  readonly account: Account
  readonly id: number
  readonly noiseKey: Buffer
  readonly identity: Buffer
  registrationId: number
  signedPreKey: PreKeyBundle['signedPreKey']
  readonly preKeys: NonNullable<PreKeyBundle['preKey']>[] = []
  /** Whether the phone has already sent the initial data. */
  isBootstrapped = false
  #connection: Connection | undefined
  #active = false
  /** Stanzas that were sent but not yet acknowledged; they are replayed as offline stanzas at the next login. */
  readonly #pending = new Map<string, BinaryNode>()

  constructor(account: Account, id: number, keys: DeviceKeys) {
    this.account = account
    this.id = id
    this.noiseKey = keys.noiseKey
    this.identity = keys.identity
    this.registrationId = keys.registrationId
    this.signedPreKey = keys.signedPreKey
  }

  /** The address under which simulated people store their Signal session with this device. */
  get signalAddress(): string {
    return `${this.account.phoneNumber}.${this.id}`
  }

  get connection(): Connection | undefined {
    return this.#connection
  }

  get pendingCount(): number {
    return this.#pending.size
  }

  jid(addressing: Addressing): string {
    return this.account.jid(addressing, this.id)
  }

  takeBundle(): PreKeyBundle {
    const preKey = this.preKeys.shift()
    return { ...this.peekBundle(), ...(preKey && { preKey }) }
  }

  /** The published keys, read without using up a one-time key. */
  peekBundle(): PreKeyBundle {
    return { registrationId: this.registrationId, identity: this.identity, signedPreKey: this.signedPreKey }
  }

  attach(connection: Connection): void {
    this.#connection = connection
    this.#active = false
  }

  detach(connection: Connection): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    this.#active = false
  }

  /** The client reports that it is ready: replays the stanzas it missed. */
  activate(): void {
    this.#active = true
    let index = 0
    for (const stanza of this.#pending.values()) {
      this.#connection?.send({ ...stanza, attrs: { ...stanza.attrs, offline: String(index++) } })
    }
    this.#connection?.send(createNode('ib', { from: 's.whatsapp.net' }, [createNode('offline', { count: index })]))
  }

  /** Delivers at least once: now if the device is online, otherwise at its next login. */
  deliver(stanza: BinaryNode): void {
    this.#pending.set(`${stanza.tag}:${stanza.attrs.id}`, stanza)
    if (this.#active) this.#connection?.send(stanza)
  }

  /** Sends a stanza that may be lost without harm, such as presence or typing. */
  push(stanza: BinaryNode): void {
    if (this.#active) this.#connection?.send(stanza)
  }

  acknowledge(tag: string | undefined, id: string | undefined): void {
    this.#pending.delete(`${tag}:${id}`)
  }
}

export type ReceivedMessage = {
  id: string
  from: Account
  message: proto.IMessage
  ciphertextType: CiphertextType | 'skmsg'
  /** The receiving device of this person. */
  device: number
  groupJid?: string
  /** Set on copies of messages that a companion of the same account sent to another person. */
  destinationJid?: string
}
/** `type` undefined means delivered. */
export type ReceivedReceipt = { from: Account; ids: string[]; type: string | undefined }

export type PersonEvents = {
  message: [ReceivedMessage]
  receipt: [ReceivedReceipt]
  chatstate: [{ from: Account; state: string }]
  /** A client requested linking by code, and shows the code. */
  codeAsked: [{ phoneJid: string }]
  /** The phone shows this code, which the client that is being linked with a passkey must show as well. */
  passkeyCode: [string]
  callRejected: [{ from: Account; callId: string }]
  undecryptable: [{ id: string; error: Error }]
}

/** The simulated owner of an account's devices, as the service uses it. */
export type AccountPlayer = EventEmitter<PersonEvents> & {
  /** The devices by id. The phone is device 0; the others are simulated companions. */
  readonly devices: Map<number, SignalDevice>
  /** The phone's keys. */
  readonly signal: SignalDevice
  /** Messages this person sent, by id. */
  readonly sent: Map<string, { message: proto.IMessage }>
  link(qr: PairingQr): Promise<LinkedDevice>
  receive(from: LinkedDevice, stanza: BinaryNode, enc: BinaryNode, device: number): void
  receiveReceipt(from: LinkedDevice, stanza: BinaryNode): void
}
