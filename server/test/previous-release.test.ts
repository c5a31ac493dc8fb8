import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messagesApi } from '@recado/contract/messages'
import { tagsApi } from '@recado/contract/tags'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDesk } from './desk.ts'
import { closeTestServers, makeCaller, startSecondProcess, type TestServer, testServer } from './test-server.ts'

/**
 * The previous release on the tables of this one: both run side by side during an upgrade. It is taken from the git
 * history; a clone without that history skips the test and says so. The commit is updated with each release.
 */
const previous = 'fdb4da7076d7d4620fb935a91f5ec38a34f90346'
const root = new URL('../../', import.meta.url).pathname
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] })
const isKnown = (() => {
  try {
    git('cat-file', '-e', `${previous}^{commit}`)
    return true
  } catch {
    return false
  }
})()

const folder = new URL('../migrations/', import.meta.url)
const listMigrationFiles = async () => (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()

describe('migrations since the previous release', () => {
  /** The last migration of the previous release. */
  const last = '0239'
  /** Statements that remove something, or require values that the previous release does not provide. */
  const contracts: [what: string, pattern: RegExp][] = [
    ['drop', /\bdrop\s+(table|column|view|sequence|schema|type|index|function|constraint|default)\b/i],
    ['rename', /\brename\s+(to|column|constraint|value)\b/i],
    ['type', /\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b/i],
    ['not null', /\bset\s+not\s+null\b/i],
    [
      'new and not null',
      /\badd\s+(column\s+)?(?!constraint|primary|unique|check|foreign|exclude)("?\w+"?)\s[^,;]*\bnot\s+null\b(?![^,;]*\b(default|generated)\b)/i,
    ],
  ]
  /** Reviewed exceptions that are harmless to the previous release; the test below runs it on these tables. */
  const harmless: Record<string, string> = {
    '0255-contacts-by-their-letters-alone.sql drop': 'two indexes in whose order it lists nothing any more',
    '0256-figures-in-cells-alone.sql drop': 'older sums, which it neither reads nor writes',
    '0293-files-are-counted.sql drop': 'a check, which comes back with one more kind allowed',
    '0321-amounts-and-billing-day.sql type': 'amounts from int to bigint, which it reads as numbers as well',
    '0351-currencies.sql drop': 'a check of the kinds of billing events, replaced by one that allows a kind more',
    '0371-health-of-official-lines.sql drop': 'a check of the kinds of notices, which allows one more',
    '0381-history-from-the-phone-app.sql drop': 'a check of the states of an import, which allows one more',
    '0402-snooze-tickets.sql drop': 'a check of the kinds of notices, which allows one more',
  }

  it('only add to the schema: the previous release finds everything it needs, and need not fill anything new', async () => {
    const found: string[] = []
    for (const file of (await listMigrationFiles()).filter((name) => name.slice(0, 4) > last)) {
      const text = (await readFile(new URL(file, folder), 'utf8')).replace(/--.*$/gm, '')
      for (const [what, pattern] of contracts) if (pattern.test(text)) found.push(`${file} ${what}`)
    }
    expect(found).toEqual(Object.keys(harmless))
  })

  it('are reported when they remove something or require a new value', () => {
    const seen = (text: string) => contracts.filter(([, pattern]) => pattern.test(text)).map(([what]) => what)
    expect(seen('alter table x drop column y')).toEqual(['drop'])
    expect(seen('alter table x rename column a to b')).toEqual(['rename'])
    expect(seen('alter table x alter column a type bigint')).toEqual(['type'])
    expect(seen('alter table x alter a set not null')).toEqual(['not null'])
    expect(seen('alter table x add a int not null')).toEqual(['new and not null'])
    expect(seen('alter table x add a int not null default 0, add b text')).toEqual([])
    expect(seen('create table x (a int not null); create index y on x (a)')).toEqual([])
  })
})

describe.skipIf(!isKnown)(
  `the previous release (${isKnown ? previous.slice(0, 7) : 'skipped: this clone has no history of it'})`,
  () => {
    let place: string
    let web: TestServer
    let old: ChildProcess | undefined
    beforeAll(async () => {
      place = await mkdtemp(join(tmpdir(), 'recado-previous-'))
      const tar = git('archive', previous, 'server', 'contract', 'package.json')
      execFileSync('tar', ['-x', '-C', place], { input: tar })
      // The old release uses its own contract, but the installed packages of the current lockfile; their versions
      // differ only slightly.
      await mkdir(join(place, 'node_modules', '@recado'), { recursive: true })
      for (const name of await readdir(join(root, 'node_modules')))
        if (name !== '@recado') await symlink(join(root, 'node_modules', name), join(place, 'node_modules', name))
      for (const name of ['server', 'contract'])
        await symlink(join(place, name), join(place, 'node_modules', '@recado', name))
      web = await testServer({ role: 'web' })
    })
    afterAll(async () => {
      if (old && old.exitCode === null && old.signalCode === null) {
        const ended = once(old, 'exit')
        old.kill('SIGKILL')
        await ended
      }
      await closeTestServers()
      await rm(place, { recursive: true, force: true })
    })

    async function startOld(): Promise<string> {
      const child = spawn(process.execPath, [join(place, 'server/src/main.ts')], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env.PATH,
          ...{ DATABASE_URL: web.databaseUrl, APP_SECRET: web.config.appSecret, DATA_DIR: web.dataDir },
          ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' },
        },
      })
      old = child
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text) => {
          said += text
        })
      return vi.waitFor(
        () => {
          const [, address] = /running at (\S+)/.exec(said) ?? []
          if (!address) throw new Error(`it does not start: ${said}`)
          return address
        },
        { timeout: 150_000 },
      )
    }

    it('works on the tables of this release, beside it, and hands everything over when it ends', async () => {
      const address = await startOld()
      // Lines of the previous release deliver messages that users of this release read and answer.
      const d = await openDesk(web)
      const socketClient = await d.admin.listen()
      const { customer, id } = await d.openTicket(d.admin, 'hola')
      await d.send(d.admin, id, 'desde la nueva')
      // The reverse direction is tested with a user who is still on the previous release.
      const there = makeCaller(address, d.admin.token, d.admin.cookie)
      await there.call(messagesApi.send, { params: { ticketId: id }, body: { body: 'desde la vieja' } as never })
      const tag = await there.call(tagsApi.create, { body: { name: 'Vieja', color: '' } })
      await socketClient.waitFor(`company-${d.company.id}-tag`, { action: 'create', tag })
      await d.waitForHandled(await customer.says('¿siguen?'))
      const inThread = async () => (await d.listMessages(d.admin, id)).map((m) => m.body)
      expect(await inThread()).toEqual(['hola', 'desde la nueva', 'desde la vieja', '¿siguen?'])
      const put = await there.request('PUT', `/tickets/${id}`, { status: 'closed' })
      expect(put.status).toBe(200)
      const again = await d.waitForMessage(await customer.says('una cosa más'))
      expect((await there.request('GET', `/tickets/${again.ticketId}`)).status).toBe(200)

      // The lines process of the new release joins, and the previous release ends.
      const lines = await startSecondProcess(web, {}, { role: 'lines' })
      const ended = once(old as ChildProcess, 'exit')
      old?.kill('SIGTERM')
      const last = await customer.says('¿y ahora?')
      expect((await ended)[0]).toBe(0)
      await vi.waitFor(() => expect(lines.lines.connectedLine(d.line.id)).toBeDefined())
      await d.waitForHandled(last)
      const shown = (await customer.listMessages()).filter((m) => m.body.startsWith('desde')).map((m) => m.body)
      expect(shown).toEqual(['desde la nueva', 'desde la vieja'])
    }, 300_000)
  },
)
