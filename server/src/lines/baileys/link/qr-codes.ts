import {
  type AuthenticationCreds,
  type BinaryNode,
  buildPairingQRData,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  S_WHATSAPP_NET,
  type WABrowserDescription,
  type WASocket,
} from 'baileys'

const pairDeviceEvent = 'CB:iq,type:set,pair-device'
const firstQrMs = 60_000
const nextQrMs = 20_000

type QrCodeDeps = {
  sock: WASocket
  creds: AuthenticationCreds
  browser: WABrowserDescription
  /** How long each code is valid, for tests. */
  qrMs: number | undefined
  /** Called when the last code has expired. */
  onExpired(): void
}

/**
 * Shows one QR code after another, in place of the library. The library's own timer cannot be stopped: it would end the
 * connection while a person signs with a passkey.
 */
export function showQrCodes({ sock, creds, browser, qrMs, onExpired }: QrCodeDeps): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const toBase64 = (key: Uint8Array) => Buffer.from(key).toString('base64')

  async function receiveRefs(stanza: BinaryNode): Promise<void> {
    await sock.sendNode({ tag: 'iq', attrs: { to: S_WHATSAPP_NET, type: 'result', id: stanza.attrs.id as string } })
    const refs = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'pair-device'), 'ref').map(({ content }) =>
      Buffer.from(content as Uint8Array).toString('utf8'),
    )
    showNext(refs, qrMs ?? firstQrMs)
  }
  function showNext([ref, ...rest]: string[], validMs: number): void {
    if (isStopped || !sock.ws.isOpen) return
    if (ref === undefined) {
      onExpired()
      return
    }
    const { noiseKey, signedIdentityKey, advSecretKey } = creds
    const keys = [toBase64(noiseKey.public), toBase64(signedIdentityKey.public)] as const
    sock.ev.emit('connection.update', { qr: buildPairingQRData(ref, ...keys, advSecretKey, browser) })
    timer = setTimeout(() => showNext(rest, qrMs ?? nextQrMs), validMs)
  }

  sock.ws.removeAllListeners(pairDeviceEvent)
  sock.ws.on(pairDeviceEvent, (stanza: BinaryNode) => void receiveRefs(stanza).catch(() => {}))
  return {
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
