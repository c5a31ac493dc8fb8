import { pushApi } from '@recado/contract/push'
import { callApi } from './api.ts'
import { getServiceWorker } from './service-worker.ts'

/** Enables push for times when no tab is open. Repeated at every login, because the server binds it to the session. */
export async function subscribeToPush(): Promise<void> {
  const worker = await getServiceWorker()
  if (!worker?.pushManager) return
  const { publicKey } = await callApi(pushApi.key)
  const key = fromBase64Url(publicKey)
  const known = await worker.pushManager.getSubscription()
  // The push service refuses messages signed with another key, so subscribe again if the key has changed.
  const fits = known && areBytesEqual(known.options.applicationServerKey, key)
  if (known && !fits) await known.unsubscribe()
  const subscription = fits
    ? known
    : await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = subscription.toJSON()
  if (!endpoint || !keys?.p256dh || !keys.auth) return
  await callApi(pushApi.subscribe, { body: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } } })
}

/** Called when the user switches notifications off, or on logout. */
export async function unsubscribeFromPush(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration()
  const known = await worker?.pushManager?.getSubscription()
  if (!known) return
  await callApi(pushApi.unsubscribe, { query: { endpoint: known.endpoint } })
  await known.unsubscribe()
}

/** Decodes base64url, the format of push keys. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0))
}

export function areBytesEqual(a: ArrayBuffer | null | undefined, b: Uint8Array): boolean {
  const bytes = new Uint8Array(a ?? new ArrayBuffer(0))
  return bytes.length === b.length && bytes.every((byte, i) => byte === b[i])
}
