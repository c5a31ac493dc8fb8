import tls from 'node:tls'
import { DEF_MEDIA_HOST } from 'baileys'
import { trustNoiseRoot } from './certificate.ts'

/** Root of the Noise certificates (hex), certificate of the media server (PEM) and its host. */
export type ServiceCredentials = { root: string; ca: string; media: string }

/**
 * Makes this process trust the service: its handshake, its TLS certificate, and its media host for files without a
 * host.
 */
export function trustService({ root, ca, media }: ServiceCredentials): void {
  trustNoiseRoot(Buffer.from(root, 'hex'))
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ca])
  const originalFetch = globalThis.fetch
  globalThis.fetch = (input, init) =>
    originalFetch(
      typeof input === 'string' ? input.replace(`https://${DEF_MEDIA_HOST}/`, `https://${media}/`) : input,
      init,
    )
}
