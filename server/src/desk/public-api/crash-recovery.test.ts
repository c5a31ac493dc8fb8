import { randomUUID } from 'node:crypto'
import { expect, inject, it } from 'vitest'
import { withDatabaseName } from '../../../test/global-setup.ts'
import { runKilledApiSending } from '../../../test/killed-api-sending.ts'
import { openPool } from '../../kernel/data/database.ts'
import { makeLog } from '../../kernel/log.ts'

it('delivers each message of API clients once while the server is killed, whatever the clients retry', async () => {
  const name = `soak_${randomUUID().replaceAll('-', '')}`
  const admin = openPool(withDatabaseName(inject('databaseUrl'), 'postgres'), makeLog('silent'), { max: 1 })
  await admin.query(`create database ${name} template recado_template strategy file_copy`)
  try {
    const o = { messages: 100, kills: 2, senders: 6, people: 10, lifeMs: 700 }
    expect(await runKilledApiSending(withDatabaseName(inject('databaseUrl'), name), o)).toMatchObject({
      ...{ kills: 2, answered: 110, stored: 100, lost: 0, doubled: 0 },
    })
  } finally {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
})
