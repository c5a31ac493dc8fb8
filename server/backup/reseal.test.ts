import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { twoFactorApi } from '@recado/contract/passwords/two-factor'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { totpCodeAt, totpStepAt } from '../src/accounts/two-factor/totp.ts'
import { changeSeals } from '../src/automation/flows/acts/seal-headers.ts'
import { readConfig } from '../src/kernel/config.ts'
import { makeVault, type Vault } from '../src/kernel/crypto.ts'
import { openPool } from '../src/kernel/data/database.ts'
import { Scope } from '../src/kernel/data/scope.ts'
import { makeLog } from '../src/kernel/log.ts'
import { openServer } from '../src/server.ts'
import { closeTestServers, makeCaller, password, type TestServer, testServer } from '../test/test-server.ts'
import { rotateSecret } from './rotate-secret.ts'
import { sealedColumns } from './sealed-columns.ts'

const root = new URL('../../', import.meta.url).pathname

/** Every module that encrypts values, and where they are stored. A new module needs its table in `sealed-columns.ts`. */
const sealers: Record<string, string[]> = {
  'src/accounts/mail-user.ts': ['jobs'],
  'src/automation/flows/acts/seal-headers.ts': ['flows', 'flowVersions'],
  'src/accounts/password-reset.ts': ['jobs'],
  'src/accounts/money/money-settings.ts': ['moneySettings'],
  'src/accounts/settings.ts': ['settings'],
  'src/accounts/two-factor/second-step.ts': ['secondFactors'],
  'src/directory/connections/line-signup.ts': ['lineSignups'],
  'src/directory/connections/write-connection.ts': ['whatsapps'],
  'src/directory/integrations/integrations.ts': ['queueIntegrations'],
  'src/directory/integrations/integration-secrets.ts': ['queueIntegrations'],
  'src/directory/ai/prompts.ts': ['prompts'],
  'src/directory/webhooks/webhooks.ts': ['webhooks'],
  'src/kernel/outgoing/push.ts': ['platformSecrets'],
  'src/lines/baileys/keys/key-rows.ts': ['linkedKeys'],
  'src/lines/baileys/link/passkey-store.ts': ['linePasskeys'],
  'src/lines/cloud/account.ts': ['cloudLines'],
  'import-export/whaticket-family/accounts.ts': ['settings'],
  'import-export/whaticket-family/directory.ts': ['whatsapps'],
}

let harness: TestServer
let owner: pg.Pool
/** The secret with which all values are currently encrypted. */
let sealedUnder: string
/** The plaintext of each encrypted value of each table. */
const wordsIn = async (vault: Vault): Promise<Record<string, string[]>> => {
  const said: Record<string, string[]> = {}
  for (const { table, columns, where, isFlow } of sealedColumns)
    for (const column of columns) {
      if (isFlow) {
        const { rows } = await owner.query<{ value: FlowDocument }>(`select "${column}" as value from "${table}"`)
        const words: string[] = []
        for (const { value } of rows)
          changeSeals(value, (sealed) => {
            words.push(vault.unseal(sealed))
            return null
          })
        said[`${table}.${column}`] = words.sort()
        continue
      }
      const { rows } = await owner.query<{ value: string }>(
        `select "${column}" as value from "${table}" where ${where ?? 'true'} and "${column}" <> '' order by 1`,
      )
      said[`${table}.${column}`] = rows.map(({ value }) => vault.unseal(value)).sort()
    }
  const jobs = openPool(harness.databaseUrl, makeLog('silent'), { max: 1 })
  const { rows } = await jobs.query<{ sealed: string }>(
    `select payload ->> 'sealed' as sealed from graphile_worker._private_jobs where payload ->> 'sealed' <> ''`,
  )
  await jobs.end()
  said.jobs = rows.map(({ sealed }) => vault.unseal(sealed)).sort()
  return said
}

beforeAll(async () => {
  harness = await testServer()
  owner = openPool(harness.databaseUrl, makeLog('silent'), { max: 1, role: 'recado_platform' })
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})

describe('encrypted values', () => {
  it('are all covered by re-encryption, whichever module encrypts them', () => {
    const files = ['src', 'import-export'].flatMap((folder) =>
      readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => `${folder}/${file}`),
    )
    const found = files.filter((file) =>
      /vault\.seal\(/.test(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')),
    )
    expect(found.sort()).toEqual(Object.keys(sealers).sort())
    const known = new Set(sealedColumns.map(({ table }) => table))
    expect(
      Object.values(sealers)
        .flat()
        .filter((table) => table !== 'jobs' && !known.has(table)),
    ).toEqual([])
  })

  it('are all covered by re-encryption if their column name marks them as encrypted', async () => {
    const { rows } = await owner.query<{ place: string }>(
      `select c.relname || '.' || a.attname as place from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname ~* 'sealed$' and not a.attisdropped`,
    )
    const known = sealedColumns.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`))
    expect(rows.map(({ place }) => place).filter((place) => !known.includes(place))).toEqual([])
  })
})

describe('a changed secret', () => {
  it('decrypts everything that the earlier secret encrypted, and recognises its signatures', async () => {
    const company = await harness.createCompany()
    const { admin: ana } = company
    const root = await harness.superUser()
    const made = async <T = Record<string, never>>(
      who: typeof ana,
      way: 'POST' | 'PUT',
      path: string,
      body: object,
    ) => {
      const answer = await who.request<T>(way, path, body)
      expect([path, answer.status, answer.body]).toEqual([path, 200, answer.body])
      return answer.body
    }
    const line = await harness.openLine(company)
    await made(ana, 'PUT', `/whatsapp/${line.id}`, { name: 'Ventas', token: 'a-token-of-our-own-long-enough' })
    await made(ana, 'POST', '/whatsapp', {
      ...{ name: 'Oficial', provider: 'cloud' },
      cloud: { phoneNumberId: '1', businessAccountId: '2', accessToken: 'EAA', appSecret: 'abc', verifyToken: 'v' },
    })
    const queue = await made<{ id: number }>(ana, 'POST', '/queue', { name: 'Uno', color: '#112233' })
    await made(ana, 'POST', '/prompt', {
      ...{
        name: 'Recepción',
        prompt: 'Eres la recepción de una tienda. Contesta con calma y siempre.',
        model: 'gpt-4o-mini',
      },
      ...{ maxTokens: 100, temperature: 1, apiKey: 'sk-secret', queueId: queue.id, maxMessages: 10 },
    })
    const flow = { type: 'dialogflow', name: 'Flujo', projectName: 'p', language: 'es' }
    await made(ana, 'POST', '/queueIntegration', { ...flow, jsonContent: '{"client_email":"a@b.c","private_key":"k"}' })
    const told = { type: 'webhook', name: 'Aviso', urlN8N: 'https://x.example.test/y' }
    const integration = await made<{ id: number }>(ana, 'POST', '/queueIntegration', told)
    await made(ana, 'POST', `/queueIntegration/${integration.id}/secret`, {})
    const hook = await made<{ id: number }>(ana, 'POST', '/webhooks', {
      ...{ name: 'Avisos', url: 'https://hooks.example.test/recado', events: ['message.created'] },
    })
    await made(ana, 'POST', `/webhooks/${hook.id}/secret`, {})
    const calling = {
      ...{ kind: 'flow', triggers: [{ kind: 'person' }], first: 'call' },
      steps: [
        {
          ...{ kind: 'call', id: 'call', url: 'https://shop.example.test/orders', next: 'end', otherwise: 'end' },
          headers: [{ name: 'authorization', value: 'Bearer of-the-shop' }],
        },
        { kind: 'end', id: 'end' },
      ],
    }
    const draft = await made<{ id: number; revision: number }>(ana, 'POST', '/flows', {
      ...{ name: 'Pedidos', document: calling },
    })
    await made(ana, 'POST', `/flows/${draft.id}/publish`, { revision: draft.revision })
    await made(ana, 'PUT', '/settings/asaas', { key: 'asaas', value: 'asaas-token' })
    await made(root, 'PUT', '/money/settings', { provider: 'asaas', asaasToken: 'platform-token' })
    const { key } = await made<{ key: string }>(ana, 'POST', '/api-keys', { name: 'Reservas', scopes: ['messages'] })
    const agent = { email: 'nueva@desk.test', password: '', profile: 'user', queueIds: [] }
    const { invitation } = await made<{ invitation: { url: string } }>(ana, 'POST', '/users', {
      name: 'Nueva',
      ...agent,
    })
    const invited = invitation.url.split('#')[1]
    const { secret } = await ana.call(twoFactorApi.begin, { body: { currentPassword: password } })
    const shows = () => {
      harness.clock.advance(30_000)
      return totpCodeAt(secret, totpStepAt(harness.clock.now()))
    }
    const { recoveryCodes } = await ana.call(twoFactorApi.confirm, { body: { code: shows() } })
    const { vault } = harness.server.deps
    await owner.query(
      `insert into "linkedKeys" ("companyId", "whatsappId", type, id, value, "updatedAt") select $1, $2, 'session', n::text, $3, now() from generate_series(1, 2500) n`,
      [company.id, line.id, vault.seal('the key of a phone')],
    )
    await owner.query(
      `insert into "lineSignups" ("companyId", "userId", "stateHash", "expiresAt", "accessTokenSealed") values ($1, $2, 'x', now(), $3)`,
      [company.id, ana.id, vault.seal('a token of Meta')],
    )
    await owner.query(
      `insert into "linePasskeys" ("companyId", "whatsappId", fence, options, "assertionSealed", "expiresAt")
       values ($1, $2, 1, '{}', $3, now())`,
      [company.id, line.id, vault.seal('{"signature":"x"}')],
    )
    const later = new Date(Date.now() + 86_400_000)
    const scope = new Scope(harness.server.deps, { companyId: company.id })
    await scope.enqueueJob(
      'mail:send',
      { sealed: vault.seal('{"to":"ana"}') },
      { runAt: later, key: 'a mail that waits' },
    )
    const secrets = { before: harness.config.appSecret, after: randomBytes(32).toString('hex') }
    await expect(rotateSecret(harness.databaseUrl, secrets)).rejects.toThrow(/stop every process/)
    await harness.server.close()
    // Replaces `close`, because the server is closed at the end of the file.
    harness.server.close = async () => {}
    const before = await wordsIn(vault)
    // A value encrypted with an even earlier secret was lost before, and must not stop the rotation.
    await owner.query(
      `insert into "linkedKeys" ("companyId", "whatsappId", type, id, value, "updatedAt") values ($1, $2, 'session', 'old', $3, now())`,
      [company.id, line.id, makeVault('x'.repeat(40)).seal('nobody reads this')],
    )
    for (const [place, words] of Object.entries(before)) expect([place, words.length > 0]).toEqual([place, true])
    await owner.end()

    const wrong = { before: 'another secret altogether, long enough', after: secrets.after }
    await expect(rotateSecret(harness.databaseUrl, wrong)).rejects.toThrow(/not the secret that this house had/)
    const done = await rotateSecret(harness.databaseUrl, secrets)
    const sum = Object.values(before).flat().length
    expect(done).toMatchObject({ renewed: sum, already: 0, lost: 1 })
    expect(done.tables.find(({ table }) => table === 'linkedKeys')).toMatchObject({ renewed: 2500, lost: 1 })
    // Run the rotation again, as a cautious operator would: it changes nothing.
    expect(await rotateSecret(harness.databaseUrl, secrets)).toMatchObject({ renewed: 0, already: sum, lost: 1 })

    owner = openPool(harness.databaseUrl, makeLog('silent'), { max: 1, role: 'recado_platform' })
    await owner.query(`delete from "linkedKeys" where id = 'old'`)
    expect(await wordsIn(makeVault(secrets.after))).toEqual(before)

    const config = { ...harness.config, appSecret: secrets.after }
    const again = await openServer(config, harness.databaseUrl, makeLog('silent'), harness.clock, { crontab: '' })
    try {
      const anyone = makeCaller(again.address)
      const login = (code: string) => anyone.request('POST', '/auth/login', { email: ana.email, password, code })
      expect((await makeCaller(again.address, ana.token).request('GET', '/tags')).status).toBe(403)
      expect((await login(shows())).status).toBe(200)
      expect((await login(recoveryCodes[0] as string)).status).toBe(200)
      expect((await login(recoveryCodes[0] as string)).status).toBe(400)
      const since = new Date(0).toISOString()
      for (const token of [key, 'a-token-of-our-own-long-enough'])
        expect((await makeCaller(again.address, token).request('GET', `/api/messages?since=${since}`)).status).toBe(200)
      expect((await makeCaller(again.address, `${key}x`).request('GET', `/api/messages?since=${since}`)).status).toBe(
        401,
      )
      expect((await anyone.request('POST', '/invitations/read', { key: invited })).status).toBe(200)
    } finally {
      await again.close()
    }
    // With a third secret, signatures made with the first are still recognised.
    const third = randomBytes(32).toString('hex')
    await owner.end()
    expect(await rotateSecret(harness.databaseUrl, { before: secrets.after, after: third })).toMatchObject({
      already: 0,
      lost: 0,
    })
    sealedUnder = third
    owner = openPool(harness.databaseUrl, makeLog('silent'), { max: 1, role: 'recado_platform' })
    const last = await openServer(
      { ...config, appSecret: third },
      harness.databaseUrl,
      makeLog('silent'),
      harness.clock,
      {
        crontab: '',
      },
    )
    try {
      const program = makeCaller(last.address, key)
      expect((await program.request('GET', `/api/messages?since=${new Date(0).toISOString()}`)).status).toBe(200)
    } finally {
      await last.close()
    }
  })
})

describe('npm run reseal', () => {
  it('changes the secret that an installation stores in its data folder, also after an interrupted change', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'recado-reseal-'))
    const file = join(dataDir, 'app-secret')
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: harness.databaseUrl }
    const run = async () =>
      (await promisify(execFile)(process.execPath, ['server/backup/reseal.ts'], { cwd: root, env })).stdout
    const kept = async () => (await readFile(file, 'utf8')).trim()
    const words = await wordsIn(makeVault(sealedUnder))
    expect(Object.values(words).flat().length).toBeGreaterThan(0)
    await owner.end()
    try {
      await writeFile(file, `${sealedUnder}\n`, { mode: 0o600 })
      expect(await run()).toMatch(/\b[1-9]\d* values are sealed with the new secret/)
      const made = await kept()
      expect(made).not.toBe(sealedUnder)
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      await expect(stat(`${file}.next`)).rejects.toThrow()
      // The machine stopped after the new secret was written: Recado does not start, and the next run uses that
      // secret.
      const next = randomBytes(48).toString('base64url')
      await writeFile(`${file}.next`, `${next}\n`, { mode: 0o600 })
      expect(() => readConfig(env)).toThrow(/app-secret\.next says that a change of the secret was not finished/)
      expect(await kept()).toBe(made)
      expect(await run()).toMatch(/\b[1-9]\d* values are sealed with the new secret/)
      expect(await kept()).toBe(next)
      expect(readConfig(env).appSecret).toBe(next)
      sealedUnder = next
    } finally {
      owner = openPool(harness.databaseUrl, makeLog('silent'), { max: 1, role: 'recado_platform' })
      await rm(dataDir, { recursive: true, force: true })
    }
    expect(await wordsIn(makeVault(sealedUnder))).toEqual(words)
  })

  it('replaces the stored secret of an installation, and reports when it cannot be replaced', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'recado-reseal-'))
    const run = (env: Record<string, string>) =>
      promisify(execFile)(process.execPath, ['server/backup/reseal.ts'], {
        cwd: root,
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: harness.databaseUrl, ...env },
      }).then(
        ({ stdout }) => stdout,
        (error: { stderr: string }) => error.stderr,
      )
    try {
      expect(await run({})).toMatch(/Set APP_SECRET_BEFORE/)
      const { rows } = await owner.query<{ sealed: string }>(
        `select sealed from "platformSecrets" where name = 'vapid'`,
      )
      await owner.end()
      const file = join(dataDir, 'app-secret')
      await writeFile(file, 'not the secret of this house, but long\n')
      expect(await run({})).toMatch(/Nothing was changed: Nothing here was sealed under/)
      expect(await readFile(file, 'utf8')).toMatch(/^not the secret/)
      await expect(stat(`${file}.next`)).rejects.toThrow()
      expect(rows).toHaveLength(1)
    } finally {
      owner = openPool(harness.databaseUrl, makeLog('silent'), { max: 1, role: 'recado_platform' })
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
