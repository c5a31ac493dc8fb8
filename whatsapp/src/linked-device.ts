import type { BinaryNode } from 'baileys'
import type { Account, Addressing } from './accounts.ts'
import type { Connection } from './connection.ts'
import { node } from './nodes.ts'
import type { PreKeyBundle } from './signal-device.ts'

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
  /** The phone has sent it the data of the first login. */
  bootstrapped = false
  #connection: Connection | undefined
  #active = false
  /** Everything sent and not yet acknowledged; replayed as offline stanzas at the next login. */
  readonly #pending = new Map<string, BinaryNode>()

  constructor(account: Account, id: number, keys: DeviceKeys) {
    this.account = account
    this.id = id
    this.noiseKey = keys.noiseKey
    this.identity = keys.identity
    this.registrationId = keys.registrationId
    this.signedPreKey = keys.signedPreKey
  }

  /** Under this name the people we play keep their Signal session with this device. */
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

  /** The published keys, without using up a one-time key. */
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

  /** The client says it is ready: replay what it missed. */
  activate(): void {
    this.#active = true
    let index = 0
    for (const stanza of this.#pending.values()) {
      this.#connection?.send({ ...stanza, attrs: { ...stanza.attrs, offline: String(index++) } })
    }
    this.#connection?.send(node('ib', { from: 's.whatsapp.net' }, [node('offline', { count: index })]))
  }

  /** At least once: now if the device is online, else at its next login. */
  deliver(stanza: BinaryNode): void {
    this.#pending.set(`${stanza.tag}:${stanza.attrs.id}`, stanza)
    if (this.#active) this.#connection?.send(stanza)
  }

  /** Nobody misses it when it is lost: presence, typing. */
  push(stanza: BinaryNode): void {
    if (this.#active) this.#connection?.send(stanza)
  }

  acknowledge(tag: string | undefined, id: string | undefined): void {
    this.#pending.delete(`${tag}:${id}`)
  }
}
