/** Only where a browser allows workers (a secure address), and never before the server's own build serves one. */
export const canUseServiceWorker = (): boolean => import.meta.env.PROD && 'serviceWorker' in navigator

let registration: Promise<ServiceWorkerRegistration | null> | undefined

/** The worker that shows notices, takes what is pushed and keeps the code of the app. Null where there is none. */
export function getServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  registration ??= canUseServiceWorker()
    ? navigator.serviceWorker
        .register('/sw.js', { updateViaCache: 'none' })
        .then(() => navigator.serviceWorker.ready)
        // Somebody's browser forbids it: everything else still works.
        .catch(() => null)
    : Promise.resolve(null)
  return registration
}

/** A notice was clicked: the worker says where it leads. */
export function onWorkerOpenPath(open: (path: string) => void): () => void {
  if (!canUseServiceWorker()) return () => undefined
  const hear = ({ data }: MessageEvent<unknown>) => {
    const path = (data as { open?: unknown } | null)?.open
    if (typeof path === 'string' && /^\/(?![/\\])/.test(path)) open(path)
  }
  navigator.serviceWorker.addEventListener('message', hear)
  return () => navigator.serviceWorker.removeEventListener('message', hear)
}
