import { readFile } from 'node:fs/promises'
import { noticesApi } from '@recado/contract/notices'
import type { BrowserContext, Page, Worker } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { openPushService } from '../../server/test/push-service.ts'
import { createStage, phoneViewport } from '../browser.ts'
import { type Visitor, waitUntilLive } from '../visitor.ts'

const desk = createStage(undefined, { whole: true })

/**
 * In the browser: counts the notification sounds, whose audio element is not in the page. It also records which shared
 * actions of all tabs this tab tried to take over, by the locks it requests.
 */
const listen = (page: Page) =>
  page.evaluate(() => {
    const heard: RecordedSounds = { rings: 0, wanted: [] }
    Object.assign(globalThis, { heard })
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function () {
      if (!this.isConnected) heard.rings++
      return play.call(this)
    }
    const query = navigator.locks.query.bind(navigator.locks)
    navigator.locks.query = async () => {
      const answer = await query()
      heard.wanted.push('look')
      return answer
    }
    const request = navigator.locks.request.bind(navigator.locks) as (...all: unknown[]) => Promise<unknown>
    Object.assign(navigator.locks, {
      request: (name: string, options: object, act: (lock: unknown) => unknown) =>
        request(name, options, (lock: unknown) => {
          const done = act(lock)
          heard.wanted.push(name)
          return done
        }),
    })
  })
type RecordedSounds = { rings: number; wanted: string[] }
const heardOn = (page: Page) => page.evaluate(() => (globalThis as unknown as { heard: RecordedSounds }).heard)
const countSounds = async (page: Page) => (await heardOn(page)).rings
/** How often the tab requested the sound, whether played or not, or a check of what the other tabs show. */
const countRequests = async (page: Page, what: 'recado sound' | 'look') =>
  (await heardOn(page)).wanted.filter((one) => one === what).length
/** Resolves once the quiet period is over, so that the next sound may play. */
const isQuiet = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(async () => (await navigator.locks.query()).held?.some(({ name }) => name === 'recado sound')),
    )
    .toBe(false)
/** Simulates a hidden page, because Playwright's pages always report that they are visible and focused. */
const lookAway = (page: Page, away = true) =>
  page.evaluate((gone) => {
    document.hasFocus = () => !gone
  }, away)
const notices = (page: Page): Promise<{ tag: string; title: string; body: string }[]> =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration()
    return ((await worker?.getNotifications()) ?? []).map(({ tag, title, body }) => ({ tag, title, body }))
  })
/** Waits for notifications and the live connection, which start after the screen: events before that make no sound. */
async function waitForLiveNotifications(page: Page): Promise<void> {
  const read = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((one) => one.name)
        .join(),
    )
  await expect.poll(read).toContain('/notices')
  await waitUntilLive(page)
}
const bellButton = (ana: Visitor, unread: number) =>
  ana.byRole('button', unread > 0 ? `Avisos, ${unread} sin leer` : 'Avisos').waitFor()
const expectPageTitle = (ana: Visitor, title: string) => expect.poll(() => ana.page.title()).toBe(title)
const faviconOf = (ana: Visitor) => ana.page.locator('link[rel=icon]').getAttribute('href')

async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker')
}

test('plays a sound and counts a message on any screen, and clears the count when the ticket is opened', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  const { customer, id } = await d.openTicket(agent)
  const other = await d.openTicket(agent)
  await Promise.all([d.listMessages(agent, id), d.listMessages(agent, other.id)])
  const ana = await desk.open(agent, '/todolist')
  await ana.expectHeading('Tareas')
  await waitForLiveNotifications(ana.page)
  await bellButton(ana, 0)
  await expectPageTitle(ana, 'Tareas · Recado')
  await listen(ana.page)

  await ana.page.getByRole('textbox').first().fill('Llamar a')
  await customer.says('¿Sigue en pie lo de mañana?')
  await bellButton(ana, 1)
  await expectPageTitle(ana, '(1) Tareas · Recado')
  await expect.poll(() => faviconOf(ana)).toMatch(/^data:image\/svg/)
  await expect.poll(() => countSounds(ana.page)).toBe(1)
  // The focus stays in the input where the user types.
  expect(await ana.page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  await ana.page.keyboard.type(' Rosa')
  await expect.poll(() => ana.page.getByRole('textbox').first().inputValue()).toBe('Llamar a Rosa')

  // Ten messages in a row play one sound, until the quiet period after the last message is over.
  const began = Date.now()
  for (let n = 0; n < 10; n++) await customer.says(`línea ${n}`)
  await bellButton(ana, 1)
  expect(await countSounds(ana.page)).toBeLessThanOrEqual(2 + Math.floor((Date.now() - began) / 2500))

  await ana.click('Avisos, 1 sin leer')
  await ana.expectText('Sin leer', ana.dialog)
  await ana.expectText('línea 9', ana.dialog)
  await ana.takeScreenshot('bell')
  await ana.checkAccessibility()
  await ana.dialog.getByRole('button', { name: /línea 9/ }).click()
  await ana.page.waitForURL(/\/tickets\/[\w-]{36}$/)
  await bellButton(ana, 0)
  await expectPageTitle(ana, 'Tickets · Recado')
  await expect.poll(() => faviconOf(ana)).toBe('/favicon.svg')

  // A message in the conversation being read plays no sound; a message in another ticket does.
  await isQuiet(ana.page)
  const before = await countSounds(ana.page)
  await customer.says('y esto lo ves llegar')
  await ana.page.locator('#conversation').getByText('y esto lo ves llegar').first().waitFor()
  await expectPageTitle(ana, 'Tickets · Recado')
  await bellButton(ana, 0)
  expect(await countSounds(ana.page)).toBe(before)
  const url = ana.page.url()
  await other.customer.says('soy otra persona')
  await bellButton(ana, 1)
  await expect.poll(() => countSounds(ana.page)).toBe(before + 1)
  expect(ana.page.url()).toBe(url)

  await ana.page.evaluate(() => localStorage.setItem('volume', '0'))
  await isQuiet(ana.page)
  const asked = await countRequests(ana.page, 'recado sound')
  await other.customer.says('en silencio')
  await expect.poll(() => ana.page.getByText('en silencio').count()).toBeGreaterThan(0)
  await expect.poll(() => countRequests(ana.page, 'recado sound')).toBe(asked + 1)
  expect(await countSounds(ana.page)).toBe(before + 1)

  await ana.click('Avisos, 1 sin leer')
  await ana.click('Marcar como leídos', 'button', ana.dialog)
  await bellButton(ana, 0)
  await ana.expectText('Todo leído', ana.dialog)
})

test('notifies an agent of an assigned ticket on any screen, and lets the agent undo a return to the queue', async () => {
  const d = await openDesk(desk.server())
  const sales = await d.createQueue('Ventas')
  const agent = await d.createUser('user', [sales])
  const { id } = await d.newTicket('hola', 'Sol Medina')
  const ana = await desk.open(agent, '/tickets')
  await bellButton(ana, 0)
  await waitForLiveNotifications(ana.page)
  await listen(ana.page)
  for (const words of ['te pasó el ticket', 'Ticket devuelto']) await ana.holdToasts(words)
  await d.putTicket(d.admin, id, {
    queueId: sales.id,
    userId: agent.id,
    note: 'Pide la factura a nombre de su hermana',
  })
  const toast = ana.page.getByRole('status').filter({ hasText: 'te pasó el ticket de Sol Medina' })
  await ana.expectText('Pide la factura a nombre de su hermana', toast)
  await expect.poll(() => countSounds(ana.page)).toBe(1)
  await bellButton(ana, 1)
  // The ticket's row also shows that it was assigned.
  await ana.page.getByRole('listitem').getByRole('img', { name: 'Te lo pasaron' }).waitFor()

  // The toast closes when its button is used, and the notification is cleared when the ticket is opened.
  await toast.getByRole('button', { name: 'Abrir' }).click()
  await ana.page.waitForURL(/\/tickets\/[\w-]{36}$/)
  await toast.waitFor({ state: 'detached' })
  await bellButton(ana, 0)
  await expect.poll(() => ana.page.getByRole('img', { name: 'Te lo pasaron' }).count()).toBe(0)

  await ana.click('Devolver a la cola')
  const returned = ana.page.getByRole('status').filter({ hasText: 'Ticket devuelto a la cola' })
  await returned.getByRole('button', { name: 'Deshacer' }).click()
  await returned.waitFor({ state: 'detached' })
  await ana.page.waitForURL(/\/tickets\/[\w-]{36}$/)
  expect(await d.showTicket(id)).toMatchObject({ status: 'open', userId: agent.id })

  // The toast appears above the composer, so that the send button stays reachable.
  const other = await d.newTicket('hola', 'Luz Ferro')
  await d.putTicket(d.admin, other.id, { queueId: sales.id, userId: agent.id, note: 'Es urgente' })
  const second = ana.page.getByRole('status').filter({ hasText: 'Luz Ferro' })
  await second.waitFor()
  const bottom = async () => {
    const box = await second.boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  const send = await ana.stableBox(ana.byRole('button', 'Enviar'))
  await expect.poll(bottom).toBeLessThan(send.y)
  await ana.takeScreenshot('toast-above-box')
  await ana.click('Avisos, 1 sin leer')
  await ana.expectText(/te lo pasó/, ana.dialog)
  await ana.expectText('Es urgente', ana.dialog)
  await ana.takeScreenshot('bell-given')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Escape')

  // The undo toast disappears when the ticket is resolved elsewhere.
  await ana.click('Devolver a la cola')
  await returned.waitFor()
  await d.putTicket(d.admin, id, { status: 'closed', justClose: true })
  await returned.waitFor({ state: 'detached' })

  // The toast of an assignment disappears when the assignment is taken back: its button would lead nowhere.
  const third = await d.newTicket('hola', 'Eva Prado')
  await d.putTicket(d.admin, third.id, { queueId: sales.id, userId: agent.id })
  const takenBack = ana.page.getByRole('status').filter({ hasText: 'Eva Prado' })
  await takenBack.waitFor()
  await d.putTicket(d.admin, third.id, { userId: d.admin.id })
  await takenBack.waitFor({ state: 'detached' })
})

test('tells an agent who closed a conversation that the last message was not sent, with a retry', async () => {
  const d = await openDesk(desk.server())
  const { customer, id } = await d.newTicket('hola', 'Sol Medina')
  const agent = await d.createUser('user', [], 'enabled')
  await d.accept(agent, id)
  const ana = await desk.open(agent, '/tickets')
  await waitForLiveNotifications(ana.page)
  await d.line.setFaults({ failSends: 'network' })
  await d.send(agent, id, 'Pasamos hoy a las 14')
  await d.putTicket(agent, id, { status: 'closed', justClose: true })
  await d.line.setFaults({ failSends: 'blocked' })
  const toast = ana.page.getByRole('status').filter({ hasText: 'Tu mensaje para Sol Medina no se envió' })
  await toast.waitFor()
  await bellButton(ana, 1)
  await ana.click('Avisos, 1 sin leer')
  await ana.expectText('Tu mensaje no se envió', ana.dialog)
  await ana.takeScreenshot('bell-unsent')
  await ana.checkAccessibility()
  await ana.click(/^Sol Medina.*Tu mensaje no se envió/, 'button', ana.dialog)
  await ana.page.waitForURL(/\/tickets\/[\w-]{36}$/)
  await bellButton(ana, 0)
  await ana.expectText('No se envió: el cliente bloqueó la línea')
  await d.line.setFaults({ failSends: '' })
  await ana.click('Reintentar', 'button', ana.page.locator('[data-thread]'))
  await ana.expectHidden('No se envió: el cliente bloqueó la línea')
  await expect.poll(async () => (await customer.listMessages()).at(-1)?.body).toBe('Pasamos hoy a las 14')
  expect(await d.showTicket(id)).toMatchObject({ status: 'closed' })
})

test('notifies a colleague mentioned in a note, who can find the note again', async () => {
  const d = await openDesk(desk.server())
  const sales = await d.createQueue('Ventas')
  const agent = await d.createUser('user', [sales])
  const boss = await d.createUser('supervisor', [sales])
  const { id } = await d.newTicket('hola', 'Sol Medina')
  await d.putTicket(d.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  await d.accept(agent, id)
  const { uuid } = await d.showTicket(id)
  const ana = await desk.open(agent, `/tickets/${uuid}`)
  // The colleague is selected by keyboard, stored as a user, and notified at once. Plain text after @ is no
  // mention.
  await ana.click(/^Nota/, 'button', ana.byRole('region', 'Redactar'))
  await ana.field('Nota').pressSequentially('Avisa a @alguien y a @superv')
  await ana.byRole('option', boss.name).waitFor()
  await ana.takeScreenshot('mention')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Enter')
  await expect.poll(() => ana.field('Nota').inputValue()).toBe(`Avisa a @alguien y a @${boss.name} `)
  await ana.page.keyboard.press('Enter')
  await ana.expectText(`@${boss.name}`, ana.page.locator('#conversation'))
  const told = await boss.call(noticesApi.list)
  expect(told.notices).toMatchObject([{ kind: 'mention', ticketId: id, by: { id: agent.id } }])
  // The mentioned user finds the note among the other notes.
  await boss.request('POST', '/ticket-notes', { note: `Gracias @${agent.name}`, ticketId: id, mentions: [agent.id] })
  await ana.click(/Sol Medina/, 'button', ana.page.locator('#conversation header'))
  await ana.click('Me mencionan')
  await ana.takeScreenshot('mentions-of-me')
  await ana.expectText(/^Gracias/, ana.byRole('region', /^Notas/))
  await ana.expectHidden(ana.byRole('region', /^Notas/).getByText(/^Avisa a/))
})

test('plays the sound in only one of two tabs, and in none while the message is being read in the other', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  const { customer, id } = await d.openTicket(agent)
  await d.listMessages(agent, id)
  const { uuid } = await d.showTicket(id)
  const ana = await desk.open(agent, '/todolist')
  await bellButton(ana, 0)
  const second = await ana.page.context().newPage()
  await second.goto('/tags')
  await second.getByRole('button', { name: 'Avisos', exact: true }).waitFor()
  await Promise.all([waitForLiveNotifications(ana.page), waitForLiveNotifications(second)])
  const both = [ana.page, second]
  const all = async () => (await Promise.all(both.map(countSounds))).reduce((sum, one) => sum + one, 0)
  for (const page of both) await listen(page)
  await customer.says('¿Me escuchas?')
  await bellButton(ana, 1)
  await expect.poll(all).toBe(1)

  await isQuiet(ana.page)
  await second.goto(`/tickets/${uuid}`)
  await second.locator('#conversation').getByText('¿Me escuchas?').first().waitFor()
  await bellButton(ana, 0)
  await waitForLiveNotifications(second)
  await listen(second)
  // This tab knows that a message was read in the other tab.
  const shown = () => ana.page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name))
  await expect.poll(shown).toContain(`recado at /tickets/${uuid}`)
  const before = await all()
  const looks = await countRequests(ana.page, 'look')
  await customer.says('Te leo en la otra')
  await second.locator('#conversation').getByText('Te leo en la otra').first().waitFor()
  await expect.poll(() => countRequests(ana.page, 'look')).toBeGreaterThan(looks)
  expect(await all()).toBe(before)
})

test('notifies users with access to pending tickets without a queue', async () => {
  const d = await openDesk(desk.server())
  const queue = await d.createQueue()
  const [plain, given] = [await d.createUser('user', [queue]), await d.createUser('user', [queue], 'enabled')]
  const [ana, beto] = [await desk.open(plain, '/todolist'), await desk.open(given, '/todolist')]
  await Promise.all([
    bellButton(ana, 0),
    bellButton(beto, 0),
    waitForLiveNotifications(ana.page),
    waitForLiveNotifications(beto.page),
  ])
  await d.newTicket('¿Hay alguien?', 'Nadia Ferreira')
  await bellButton(beto, 1)
  await beto.click('Avisos, 1 sin leer')
  await beto.expectText('En espera', beto.dialog)
  await beto.dialog.getByRole('button', { name: /Nadia Ferreira/ }).click()
  await beto.page.locator('#conversation').getByText('¿Hay alguien?').waitFor()
  await bellButton(ana, 0)
})

test('shows messages that arrive while the page is still loading', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  const { customer, id } = await d.openTicket(agent)
  await d.listMessages(agent, id)
  const ana = await desk.open(agent, '/healthz')
  // Delay the page's socket while its lists load.
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await ana.page.route('**/auth/socket', (route) => held.then(() => route.continue()))
  const asked = ana.page.waitForRequest('**/auth/socket')
  const read = ana.page.waitForResponse(/withUnreadMessages=true/)
  await ana.page.goto('/todolist')
  await Promise.all([asked, read.then((response) => response.finished())])
  await d.waitForMessage(await customer.says('¿Llegué a tiempo?'))
  letGo()
  await bellButton(ana, 1)
})

test('shows notifications in the bottom bar on a phone', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  const { customer } = await d.openTicket(agent)
  await customer.says('¿Ya salió mi pedido?')
  const ana = await desk.open(agent, '/todolist', { viewport: phoneViewport })
  await bellButton(ana, 1)
  // Screen readers also announce the number on the bar.
  await ana.byRole('link', /^Tickets\s*, 1 con mensajes sin leer$/).waitFor()
  await ana.takeScreenshot('notices-bar-phone')
  await ana.checkAccessibility()
  await ana.click('Avisos, 1 sin leer')
  await ana.expectText('¿Ya salió mi pedido?', ana.dialog)
  await ana.takeScreenshot('notices-phone')
  await ana.checkAccessibility()
  await ana.dialog.getByRole('button', { name: /pedido/ }).click()
  await ana.page.waitForURL(/\/tickets\/[\w-]{36}$/)
})

test('shows system notifications while the user is in another window, once the user has allowed them', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  const { customer, id } = await d.openTicket(agent)
  await d.listMessages(agent, id)
  const push = await openPushService()
  const browser = push.browser().subscription
  // A push service has an https URL. This URL is never called, because the browser is open.
  const subscription = { ...browser, endpoint: browser.endpoint.replace('http:', 'https:') }
  const subscriptions = () =>
    desk.server().wide().db.selectFrom('pushSubscriptions').select('endpoint').where('userId', '=', agent.id).execute()

  const ana = await desk.open(agent, '/todolist', { serviceWorker: true })
  await bellButton(ana, 0)
  await waitForLiveNotifications(ana.page)
  const worker = await workerOf(ana.page.context())
  // The test browser has no push service, so the subscription is faked; all other steps are real.
  await ana.page.evaluate((given) => {
    let known: unknown = null
    const forget = async () => {
      known = null
      return true
    }
    PushManager.prototype.getSubscription = async () => known as PushSubscription
    PushManager.prototype.subscribe = async () => {
      known = { ...given, options: {}, toJSON: () => given, unsubscribe: forget }
      return known as PushSubscription
    }
  }, subscription)
  await ana.click('Avisos')
  await ana.expectText('Entérate también cuando no estás mirando', ana.dialog)
  await ana.checkAccessibility()
  await ana.page.context().grantPermissions(['notifications'], { origin: desk.server().address })
  await ana.click('Activar avisos', 'button', ana.dialog)
  await ana.switch('Avisos en este equipo', ana.dialog).waitFor()
  await expect.poll(subscriptions).toEqual([{ endpoint: subscription.endpoint }])
  await ana.page.keyboard.press('Escape')

  await customer.says('Lo ves en el escritorio')
  await bellButton(ana, 1)
  expect(await notices(ana.page)).toEqual([])
  await lookAway(ana.page)
  await customer.says('Ahora sí te aviso')
  await expect
    .poll(() => notices(ana.page))
    .toEqual([{ tag: `ticket-${id}`, title: expect.stringMatching(/^Cliente/), body: 'Ahora sí te aviso' }])

  // A click on the notification opens the ticket; reading the ticket closes the notification.
  await worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    const [notification] = await registration.getNotifications()
    const make = (globalThis as unknown as { NotificationEvent: new (type: string, init: object) => Event })
      .NotificationEvent
    dispatchEvent(new make('notificationclick', { notification }))
  })
  await ana.page.waitForURL(/\/tickets\/[\w-]{36}$/)
  await bellButton(ana, 0)
  await expect.poll(() => notices(ana.page)).toEqual([])

  // While no tab is open, the service worker shows the pushed notifications.
  await worker.evaluate(() => {
    const make = (globalThis as unknown as { PushEvent: new (type: string, init: object) => Event }).PushEvent
    const note = { title: 'Rosa', body: 'Por el servidor', tag: 'ticket-0', url: '/tickets' }
    dispatchEvent(new make('push', { data: JSON.stringify(note) }))
  })
  await expect.poll(() => notices(ana.page)).toEqual([{ tag: 'ticket-0', title: 'Rosa', body: 'Por el servidor' }])

  // After a logout no push is sent.
  await ana.logOut()
  expect(await subscriptions()).toEqual([])
  await expect.poll(() => ana.page.title()).not.toContain('(')
  push.close()
})

test('lets users install the app, caches only its code, and shows a notice when there is no network', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/todolist', { serviceWorker: true })
  await ana.expectHeading('Tareas')
  const context = ana.page.context()
  await workerOf(context)
  await expect
    .poll(() => ana.page.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? ''))
    .toMatch(/\/sw\.js$/)

  const manifest = await ana.page.evaluate(() =>
    fetch(document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href ?? '').then((answer) => answer.json()),
  )
  expect(manifest).toMatchObject({ name: 'Recado', start_url: '/tickets', scope: '/', display: 'standalone' })
  const icons = manifest.icons as { src: string; sizes: string; purpose?: string }[]
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
    expect.arrayContaining(['192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable']),
  )
  for (const { src, sizes } of icons.filter((icon) => icon.src.endsWith('.png'))) {
    const bytes = await readFile(new URL(`../../web/public${src}`, import.meta.url))
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes)
  }

  await ana.page.reload()
  await ana.expectHeading('Tareas')
  const kept = await ana.page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    return (await Promise.all(stores.map((store) => store.keys()))).flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept.length).toBeGreaterThan(5)
  expect(kept.filter((path) => !path.startsWith('/assets/'))).toEqual([])

  desk.allowProblem('console: Failed to load resource')
  desk.allowProblem('console: WebSocket')
  desk.allowProblem('503 GET /todolist')
  await ana.page.evaluate(() => localStorage.setItem('i18nextLng', 'pt'))
  await context.setOffline(true)
  await ana.page.reload()
  await ana.expectHeading('Sem conexão')
  await ana.page.evaluate(() => localStorage.setItem('i18nextLng', 'es'))
  await ana.byRole('button', 'Tentar de novo').waitFor()
  // The page detects automatically that the network is back.
  await context.setOffline(false)
  await ana.expectHeading('Tareas')
})
