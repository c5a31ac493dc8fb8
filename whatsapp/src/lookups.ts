import { type BinaryNode, proto } from 'baileys'
import type { Account } from './accounts.ts'
import type { Directory } from './directory.ts'
import { bundleNodes, childNode, createNode, nodeBytes, unixNow } from './nodes.ts'

/** The keys needed to write to a device for the first time. */
export function preKeyResult(jid: string, directory: Directory): BinaryNode {
  const { account, device = 0 } = directory.find(jid) ?? {}
  const bundle = account?.person.devices.get(device)?.publish() ?? account?.linkedDevices.get(device)?.takeBundle()
  if (!bundle) return createNode('user', { jid }, [createNode('error', { code: 404, text: 'item-not-found' })])
  return createNode('user', { jid, t: unixNow() }, bundleNodes(bundle))
}

/** Directory data of a person: whether they are registered, their LID, their devices. */
export function usyncResult(user: BinaryNode, protocols: string[], directory: Directory): BinaryNode {
  const contact = childNode(user, 'contact')
  const phone = contact?.content === undefined ? undefined : nodeBytes(contact).toString().replace(/\D/g, '')
  const jid = user.attrs.jid ?? `${phone}@s.whatsapp.net`
  const account = directory.find(jid)?.account
  const answers = protocols.map((protocol) => usyncAnswer(protocol, jid, account)).filter((one) => one !== undefined)
  return createNode('user', { jid }, answers)
}

function usyncAnswer(protocol: string, jid: string, account: Account | undefined): BinaryNode | undefined {
  if (protocol === 'contact') return createNode('contact', { type: account ? 'in' : 'out' })
  if (!account) return
  switch (protocol) {
    case 'lid':
      return jid.endsWith('@lid') ? undefined : createNode('lid', { val: account.jid('lid') })
    case 'devices': {
      const devices = account.deviceIds.map((id) => createNode('device', { id, 'key-index': id || undefined }))
      return createNode('devices', {}, [
        createNode('device-list', {}, devices),
        createNode('key-index-list', { ts: unixNow() }),
      ])
    }
    case 'status':
      return createNode('status', { t: unixNow() }, Buffer.from('local'))
    case 'disappearing_mode':
      return createNode('disappearing_mode', { duration: 0, t: unixNow() })
  }
}

/** The account's app state is a list of patches: appends a patch, or returns the patches the client has not seen. */
export function syncCollection(collection: BinaryNode, appState: Map<string, Uint8Array[]>): BinaryNode {
  const name = collection.attrs.name ?? ''
  const patches = appState.get(name) ?? []
  appState.set(name, patches)
  const upload = childNode(collection, 'patch')
  if (upload) {
    const patch = proto.SyncdPatch.decode(nodeBytes(upload))
    patch.version = { version: patches.length + 1 }
    patches.push(proto.SyncdPatch.encode(patch).finish())
    return createNode('collection', { name, version: patches.length })
  }
  const missing = patches.slice(Number(collection.attrs.version ?? 0)).map((patch) => createNode('patch', {}, patch))
  const content = missing.length ? [createNode('patches', {}, missing)] : undefined
  return createNode('collection', { name, version: patches.length }, content)
}
