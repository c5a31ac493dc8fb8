import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Announcement, announcementsApi } from '@recado/contract/announcements'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { sendForm, tinyJpeg, tinyPdf, tinyPng } from '../../../test/upload.ts'

let harness: TestServer
let superUser: TestUser
let reader: TestUser
beforeAll(async () => {
  harness = await testServer()
  superUser = await harness.superUser()
  reader = await (await harness.createCompany()).user()
})
afterAll(closeTestServers)

type List = { records: Announcement[]; count: number; hasMore: boolean }
const create = async (over: object = {}) =>
  (
    await superUser.request<Announcement>('POST', '/announcements', {
      title: 'Mantenimiento',
      text: 'El domingo',
      priority: 3,
      status: true,
      ...over,
    })
  ).body
const list = async (who: TestUser, query = '') => (await who.request<List>('GET', `/announcements/${query}`)).body
const attach = (id: number, content: Uint8Array, name: string) =>
  sendForm(superUser, `/announcements/${id}/media-upload`, { file: [[content, name]] })
const missing = { status: 404, body: { error: 'ERR_NO_ANNOUNCEMENT_FOUND' } }
const folder = () => join(harness.dataDir, 'files', String(superUser.companyId))
const stored = async () => (existsSync(folder()) ? readdir(folder()) : [])

describe('announcements', () => {
  it('are written by the super user and read by everybody, newest first, with live updates', async () => {
    const [own, theirs] = [await superUser.listen(), await reader.listen()]
    const first = await create({ title: 'First of all', priority: '1' })
    expect(first).toEqual({
      id: first.id,
      title: 'First of all',
      text: 'El domingo',
      priority: 1,
      status: true,
      mediaPath: null,
      mediaName: null,
      createdAt: expect.any(String),
    })
    const second = await create({ title: 'Second of all' })
    expect((await list(reader)).records.slice(0, 2)).toEqual([second, first])
    expect((await list(reader, '?searchParam=FIRST OF&pageNumber=1')).records).toEqual([first])
    const changed = await superUser.call(announcementsApi.update, {
      params: { id: first.id },
      body: { ...first, text: 'El lunes' },
    })
    expect(await reader.call(announcementsApi.show, { params: { id: first.id } })).toEqual({
      ...first,
      text: 'El lunes',
    })
    expect(await superUser.request('DELETE', `/announcements/${first.id}`)).toMatchObject({ status: 200 })
    expect(await reader.request('GET', `/announcements/${first.id}`)).toMatchObject(missing)
    for (const socketClient of [own, theirs]) {
      await socketClient.whenCaughtUp()
      expect(socketClient.received.filter((e) => e.name === 'company-announcement').map((e) => e.payload)).toEqual([
        { action: 'create', record: first },
        { action: 'create', record: second },
        { action: 'update', record: changed },
        { action: 'delete', id: first.id },
      ])
      socketClient.close()
    }
  })

  it('are visible only to the super user when inactive', async () => {
    const [own, theirs] = [await superUser.listen(), await reader.listen()]
    const draft = await create({ title: 'A draft', status: 'false' })
    expect(draft.status).toBe(false)
    expect((await list(superUser)).records.map((a) => a.id)).toContain(draft.id)
    expect((await list(reader)).records.map((a) => a.id)).not.toContain(draft.id)
    expect((await list(reader)).count).toBe((await list(superUser)).count - 1)
    expect(await reader.request('GET', `/announcements/${draft.id}`)).toMatchObject(missing)
    const edit = (status: boolean) =>
      superUser.call(announcementsApi.update, { params: { id: draft.id }, body: { ...draft, status } })
    await edit(true)
    await edit(false)
    await superUser.request('DELETE', `/announcements/${draft.id}`)
    await Promise.all([own.whenCaughtUp(), theirs.whenCaughtUp()])
    const heard = (socketClient: typeof own) =>
      socketClient.received.filter((e) => e.name === 'company-announcement').map((e) => e.payload.action)
    expect(heard(theirs)).toEqual(['update', 'delete'])
    expect(heard(own)).toEqual(['create', 'update', 'delete', 'update', 'delete'])
    own.close()
    theirs.close()
  })

  it('refuse writes of other users, and incomplete input', async () => {
    const { admin } = await harness.createCompany()
    const { id } = await create()
    for (const [method, path] of [
      ['POST', '/announcements'],
      ['PUT', `/announcements/${id}`],
      ['DELETE', `/announcements/${id}`],
      ['DELETE', `/announcements/${id}/media-upload`],
    ] as const) {
      expect(await admin.request(method, path, { title: 'No', text: 'No' }), path).toMatchObject({
        status: 400,
        body: { error: 'ERR_NO_PERMISSION' },
      })
    }
    expect(await sendForm(admin, `/announcements/${id}/media-upload`, { file: [[tinyPng, 'a.png']] })).toMatchObject({
      status: 400,
      body: { error: 'ERR_NO_PERMISSION' },
    })
    expect(await superUser.request('POST', '/announcements', { title: '', priority: 4 })).toMatchObject({
      status: 400,
      body: { fields: { title: 'Required', text: 'Required', priority: expect.any(String) } },
    })
    expect(await superUser.request('PUT', '/announcements/987654', { title: 'x', text: 'x' })).toMatchObject(missing)
  })
})

describe('the picture of an announcement', () => {
  it('is checked by its content, not by its name', async () => {
    const { id } = await create()
    const before = await stored()
    for (const [content, name] of [
      [Buffer.from('<html><script>alert(1)</script>'), 'picture.png'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'picture.svg'],
      [tinyPdf, 'picture.jpg'],
      [Buffer.alloc(0), 'empty.png'],
    ] as const) {
      expect(await attach(id, content, name), name).toMatchObject({ status: 415, body: { error: 'ERR_FILE_TYPE' } })
    }
    expect(await superUser.request('POST', `/announcements/${id}/media-upload`)).toMatchObject({
      status: 400,
      body: { error: 'ERR_VALIDATION', fields: { file: 'Required' } },
    })
    expect(await stored()).toEqual(before)
    expect((await attach(id, tinyPng, 'page.html')).status).toBe(200)
    expect((await attach(id, tinyJpeg, 'photo.jpeg')).status).toBe(200)
  })

  it('is public under /public, and its file is replaced and removed with it', async () => {
    const { id } = await create()
    const socketClient = await reader.listen()
    expect(await attach(id, tinyPng, 'mi foto ñ.png')).toMatchObject({
      status: 200,
      body: { mensagem: expect.any(String) },
    })
    const shown = await reader.call(announcementsApi.show, { params: { id } })
    expect(shown.mediaName).toBe('mi_foto_ñ.png')
    expect(await socketClient.waitFor('company-announcement', { action: 'update' })).toMatchObject({
      record: { id, mediaName: 'mi_foto_ñ.png' },
    })
    socketClient.close()
    const picture = await harness.anonymous.request('GET', `/public/${shown.mediaPath}`)
    expect([picture.status, picture.headers.get('content-type'), picture.headers.get('content-length')]).toEqual([
      200,
      'image/png',
      String(tinyPng.length),
    ])
    const [first] = await stored().then((names) => names.filter((n) => shown.mediaPath?.includes(n)))
    // The form sends the row back: its file fields must be ignored.
    await superUser.call(announcementsApi.update, {
      params: { id },
      body: { ...shown, title: 'With picture', ...{ mediaPath: 'x', mediaName: 'y' } },
    })
    expect((await reader.call(announcementsApi.show, { params: { id } })).mediaName).toBe('mi_foto_ñ.png')

    await attach(id, tinyJpeg, 'b.jpg')
    const second = (await reader.call(announcementsApi.show, { params: { id } })).mediaPath
    await vi.waitFor(async () => expect(await stored()).not.toContain(first), { timeout: 10_000 })
    expect((await harness.anonymous.request('GET', `/public/${shown.mediaPath}`)).status).toBe(404)
    expect((await harness.anonymous.request('GET', `/public/${second}`)).status).toBe(200)

    expect(await superUser.request('DELETE', `/announcements/${id}/media-upload`)).toMatchObject({ status: 200 })
    expect(await reader.call(announcementsApi.show, { params: { id } })).toMatchObject({
      mediaPath: null,
      mediaName: null,
    })
    await vi.waitFor(
      async () => expect((await harness.anonymous.request('GET', `/public/${second}`)).status).toBe(404),
      {
        timeout: 10_000,
      },
    )
    expect((await superUser.request('DELETE', `/announcements/${id}/media-upload`)).status).toBe(200)
  })

  it('is deleted with its announcement', async () => {
    const { id } = await create()
    await attach(id, tinyPng, 'a.png')
    const { mediaPath } = await reader.call(announcementsApi.show, { params: { id } })
    await superUser.request('DELETE', `/announcements/${id}`)
    await vi.waitFor(
      async () => expect((await harness.anonymous.request('GET', `/public/${mediaPath}`)).status).toBe(404),
      {
        timeout: 10_000,
      },
    )
  })
})
