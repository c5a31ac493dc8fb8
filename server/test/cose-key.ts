import type { KeyObject } from 'node:crypto'

const byteString = (base64url = '') => {
  const bytes = Buffer.from(base64url, 'base64url')
  const head = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from(head), bytes])
}
/** The key as an authenticator writes it: a canonical CBOR map. */
export function coseKey(publicKey: KeyObject, algorithm: number): Buffer {
  const { x, y, n, e } = publicKey.export({ format: 'jwk' })
  const hex = (text: string) => Buffer.from(text, 'hex')
  if (algorithm === -7)
    return Buffer.concat([hex('a5010203262001'), hex('21'), byteString(x), hex('22'), byteString(y)])
  if (algorithm === -8) return Buffer.concat([hex('a4010103272006'), hex('21'), byteString(x)])
  const exponent = Buffer.from(e ?? '', 'base64url')
  return Buffer.concat([hex('a4010303390100'), hex('20'), byteString(n), hex('2143'), exponent])
}
