import { randomBytes } from 'node:crypto'
import { type BinaryNode, encodeBigEndian, QueryIds } from 'baileys'
import { reachOutLockState } from './account-notifications.ts'
import type { LinkedDevice } from './accounts.ts'
import type { Directory } from './directory.ts'
import type { Group } from './group.ts'
import { preKeyResult, syncCollection, usyncResult } from './lookups.ts'
import type { MediaServer } from './media.ts'
import {
  bundleNodes,
  childNode,
  childNodes,
  createNode,
  nodeUint,
  parsePreKey,
  parseSignedPreKey,
  unixNow,
} from './nodes.ts'

export type IqContext = {
  device: LinkedDevice
  directory: Directory
  media: MediaServer
  groups: Map<string, Group>
  /** Which requests are refused, with their error codes. */
  refusalCodes: Map<string, number>
  /** The account's app-state patches, by collection. */
  appState: Map<string, Uint8Array[]>
  onActive(): void
  onLogout(): void
}

/** Children of the result, or an error code. */
type IqReply = BinaryNode[] | { error: number; text: string }
type IqHandler = (iq: BinaryNode, context: IqContext) => IqReply

const NOT_IMPLEMENTED = { error: 501, text: 'feature-not-implemented' }
const ok: IqHandler = () => []

function storePreKeys(iq: BinaryNode, { device }: IqContext): IqReply {
  device.registrationId = nodeUint(childNode(iq, 'registration'))
  device.signedPreKey = parseSignedPreKey(childNode(iq, 'skey'))
  device.preKeys.push(...childNodes(childNode(iq, 'list')).map(parsePreKey))
  return []
}

/** Handlers of client requests, by "xmlns type child". */
const iqHandlers: Record<string, IqHandler> = {
  'w:p get ping': ok,
  'w:stats undefined add': ok,
  'urn:xmpp:whatsapp:dirty set clean': ok,
  'urn:xmpp:whatsapp:push set config': ok,
  'privacy set privacy': ok,
  'status set status': ok,
  'disappearing_mode set disappearing_mode': ok,
  'w:profile:picture set picture': ok,
  'blocklist set item': ok,

  'passive set active': (_iq, { onActive }) => {
    queueMicrotask(onActive)
    return []
  },
  'passive set passive': ok,

  'md set remove-companion-device': (_iq, { onLogout }) => {
    queueMicrotask(onLogout)
    return []
  },

  'encrypt get count': (_iq, { device }) => [createNode('count', { value: device.preKeys.length })],
  'encrypt get digest': (_iq, { device }) => [
    createNode('digest', {}, [
      ...bundleNodes(device.peekBundle()),
      createNode(
        'list',
        {},
        device.preKeys.map(({ id }) => createNode('id', {}, encodeBigEndian(id, 3))),
      ),
      createNode('hash', {}, randomBytes(20)), // Clients do not verify this hash.
    ]),
  ],
  'encrypt set registration': storePreKeys, // The order of children that Baileys sends.
  'encrypt set identity': storePreKeys, // The order of children that other clients send.
  'encrypt set rotate': (iq, { device }) => {
    device.signedPreKey = parseSignedPreKey(childNode(childNode(iq, 'rotate'), 'skey'))
    return []
  },
  'encrypt get key': (iq, { directory }) => [
    createNode(
      'list',
      {},
      childNodes(childNode(iq, 'key')).map((user) => preKeyResult(user.attrs.jid ?? '', directory)),
    ),
  ],

  'abt get props': () => [
    createNode('props', { protocol: '1', ab_key: 'local', hash: 'local', refresh: '86400' }, [
      createNode('prop', { config_code: '10518', config_value: '1' }),
    ]),
  ],
  'blocklist get undefined': () => [createNode('list', { dhash: String(unixNow()) })],
  'privacy get privacy': () => [
    createNode(
      'privacy',
      {},
      ['readreceipts', 'profile', 'status', 'online', 'last', 'groupadd', 'calladd'].map((name) =>
        createNode('category', { name, value: 'all' }),
      ),
    ),
  ],
  'w:mex get query': (iq, { device }) => {
    const { reachOutLockEnds: ends } = device.account
    if (childNode(iq, 'query')?.attrs.query_id !== QueryIds.REACHOUT_TIMELOCK) return NOT_IMPLEMENTED
    const data = { xwa2_fetch_account_reachout_timelock: reachOutLockState(ends) }
    return [createNode('result', {}, Buffer.from(JSON.stringify({ data })))]
  },
  'privacy set tokens': () => [createNode('tokens')],
  'w:profile:picture get picture': (iq, { directory, media }) => {
    const picture = directory.find(iq.attrs.target)?.account.picture
    if (!picture) return { error: 404, text: 'item-not-found' }
    return [createNode('picture', { id: '1', type: 'image', url: media.url(picture), direct_path: picture })]
  },
  'w:biz get business_profile': () => [createNode('business_profile', { v: '244' })],

  'usync get usync': (iq, { directory }) => {
    const usync = childNode(iq, 'usync')
    const protocols = childNodes(childNode(usync, 'query')).map((protocol) => protocol.tag)
    const users = childNodes(childNode(usync, 'list')).map((user) => usyncResult(user, protocols, directory))
    return [
      createNode('usync', { ...usync?.attrs }, [
        createNode(
          'result',
          {},
          protocols.map((protocol) => createNode(protocol)),
        ),
        createNode('list', {}, users),
      ]),
    ]
  },

  'w:g2 get query': (iq, { groups }) => {
    const group = groups.get(iq.attrs.to ?? '')
    return group ? [group.metadata()] : { error: 404, text: 'item-not-found' }
  },
  'w:g2 get participating': (_iq, { groups, device }) => {
    const mine = [...groups.values()].filter((group) => group.members.includes(device.account))
    return [
      createNode(
        'groups',
        {},
        mine.map((group) => group.metadata()),
      ),
    ]
  },

  'w:m set media_conn': (_iq, { media }) => [
    createNode('media_conn', { auth: 'local-auth', ttl: 300, auth_ttl: 21600, max_buckets: 12 }, [
      createNode('host', { hostname: media.host, type: 'primary', maxContentLengthBytes: 2 ** 30 }),
    ]),
  ],

  'w:sync:app:state set sync': (iq, { appState }) => [
    createNode(
      'sync',
      {},
      childNodes(childNode(iq, 'sync')).map((collection) => syncCollection(collection, appState)),
    ),
  ],
}

export function answerIq(iq: BinaryNode, context: IqContext): { reply: BinaryNode; isKnown: boolean } {
  const key = `${iq.attrs.xmlns} ${iq.attrs.type} ${childNodes(iq)[0]?.tag}`
  const handler = iqHandlers[key]
  const refused = context.refusalCodes.get(key)
  const result = refused ? { error: refused, text: 'refused' } : (handler?.(iq, context) ?? NOT_IMPLEMENTED)
  const attrs = { id: iq.attrs.id, from: iq.attrs.to ?? 's.whatsapp.net' }
  const reply = Array.isArray(result)
    ? createNode('iq', { ...attrs, type: 'result' }, result.length ? result : undefined)
    : createNode('iq', { ...attrs, type: 'error' }, [createNode('error', { code: result.error, text: result.text })])
  return { reply, isKnown: handler !== undefined }
}
