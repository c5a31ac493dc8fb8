import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { quickMessagesApi } from '@recado/contract/quick-messages'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { backUp } from '../../../keeping/back-up.ts'
import { check } from '../../../keeping/read.ts'
import { type Desk, deskOf } from '../../../test/desk.ts'
import { fakeS3 } from '../../../test/fake-s3.ts'
import { closeHouses, type House, house } from '../../../test/house.ts'
import { png, upload } from '../../../test/uploads.ts'
import { readS3Address, type S3Address, s3Store } from './s3.ts'

let s3: Awaited<ReturnType<typeof fakeS3>>
let h: House
let d: Desk
beforeAll(async () => {
  s3 = await fakeS3()
  h = await house({ filesUrl: s3.url({ prefix: '/houses/first' }) })
  d = await deskOf(h)
})
afterAll(async () => {
  await closeHouses()
  await s3?.close()
})

const names = () => [...s3.objects.keys()]
const incoming = async () => (await readdir(join(h.dataDir, 'incoming')).catch(() => [])).length
async function stored(content: Uint8Array, name: string) {
  const { id } = await d.admin.call(quickMessagesApi.create, { body: { shortcode: name, message: '' } })
  const answer = await upload(d.admin, `/quick-messages/${id}/media-upload`, { file: [[content, name]] })
  return { id, status: answer.status }
}

describe('files in a store that speaks S3', () => {
  it('lie there alone, and are read by signed addresses, whole or in part', async () => {
    const { id } = await stored(png, 'casa.png')
    expect(names()).toEqual([expect.stringMatching(new RegExp(`^houses/first/${d.company.id}/[\\w-]{32}\\.png$`))])
    expect(existsSync(join(h.dataDir, 'files'))).toBe(false)
    expect(await incoming()).toBe(0)
    const url = (await d.admin.call(quickMessagesApi.show, { params: { id } })).mediaPath as string
    const whole = await fetch(url)
    expect([whole.headers.get('content-type'), whole.headers.get('content-length')]).toEqual([
      'image/png',
      String(png.length),
    ])
    expect(Buffer.from(await whole.arrayBuffer()).equals(png)).toBe(true)
    const part = await fetch(url, { headers: { range: 'bytes=1-3' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 1-3/${png.length}`,
      'PNG',
    ])
    expect((await fetch(url.replace('sig=', 'sig=x'))).status).toBe(404)

    await d.admin.call(quickMessagesApi.remove, { params: { id } })
    await vi.waitFor(() => expect(names()).toEqual([]))
    expect((await fetch(url)).status).toBe(404)
  })

  it('that cannot be kept now are brought when it answers again: nothing of what a customer sent is lost', async () => {
    // The test phone keeps its own first; then nobody answers.
    s3.state.putsLeft = 1
    const customer = d.line.customer('5491155550001', 'Sol')
    const wid = await customer.sends(new File([png], 'recibo.png', { type: 'image/png' }))
    const { id } = await d.stored(wid)
    const state = async () =>
      (await d.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()).mediaState
    await vi.waitFor(async () => {
      const errand = await d.db.selectFrom('lineErrands').selectAll().executeTakeFirstOrThrow()
      expect(errand.attempts).toBeGreaterThan(0)
    })
    expect([s3.state.isDown, await state()]).toEqual([true, 'pending'])
    // Who sends something is told to come again.
    expect((await stored(png, 'no.png')).status).toBe(503)

    Object.assign(s3.state, { isDown: false, putsLeft: Infinity })
    await vi.waitFor(async () => expect(await state()).toBe('ready'))
    // Nothing that came in vain lies about.
    expect(await incoming()).toBe(0)
    const [message] = await d.thread(d.admin, (await d.stored(wid)).ticketId)
    const answer = await fetch(new URL(message?.mediaUrl as string, h.address))
    expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true)
  })

  it('are in a backup', async () => {
    const file = join(h.dataDir, 'one.backup')
    const { databaseUrl, config, running } = h
    const place = { databaseUrl, files: running.means.files, appSecret: config.appSecret }
    const made = await backUp(place, 'ocho perros y un río', file)
    expect(made.files).toBe(s3.objects.size)
    expect((await check(file, 'ocho perros y un río')).seen.fileBytes).toBe(
      [...s3.objects.values()].reduce((all, { bytes }) => all + bytes.length, 0),
    )
  })
})

describe('the store', () => {
  const at = (url: string) => s3Store(readS3Address(url) as S3Address)
  const name = (n: number) => `${String(n).padStart(32, 'x')}.txt`

  it('keeps, copies, lists page after page and removes', async () => {
    const store = at(s3.url({ prefix: '/other' }))
    const folder = await mkdtemp(join(h.dataDir, 'put-'))
    for (let n = 0; n < 5; n++) {
      await writeFile(join(folder, name(n)), `content ${n}`)
      // One that is busy for a moment is asked again.
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
    for await (const one of store.all()) found.push(`${one.companyId}/${one.name}`)
    expect(found.sort()).toEqual([0, 1, 2, 3, 9].map((n) => `7/${name(n)}`).concat(`8/${name(4)}`))
    for await (const one of store.all(8)) expect(one).toMatchObject({ companyId: 8, name: name(4) })
    await store.remove(7, [0, 1, 2, 3, 5, 9].map(name))
    expect(names().filter((key) => key.startsWith('other/'))).toEqual([`other/8/${name(4)}`])
    await store.removeAll(8)
    expect(names().filter((key) => key.startsWith('other/'))).toEqual([])
    await rm(folder, { recursive: true })
  })

  it('is told apart from one that refuses: what is wrong stays wrong, who is out of reach may come back', async () => {
    const file = join(h.dataDir, 'one.txt')
    await writeFile(file, 'one')
    await expect(at(s3.url({ secret: 'another' })).put(1, name(1), file)).rejects.toThrow(/refused PUT: 403/)
    await expect(at(s3.url({ bucket: 'none' })).put(1, name(1), file)).rejects.toThrow(/no bucket none/)
    s3.state.isDown = true
    await expect(at(s3.url()).put(1, name(1), file)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    s3.state.isDown = false
    expect(await readFile(file, 'utf8')).toBe('one')
  })

  it('is named by an address, or not at all', () => {
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
