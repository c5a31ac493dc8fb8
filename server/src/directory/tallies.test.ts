import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../test/desk.ts'
import { closeTestServers, testServer } from '../../test/test-server.ts'

let desk: Desk
let firstClient: pg.Client
let two: pg.Client
beforeAll(async () => {
  const h = await testServer()
  desk = await openDesk(h)
  ;[firstClient, two] = [
    new pg.Client({ connectionString: h.databaseUrl }),
    new pg.Client({ connectionString: h.databaseUrl }),
  ]
  for (const client of [firstClient, two]) {
    await client.connect()
    await client.query('set role recado_platform')
  }
})
afterAll(async () => {
  await Promise.all([firstClient.end(), two.end()])
  await closeTestServers()
})

type Row = { id: number; ticketsCount: number }
const contacts = async (query = '') =>
  (await desk.admin.request<{ count: number }>('GET', `/contacts?${query}`)).body.count
const loadTagCount = async (id: number) =>
  (await desk.admin.request<Row[]>('GET', '/tags/list')).body.find((tag) => tag.id === id)?.ticketsCount
const countRows = async (where: string) =>
  Number((await firstClient.query(`select count(*) from ${where} and "companyId" = ${desk.company.id}`)).rows[0].count)
const addUp = (client: pg.Client) => client.query(`select add_up_tallies(${desk.company.id})`)
const insert = (names: string[], isGroup = false) =>
  `insert into contacts ("companyId", name, number, "isGroup") values ${names.map((name) => `(${desk.company.id}, '${name}', '55${name.length}', ${isGroup})`)}`

it('equals the real count of contacts after any change', async () => {
  const holds = async () => {
    const living = await countRows('contacts where "mergedInto" is null')
    const groups = await countRows('contacts where "mergedInto" is null and "isGroup"')
    expect([await contacts(), await contacts('kind=group'), await contacts('kind=person')]).toEqual([
      living,
      groups,
      living - groups,
    ])
  }
  await firstClient.query(insert(['Ana', 'Beto', 'Caro', 'Dani']))
  await firstClient.query(insert(['Vecinos'], true))
  await holds()
  const id = (name: string) => `(select id from contacts where name = '${name}' and "companyId" = ${desk.company.id})`
  const set = (what: string, name: string) => firstClient.query(`update contacts set ${what} where id = ${id(name)}`)
  await set(`"mergedInto" = ${id('Ana')}`, 'Beto')
  await holds()
  await addUp(firstClient)
  await holds()
  await set('"mergedInto" = null', 'Beto')
  await set('"isGroup" = true', 'Caro')
  await firstClient.query(`delete from contacts where id = ${id('Dani')}`)
  await holds()
  await addUp(firstClient)
  await holds()
  expect(await countRows(`tallies where kind <> 'tag'`)).toBe(2)
})

it('loses and duplicates nothing under concurrent writes', async () => {
  const before = await contacts()
  await firstClient.query(`begin; ${insert(['Eva'])}`)
  await two.query(`begin; ${insert(['Fede', 'Gabi'])}`)
  await addUp(firstClient)
  await addUp(two)
  expect(await contacts()).toBe(before)
  await firstClient.query('commit')
  expect(await contacts()).toBe(before + 1)
  await two.query('rollback')
  expect(await contacts()).toBe(before + 1)
  await addUp(firstClient)
  expect(await contacts()).toBe(before + 1)
})

it('counts the tickets of each tag', async () => {
  const tag = async (name: string) =>
    (await desk.admin.request<Row>('POST', '/tags', { name, color: '#d73434' })).body.id
  const [red, blue] = [await tag('Rojo'), await tag('Azul')]
  const tickets = [await desk.newTicket(), await desk.newTicket(), await desk.newTicket()].map(({ id }) => id)
  const wear = (ticketId: number, tags: number[]) =>
    desk.admin.request('POST', '/tags/sync', { ticketId, tags: tags.map((id) => ({ id })) })
  for (const id of tickets) await wear(id, [red, blue])
  await wear(tickets[0] as number, [red])
  expect([await loadTagCount(red), await loadTagCount(blue)]).toEqual([3, 2])
  await addUp(firstClient)
  await firstClient.query(`update "ticketTags" set "tagId" = ${blue} where "ticketId" = ${tickets[0]}`)
  await firstClient.query(`delete from tickets where id = ${tickets[1]}`)
  expect([await loadTagCount(red), await loadTagCount(blue)]).toEqual([1, 2])
  const { body } = await desk.admin.request<{ tags: Row[] }>('GET', '/tags?searchParam=az&pageNumber=1')
  expect(body.tags.map((one) => one.ticketsCount)).toEqual([2])
  await firstClient.query(`delete from tags where id = ${blue}`)
  await addUp(firstClient)
  expect(await countRows(`tallies where kind = 'tag'`)).toBe(1)
})

it('is deleted with its company', async () => {
  const { company } = await openDesk(desk.server)
  await firstClient.query(`insert into contacts ("companyId", name, number) values (${company.id}, 'Zoe', '551')`)
  await firstClient.query(`delete from companies where id = ${company.id}`)
  const { rows } = await firstClient.query(`select 1 from tallies where "companyId" = ${company.id}`)
  expect(rows).toEqual([])
})
