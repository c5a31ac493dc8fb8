/** Service workers are used only where the browser allows them (a secure origin), and only in a production build. */
export const canUseServiceWorker = (): boolean => import.meta.env.PROD && 'serviceWorker' in navigator

let registration: Promise<ServiceWorkerRegistration | null> | undefined

/** The service worker for notifications, push and the app's code. Null when there is none. */
export function getServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  registration ??= canUseServiceWorker()
    ? navigator.serviceWorker
        .register('/sw.js', { updateViaCache: 'none' })
        .then(() => navigator.serviceWorker.ready)
        // The browser forbids service workers; everything else still works.
        .catch(() => null)
    : Promise.resolve(null)
  return registration
}

/** Calls `open` when a notification was clicked: the worker sends the notification's target path. */
export function onWorkerOpenPath(open: (path: string) => void): () => void {
  if (!canUseServiceWorker()) return () => undefined
  const hear = ({ data }: MessageEvent<unknown>) => {
    const path = (data as { open?: unknown } | null)?.open
    if (typeof path === 'string' && /^\/(?![/\\])/.test(path)) open(path)
  }
  navigator.serviceWorker.addEventListener('message', hear)
  return () => navigator.serviceWorker.removeEventListener('message', hear)
}
