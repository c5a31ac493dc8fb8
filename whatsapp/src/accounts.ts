import { randomInt } from 'node:crypto'
import { jidDecode, jidEncode } from 'baileys'
import type { LinkedDevice } from './linked-device.ts'
import type { Person } from './person.ts'

/** By telephone number, or by the LID that WhatsApp gives to those who hide it. */
export type Addressing = 'pn' | 'lid'

export const otherAddressing = (addressing: Addressing): Addressing => (addressing === 'lid' ? 'pn' : 'lid')
export const addressingOf = (jid: string | undefined): Addressing => (jid?.endsWith('@s.whatsapp.net') ? 'pn' : 'lid')

export class Account {
  readonly phoneNumber: string
  readonly lidUser = `${randomInt(1e11, 1e12)}${randomInt(100, 999)}`
  readonly pushName: string
  /** Set for accounts of the WhatsApp Business app: the client then learns its own name when it is linked. */
  businessName: string | undefined
  /** Path of the profile picture on the media server. */
  picture: string | undefined
  /** Linking ends at a passkey, which only a browser can answer. */
  demandsPasskey = false
  /** Whose devices we play ourselves. */
  person!: Person
  /** Run by the real client under test. */
  readonly linked = new Map<number, LinkedDevice>()
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
    return [...this.person.devices.keys(), ...this.linked.keys()]
  }
}

export class Directory {
  readonly accounts = new Set<Account>()
  readonly #byUser = new Map<string, Account>()

  add(account: Account): void {
    if (this.#byUser.has(account.phoneNumber)) throw new Error(`${account.phoneNumber} exists`)
    this.accounts.add(account)
    this.#byUser.set(account.phoneNumber, account)
    this.#byUser.set(account.lidUser, account)
  }

  find(jid: string | undefined): { account: Account; device: number } | undefined {
    const decoded = jidDecode(jid)
    const account = decoded && this.#byUser.get(decoded.user)
    return account && { account, device: decoded.device ?? 0 }
  }
}
