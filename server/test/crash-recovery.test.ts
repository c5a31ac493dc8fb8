import { randomUUID } from 'node:crypto'
import { expect, inject, it } from 'vitest'
import { openPool } from '../src/kernel/data/database.ts'
import { makeLog } from '../src/kernel/log.ts'
import { withDatabaseName } from './global-setup.ts'
import { runKilledExchange } from './killed-exchange.ts'

it('loses and duplicates no message and keeps their order when the process is killed at any moment', async () => {
  const url = inject('databaseUrl')
  const name = `crash_${randomUUID().replaceAll('-', '')}`
  const admin = openPool(withDatabaseName(url, 'postgres'), makeLog('silent'), { max: 1 })
  await admin.query(`create database ${name} template recado_template strategy file_copy`)
  try {
    const verdict = await runKilledExchange(withDatabaseName(url, name), {
      kills: 7,
      messages: 840,
      chats: 12,
      lifeMs: 400,
    })
    expect(verdict).toMatchObject({
      kills: 7,
      received: 840,
      sent: 210,
      lost: 0,
      doubled: 0,
      disordered: 0,
      tickets: 12,
      unfinished: 0,
    })
  } finally {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
})
