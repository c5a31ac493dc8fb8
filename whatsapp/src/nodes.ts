import { randomBytes } from 'node:crypto'
import { type BinaryNode, encodeBigEndian, getAllBinaryNodeChildren, getBinaryNodeChild } from 'baileys'
import type { PreKeyBundle } from './signal-device.ts'

export const SERVER_JID = 's.whatsapp.net'

type Attrs = Record<string, string | number | undefined>

/** A stanza of WhatsApp's binary XML; attributes with undefined values are omitted. */
export function createNode(tag: string, attrs: Attrs = {}, content?: BinaryNode['content']): BinaryNode {
  const clean: BinaryNode['attrs'] = {}
  for (const [key, value] of Object.entries(attrs)) {
    if (value !== undefined) clean[key] = String(value)
  }
  return content === undefined ? { tag, attrs: clean } : { tag, attrs: clean, content }
}

export function childNodes(parent: BinaryNode | undefined): BinaryNode[] {
  return parent ? getAllBinaryNodeChildren(parent) : []
}

export function childNode(parent: BinaryNode | undefined, tag: string): BinaryNode | undefined {
  return getBinaryNodeChild(parent, tag)
}

export function nodeBytes(of: BinaryNode | undefined): Buffer {
  const content = of?.content
  if (content instanceof Uint8Array) return Buffer.from(content)
  if (typeof content === 'string') return Buffer.from(content)
  throw new Error(`node <${of?.tag ?? 'missing'}> has no bytes`)
}

export function nodeUint(of: BinaryNode | undefined): number {
  const data = nodeBytes(of)
  return data.readUIntBE(0, data.length)
}

export const unixNow = (): number => Math.floor(Date.now() / 1000)
export const newStanzaId = (): string => randomBytes(8).toString('hex').toUpperCase()

const KEY_TYPE = Buffer.from([5])

/** The children that describe a pre-key bundle in `<user>` results and `<keys>` of retries. */
export function bundleNodes(bundle: PreKeyBundle): BinaryNode[] {
  const out = [
    createNode('registration', {}, encodeBigEndian(bundle.registrationId, 4)),
    createNode('type', {}, KEY_TYPE),
    createNode('identity', {}, bundle.identity),
    createNode('skey', {}, [
      createNode('id', {}, encodeBigEndian(bundle.signedPreKey.id, 3)),
      createNode('value', {}, bundle.signedPreKey.publicKey),
      createNode('signature', {}, bundle.signedPreKey.signature),
    ]),
  ]
  if (bundle.preKey) {
    out.push(
      createNode('key', {}, [
        createNode('id', {}, encodeBigEndian(bundle.preKey.id, 3)),
        createNode('value', {}, bundle.preKey.publicKey),
      ]),
    )
  }
  return out
}

export function parseSignedPreKey(skey: BinaryNode | undefined): PreKeyBundle['signedPreKey'] {
  return {
    id: nodeUint(childNode(skey, 'id')),
    publicKey: nodeBytes(childNode(skey, 'value')),
    signature: nodeBytes(childNode(skey, 'signature')),
  }
}

export function parsePreKey(key: BinaryNode): NonNullable<PreKeyBundle['preKey']> {
  return { id: nodeUint(childNode(key, 'id')), publicKey: nodeBytes(childNode(key, 'value')) }
}
