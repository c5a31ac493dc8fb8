import { jidDecode } from 'baileys'
import type { Account } from './accounts.ts'

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
