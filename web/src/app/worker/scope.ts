// What a service worker finds around itself, as far as ours uses it: TypeScript's DOM library leaves it out, and its
// library for workers does not go together with the DOM's.

export type Later = Event & { waitUntil: (work: Promise<unknown>) => void }
export type Fetched = Later & {
  request: Request
  respondWith: (response: Promise<Response>) => void
  preloadResponse: Promise<Response | undefined>
}
export type Pushed = Later & { data: { json: () => unknown } | null }
export type Clicked = Later & { notification: Notification }

export type Tab = {
  url: string
  focused: boolean
  visibilityState: DocumentVisibilityState
  focus: () => Promise<Tab>
  postMessage: (message: unknown) => void
}

export type WorkerScope = {
  registration: ServiceWorkerRegistration
  clients: {
    claim: () => Promise<void>
    matchAll: (which: { type: 'window'; includeUncontrolled: boolean }) => Promise<Tab[]>
    openWindow: (url: string) => Promise<Tab | null>
  }
  skipWaiting: () => Promise<void>
  addEventListener: {
    (type: 'install' | 'activate', listener: (event: Later) => void): void
    (type: 'fetch', listener: (event: Fetched) => void): void
    (type: 'push', listener: (event: Pushed) => void): void
    (type: 'notificationclick', listener: (event: Clicked) => void): void
  }
}
