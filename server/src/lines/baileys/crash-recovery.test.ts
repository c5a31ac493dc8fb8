import '@recado/whatsapp/silence-libsignal'
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { Person as Account } from '@recado/whatsapp/person'
import { WhatsApp } from '@recado/whatsapp/service'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { withDatabaseName } from '../../../test/global-setup.ts'
import { messageText } from '../../../test/linked-phone.ts'
import { openPool } from '../../kernel/data/database.ts'
import { makeLog } from '../../kernel/log.ts'

/** A process that runs one linked line and is killed without warning; WhatsApp and the database keep running. */
const log = makeLog('silent')
const name = `killed_${randomUUID().replaceAll('-', '')}`
let server: pg.Pool
let db: pg.Pool
let wa: WhatsApp
let shop: Account
let device: Awaited<ReturnType<Account['scan']>>
let childServer: ChildProcess

async function startChildServer(): Promise<void> {
  childServer = fork(new URL('../../../test/linked-child-server.ts', import.meta.url), {
    execArgv: ['--import', import.meta.resolve('@recado/whatsapp/trust-service')],
    env: {
      ...process.env,
      VICTIM_DATABASE: withDatabaseName(inject('databaseUrl'), name),
      VICTIM_DATA: tmpdir(),
      VICTIM_WHATSAPP: wa.url,
      LOCAL_WHATSAPP: JSON.stringify(wa.credentials),
    },
  })
  await once(childServer, 'message')
}
async function killChildServer(): Promise<void> {
  const dead = once(childServer, 'exit')
  childServer.kill('SIGKILL')
  await dead
}
const standStill = async (at: 'before' | 'after') => {
  const told = once(childServer, 'message')
  childServer.send(at)
  await told
}
/** Sends a text and switches the phone off at once, so that it cannot answer a retry request. */
async function sendAndSwitchOff(person: Account, text: string): Promise<void> {
  await person.sendText(shop.account, text)
  person.sent.clear()
}
const line = async () => (await db.query('select status, reason, qrcode from whatsapps')).rows[0]
const stored = async (from: Account, fromMe = false): Promise<string[]> => {
  const { rows } = await db.query(
    `select m.body from messages m join contacts c on c.id = m."contactId"
     where c.number = $1 and m."fromMe" = $2 order by m.id`,
    [from.account.phoneNumber, fromMe],
  )
  return rows.map((r) => r.body)
}
/** The messages that this phone shows, each once however often it arrived, and those it could not decrypt. */
function reader(person: Account) {
  const shown = new Map<string, unknown>()
  const unreadable: string[] = []
  person.on('message', ({ id, message }) => shown.set(id, messageText(message)))
  person.on('undecryptable', ({ error }) => unreadable.push(error.message))
  return { person, shown: () => [...shown.values()], unreadable }
}
const shortInterval = { interval: 20 }
const connected = () => vi.waitFor(async () => expect((await line()).status).toBe('CONNECTED'), shortInterval)

beforeAll(async () => {
  server = openPool(withDatabaseName(inject('databaseUrl'), 'postgres'), log, { max: 1 })
  await server.query(`create database ${name} template recado_template strategy file_copy`)
  db = openPool(withDatabaseName(inject('databaseUrl'), name), log, { max: 2 })
  wa = await WhatsApp.start()
  shop = wa.addPerson('15557770000', 'Shop')
  const { rows } = await db.query("insert into companies (name) values ('Killed') returning id")
  await db.query(
    `insert into whatsapps ("companyId", name, provider, wanted, status) values ($1, 'Phone', 'beta', true, 'OPENING')`,
    [rows[0].id],
  )
  await startChildServer()
  await vi.waitFor(async () => expect((await line()).qrcode).not.toBe(''), shortInterval)
  device = await shop.scan((await line()).qrcode)
  await connected()
})
afterAll(async () => {
  await killChildServer()
  await wa.close()
  await db.end()
  await server.query(`drop database ${name} with (force)`)
  await server.end()
})

describe('a killed process', () => {
  for (const at of ['before', 'after'] as const) {
    it(`stores a message once after a restart when killed ${at} the message was journalled`, async () => {
      const alice = wa.addPerson(`1555888000${at.length}`, 'Alice')
      await sendAndSwitchOff(alice, 'before it')
      await expect.poll(() => stored(alice)).toEqual(['before it'])
      await standStill(at)
      const still = once(childServer, 'message')
      await sendAndSwitchOff(alice, 'in the very moment')
      await still
      // The message was not acknowledged, so WhatsApp keeps it.
      expect(device.pendingCount).toBeGreaterThan(0)
      await killChildServer()
      await startChildServer()
      await expect.poll(() => stored(alice)).toEqual(['before it', 'in the very moment'])
      await sendAndSwitchOff(alice, 'after it')
      await expect.poll(() => stored(alice)).toEqual(['before it', 'in the very moment', 'after it'])
      await expect.poll(() => device.pendingCount).toBe(0)
    })
  }

  it('stores every message once, readable and in order, when killed at any moment while both sides write', async () => {
    const people = Array.from({ length: 5 }, (_, n) => wa.addPerson(`1555999000${n}`, `Customer ${n}`))
    const readers = people.map(reader)
    const texts = ['message 0']
    for (const person of people) await sendAndSwitchOff(person, 'message 0')
    for (const person of people) await expect.poll(() => stored(person)).toEqual(texts)
    const bothWrite = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        const text = `message ${texts.length}`
        texts.push(text)
        await Promise.all(people.map((person) => sendAndSwitchOff(person, text)))
        // A child server that has died gets no messages.
        for (const { account } of people)
          if (childServer.connected) childServer.send({ say: `answer to ${text}`, to: account.phoneNumber }, () => {})
        await new Promise((resolve) => setTimeout(resolve, 40))
      }
    }
    const answers = async () => {
      const { rows } = await db.query(
        `select count(*)::int as count from messages m join contacts c on c.id = m."contactId"
         where m."fromMe" and c.number = any($1) group by c.id order by 1`,
        [people.map(({ account }) => account.phoneNumber)],
      )
      return rows.length < people.length ? 0 : rows[0].count
    }
    for (let life = 0; life < 3; life++) {
      const before = await answers()
      const writing = bothWrite(12)
      // The server has answered everybody before it is killed, even on a slow machine, so there are answers to count.
      await expect.poll(answers).toBeGreaterThan(before + 1)
      await new Promise((resolve) => setTimeout(resolve, 250 * Math.random()))
      await killChildServer()
      await writing
      await bothWrite(3)
      await startChildServer()
    }
    await bothWrite(3)
    for (const person of people) await expect.poll(() => stored(person)).toEqual(texts)
    await expect.poll(() => device.pendingCount).toBe(0)
    for (const { person, shown, unreadable } of readers) {
      await expect.poll(shown).toEqual(await stored(person, true))
      expect(unreadable).toEqual([])
    }
  })
})
