import tls from 'node:tls'
import { DEF_MEDIA_HOST } from 'baileys'
import { trustNoiseRoot } from './certificate.ts'

/** Root of the Noise certificates (hex), certificate of the file store (PEM) and its host. */
export type ServiceCredentials = { root: string; ca: string; media: string }

/** This process believes the service: its handshake, its https, and that files without a host of their own lie there. */
export function trustService({ root, ca, media }: ServiceCredentials): void {
  trustNoiseRoot(Buffer.from(root, 'hex'))
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ca])
  const ask = globalThis.fetch
  globalThis.fetch = (input, init) =>
    ask(typeof input === 'string' ? input.replace(`https://${DEF_MEDIA_HOST}/`, `https://${media}/`) : input, init)
}
