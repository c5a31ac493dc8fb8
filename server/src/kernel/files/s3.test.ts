import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { quickMessagesApi } from '@recado/contract/quick-messages'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createBackup } from '../../../backup/create-backup.ts'
import { checkBackup } from '../../../backup/read-backup.ts'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { fakeS3 } from '../../../test/fake-s3.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { sendForm, tinyPng } from '../../../test/upload.ts'
import { minutes } from '../clock.ts'
import { makeS3Store, readS3Address, type S3Address } from './s3.ts'

let s3: Awaited<ReturnType<typeof fakeS3>>
let harness: TestServer
let desk: Desk
beforeAll(async () => {
  s3 = await fakeS3()
  harness = await testServer({ filesUrl: s3.url({ prefix: '/houses/first' }) })
  desk = await openDesk(harness)
})
afterAll(async () => {
  await closeTestServers()
  await s3?.close()
})

const names = () => [...s3.objects.keys()]
const incoming = async () => (await readdir(join(harness.dataDir, 'incoming')).catch(() => [])).length
async function stored(content: Uint8Array, name: string) {
  const { id } = await desk.admin.call(quickMessagesApi.create, { body: { shortcode: name, message: '' } })
  const answer = await sendForm(desk.admin, `/quick-messages/${id}/media-upload`, { file: [[content, name]] })
  return { id, status: answer.status }
}

describe('files in an S3-compatible store', () => {
  it('are stored only in that store, and read by signed URLs, whole or in part', async () => {
    const { id } = await stored(tinyPng, 'casa.png')
    expect(names()).toEqual([expect.stringMatching(new RegExp(`^houses/first/${desk.company.id}/[\\w-]{32}\\.png$`))])
    expect(existsSync(join(harness.dataDir, 'files'))).toBe(false)
    expect(await incoming()).toBe(0)
    const url = (await desk.admin.call(quickMessagesApi.show, { params: { id } })).mediaPath as string
    const whole = await fetch(url)
    expect([whole.headers.get('content-type'), whole.headers.get('content-length')]).toEqual([
      'image/png',
      String(tinyPng.length),
    ])
    expect(Buffer.from(await whole.arrayBuffer()).equals(tinyPng)).toBe(true)
    const part = await fetch(url, { headers: { range: 'bytes=1-3' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 1-3/${tinyPng.length}`,
      'PNG',
    ])
    expect((await fetch(url.replace('sig=', 'sig=x'))).status).toBe(404)

    await desk.admin.call(quickMessagesApi.remove, { params: { id } })
    await vi.waitFor(() => expect(names()).toEqual([]))
    expect((await fetch(url)).status).toBe(404)
  })

  it('that the store does not accept now are uploaded when it answers again: no file of a customer is lost', async () => {
    // The test phone stores its own copy first; then the S3 store stops answering.
    s3.state.putsLeft = 1
    const customer = desk.line.customer('5491155550001', 'Sol')
    const wid = await customer.sends(new File([tinyPng], 'recibo.png', { type: 'image/png' }))
    const { id } = await desk.waitForMessage(wid)
    const state = async () =>
      (await desk.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()).mediaState
    await vi.waitFor(async () => {
      const lineTask = await desk.db.selectFrom('lineErrands').selectAll().executeTakeFirstOrThrow()
      expect(lineTask.attempts).toBeGreaterThan(0)
    })
    expect([s3.state.isDown, await state()]).toEqual([true, 'pending'])
    // A user who uploads gets an error and can retry.
    expect((await stored(tinyPng, 'no.png')).status).toBe(503)

    Object.assign(s3.state, { isDown: false, putsLeft: Infinity })
    await vi.waitFor(async () => expect(await state()).toBe('ready'))
    // No failed upload is left behind.
    expect(await incoming()).toBe(0)
    const [message] = await desk.listMessages(desk.admin, (await desk.waitForMessage(wid)).ticketId)
    const answer = await fetch(new URL(message?.mediaUrl as string, harness.address))
    expect(Buffer.from(await answer.arrayBuffer()).equals(tinyPng)).toBe(true)
  })

  it('are included in a backup', async () => {
    const file = join(harness.dataDir, 'one.backup')
    const { databaseUrl, config, server: running } = harness
    const place = { databaseUrl, files: running.deps.files, appSecret: config.appSecret }
    const made = await createBackup(place, 'ocho perros y un río', file)
    expect(made.files).toBe(s3.objects.size)
    expect((await checkBackup(file, 'ocho perros y un río')).summary.fileBytes).toBe(
      [...s3.objects.values()].reduce((all, { bytes }) => all + bytes.length, 0),
    )
  })
})

describe('the S3 store', () => {
  const at = (url: string) => makeS3Store(readS3Address(url) as S3Address)
  const name = (n: number) => `${String(n).padStart(32, 'x')}.txt`

  it('stores, copies, lists page after page and removes', async () => {
    const store = at(s3.url({ prefix: '/other' }))
    const folder = await mkdtemp(join(harness.dataDir, 'put-'))
    for (let n = 0; n < 5; n++) {
      await writeFile(join(folder, name(n)), `content ${n}`)
      // An upload is retried if the S3 store is briefly busy.
      s3.state.busy = n === 1 ? 1 : 0
      await store.put(n < 4 ? 7 : 8, name(n), join(folder, name(n)))
    }
    expect(await readdir(folder)).toEqual([])
    expect(await store.copy(7, name(0), name(9))).toBe(true)
    expect(await store.copy(7, name(5), name(9))).toBe(false)
    expect(await text(store.read(7, name(9)))).toBe('content 0')
    expect([await store.size(7, name(3)), await store.size(7, name(5))]).toEqual([9, null])
    await expect(text(store.read(7, name(5)))).rejects.toMatchObject({ code: 'ENOENT' })
    const found: string[] = []
    for await (const one of store.list()) found.push(`${one.companyId}/${one.name}`)
    expect(found.sort()).toEqual([0, 1, 2, 3, 9].map((n) => `7/${name(n)}`).concat(`8/${name(4)}`))
    for await (const one of store.list(8)) expect(one).toMatchObject({ companyId: 8, name: name(4) })
    await store.remove(7, [0, 1, 2, 3, 5, 9].map(name))
    expect(names().filter((key) => key.startsWith('other/'))).toEqual([`other/8/${name(4)}`])
    await store.removeAll(8)
    expect(names().filter((key) => key.startsWith('other/'))).toEqual([])
    await rm(folder, { recursive: true })
  })

  it('distinguishes permanent refusals from an unreachable store, which may come back', async () => {
    const file = join(harness.dataDir, 'one.txt')
    await writeFile(file, 'one')
    await expect(at(s3.url({ secret: 'another' })).put(1, name(1), file)).rejects.toThrow(/refused PUT: 403/)
    await expect(at(s3.url({ bucket: 'none' })).put(1, name(1), file)).rejects.toThrow(/no bucket none/)
    s3.state.isDown = true
    await expect(at(s3.url()).put(1, name(1), file)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    s3.state.isDown = false
    expect(await readFile(file, 'utf8')).toBe('one')
  })

  it('counts as unreachable if it does not answer, for reads and writes', async () => {
    const file = join(harness.dataDir, 'two.txt')
    await writeFile(file, 'two')
    const store = makeS3Store(readS3Address(s3.url()) as S3Address, { answerMs: 50, sendMs: 50 })
    s3.state.isSilent = true
    await expect(store.size(1, name(1))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(store.put(1, name(1), file)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(text(store.read(1, name(1)))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    s3.state.isSilent = false
    await at(s3.url()).put(1, name(1), file)
    expect(await text(at(s3.url()).read(1, name(1)))).toBe('two')
    await at(s3.url()).remove(1, [name(1)])
  })

  it('requires a valid URL', () => {
    expect(readS3Address('s3://k:s%2Fx@s3.eu.example/mine/a/b?style=host&region=eu-1')).toEqual({
      endpoint: 'https://s3.eu.example',
      bucket: 'mine',
      prefix: 'a/b/',
      region: 'eu-1',
      key: 'k',
      secret: 's/x',
      byHost: true,
    })
    for (const wrong of [
      's3://host/bucket',
      's3://k:s@host',
      'https://k:s@host/bucket',
      's3://k:s@host/b?tls=no',
      's3://k:s@host/b?zone=1',
      'x',
    ])
      expect(readS3Address(wrong), wrong).toBeNull()
  })
})

describe('a slow store', () => {
  /** Runs `work` while uploads to the store do not complete; `work` begins once the store was called. */
  async function withSlowStore(work: () => Promise<unknown>): Promise<void> {
    const { promise: slow, resolve: answer } = Promise.withResolvers<void>()
    s3.state.slow = slow
    const before = s3.asked.length
    try {
      await vi.waitFor(() => expect(s3.asked.slice(before).join()).toContain('PUT'), { timeout: 10_000 })
      await work()
    } finally {
      answer()
    }
  }
  async function talk() {
    const { customer, id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { status: 'open', userId: desk.admin.id })
    return { customer, id }
  }
  const said = async (id: number) => (await desk.listMessages(desk.admin, id)).map((m) => m.body || m.mediaName)

  it('does not block writes to the ticket whose file is being stored', async () => {
    const { customer, id } = await talk()
    const asked = withSlowStore(async () => desk.waitForMessage(await customer.says('sigo aquí')))
    const sent = await sendForm(desk.admin, `/messages/${id}`, { medias: [[tinyPng, 'lenta.png']] })
    await asked
    expect(sent.status).toBe(200)
    expect(await said(id)).toEqual(['hola', 'sigo aquí', 'lenta.png'])
  })

  it('does not block a ticket while a scheduled message’s file is stored', async () => {
    const { customer, id } = await talk()
    const { contactId } = await desk.showTicket(id)
    const sendAt = new Date(harness.clock.now().getTime() + minutes(2)).toISOString()
    const write = { body: 'el plan', contactId, sendAt, whatsappId: desk.line.id }
    const made = await desk.admin.request<{ id: number }>('POST', '/schedules', write)
    await sendForm(desk.admin, `/schedules/${made.body.id}/media-upload`, { file: [[tinyPng, 'plan.png']] })
    const asked = withSlowStore(async () => desk.waitForMessage(await customer.says('¿sigue en pie?')))
    harness.clock.advance(minutes(2) + 1000)
    await harness.server.switchboard.timers.poll()
    await asked
    await vi.waitFor(async () => expect(await said(id)).toEqual(['hola', '¿sigue en pie?', 'el plan']), {
      timeout: 10_000,
    })
  })
})
