import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Chat } from '@recado/contract/chats'
import { chatsApi } from '@recado/contract/chats'
import { storageApi } from '@recado/contract/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { Scope } from '../data/scope.ts'
import { copyFile, removeFiles, storeFile } from './media.ts'
import { recountFiles } from './storage-usage.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const kilobytes = (n: number, name = 'plano.bin') => new File([randomBytes(n * 1024)], name)

/** Creates a company with a quota of this many megabytes, and a team chat for uploads. */
async function companyWith(storageMb: number | null, on: TestServer = harness) {
  const d = await openDesk(on)
  await sql`with own as (insert into plans (name, "storageMb") values (${`plan ${d.company.id}`}, ${storageMb}) returning id)
    update companies set "planId" = (select id from own) where id = ${d.company.id}`.execute(d.db)
  // The caller and their plan are cached for a second.
  on.clock.advance(2000)
  const chat = await d.admin.call(chatsApi.create, { body: { title: 'Equipo', users: [{ id: d.admin.id }] } as never })
  return { d, chat }
}
function upload(by: TestUser, chat: Chat, file: File) {
  const body = new FormData()
  body.set('message', '')
  body.append('medias', file)
  return by.request<{ id: number; error?: string }>('POST', `/chats/${chat.id}/messages`, body)
}
const usage = (d: Desk) => d.admin.call(storageApi.usage, {})

/** The bytes on disk, counting each file once even if it has several names. */
async function onDisk(d: Desk, of: TestServer = harness): Promise<number> {
  const folder = join(of.dataDir, 'files', String(d.company.id))
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(names.map((name) => stat(join(folder, name))))
  return [...new Map(found.map(({ ino, size }) => [ino, size])).values()].reduce((sum, size) => sum + size, 0)
}

describe('the storage of a company', () => {
  it('counts files of users and customers, to the byte', async () => {
    const { d, chat } = await companyWith(10)
    expect(await usage(d)).toEqual({ bytes: 0, quotaBytes: 10 * 1024 * 1024 })
    expect((await upload(d.admin, chat, kilobytes(300))).status).toBe(200)
    const { customer } = await d.newTicket('hola')
    await d.waitForMessage(await customer.sends(kilobytes(200)))
    await vi.waitFor(async () => expect((await usage(d)).bytes).toBeGreaterThanOrEqual(500 * 1024))
    await vi.waitFor(async () => expect((await usage(d)).bytes).toBe(await onDisk(d)))
  })

  it('refuses files of users once it is full, and keeps files of customers', async () => {
    const { d, chat } = await companyWith(1)
    expect((await upload(d.admin, chat, kilobytes(700))).status).toBe(200)
    const { status, body } = await upload(d.admin, chat, kilobytes(700))
    expect([status, body.error]).toEqual([413, 'ERR_STORAGE_FULL'])
    const { bytes } = await usage(d)
    const { customer, id } = await d.openTicket(d.admin, 'hola')
    // The test phone acts as a user, so it is refused, too. Files that a line receives are not.
    await expect(customer.sends(kilobytes(700))).rejects.toThrow()
    const scope = new Scope(harness.server.deps, { companyId: d.company.id })
    const received = await harness.server.deps.files.receive(Readable.from([randomBytes(700 * 1024)]), 'foto.bin')
    await storeFile(scope, received)
    expect((await usage(d)).bytes).toBe(bytes + 700 * 1024)
    expect((await d.admin.request('POST', `/messages/${id}`, { body: 'texto sin archivo' })).status).toBe(200)
  })

  it('frees the space of deleted files, and counts copies of one file once', async () => {
    const { d, chat } = await companyWith(10)
    const { body: message } = await upload(d.admin, chat, kilobytes(100))
    const scope = new Scope(harness.server.deps, { companyId: d.company.id })
    const { name } = await scope.db
      .selectFrom('storedFiles')
      .select('name')
      .where('companyId', '=', d.company.id)
      .executeTakeFirstOrThrow()
    const copies = [await copyFile(scope, name), await copyFile(scope, name)]
    expect((await usage(d)).bytes).toBe(100 * 1024)
    // The original is deleted first: its copies still use the bytes, which are counted once.
    expect((await d.admin.request('DELETE', `/chats/${chat.id}/messages/${message.id}`)).status).toBe(200)
    await vi.waitFor(async () => expect(await harness.server.deps.files.size(d.company.id, name)).toBe(null))
    expect((await usage(d)).bytes).toBe(100 * 1024)
    await removeFiles(scope, copies.slice(0, 1))
    expect((await usage(d)).bytes).toBe(100 * 1024)
    await removeFiles(scope, copies.slice(1))
    expect((await usage(d)).bytes).toBe(0)
  })

  it('has no limit if the plan has none', async () => {
    const { d, chat } = await companyWith(null)
    expect((await upload(d.admin, chat, kilobytes(500))).status).toBe(200)
    expect((await usage(d)).quotaBytes).toBe(null)
  })

  it('is recounted from the store, and then includes files that no row references', async () => {
    const { d, chat } = await companyWith(10)
    await upload(d.admin, chat, kilobytes(50))
    const scope = new Scope(harness.server.deps, { companyId: d.company.id })
    const { name } = await scope.db
      .selectFrom('storedFiles')
      .select('name')
      .where('companyId', '=', d.company.id)
      .executeTakeFirstOrThrow()
    await harness.server.deps.files.copy(d.company.id, name)
    await d.db.deleteFrom('storedFiles').where('companyId', '=', d.company.id).execute()
    const goneName = `${'x'.repeat(32)}.bin`
    await scope.db
      .insertInto('storedFiles')
      .values({ companyId: d.company.id, name: goneName, origin: goneName, bytes: 999 })
      .execute()
    await recountFiles(harness.wide(), new Date(Date.now() + 60_000))
    expect((await usage(d)).bytes).toBe(await onDisk(d))
  })
})

it('delays a user who uploads too fast, and no other user', async () => {
  const fast = await testServer({ uploadLimit: 64 * 1024 * 1024 })
  const { d, chat } = await companyWith(null, fast)
  fast.clock.freeze()
  const other = await d.createUser('user')
  await d.admin.request('PUT', `/chats/${chat.id}`, { title: 'Equipo', users: [{ id: d.admin.id }, { id: other.id }] })
  const large = kilobytes(60 * 1024)
  let refused: { status: number; body: { error?: string } } | undefined
  for (let n = 0; n < 6 && !refused; n++) {
    const answer = await upload(d.admin, chat, large)
    if (answer.status !== 200) refused = answer
  }
  expect([refused?.status, refused?.body.error]).toEqual([429, 'ERR_RATE_LIMIT'])
  expect((await upload(other, chat, kilobytes(1))).status).toBe(200)
  fast.clock.advance(61_000)
  expect((await upload(d.admin, chat, kilobytes(1))).status).toBe(200)
})

it('never uses the reserve of the disk', async () => {
  const full = await testServer({ diskReservePercent: 100 })
  const { d, chat } = await companyWith(null, full)
  const { status, body } = await upload(d.admin, chat, kilobytes(1))
  expect([status, body.error]).toEqual([503, 'ERR_DISK_FULL'])
})
