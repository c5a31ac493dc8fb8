import { offlineResponse } from './offline-page.ts'
import type { WorkerFetchEvent, WorkerNotificationEvent, WorkerScope } from './worker-scope.ts'

/** Set by the build (vite.config.ts): every build has its own worker, and so its own cache. */
declare const __BUILD__: string

const scope = self as unknown as WorkerScope
const store = `assets-${__BUILD__}`

scope.addEventListener('install', (event) => event.waitUntil(caches.open(store).then(() => scope.skipWaiting())))

scope.addEventListener('activate', (event) => event.waitUntil(activateWorker()))

async function activateWorker(): Promise<void> {
  // Open tabs still run the previous build and may need more of its code until they reload, so its cache stays.
  const stores = (await caches.keys()).filter((name) => name.startsWith('assets-') && name !== store)
  await Promise.all(stores.slice(0, -1).map((name) => caches.delete(name)))
  // With navigation preload the page is requested while the worker starts, not after.
  await scope.registration.navigationPreload?.enable()
  await scope.clients.claim()
}

/** Caches only files with a content hash in their name. Pages and API responses always come from the network. */
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') event.respondWith(fetchPageOrOffline(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(fetchCachedFile(request))
})

async function fetchPageOrOffline({ request, preloadResponse }: WorkerFetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch {
    return offlineResponse()
  }
}

async function fetchCachedFile(request: Request): Promise<Response> {
  // The header `Vary` concerns only pages and data; a hashed file is the same for all users.
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.status === 200) await (await caches.open(store)).put(request, answer.clone())
  return answer
}

type PushPayload = { title: string; body: string; tag: string; url: string; unlessFocused?: true }

scope.addEventListener('push', (event) => {
  const note = event.data?.json() as PushPayload | undefined
  if (!note) return
  const { title, body, tag, url, unlessFocused } = note
  // `renotify`: a second message of the same ticket replaces the first notification but still alerts.
  const options = { body, tag, renotify: true, icon: '/icon-192.png', badge: '/badge-96.png', data: { url } }
  event.waitUntil(showNotification(title, options, unlessFocused))
})

async function showNotification(title: string, options: object, unlessFocused = false) {
  if (
    unlessFocused &&
    (await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })).some(({ focused }) => focused)
  )
    return
  await scope.registration.showNotification(title, options)
}

scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotificationPath(event))
})

/** Focuses an open tab of this app, the front tab first; without an open tab, opens a new one. */
async function openNotificationPath({ notification }: WorkerNotificationEvent): Promise<void> {
  const { url } = (notification.data ?? {}) as { url?: string }
  const path = url ?? '/'
  const tabs = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find((one) => one.focused) ?? tabs.find((one) => one.visibilityState === 'visible') ?? tabs[0]
  if (!tab) return void (await scope.clients.openWindow(path))
  tab.postMessage({ open: path })
  await tab.focus()
}
