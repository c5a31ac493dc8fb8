import type { BinaryNode } from 'baileys'
import type { LinkedDevice } from './accounts.ts'
import { type Addressing, addressingOf, otherAddressing } from './addressing.ts'
import type { Directory } from './directory.ts'
import type { Group } from './group.ts'
import type { MediaServer } from './media.ts'
import { reuploadMedia } from './media-reupload.ts'
import { childNode, childNodes, createNode, unixNow } from './nodes.ts'

export type Routes = { directory: Directory; groups: Map<string, Group>; media: MediaServer }

/** Routes a client's message to every device it is encrypted for. */
export function routeMessage(routes: Routes, from: LinkedDevice, stanza: BinaryNode) {
  const { to } = stanza.attrs
  for (const target of childNodes(childNode(stanza, 'participants'))) {
    const enc = childNode(target, 'enc')
    if (enc) routeToDevice(routes, from, stanza, target.attrs.jid, enc)
  }
  const direct = childNode(stanza, 'enc')
  if (!direct) return
  const group = routes.groups.get(to ?? '')
  if (!group) return routeToDevice(routes, from, stanza, to, direct)
  for (const member of group.members.filter((one) => one !== from.account))
    for (const id of member.deviceIds) routeToDevice(routes, from, stanza, member.jid('lid', id), direct)
}

function routeToDevice(
  routes: Routes,
  from: LinkedDevice,
  stanza: BinaryNode,
  toJid: string | undefined,
  enc: BinaryNode,
) {
  const target = routes.directory.find(toJid)
  if (!target) return
  const { account, device } = target
  if (account.person.devices.has(device)) return account.person.receive(from, stanza, enc, device)
  account.linkedDevices.get(device)?.deliver(readdressStanza(from, stanza, enc, account === from.account))
}

/** Between two real clients the service only changes the address on the envelope, not its content. */
function readdressStanza(from: LinkedDevice, stanza: BinaryNode, enc: BinaryNode, ownCopy: boolean): BinaryNode {
  const addressing = addressingOf(stanza.attrs.to)
  const other: Addressing = otherAddressing(addressing)
  const identity = childNode(stanza, 'device-identity')
  const attrs = {
    id: stanza.attrs.id,
    from: from.jid(addressing),
    [`sender_${other}`]: from.account.jid(other),
    recipient: ownCopy ? stanza.attrs.to : undefined,
    addressing_mode: addressing,
    type: stanza.attrs.type,
    t: unixNow(),
    notify: from.account.pushName,
  }
  return createNode('message', attrs, identity ? [enc, identity] : [enc])
}

export function routeReceipt(routes: Routes, from: LinkedDevice, stanza: BinaryNode) {
  const { id, to, type } = stanza.attrs
  if (type === 'server-error') return requestReupload(routes, from, stanza)
  if (id && type !== 'read' && type !== 'played') from.acknowledge('message', id)
  const target = routes.directory.find(to)
  if (!target) return
  const { account, device } = target
  if (account.person.devices.has(device)) return account.person.receiveReceipt(from, stanza)
  const { to: _to, ...attrs } = stanza.attrs
  const answered = { ...attrs, from: from.jid(addressingOf(to)), t: String(unixNow()) }
  account.linkedDevices.get(device)?.deliver({ ...stanza, attrs: answered })
}

function requestReupload({ directory, media }: Routes, from: LinkedDevice, stanza: BinaryNode) {
  for (const { person } of directory.accounts) {
    const message = person.sent.get(stanza.attrs.id ?? '')?.message
    if (message) return reuploadMedia(from, stanza, message, media)
  }
}
