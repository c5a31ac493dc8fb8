import { quickMessagesApi } from '@recado/contract/quick-messages'
import { draftsApi } from '@recado/contract/schedules/drafts'
import { ticketsApi } from '@recado/contract/tickets'
import type { Locator } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import type { TestUser } from '../../server/test/test-server.ts'
import { sendForm, tinyJpeg, tinyPdf, tinyPng } from '../../server/test/upload.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const thread = (ana: Visitor) => ana.byRole('region', 'Mensajes')
const box = (ana: Visitor) => ana.byRole('region', 'Redactar')
const words = (ana: Visitor) => ana.field('Mensaje')
const bubbles = (ana: Visitor, text: string) =>
  thread(ana).locator('[data-message], [data-outgoing]').filter({ hasText: text })
const stored = (ana: Visitor, text: string) => thread(ana).locator('[data-message]').filter({ hasText: text })
const onItsWay = (ana: Visitor, text: string) => thread(ana).locator('article[data-outgoing]').filter({ hasText: text })
const once = (found: Locator) => expect.poll(() => found.count()).toBe(1)

/** Waits until the browser has stored a file: a page closed earlier loses it. */
const waitForStoredFiles = (ana: Visitor) => expect.poll(() => ana.page.evaluate(countFiles)).toBeGreaterThan(0)
function countFiles(): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('recado-outgoing')
    // The database does not exist yet, and this check must not create it.
    request.onupgradeneeded = () => request.transaction?.abort()
    request.onerror = () => resolve(0)
    request.onsuccess = () => {
      const count = request.result.transaction('files').objectStore('files').count()
      count.onsuccess = () => resolve(count.result)
      count.onerror = () => reject(count.error)
    }
  })
}

/** One company, one line and one browser for all stories except the phone story. */
async function furnish() {
  const company = await desk.server().createCompany()
  return { company, line: await desk.server().openLine(company) }
}
let furnished: ReturnType<typeof furnish> | undefined
let customers = 0

/** Two new customers with tickets assigned to Ana; tickets of the previous story are closed. */
async function attending(phone = false) {
  const at = phone || !furnished ? furnish() : furnished
  if (!phone) furnished = at
  const { company, line } = await at
  const { admin } = company
  const { tickets } = await admin.call(ticketsApi.list, { query: { status: 'open' } })
  for (const { id } of tickets)
    await admin.call(ticketsApi.update, { params: { id }, body: { status: 'closed', justClose: true } })
  const ana = await desk.open(
    admin,
    '/tickets',
    phone ? { viewport: phoneViewport, touch: true } : { keepContext: true },
  )
  await ana.expectHidden(words(ana))

  const number = () => `54911555500${String(++customers).padStart(2, '0')}`
  const lucia = line.customer(number(), 'Lucía Campos')
  const hernan = line.customer(number(), 'Hernán Paz')
  await lucia.says('Hola, ¿hacen envíos?')
  await hernan.says('Buenas')
  const [first] = await Promise.all(['Lucía Campos', 'Hernán Paz'].map((name) => acceptTicketOf(admin, name)))
  await ana.navigate(`/tickets/${first}`)
  await words(ana).waitFor()
  return { company, line, lucia, first, ana }
}

/** Waits for that customer's pending ticket and assigns it to the agent. */
async function acceptTicketOf(agent: TestUser, name: string): Promise<string> {
  const { id, uuid } = await vi.waitFor(
    async () => {
      const { tickets } = await agent.call(ticketsApi.list, { query: { status: 'pending', searchParam: name } })
      return tickets[0] ?? Promise.reject(new Error(`${name} is not waiting`))
    },
    { interval: 50 },
  )
  await agent.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: agent.id } as never })
  return uuid
}

test('writes text, line breaks, emoji, a signature and a reply', async () => {
  const { ana, lucia } = await attending()
  await words(ana).click()
  await ana.page.keyboard.type('Sí, hacemos')
  await ana.page.keyboard.press('Shift+Enter')
  await ana.page.keyboard.type('a todo el país ')
  await ana.click('Emoji', 'button', box(ana))
  await ana.fill('Buscar emoji', 'corazon rojo')
  await ana.byRole('button', 'corazón rojo').waitFor()
  await ana.takeScreenshot('composer-emoji')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('ArrowDown')
  await ana.page.keyboard.press('Enter')
  await expect.poll(() => words(ana).inputValue()).toBe('Sí, hacemos\na todo el país ❤️')
  await ana.takeScreenshot('composer')
  await ana.page.keyboard.press('Enter')
  await once(stored(ana, 'a todo el país'))
  await expect.poll(() => words(ana).inputValue()).toBe('')
  await expect
    .poll(async () => (await lucia.listMessages()).at(-1)?.body)
    .toBe('*The admin:*\nSí, hacemos\na todo el país ❤️')

  // The Enter that ends IME composition (Japanese, Chinese, an accent) must not send.
  const keys = await ana.page.context().newCDPSession(ana.page)
  await words(ana).click()
  await keys.send('Input.imeSetComposition', { text: '日本', selectionStart: 2, selectionEnd: 2 })
  await ana.page.keyboard.press('Enter')
  await keys.send('Input.insertText', { text: '日本' })
  await expect.poll(() => words(ana).inputValue()).toContain('日本')
  expect(await bubbles(ana, '日本').count()).toBe(0)
  await words(ana).fill('')

  await ana.toggleSwitch('Firmar')
  await ana.hoverAndClick(stored(ana, '¿hacen envíos?'), 'Responder')
  await ana.expectText('Respondiendo a Lucía Campos')
  await ana.takeScreenshot('composer-quoting')
  await ana.checkAccessibility()
  await ana.page.keyboard.type('Ayer salió uno')
  await ana.click('Enviar', 'button', box(ana))
  await once(stored(ana, 'Ayer salió uno'))
  await ana.expectHidden('Respondiendo a Lucía Campos')
  const said = async () => (await lucia.listMessages()).at(-1)
  await expect
    .poll(async () => [(await said())?.body, Boolean((await said())?.quotedId)])
    .toEqual(['Ayer salió uno', true])
  await ana.page.reload()
  await words(ana).waitFor()
  await expect.poll(() => ana.switch('Firmar').isChecked()).toBe(false)
  await ana.click('Emoji', 'button', box(ana))
  await ana.expectText('Recientes')
  await ana.page.keyboard.press('Escape')
  await ana.toggleSwitch('Firmar')
})

test('attaches files by button, paste and drop, lets the agent remove them, and uploads them one at a time', async () => {
  const { ana, lucia } = await attending()
  await box(ana)
    .locator('input[type=file]')
    .setInputFiles([
      { name: 'frente.png', mimeType: 'image/png', buffer: tinyPng },
      { name: 'factura.pdf', mimeType: 'application/pdf', buffer: tinyPdf },
    ])
  await handOver(words(ana), 'paste', 'captura.png', tinyPng)
  await handOver(ana.page.locator('body'), 'drop', 'lado.jpg', tinyJpeg)
  const tray = ana.byRole('list', 'Archivos por enviar')
  await expect.poll(() => tray.getByRole('listitem').count()).toBe(4)
  await ana.click('Quitar captura.png')
  await ana.click(/Texto para factura.pdf/, 'button')
  await ana.page.keyboard.type('La factura')
  await words(ana).fill('El frente')
  await ana.takeScreenshot('composer-files')
  await ana.checkAccessibility()

  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await ana.page.route('**/messages/*', async (route) => {
    await held
    await route.fallback()
  })
  await ana.click('Enviar', 'button', box(ana))
  await expect.poll(() => words(ana).inputValue()).toBe('')
  await onItsWay(ana, 'El frente').getByRole('progressbar').waitFor()
  expect(await onItsWay(ana, 'La factura').getByRole('progressbar').count()).toBe(0)
  await ana.takeScreenshot('composer-uploading')
  const widthOf = async (found: Locator) => Math.round((await ana.stableBox(found)).width)
  const widthOnItsWay = await widthOf(onItsWay(ana, 'La factura'))
  // One upload is cancelled midway; the others continue.
  await ana.click('Descartar', 'button', thread(ana))
  await ana.expectHidden(onItsWay(ana, 'El frente'))
  release()
  await once(stored(ana, 'La factura'))
  expect(await widthOf(stored(ana, 'La factura'))).toBe(widthOnItsWay)
  await expect
    .poll(async () =>
      (await lucia.listMessages()).slice(-2).map(({ kind, body, mediaName }) => [kind, body, mediaName]),
    )
    .toEqual([
      ['application', '*The admin:*\nLa factura', 'factura.pdf'],
      ['image', '', 'lado.jpg'],
    ])
  await ana.expectHidden(ana.byRole('progressbar', /./))
  expect(await bubbles(ana, 'El frente').count()).toBe(0)
})

test('refuses a file that is too large or empty, with the reason', async () => {
  const { ana } = await attending()
  const large = Buffer.concat([tinyPng, Buffer.alloc(2 * 1024 * 1024)])
  await box(ana).locator('input[type=file]').setInputFiles({ name: 'grande.png', mimeType: 'image/png', buffer: large })
  await ana.expectAndCloseToast('grande.png: pesa más de 1.0 MB')
  await box(ana)
    .locator('input[type=file]')
    .setInputFiles({ name: 'carpeta', mimeType: '', buffer: Buffer.alloc(0) })
  await ana.expectAndCloseToast('carpeta: está vacío')
  await ana.expectHidden(ana.byRole('list', 'Archivos por enviar'))
})

test('records a voice note that reaches the customer as a voice note', async () => {
  const { ana, lucia, line } = await attending()
  await ana.click('Grabar audio')
  await ana
    .byRole('timer', 'Grabando')
    .filter({ hasText: /0:(0[1-9]|[1-5]\d)/ })
    .waitFor()
  await ana.takeScreenshot('composer-recording')
  // A paused recording can be played; after resuming it grows, until it is paused again.
  await ana.click('Pausar la grabación')
  const first = await listen(ana)
  await ana.click('Reanudar la grabación')
  await expect.poll(() => recordedSeconds(ana)).toBeGreaterThan(first + 1)
  await ana.click('Pausar la grabación')
  await ana.takeScreenshot('composer-recording-paused')
  await ana.checkAccessibility()
  const whole = await listen(ana)
  expect(whole).toBeGreaterThan(first + 0.3)
  await ana.click('Enviar', 'button', ana.byRole('region', 'Grabación en pausa'))
  await expect.poll(async () => (await lucia.listMessages()).at(-1)?.kind).toBe('audio')
  const bytesOf = async (address: string | null | undefined) =>
    Buffer.from(await (await fetch(`${address}`)).arrayBuffer())
  const note = (await lucia.listMessages()).at(-1)
  expect(note?.mediaName).toMatch(/^audio-record-site-\d+\.ogg$/)
  expect((await bytesOf(note?.mediaUrl)).subarray(0, 4).toString()).toBe('OggS')
  // The fake microphone beeps: some bars are high, others low.
  expect(note?.voice?.seconds).toBeGreaterThanOrEqual(1)
  // The recording does not include the pauses, which lasted seconds.
  expect(Math.abs((note?.voice?.seconds ?? 0) - whole)).toBeLessThan(1)
  expect(note?.voice?.waveform).toContain(100)
  expect(Math.min(...(note?.voice?.waveform ?? []))).toBeLessThan(50)
  // The agent's screen plays the mp3 file.
  const played = await thread(ana).locator('[data-message] audio').getAttribute('src')
  const sound = await bytesOf(new URL(`${played}`, ana.page.url()).href)
  expect([sound[0], (sound[2] ?? 0) >> 4]).toEqual([0xff, 9])
  expect(sound.length).toBeGreaterThan(20_000)
  await ana.navigate(`/phone?line=${line.id}&with=${lucia.number}`)
  await ana.byRole('img', 'Nota de voz').waitFor()
  await ana.click('Reproducir audio')
  await expect
    .poll(() => ana.page.locator('audio').evaluate((one: HTMLAudioElement) => one.currentTime || one.error?.message))
    .toBeGreaterThan(0)
  await ana.takeScreenshot('phone-voice')
})

test('keeps an unfinished recording in the attachment tray, and keeps it as a voice note after a reload', async () => {
  const { ana, lucia } = await attending()
  await ana.click('Grabar audio')
  await ana
    .byRole('timer', 'Grabando')
    .filter({ hasText: /0:(0[1-9]|[1-5]\d)/ })
    .waitFor()
  await ana.click(/Hernán Paz/, 'link')
  await words(ana).waitFor()
  await ana.click(/Lucía Campos/, 'link')
  await ana.byRole('list', 'Archivos por enviar').waitFor()
  await waitForStoredFiles(ana)
  await ana.page.reload()
  await ana.byRole('list', 'Archivos por enviar').waitFor()
  await ana.click('Enviar', 'button', box(ana))
  await expect.poll(async () => (await lucia.listMessages()).at(-1)?.voice?.waveform.length).toBe(64)
})

test('discards a recording, refuses one that is too short, and handles a denied microphone', async () => {
  const { ana, lucia } = await attending()
  await microphone(ana, 'slow')
  await ana.click('Grabar audio')
  await ana.click('Enviar', 'button', ana.byRole('region', 'Grabando'))
  await ana.expectAndCloseToast('Fue muy corto: no se envió')
  // A recording of less than 10,000 bytes.
  await microphone(ana, 'short')
  await ana.click('Grabar audio')
  await ana
    .byRole('timer', 'Grabando')
    .filter({ hasText: /0:(0[1-9]|[1-5]\d)/ })
    .waitFor()
  await ana.click('Enviar', 'button', ana.byRole('region', 'Grabando'))
  await ana.expectAndCloseToast('Fue muy corto: no se envió')
  await microphone(ana, 'well')
  await ana.click('Grabar audio')
  await ana
    .byRole('timer', 'Grabando')
    .filter({ hasText: /0:(0[1-9]|[1-5]\d)/ })
    .waitFor()
  await ana.click('Pausar la grabación')
  await ana.byRole('region', 'Grabación en pausa').waitFor()
  await ana.click('Descartar')
  await words(ana).waitFor()
  expect((await lucia.listMessages()).filter(({ kind }) => kind === 'audio')).toEqual([])

  await microphone(ana, 'refused')
  await ana.click('Grabar audio')
  await ana.expectAndCloseToast('El navegador tiene bloqueado el micrófono')
  await words(ana).waitFor()
  await microphone(ana, 'well')
})

test('inserts quick replies with their files after a slash, by keyboard alone', async () => {
  const { ana, lucia, company } = await attending()
  const { admin } = company
  await words(ana).click()
  await ana.page.keyboard.type('/')
  await ana.expectText(/^Todavía no hay respuestas rápidas\. Crear la primera$/, box(ana))
  expect(await ana.byRole('link', 'Crear la primera').getAttribute('href')).toBe('/quick-messages?new=true')
  await ana.takeScreenshot('composer-no-replies')
  await ana.page.keyboard.press('Backspace')
  const body = { geral: true, status: true }
  await admin.call(quickMessagesApi.create, { body: { ...body, shortcode: 'gracias', message: 'Gracias a ti' } })
  const message = 'Hola {{firstName}}, estos son los precios de todo lo que tenemos hoy en la tienda'
  const { id } = await admin.call(quickMessagesApi.create, { body: { ...body, shortcode: 'precios', message } })
  await sendForm(admin, `/quick-messages/${id}/media-upload`, {
    typeArch: ['quickMessage'],
    file: [[tinyPng, 'lista.png']],
  })

  const list = ana.byRole('listbox', 'Respuestas rápidas')
  await words(ana).click()
  await ana.page.keyboard.type('/')
  await ana.expectHidden(list)
  await ana.page.keyboard.type('r')
  await list.waitFor()
  await ana.takeScreenshot('composer-replies')
  await ana.checkAccessibility()
  await expect
    .poll(() => list.getByRole('option').allInnerTexts())
    .toEqual([expect.stringMatching(/^\/gracias/), expect.stringMatching(/^\/precios\s+Hola Lucía, estos son los/)])
  // The full text is shown beside the list if there is room; search matches words in any order.
  await ana.page.keyboard.press('ArrowDown')
  await ana.expectText(/^Hola Lucía, estos son los precios de todo lo que tenemos hoy en la tienda/, box(ana))
  await words(ana).fill('/tienda hoy')
  await expect.poll(() => list.getByRole('option').allInnerTexts()).toHaveLength(1)
  await words(ana).fill('/r')
  await list.waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(list)
  await ana.page.keyboard.type('e')
  await list.waitFor()
  await ana.page.keyboard.press('Backspace')
  await expect.poll(() => list.getByRole('option').count()).toBe(2)
  await ana.page.keyboard.press('ArrowDown')
  await list.getByRole('option', { name: /precios/, selected: true }).waitFor()
  await ana.page.keyboard.press('Enter')
  await expect.poll(() => words(ana).inputValue()).toBe(message.replace('{{firstName}}', 'Lucía'))
  await ana.byRole('list', 'Archivos por enviar').getByRole('img', { name: 'lista.png' }).waitFor()
  await ana.page.keyboard.press('Enter')
  await expect
    .poll(async () => (await lucia.listMessages()).slice(-1).map(({ kind, body }) => [kind, body]))
    .toEqual([['image', `*The admin:*\n${message.replace('{{firstName}}', 'Lucía')}`]])

  await ana.click('Respuestas rápidas', 'button', box(ana))
  await ana.click(/gracias/, 'option')
  await expect.poll(() => words(ana).inputValue()).toBe('Gracias a ti')
})

test('keeps a draft with its ticket across navigation, reloads and devices', async () => {
  const { ana, lucia, company, first } = await attending()
  await words(ana).fill('Te mando la cotización mañana')
  await box(ana)
    .locator('input[type=file]')
    .setInputFiles({ name: 'plano.png', mimeType: 'image/png', buffer: tinyPng })
  await ana.click('Quitar plano.png')
  await box(ana)
    .locator('input[type=file]')
    .setInputFiles({ name: 'cotización.pdf', mimeType: 'application/pdf', buffer: tinyPdf })
  await ana.byRole('button', 'Quitar cotización.pdf').waitFor()
  await ana.click('Nota', 'button', box(ana))
  await ana.fill('Nota', 'Prefiere la mañana')
  await ana.click(/Hernán Paz/, 'link')
  await stored(ana, 'Buenas').waitFor()
  await expect.poll(() => words(ana).inputValue()).toBe('')
  await words(ana).fill('Buenas, dime')
  // Ticket rows do not move under the pointer; a hint above them announces new rows. The pointer is moved away, so that
  // they appear.
  await words(ana).hover()
  await lucia.says('¿Sigues ahí?')
  await ana.click(/Lucía Campos/, 'link')
  await stored(ana, '¿Sigues ahí?').waitFor()
  await expect.poll(() => words(ana).inputValue()).toBe('Te mando la cotización mañana')
  await lucia.says('Hola?')
  await stored(ana, 'Hola?').waitFor()
  await ana.page.reload()
  await words(ana).waitFor()
  await expect.poll(() => words(ana).inputValue()).toBe('Te mando la cotización mañana')

  await ana.byRole('button', 'Quitar cotización.pdf').waitFor()
  await ana.expectHidden(ana.byRole('button', 'Quitar plano.png'))

  // The same person on another device has the draft, and what is typed there appears here.
  const { admin } = company
  const { id } = await admin.call(ticketsApi.byUuid, { params: { uuid: first as string } })
  const onServer = async () =>
    (await admin.call(draftsApi.list, {})).drafts.find(({ ticketId, mode }) => ticketId === id && mode === 'reply')
      ?.body
  await expect.poll(onServer).toBe('Te mando la cotización mañana')
  await admin.call(draftsApi.write, { params: { id }, body: { body: 'Te la mando hoy' } })
  await expect.poll(() => words(ana).inputValue()).toBe('Te la mando hoy')
  await words(ana).fill('Te la mando ya')
  await expect.poll(onServer).toBe('Te la mando ya')

  await ana.click(/^Nota/, 'button', box(ana))
  await expect.poll(() => ana.field('Nota').inputValue()).toBe('Prefiere la mañana')
  await ana.takeScreenshot('composer-note')
  await ana.checkAccessibility()
  await ana.click('Guardar nota')
  await ana.expectAndCloseToast('Nota guardada')
  await ana.expectText(/Prefiere la mañana/, thread(ana))
  await expect.poll(() => ana.field('Nota').inputValue()).toBe('')
  expect((await lucia.listMessages()).some(({ body }) => body.includes('Prefiere'))).toBe(false)
  await ana.click('Eliminar nota', 'button', thread(ana))
  await ana.confirm('Eliminar nota')
  await ana.expectAndCloseToast('Nota eliminada')
  await ana.expectHidden(thread(ana).getByText(/Prefiere la mañana/))
})

test('takes a message back before it leaves, with its quote and file, or sends it at once', async () => {
  const { ana, lucia, company } = await attending()
  const { admin } = company
  const own = { name: 'The admin', email: admin.email, profile: 'admin', undoSeconds: 20 }
  expect((await admin.request('PUT', `/users/${admin.id}`, own)).status).toBe(200)
  await ana.page.reload()
  await words(ana).waitFor()
  const received = async () => (await lucia.listMessages()).filter((message) => !message.fromCustomer)
  await ana.hoverAndClick(stored(ana, '¿hacen envíos?'), 'Responder')
  await ana.page.keyboard.type('Solo los martes')
  await ana.page.keyboard.press('Enter')
  await once(stored(ana, 'Solo los martes'))
  await ana.expectText(/^Sale en \d+ s$/, thread(ana))
  await ana.takeScreenshot('composer-undo-send')
  await ana.checkAccessibility()
  await words(ana).focus()
  await ana.page.keyboard.press('Control+z')
  await expect.poll(() => words(ana).inputValue()).toBe('Solo los martes')
  await ana.expectText('Respondiendo a Lucía Campos')
  await ana.expectHidden(bubbles(ana, 'Solo los martes'))
  expect(await received()).toEqual([])

  await words(ana).fill('La lista')
  await box(ana)
    .locator('input[type=file]')
    .setInputFiles({ name: 'lista.pdf', mimeType: 'application/pdf', buffer: tinyPdf })
  await ana.byRole('button', 'Quitar lista.pdf').waitFor()
  await ana.click('Enviar', 'button', box(ana))
  await once(stored(ana, 'La lista'))
  await ana.click('Deshacer', 'button', thread(ana))
  await ana.byRole('button', 'Quitar lista.pdf').waitFor()
  await expect.poll(() => words(ana).inputValue()).toBe('La lista')
  await ana.expectHidden(bubbles(ana, 'La lista'))
  await ana.click('Enviar', 'button', box(ana))
  await ana.click('Enviar ya', 'button', thread(ana))
  await expect.poll(async () => (await received()).map(({ mediaName }) => mediaName)).toEqual(['lista.pdf'])
  await admin.request('PUT', `/users/${admin.id}`, { ...own, undoSeconds: 0 })
})

test('queues a message without a network, survives a reload, and sends it exactly once', async () => {
  const { ana, lucia } = await attending()
  await ana.page.context().setOffline(true)
  desk.allowProblem('console: Failed to load resource: net::ERR_INTERNET_DISCONNECTED')
  desk.allowProblem('console: WebSocket connection')
  await words(ana).fill('Ya te confirmo')
  await ana.page.keyboard.press('Enter')
  await onItsWay(ana, 'Ya te confirmo').waitFor()
  await box(ana)
    .locator('input[type=file]')
    .setInputFiles({ name: 'plano.png', mimeType: 'image/png', buffer: tinyPng })
  await words(ana).fill('El plano')
  await ana.page.keyboard.press('Enter')
  await onItsWay(ana, 'El plano').waitFor()
  await ana.expectText('Se enviará en cuanto vuelva la conexión', thread(ana))
  await ana.takeScreenshot('composer-offline')
  await ana.page.context().setOffline(false)
  await once(stored(ana, 'Ya te confirmo'))
  await once(stored(ana, 'El plano'))
  await expect
    .poll(async () => (await lucia.listMessages()).slice(-2).map(({ kind, body }) => [kind, body]))
    .toEqual([
      ['text', '*The admin:*\nYa te confirmo'],
      ['image', '*The admin:*\nEl plano'],
    ])

  // The server stores the message, the response is lost, and the page is closed during the next try.
  let tries = 0
  await ana.page.route('**/messages/*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    if (++tries === 1) await route.fetch()
    // The page may be closed before this aborted response.
    await route.abort('connectionreset').catch(() => undefined)
  })
  desk.allowProblem('console: Failed to load resource: net::ERR_CONNECTION_RESET')
  await words(ana).fill('Solo una vez')
  await ana.page.keyboard.press('Enter')
  await expect.poll(() => tries).toBeGreaterThan(0)
  await words(ana).fill('Y después esta')
  await ana.page.keyboard.press('Enter')
  await box(ana).locator('input[type=file]').setInputFiles({ name: 'foto.png', mimeType: 'image/png', buffer: tinyPng })
  await words(ana).fill('Con su foto')
  await ana.page.keyboard.press('Enter')
  await onItsWay(ana, 'Con su foto').waitFor()
  await ana.page.unroute('**/messages/*')
  await waitForStoredFiles(ana)
  await ana.page.reload()
  await once(stored(ana, 'Con su foto'))
  await once(bubbles(ana, 'Solo una vez'))
  const lastWords = async () => (await lucia.listMessages()).slice(-3).map(({ body }) => body.split('\n').at(-1))
  await expect.poll(lastWords).toEqual(['Solo una vez', 'Y después esta', 'Con su foto'])
})

test('keeps a refused message with its reason, to retry or to put back into the composer', async () => {
  const { ana, lucia } = await attending()
  const refuse = () =>
    ana.page.route('**/messages/*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { error: 'ERR_SENDING_WAPP_MSG' } })
        : route.continue(),
    )
  desk.allowProblem('400 POST /messages/')
  await refuse()
  await words(ana).fill('Con permiso')
  await ana.page.keyboard.press('Enter')
  await ana.expectText('No se pudo enviar el mensaje. Revisa la línea.', thread(ana))
  await ana.takeScreenshot('composer-failed')
  await ana.checkAccessibility()
  await ana.page.unroute('**/messages/*')
  await ana.click('Reintentar', 'button', thread(ana))
  await once(stored(ana, 'Con permiso'))
  await once(bubbles(ana, 'Con permiso'))

  await refuse()
  await words(ana).fill('Mejor otra cosa')
  await ana.page.keyboard.press('Enter')
  await ana.click('Editar', 'button', thread(ana))
  await ana.expectHidden(onItsWay(ana, 'Mejor otra cosa'))
  await expect.poll(() => words(ana).inputValue()).toBe('Mejor otra cosa')
  await ana.page.unroute('**/messages/*')
  await ana.page.keyboard.press('Enter')
  await once(stored(ana, 'Mejor otra cosa'))
  const received = async () => (await lucia.listMessages()).filter(({ body }) => body.includes('Mejor otra cosa'))
  await expect.poll(received).toHaveLength(1)

  // A refused edit restores the message and keeps the typed text for the next try.
  desk.allowProblem('409 PUT /messages/')
  await ana.page.route('**/messages/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 409, json: { error: 'ERR_EDITING_WAPP_MSG' } })
      : route.continue(),
  )
  await words(ana).press('ArrowUp')
  await ana.expectText('Editando tu mensaje')
  await words(ana).fill('Mejor esta otra cosa')
  await ana.page.keyboard.press('Enter')
  await ana.expectAndCloseToast('Solo se puede editar un texto propio')
  await once(stored(ana, 'Mejor otra cosa'))
  await ana.page.unroute('**/messages/*')
  await words(ana).press('ArrowUp')
  await ana.expectText('Editando tu mensaje')
  await expect.poll(() => words(ana).inputValue()).toBe('Mejor esta otra cosa')
  await ana.page.keyboard.press('Enter')
  await once(stored(ana, 'Mejor esta otra cosa'))
})

test('fits the composer for touch on a phone', async () => {
  const { ana } = await attending(true)
  await words(ana).fill('Desde el teléfono')
  await ana.takeScreenshot('composer-phone')
  await ana.checkAccessibility()
  await ana.click('Emoji', 'button', box(ana))
  await ana.expectText('Caras')
  await ana.takeScreenshot('composer-emoji-phone')
  await ana.page.keyboard.press('Escape')
  await ana.click('Enviar', 'button', box(ana))
  await once(stored(ana, 'Desde el teléfono'))
  // The results list opens within the screen and does not enlarge the page.
  await ana.click('Adjuntar', 'button', box(ana))
  await ana.click('Contacto', 'menuitem')
  await ana.fill('Contacto', 'lucía', ana.dialog)
  await ana.byRole('option', /^Lucía Campos/).waitFor()
  await expect.poll(() => ana.page.evaluate(() => innerWidth)).toBe(phoneViewport.width)
  await ana.click(/^Lucía Campos/, 'option')
  await ana.takeScreenshot('send-card-phone')
  await ana.click('Enviar', 'button', ana.dialog)
  await once(bubbles(ana, 'Lucía Campos'))
  // A long press on a message opens its menu, sized for touch.
  const said = stored(ana, 'Hola, ¿hacen envíos?')
  await said.dispatchEvent('pointerdown', { pointerType: 'touch', bubbles: true })
  const react = ana.byRole('menuitem', 'Reaccionar con 👍')
  await react.waitFor()
  await said.dispatchEvent('pointerup', { pointerType: 'touch', bubbles: true })
  await expect.poll(async () => (await react.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await ana.takeScreenshot('message-menu-phone')
  await ana.page.keyboard.press('Escape')
  // A swipe to the right quotes the message.
  const finger = (kind: string, clientX: number) =>
    said.dispatchEvent(kind, { pointerType: 'touch', bubbles: true, clientX, clientY: 300 })
  await finger('pointerdown', 60)
  await finger('pointermove', 90)
  await finger('pointermove', 140)
  await finger('pointerup', 140)
  await ana.expectText(/^Respondiendo a/, box(ana))
  // Offline, the conversation shows its own notice, because it covers all other notices.
  desk.allowProblem('console: ')
  await ana.page.context().setOffline(true)
  await ana.expectText('Sin conexión. Guardamos lo que escribas y lo enviamos al volver.')
  await ana.takeScreenshot('composer-offline-phone')
  await ana.checkAccessibility()
})

test('schedules, sends and resolves in one step, and explains why a ticket does not accept messages', async () => {
  const { ana, line, first, lucia } = await attending()
  // A double click selects a word and nothing else; Ctrl and the arrows quote.
  await stored(ana, 'Hola, ¿hacen envíos?')
    .getByText('Hola, ¿hacen envíos?')
    .dblclick({ position: { x: 8, y: 8 } })
  expect(await ana.page.evaluate(() => getSelection()?.toString().trim())).toBe('Hola')
  expect(
    await box(ana)
      .getByText(/^Respondiendo a/)
      .count(),
  ).toBe(0)
  await words(ana).focus()
  await ana.page.keyboard.press('Control+ArrowUp')
  await ana.expectText(/^Respondiendo a/, box(ana))
  await ana.page.keyboard.press('Control+ArrowDown')
  await ana.expectHidden(box(ana).getByText(/^Respondiendo a/))

  // The schedule dialog opens over the conversation with the text of the composer.
  const address = ana.page.url()
  await words(ana).fill('Mañana te confirmo el envío')
  // A scheduled message has one file; the others stay in the composer.
  const files = ['plano.png', 'corte.png'].map((name) => ({ name, mimeType: 'image/png', buffer: tinyPng }))
  await box(ana).locator('input[type=file]').setInputFiles(files)
  await ana.byRole('button', 'Quitar corte.png').waitFor()
  await ana.click('Más opciones de envío')
  await ana.click('Programar', 'menuitem')
  await expect.poll(() => ana.field('Mensaje', ana.dialog).inputValue()).toBe('Mañana te confirmo el envío')
  await expect.poll(() => ana.field('Contacto', ana.dialog).inputValue()).toBe('Lucía Campos')
  await ana.expectText('plano.png', ana.dialog.getByRole('complementary'))
  await ana.dialog.locator('textarea:focus').waitFor()
  await ana.takeScreenshot('schedule-over-conversation')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Mensaje programado')
  expect(ana.page.url()).toBe(address)
  expect(await words(ana).inputValue()).toBe('')
  await ana.expectHidden(ana.byRole('button', 'Quitar plano.png'))
  await ana.click('Quitar corte.png')
  await words(ana).fill('Quedo atenta')
  await ana.click('Más opciones de envío')
  await ana.click('Enviar y resolver', 'menuitem')
  await expect.poll(() => ana.page.url()).toMatch(/\/tickets$/)
  await expect
    .poll(async () => (await lucia.listMessages()).some(({ body }) => body.includes('Quedo atenta')))
    .toBe(true)
  await ana.navigate(`/tickets/${first}`)
  await ana.expectText('Este ticket está resuelto')
  await ana.takeScreenshot('composer-closed')
  await ana.checkAccessibility()
  await ana.click('Reabrir', 'button', box(ana))
  await words(ana).waitFor()

  await line.unlink()
  await ana.expectText('La línea no está conectada')
  await ana.byRole('link', 'Ver líneas', box(ana)).waitFor()
})

/** Plays the paused recording to its end and returns its duration. */
async function listen(ana: Visitor): Promise<number> {
  const paused = ana.byRole('region', 'Grabación en pausa')
  const sound = paused.locator('audio')
  await sound.evaluate((one) => one.addEventListener('ended', () => one.setAttribute('data-heard', '')))
  await ana.click('Reproducir audio', 'button', paused)
  await paused.locator('audio[data-heard]').waitFor({ state: 'attached' })
  return sound.evaluate((one: HTMLAudioElement) => one.duration)
}

/** What the timer of the running recording shows. */
async function recordedSeconds(ana: Visitor): Promise<number> {
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec((await ana.byRole('timer', 'Grabando').textContent()) ?? '') ?? []
  return Number(minutes) * 60 + Number(seconds)
}

/** In the browser: sets how the fake microphone behaves from now on. */
const microphone = (ana: Visitor, how: 'well' | 'slow' | 'short' | 'refused') =>
  ana.page.evaluate((answer) => {
    const { mediaDevices } = navigator
    Reflect.deleteProperty(mediaDevices, 'getUserMedia')
    const listening = AudioContext.prototype as unknown as Record<string, unknown>
    listening.kept ??= listening.createMediaStreamSource
    listening.createMediaStreamSource = listening.kept
    if (answer === 'short')
      Reflect.set(listening, 'createMediaStreamSource', function shortly(this: AudioContext) {
        const sound = this.createConstantSource()
        sound.start()
        sound.stop(this.currentTime + 0.4)
        return sound
      })
    else if (answer !== 'well')
      mediaDevices.getUserMedia = () =>
        answer === 'slow' ? new Promise(() => undefined) : Promise.reject(new DOMException('', 'NotAllowedError'))
  }, how)

/** Passes a file to an element by paste or drop. */
async function handOver(target: Locator, how: 'paste' | 'drop', name: string, bytes: Buffer): Promise<void> {
  await target.evaluate(
    (element, [kind, called, base64]) => {
      const content = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([content], called, { type: called.endsWith('png') ? 'image/png' : 'image/jpeg' }))
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
      element.dispatchEvent(event)
    },
    [how, name, bytes.toString('base64')] as const,
  )
}
