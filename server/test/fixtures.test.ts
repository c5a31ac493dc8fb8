import { endpoints } from '@recado/contract/api'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findIdSlots } from '../../contract/test/id-slots.ts'
import { openOwnerPool, readFixtureTables, tableOfEntity } from './fixtures.ts'
import { closeTestServers, testServer } from './test-server.ts'

let owner: pg.Pool
beforeAll(async () => {
  owner = openOwnerPool(await testServer())
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})

it("finds the table of an entity by the contract's plural, not by adding an s", () => {
  expect(tableOfEntity('company')).toBe('companies')
  expect(tableOfEntity('knowledge')).toBe('knowledge')
})

it('uses the section name as the plural where older clients read the list under "records"', () => {
  expect(tableOfEntity('quickMessage')).toBe('quickMessages')
  expect(tableOfEntity('contactListItem')).toBe('contactListItems')
})

it('finds an existing table for every entity of the contract', async () => {
  const tables = new Set((await readFixtureTables(owner)).map(({ name }) => name))
  const entities = new Set(endpoints.flatMap((e) => findIdSlots(e).map(({ entity }) => entity)))
  expect(entities.size).toBeGreaterThan(20)
  expect([...entities].filter((entity) => !tables.has(tableOfEntity(entity)))).toEqual([])
})
