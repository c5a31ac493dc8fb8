import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { contactsApi } from '@recado/contract/contacts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { sendForm, tinyPng } from '../../../test/upload.ts'
import { contactSheetLimits, readContactSheet } from './contact-sheet.ts'

let harness: TestServer
let admin: TestUser
beforeAll(async () => {
  harness = await testServer({ uploadLimit: 8 * 1024 * 1024 })
})
afterAll(closeTestServers)
beforeEach(async () => {
  admin = (await harness.createCompany()).admin
})

const rows = (body: object[]) => admin.call(contactsApi.upload, { body: body as never })
const count = async () => (await admin.call(contactsApi.list, { query: {} })).count

describe('imported spreadsheet rows', () => {
  it('become contacts, and each bad row is reported with its reason', async () => {
    await admin.call(contactsApi.create, { body: { name: 'Already', number: '5511988887777' } })
    const answer = await rows([
      { Nome: 'Ana', Telefone: 5491155550000 },
      { Nome: 'Twice', Telefone: '551188887777' },
      { Nome: 'Eva', Telefone: 5491155550001, email: 'eva@mail.test' },
      { Nome: 'Ana again', Telefone: '+54 9 11 5555 0000' },
      { Nome: 'Nobody' },
    ])
    expect(answer.newContacts.map((c) => c.contactName)).toEqual(['Ana', 'Eva'])
    expect(answer.errorBag).toEqual([
      { contactName: 'Nobody', row: 5, error: { message: 'Required', field: 'number' } },
      { contactName: 'Twice', row: 2, error: { message: 'ERR_DUPLICATED_CONTACT', field: 'number' } },
      { contactName: 'Ana again', row: 4, error: { message: 'ERR_DUPLICATED_CONTACT', field: 'number' } },
    ])
    const [ana] = answer.newContacts
    expect(await admin.call(contactsApi.show, { params: { id: ana?.contactId } })).toMatchObject({
      name: 'Ana',
      number: '5491155550000',
      email: '',
    })
  })

  it('are accepted up to the limit and published one at a time; importing them again adds nothing', async () => {
    const socketClient = await admin.listen()
    const many = Array.from({ length: 10_000 }, (_, n) => ({ Nome: `Row ${n}`, Telefone: 5_491_170_000_000 + n }))
    expect((await rows(many.slice(0, 600))).newContacts).toHaveLength(600)
    await socketClient.whenCaughtUp()
    expect(
      socketClient.received.filter((e) => e.name.endsWith('-contact') && e.payload.action === 'create'),
    ).toHaveLength(600)
    const all = await rows(many)
    expect([all.newContacts.length, all.errorBag.length, await count()]).toEqual([9_400, 600, 10_000])
    const began = process.threadCpuUsage()
    const file = await admin.request<string>('GET', '/contacts/export')
    expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(12_000)
    expect(file.body.split('\r\n')).toHaveLength(10_002)
    expect((await admin.request('POST', '/contacts/upload', [...many, {}])).status).toBe(400)
    // A wide sheet has many cells that are not imported.
    const wide = [{ Nome: 'Wide', Telefone: 5_491_179_999_999, Notas: 'x'.repeat(3 * 1024 * 1024) }]
    expect((await rows(wide)).newContacts).toHaveLength(1)
  })

  it('return empty lists for an empty input', async () => {
    expect(await rows([])).toEqual({ newContacts: [], errorBag: [] })
    expect((await admin.request('POST', '/contacts/upload', { Nome: 'no list' })).status).toBe(400)
  })
})

type UploadReply = { rows: Record<string, unknown>[]; error: string }
const send = (bytes: Uint8Array | string, name: string) =>
  sendForm<UploadReply>(admin, '/contacts/upload-file', { file: [[bytes, name]] })
const book = (cells: unknown[][], bookType: 'xlsx' | 'biff8' | 'csv' = 'xlsx') => {
  const made = utils.book_new()
  utils.book_append_sheet(made, utils.aoa_to_sheet(cells), 'First')
  utils.book_append_sheet(made, utils.aoa_to_sheet([['Other'], ['sheet']]), 'Second')
  return write(made, { type: 'buffer', bookType, compression: true }) as Buffer
}
const cells = [
  ['Nome', 'Telefone'],
  ['Ana Núñez', 5491155550000],
  ['Eva', '+54 9 11 5555 0001'],
]

describe('a spreadsheet file', () => {
  it('is parsed on the server as xlsx, xls or csv: the first sheet, without blank rows', async () => {
    const expected = [
      { Nome: 'Ana Núñez', Telefone: 5491155550000 },
      { Nome: 'Eva', Telefone: '+54 9 11 5555 0001' },
    ]
    expect(await send(book([...cells, []]), 'list.xlsx')).toMatchObject({ status: 200, body: { rows: expected } })
    expect((await send(book(cells, 'biff8'), 'list.xls')).body.rows).toEqual(expected)
    const text = 'Nome;Telefone\r\nAna Núñez;05491155550000\r\n\r\n"Eva; la otra";+5491155550001\r\n'
    const read = [
      { Nome: 'Ana Núñez', Telefone: '05491155550000' },
      { Nome: 'Eva; la otra', Telefone: '+5491155550001' },
    ]
    expect((await send(text, 'list.csv')).body.rows).toEqual(read)
    expect((await send(`\ufeff${text}`, 'list.csv')).body.rows).toEqual(read)
    expect((await send(Buffer.from(text, 'latin1'), 'list.csv')).body.rows).toEqual(read)
    expect((await rows((await send(book(cells), 'list.xlsx')).body.rows)).newContacts).toHaveLength(2)
  })

  it('is refused when it is invalid, and the server keeps running', async () => {
    for (const [bytes, name] of [
      [tinyPng, 'list.xlsx'],
      [book(cells).subarray(0, 900), 'cut.xlsx'],
      [Buffer.from('504b0304', 'hex'), 'short.xlsx'],
      [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'short.xls'],
    ] as const)
      expect(await send(bytes, name)).toMatchObject({ status: 415, body: { error: 'ERR_FILE_TYPE' } })
    expect((await sendForm(admin, '/contacts/upload-file', {})).status).toBe(400)
    expect((await send('', 'empty.csv')).body.rows).toEqual([])
    expect((await send(book(cells), 'list.xlsx')).status).toBe(200)
  })

  it('is limited in bytes, rows and unpacked size', async () => {
    const tooMuch = { status: 413, body: { error: 'ERR_FILESIZE_OVER_LIMIT' } }
    expect(await send(Buffer.alloc(5 * 1024 * 1024 + 1, 'a'), 'big.csv')).toMatchObject(tooMuch)
    const line = (n: number) => `Row ${n};${5_491_170_000_000 + n}\n`
    const csv = (n: number) => `Nome;Telefone\n${Array.from({ length: n }, (_, i) => line(i)).join('')}`
    expect((await send(csv(10_000), 'full.csv')).body.rows).toHaveLength(10_000)
    expect(await send(csv(10_001), 'over.csv')).toMatchObject(tooMuch)
    // 100 MB of the same letter: a few hundred kilobytes compressed.
    const bomb = book([['Nome'], ...Array.from({ length: 3200 }, () => ['a'.repeat(32_000)])])
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024)
    expect(await send(bomb, 'bomb.xlsx')).toMatchObject(tooMuch)
  })
})

describe('a file that takes too long to parse', () => {
  it('is aborted, and the next file is parsed', async () => {
    const path = join(harness.dataDir, 'slow.csv')
    await writeFile(path, 'Nome;Telefone\nAna;5491155550000\n')
    const file = { path, name: 'slow.csv', size: 100, type: 'text/csv', pages: null }
    const [slow, quick] = await Promise.allSettled([
      readContactSheet(1, file, { ...contactSheetLimits, timeoutMs: 1 }),
      readContactSheet(1, file),
    ])
    expect(slow).toMatchObject({ reason: { code: 'ERR_FILESIZE_OVER_LIMIT' } })
    expect(quick).toMatchObject({ value: '[{"Nome":"Ana","Telefone":"5491155550000"}]' })
    await expect(readContactSheet(1, file, { ...contactSheetLimits, maxQueued: 0 })).rejects.toThrow(
      'ERR_TOO_MANY_TRIES',
    )
  })

  it('delays only its own company', async () => {
    const path = join(harness.dataDir, 'kept.csv')
    await writeFile(path, 'Nome;Telefone\nAna;5491155550000\n')
    const file = { path, name: 'kept.csv', size: 100, type: 'text/csv', pages: null }
    const alone = { ...contactSheetLimits, maxQueued: 1 }
    const first = readContactSheet(1, file, alone)
    await expect(readContactSheet(1, file, alone)).rejects.toThrow('ERR_TOO_MANY_TRIES')
    expect(JSON.parse(await readContactSheet(2, file, alone))).toHaveLength(1)
    expect(JSON.parse(await first)).toHaveLength(1)
  })
})

describe('the address book of the phone', () => {
  it('requires a connected default line', async () => {
    const refused = async () => (await admin.request<{ error: string }>('POST', '/contacts/import')).body.error
    expect(await refused()).toBe('ERR_NO_DEF_WAPP_FOUND')
    await harness
      .wide()
      .db.insertInto('whatsapps')
      .values({
        companyId: admin.companyId,
        name: 'Off',
        isDefault: true,
        tokenHash: null,
        timeToTransfer: null,
        transferQueueId: null,
        promptId: null,
      })
      .execute()
    expect(await refused()).toBe('ERR_WAPP_NOT_INITIALIZED')
  })

  it('is imported: new people are added, and contacts without a name get one', async () => {
    const phone = await harness.openLine({ admin }, { isDefault: true })
    await admin.call(contactsApi.create, { body: { name: '5491155550000', number: '5491155550000' } })
    await admin.call(contactsApi.create, { body: { name: 'As we call her', number: '5491155550001' } })
    const add = (number: string, name: string) =>
      harness
        .wide()
        .db.insertInto('sandboxCustomers')
        .values({ companyId: admin.companyId, whatsappId: phone.id, number, name })
        .execute()
    await add('5491155550000', 'Ana')
    await add('5491155550001', 'Eva')
    await add('5491155550002', 'Bea')
    expect(await admin.call(contactsApi.import)).toEqual({ imported: 1 })
    const { contacts } = await admin.call(contactsApi.list, { query: {} })
    expect(contacts.map((c) => c.name)).toEqual(['Ana', 'As we call her', 'Bea'])
  })

  it('is read only from a line that can check whether a number exists on WhatsApp', async () => {
    await harness.openLine({ admin }, { isDefault: true })
    const create = (number: string) =>
      admin.request<{ error: string; number: string }>('POST', '/contacts', { name: 'Ana', number })
    expect((await create('5491155550000')).body.number).toBe('5491155550000')
    expect((await create('1234567890123456')).body.error).toBe('ERR_WAPP_INVALID_CONTACT')
  })
})
