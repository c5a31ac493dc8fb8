/** What the service tells those who know somebody whose account changed. */
import type { BinaryNode } from 'baileys'
import type { Account } from './accounts.ts'
import { node, stanzaId, unixNow } from './nodes.ts'

export function notice(
  from: string,
  type: string,
  content: BinaryNode[],
  more: Record<string, string> = {},
): BinaryNode {
  return node('notification', { id: stanzaId(), from, type, t: unixNow(), ...more }, content)
}

function tell(known: Account[], stanza: BinaryNode): void {
  for (const device of known.flatMap((account) => [...account.linked.values()])) device.deliver(stanza)
}

export function newDevice(account: Account, id: number, known: Account[]): void {
  const device = node('device', { jid: account.jid('lid', id), 'key-index': id })
  tell(known, notice(account.jid('lid'), 'devices', [node('add', { device_hash: '2:local' }, [device])]))
}

export function identityChanged(account: Account, known: Account[]): void {
  tell(known, notice(account.jid('lid'), 'encrypt', [node('identity')]))
}

export function newPicture(account: Account, known: Account[]): void {
  tell(known, notice(account.jid('lid'), 'picture', [node('set', { id: unixNow(), jid: account.jid('lid') })]))
}
