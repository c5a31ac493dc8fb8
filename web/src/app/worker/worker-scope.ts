// What a service worker finds around itself, as far as ours uses it: TypeScript's DOM library leaves it out, and its
// library for workers does not go together with the DOM's.

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
