/** Notifications to the contacts of an account that changed: a new device, new keys or a new picture. */
import type { BinaryNode } from 'baileys'
import type { Account } from './accounts.ts'
import { createNode, newStanzaId, unixNow } from './nodes.ts'

export function notificationStanza(
  from: string,
  type: string,
  content: BinaryNode[],
  extraAttrs: Record<string, string> = {},
): BinaryNode {
  return createNode('notification', { id: newStanzaId(), from, type, t: unixNow(), ...extraAttrs }, content)
}

function deliverToLinked(contacts: Account[], stanza: BinaryNode): void {
  for (const device of contacts.flatMap((account) => [...account.linkedDevices.values()])) device.deliver(stanza)
}

export function notifyNewDevice(account: Account, id: number, contacts: Account[]): void {
  const device = createNode('device', { jid: account.jid('lid', id), 'key-index': id })
  deliverToLinked(
    contacts,
    notificationStanza(account.jid('lid'), 'devices', [createNode('add', { device_hash: '2:local' }, [device])]),
  )
}

export function notifyIdentityChanged(account: Account, contacts: Account[]): void {
  deliverToLinked(contacts, notificationStanza(account.jid('lid'), 'encrypt', [createNode('identity')]))
}

export function notifyNewPicture(account: Account, contacts: Account[]): void {
  deliverToLinked(
    contacts,
    notificationStanza(account.jid('lid'), 'picture', [createNode('set', { id: unixNow(), jid: account.jid('lid') })]),
  )
}

/** The state of the lock as WhatsApp writes it. */
export const reachOutLockState = (ends: Date | undefined) => ({
  is_active: ends !== undefined && ends > new Date(),
  ...(ends && { time_enforcement_ends: String(Math.floor(ends.getTime() / 1000)) }),
  enforcement_type: ends ? 'WEB_COMPANION_ONLY' : 'DEFAULT',
})

/** Tells the devices of an account that it is locked out of writing to strangers, or no longer. */
export function notifyReachOutLock(account: Account): void {
  const data = { xwa2_notify_account_reachout_timelock: reachOutLockState(account.reachOutLockEnds) }
  const update = createNode(
    'update',
    { op_name: 'NotificationUserReachoutTimelockUpdate' },
    Buffer.from(JSON.stringify({ data })),
  )
  deliverToLinked([account], notificationStanza(account.jid('lid'), 'mex', [update]))
}
