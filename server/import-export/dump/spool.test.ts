import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSpool } from './spool.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recado-spool-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('leaves neither a file nor an error behind when the import is refused while files are being opened', async () => {
  for (let n = 0; n < 200; n++) {
    const spool = await openSpool(folder, { messages: () => 0 })
    const adding = ['users', 'tickets', 'contacts'].map((table) =>
      spool.addBatch({ table, rows: [{ id: '1' }], brokenRows: 0 }),
    )
    await spool.remove()
    await Promise.allSettled(adding)
  }
  expect(await readdir(folder)).toEqual([])
})

it('reports a file that cannot be written', async () => {
  const spool = await openSpool(folder, {})
  await rm(folder, { recursive: true })
  await spool.addBatch({ table: 'users', rows: [{ id: '1' }], brokenRows: 0 })
  await expect(spool.close()).rejects.toThrow('ENOENT')
  await spool.remove()
})
