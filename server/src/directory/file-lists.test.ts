import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileList, filesApi } from '@recado/contract/files'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'
import { sendForm, tinyJpeg, tinyPdf, tinyPng } from '../../test/upload.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

let sequence = 0
const form = (names: string[] = [], over: object = {}) => ({
  name: `Catálogo ${++sequence}`,
  message: 'Los precios',
  options: names.map((name) => ({ name, path: '', mediaType: '', file: {} })),
  ...over,
})
const create = async (who: TestUser, names: string[] = [], over: object = {}) =>
  (await who.request<FileList>('POST', '/files', form(names, over))).body
const put = (who: TestUser, list: FileList, options: object[]) =>
  who.request<FileList>('PUT', `/files/${list.id}`, { ...list, options })
const show = (who: TestUser, id: number) => who.call(filesApi.show, { params: { id } })
const stored = async (companyId: number) => {
  const folder = join(harness.dataDir, 'files', String(companyId))
  return existsSync(folder) ? readdir(folder) : []
}
const missing = { status: 404, body: { error: 'ERR_NO_FILE_FOUND' } }

describe('file lists', () => {
  it('keep their options in the order sent, each with an id', async () => {
    const { admin } = await harness.createCompany()
    const list = await create(admin, ['zeta', '', 'alfa'], { userId: 987, companyId: 1 })
    expect(list).toMatchObject({ userId: admin.id, message: 'Los precios' })
    expect(list.options.map((o) => o.name)).toEqual(['zeta', '', 'alfa'])
    expect(list.options[0]).toEqual({ id: expect.any(Number), name: 'zeta', path: null, mediaType: null, url: null })
    const [zeta, blank, alfa] = list.options
    const changed = await put(admin, list, [
      { ...alfa, name: 'ALFA' },
      { name: 'new' },
      { ...zeta, id: String(zeta?.id) },
    ])
    expect(changed.body.options.map((o) => o.name)).toEqual(['ALFA', 'new', 'zeta'])
    expect([changed.body.options[0]?.id, changed.body.options[2]?.id]).toEqual([alfa?.id, zeta?.id])
    expect(changed.body.options.map((o) => o.id)).not.toContain(blank?.id)
    expect(await show(admin, list.id)).toEqual(changed.body)
    expect((await put(admin, list, [])).body.options).toEqual([])
  })

  it('treat an option id that is duplicate or of another list as a new option', async () => {
    const company = await harness.createCompany()
    const other = await create(company.admin, ['theirs'])
    const foreign = await create((await harness.createCompany()).admin, ['foreign'])
    const list = await create(company.admin, ['mine'])
    const mine = list.options[0]?.id
    const { body } = await put(company.admin, list, [
      { id: other.options[0]?.id, name: 'a' },
      { id: foreign.options[0]?.id, name: 'b' },
      { id: mine, name: 'c' },
      { id: mine, name: 'd' },
      { id: 987_654, name: 'e' },
      { id: '', name: 'f' },
    ])
    expect(body.options.map((o) => o.name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(new Set(body.options.map((o) => o.id)).size).toBe(6)
    expect((await show(company.admin, other.id)).options).toMatchObject([{ name: 'theirs' }])
  })

  it('can be read by all users of the company, and managed only by admins', async () => {
    const company = await harness.createCompany()
    const agent = await company.user()
    const list = await create(company.admin, ['one'])
    expect(await show(agent, list.id)).toEqual(list)
    for (const [method, path] of [
      ['POST', '/files'],
      ['PUT', `/files/${list.id}`],
      ['DELETE', `/files/${list.id}`],
    ] as const) {
      expect(await agent.request(method, path, form())).toMatchObject({
        status: 400,
        body: { error: 'ERR_NO_PERMISSION' },
      })
    }
    expect(await sendForm(agent, `/files/uploadList/${list.id}`, { files: [] })).toMatchObject({
      status: 400,
      body: { error: 'ERR_NO_PERMISSION' },
    })
    const stranger = (await harness.createCompany()).admin
    expect(await stranger.request('GET', `/files/${list.id}`)).toMatchObject(missing)
    expect(await stranger.request('PUT', `/files/${list.id}`, form())).toMatchObject(missing)
    expect(await stranger.request('DELETE', `/files/${list.id}`)).toMatchObject(missing)
    expect(
      await sendForm(stranger, `/files/uploadList/${list.id}`, {
        id: [String(list.options[0]?.id)],
        files: [[tinyPng, 'a.png']],
      }),
    ).toMatchObject(missing)
    expect(await stored(stranger.companyId)).toEqual([])
  })

  it('are paged with a page number, complete without one, and have unique names', async () => {
    const { admin } = await harness.createCompany()
    for (let n = 0; n < 21; n++) await create(admin, ['x'], { name: `List ${String(n).padStart(2, '0')}` })
    const first = await admin.call(filesApi.list, { query: { pageNumber: 1 } })
    expect([first.files.length, first.count, first.hasMore]).toEqual([20, 21, true])
    const whole = await admin.request<{ files: FileList[]; hasMore: boolean }>(
      'GET',
      `/files/?companyId=${admin.companyId}`,
    )
    expect([whole.body.files.length, whole.body.hasMore, whole.body.files[3]?.options.length]).toEqual([21, false, 1])
    expect(
      (await admin.call(filesApi.list, { query: { searchParam: 'ST 07', pageNumber: 1 } })).files.map((f) => f.name),
    ).toEqual(['List 07'])
    expect(await admin.request('POST', '/files', form([], { name: 'LIST 07' }))).toMatchObject({
      status: 409,
      body: { error: 'ERR_FILE_NAME_ALREADY_EXISTS' },
    })
    expect((await create((await harness.createCompany()).admin, [], { name: 'List 07' })).name).toBe('List 07')
    expect(await admin.request('POST', '/files', { name: 'ab' })).toMatchObject({
      status: 400,
      body: { fields: { name: 'Too Short!', message: 'Required' } },
    })
  })

  it('are published live; older clients get the old event name, except for deletes', async () => {
    const company = await harness.createCompany()
    const socketClient = await (await company.user()).listen()
    const list = await create(company.admin, ['one'])
    const changed = (await put(company.admin, list, [{ name: 'two' }])).body
    await company.admin.call(filesApi.remove, { params: { id: list.id } })
    await socketClient.whenCaughtUp()
    const news = (name: string) => socketClient.received.filter((e) => e.name === name).map((e) => e.payload)
    const modern = news(`company-${company.id}-fileList`)
    expect(modern[0]).toMatchObject({ action: 'create', record: { id: list.id } })
    expect(modern).toContainEqual({ action: 'update', record: list })
    expect(modern).toContainEqual({ action: 'update', record: changed })
    expect(modern.at(-1)).toEqual({ action: 'delete', id: list.id })
    const old = news(`company-${company.id}-file`)
    expect(old.map((p) => p.action)).not.toContain('delete')
    expect(old.at(-1)).toEqual({ action: 'update', files: changed })
  })
})

describe('file list uploads', () => {
  it('pair the n-th file with the n-th id, whatever comes between them', async () => {
    const { admin, id: companyId } = await harness.createCompany()
    const list = await create(admin, ['first', 'second', 'third'])
    const [a, , c] = list.options.map((o) => String(o.id)) as [string, string, string]
    const answer = await sendForm<FileList>(admin, `/files/uploadList/${list.id}`, {
      fileId: [String(list.id)],
      typeArch: ['../../etc'],
      id: [c, a],
      mediaType: ['text/html', 'text/html'],
      name: ['x', 'y'],
      files: [
        [tinyPdf, 'c c.pdf'],
        [tinyPng, 'a.png'],
      ],
    })
    expect(answer.status).toBe(200)
    expect(answer.body.options).toMatchObject([
      { name: 'first', path: 'a.png', mediaType: 'image/png' },
      { name: 'second', path: null, mediaType: null, url: null },
      { name: 'third', path: 'c_c.pdf', mediaType: 'application/pdf' },
    ])
    expect(await stored(companyId)).toHaveLength(2)
    const fetched = await fetch(answer.body.options[2]?.url as string)
    expect([fetched.status, Buffer.from(await fetched.arrayBuffer())]).toEqual([200, tinyPdf])
    expect(existsSync(join(harness.dataDir, 'etc'))).toBe(false)
    // The form's next save sends the options back and keeps the files.
    expect((await put(admin, answer.body, answer.body.options)).body.options.map((o) => o.path)).toEqual([
      'a.png',
      null,
      'c_c.pdf',
    ])
  })

  it('are accepted without any file', async () => {
    const { admin } = await harness.createCompany()
    const list = await create(admin, ['only'])
    expect(
      await sendForm(admin, `/files/uploadList/${list.id}`, { fileId: [String(list.id)], typeArch: ['fileList'] }),
    ).toMatchObject({ status: 200, body: list })
    expect(await admin.request('POST', `/files/uploadList/${list.id}`)).toMatchObject({ status: 200, body: list })
  })

  it('are refused for an option of another list or without an option, and leave no files behind', async () => {
    const { admin, id: companyId } = await harness.createCompany()
    const list = await create(admin, ['mine'])
    const other = await create(admin, ['other'])
    const own = String(list.options[0]?.id)
    for (const id of [[String(other.options[0]?.id)], [], ['987654'], [own]]) {
      const files: [Uint8Array, string][] =
        id[0] === own
          ? [
              [tinyPng, 'a.png'],
              [tinyPng, 'b.png'],
            ]
          : [[tinyPng, 'a.png']]
      expect(await sendForm(admin, `/files/uploadList/${list.id}`, { id, files })).toMatchObject(missing)
    }
    expect(
      await sendForm(admin, `/files/uploadList/${list.id}`, { id: ['x'], files: [[tinyPng, 'a.png']] }),
    ).toMatchObject({
      status: 400,
    })
    expect(await stored(companyId)).toEqual([])
    expect(await readdir(join(harness.dataDir, 'incoming'))).toEqual([])
    expect((await show(admin, list.id)).options[0]?.path).toBeNull()
  })

  it('delete replaced files, also when one call replaces a file twice, and files of removed options and lists', async () => {
    const { admin, id: companyId } = await harness.createCompany()
    const list = await create(admin, ['a', 'b'])
    const [a, b] = list.options.map((o) => String(o.id)) as [string, string]
    const send = (id: string[], files: [Uint8Array, string][]) =>
      sendForm<FileList>(admin, `/files/uploadList/${list.id}`, { id, files })
    await send(
      [a, b],
      [
        [tinyPng, '1.png'],
        [tinyPng, '2.png'],
      ],
    )
    await send(
      [a, a],
      [
        [tinyJpeg, '3.jpg'],
        [tinyPdf, '4.pdf'],
      ],
    )
    const left = async (endings: string[]) =>
      vi.waitFor(async () => expect((await stored(companyId)).map((n) => n.split('.')[1]).sort()).toEqual(endings), {
        timeout: 10_000,
      })
    await left(['pdf', 'png'])
    await put(admin, list, [{ id: a, name: 'a' }])
    await left(['pdf'])
    await admin.call(filesApi.remove, { params: { id: list.id } })
    await left([])
  })
})
