import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOwnerPool } from '../test/fixtures.ts'
import { closeTestServers, testServer } from '../test/test-server.ts'
import { describeSchema } from './describe-schema.ts'

let db: pg.Pool
beforeAll(async () => {
  db = openOwnerPool(await testServer())
})
afterAll(async () => {
  await db.end()
  await closeTestServers()
})

describe('docs/schema.md', () => {
  it('equals the output of `npm run schema` for the migrations', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/schema.md'), 'utf8')
    expect(page, 'docs/schema.md is out of date: run `npm run schema`').toBe(await describeSchema(db))
  })

  it('is not generated while a trigger has no description', async () => {
    await db.query(`create function undescribed() returns trigger language plpgsql as 'begin return null; end'`)
    await db.query('create trigger undescribed after insert on tags execute function undescribed()')
    await expect(describeSchema(db)).rejects.toThrow(/Describe the trigger function undescribed/)
    await db.query(`comment on function undescribed() is 'Explained by a comment.'`)
    expect(await describeSchema(db)).toContain('Explained by a comment.')
  })

  it('is not generated while a table has no owner', async () => {
    await db.query('create table ownerless (id int)')
    await expect(describeSchema(db)).rejects.toThrow(/Name the owner of ownerless/)
  })
})
