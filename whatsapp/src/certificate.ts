import { Curve, type KeyPair, proto, WA_CERT_DETAILS } from 'baileys'
import { unixNow } from './nodes.ts'

const DAY_S = 24 * 60 * 60
const { Details } = proto.CertChain.NoiseCertificate

/**
 * Signs the certificates of the Noise handshake. WhatsApp signs an intermediate certificate with a root key that is
 * hard-coded in the client, and the server's static key with the intermediate. This class does the same with its own
 * root.
 */
export class CertificateAuthority {
  readonly root: KeyPair = Curve.generateKeyPair()
  readonly #intermediate: KeyPair = Curve.generateKeyPair()

  /** The encoded chain for a server's static key. */
  issue(serverStaticKey: Uint8Array): Uint8Array {
    const validity = { notBefore: unixNow() - DAY_S, notAfter: unixNow() + 30 * DAY_S }
    const { public: key, private: intermediateKey } = this.#intermediate
    const intermediate = Details.encode({ serial: 1, issuerSerial: WA_CERT_DETAILS.SERIAL, key, ...validity }).finish()
    const leaf = Details.encode({ serial: 2, issuerSerial: 1, key: serverStaticKey, ...validity }).finish()
    return proto.CertChain.encode({
      intermediate: { details: intermediate, signature: Curve.sign(this.root.private, intermediate) },
      leaf: { details: leaf, signature: Curve.sign(intermediateKey, leaf) },
    }).finish()
  }

  /** Makes the client library of this process trust our root until the returned function is called. */
  trust(): () => void {
    return trustNoiseRoot(this.root.public)
  }
}

/** The library exports its trusted root as a mutable object and reads it on every connect. */
export function trustNoiseRoot(rootPublicKey: Uint8Array): () => void {
  const details = WA_CERT_DETAILS as { PUBLIC_KEY: Buffer }
  const original = details.PUBLIC_KEY
  details.PUBLIC_KEY = Buffer.from(rootPublicKey)
  return () => {
    details.PUBLIC_KEY = original
  }
}
