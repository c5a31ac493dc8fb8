// The parts of the service worker scope that we use: TypeScript's DOM library lacks them, and its worker
// library conflicts with the DOM library.

export type WorkerExtendableEvent = Event & { waitUntil: (work: Promise<unknown>) => void }
export type WorkerFetchEvent = WorkerExtendableEvent & {
  request: Request
  respondWith: (response: Promise<Response>) => void
  preloadResponse: Promise<Response | undefined>
}
export type WorkerPushEvent = WorkerExtendableEvent & { data: { json: () => unknown } | null }
export type WorkerNotificationEvent = WorkerExtendableEvent & { notification: Notification }

export type WorkerTab = {
  url: string
  focused: boolean
  visibilityState: DocumentVisibilityState
  focus: () => Promise<WorkerTab>
  postMessage: (message: unknown) => void
}

export type WorkerScope = {
  registration: ServiceWorkerRegistration
  clients: {
    claim: () => Promise<void>
    matchAll: (which: { type: 'window'; includeUncontrolled: boolean }) => Promise<WorkerTab[]>
    openWindow: (url: string) => Promise<WorkerTab | null>
  }
  skipWaiting: () => Promise<void>
  addEventListener: {
    (type: 'install' | 'activate', listener: (event: WorkerExtendableEvent) => void): void
    (type: 'fetch', listener: (event: WorkerFetchEvent) => void): void
    (type: 'push', listener: (event: WorkerPushEvent) => void): void
    (type: 'notificationclick', listener: (event: WorkerNotificationEvent) => void): void
  }
}
