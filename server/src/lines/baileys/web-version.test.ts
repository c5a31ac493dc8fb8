import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { healthApi } from '@recado/contract/health/health'
import { webVersionApi } from '@recado/contract/health/web-version'
import { DEFAULT_CONNECTION_CONFIG } from 'baileys'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createLinkedLine, createShop, type LinkedServer, openLinkedServer } from '../../../test/linked-phone.ts'
import { closeTestServers, type TestUser } from '../../../test/test-server.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { hours, minutes } from '../../kernel/clock.ts'
import { makeLog } from '../../kernel/log.ts'
import { builtInWebVersion, makeWebVersions, readWebVersion } from './link/web-version.ts'

/** WhatsApp's page that names its current version. */
let page: { server: Server; revision: number | null; requests: number }
let whatsappVersionUrl: string
let linkedServer: LinkedServer
let boss: TestUser
let admin: TestUser

beforeAll(async () => {
  page = { revision: null, requests: 0, server: createServer() }
  page.server.on('request', (_request, response) => {
    page.requests++
    if (page.revision === null) return void response.writeHead(500).end()
    response.end(`self.data = "{\\"client_revision\\":${page.revision},\\"x\\":1}"`)
  })
  await new Promise<void>((listening) => page.server.listen(0, '127.0.0.1', listening))
  whatsappVersionUrl = `http://127.0.0.1:${(page.server.address() as AddressInfo).port}/sw.js`
  linkedServer = await openLinkedServer({ slowReconnectMs: 50 }, {}, {}, { whatsappVersionUrl, privateTargets: true })
  boss = await linkedServer.server.superUser()
  admin = (await linkedServer.server.createCompany()).admin
  await linkedServer.server.wide().db.updateTable('plans').set({ connections: 100 }).execute()
})
afterAll(async () => {
  await closeTestServers()
  await linkedServer.wa.close()
  page.server.close()
})
beforeEach(async () => {
  linkedServer.wa.minRevision = 0
  Object.assign(page, { revision: null, requests: 0 })
  await linkedServer.server
    .wide()
    .db.updateTable('webVersion')
    .set({ pinned: null, found: null, lookedUpAt: null })
    .execute()
  await linkedServer.server.wide().db.updateTable('webVersion').set({ accepted: null, refused: null }).execute()
})

const versionOf = (revision: number) => `2.3000.${revision}`
const builtIn = versionOf(builtInWebVersion[2])
const newer = builtInWebVersion[2] + 1000
const showVersions = () => boss.call(webVersionApi.show)
/** Moves the last lookup into the past. */
const ageLookup = (ms: number) =>
  linkedServer.server
    .wide()
    .db.updateTable('webVersion')
    .set({ lookedUpAt: new Date(Date.now() - ms) })
    .execute()
async function linked() {
  const line = await createLinkedLine(admin)
  const device = await line.scanWith(createShop(linkedServer))
  return {
    line,
    cut: async () => {
      await vi.waitFor(() => expect(device.connection).toBeDefined())
      device.connection?.terminate()
      await line.waitForLoss()
    },
  }
}

it('knows the version inside the library, and reads the page as the library does', () => {
  expect(builtInWebVersion).toEqual(DEFAULT_CONNECTION_CONFIG.version)
  expect(readWebVersion('{"client_revision":1043857761}')).toEqual([2, 3000, 1043857761])
  expect(readWebVersion('{\\"client_revision\\": 7,')).toEqual([2, 3000, 7])
  expect(readWebVersion('{"client_revision":12345678901234567890}')).toBeNull()
  expect(readWebVersion('<html>Sign in to the network</html>')).toBeNull()
})

it('connects with the looked-up version, which all processes look up once in hours', async () => {
  page.revision = newer
  linkedServer.wa.minRevision = newer
  const { line, cut } = await linked()
  await expect.poll(showVersions).toMatchObject({ inUse: versionOf(newer), accepted: versionOf(newer), refused: null })
  // Another process of the installation uses what this one has found.
  const { deps } = linkedServer.server.server
  const otherProcess = makeWebVersions(deps, whatsappVersionUrl, makeLog('silent'))
  expect(await otherProcess.choose()).toEqual([2, 3000, newer])
  await cut()
  await line.waitForStatusChange('CONNECTED')
  expect(page.requests).toBe(1)
  // The page names a lower version than the one that works: lines keep that.
  page.revision = newer - 500
  await ageLookup(hours(5))
  await cut()
  await line.waitForStatusChange('CONNECTED')
  expect(page.requests).toBe(2)
  expect(await showVersions()).toMatchObject({ found: versionOf(newer - 500), inUse: versionOf(newer) })
})

it('connects with the built-in version if the page cannot be read', async () => {
  await linked()
  expect(page.requests).toBe(1)
  await expect.poll(showVersions).toMatchObject({ inUse: builtIn, found: null, accepted: builtIn })
})

it('looks the version up at once when WhatsApp refuses it, and connects with the new one', async () => {
  const { line, cut } = await linked()
  await ageLookup(minutes(11))
  page.revision = newer
  linkedServer.wa.minRevision = newer
  await cut()
  await line.waitForStatusChange('CONNECTED')
  await expect.poll(showVersions).toMatchObject({ accepted: versionOf(newer), refused: null })
  expect(page.requests).toBe(2)
})

it('tells the super user what to do when no version helps, and connects with a pinned one', async () => {
  const { line, cut } = await linked()
  linkedServer.wa.minRevision = newer
  await cut()
  await line.waitForStatusChange('DISCONNECTED', 'outdated')
  await expect.poll(showVersions).toMatchObject({ refused: builtIn })
  expect((await boss.call(healthApi.show, { query: { searchParam: '' } })).failures[0]).toMatchObject({
    ...{ kind: 'version', name: builtIn, code: '405' },
  })
  const mails = await vi.waitFor(
    async () => {
      const { readdir, readFile } = await import('node:fs/promises')
      const folder = `${linkedServer.server.dataDir}/mail`
      const files = await Promise.all((await readdir(folder)).map((file) => readFile(`${folder}/${file}`, 'utf8')))
      const found = files.filter((text) => text.includes(builtIn) && text.includes('WhatsApp'))
      if (!found.length) throw new Error('no mail')
      return found
    },
    { timeout: waitTimeoutMs },
  )
  expect(mails).toHaveLength(1)
  const test = (version: string) => boss.call(webVersionApi.test, { body: { version } })
  expect(await test(builtIn)).toMatchObject({ result: 'refused' })
  expect(await test(versionOf(newer))).toMatchObject({ result: 'accepted', state: { pinned: null } })
  linkedServer.wa.upgradeRefusalStatus = 503
  expect(await test(versionOf(newer))).toMatchObject({ result: 'unreachable' })
  linkedServer.wa.upgradeRefusalStatus = undefined
  // Retries get rare after some refusals: the pinned version is tried at once.
  const pinned = versionOf(newer)
  expect(await boss.call(webVersionApi.pin, { body: { pinned } })).toMatchObject({ pinned, inUse: pinned })
  await line.waitForStatus('CONNECTED')
  await expect.poll(showVersions).toMatchObject({ refused: null })
  await boss.call(webVersionApi.pin, { body: { pinned: null } })
  expect(await showVersions()).toMatchObject({ pinned: null, inUse: pinned })
})
