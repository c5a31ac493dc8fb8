import { Readable } from 'node:stream'
import { helpsApi } from '@recado/contract/helps'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cutConnectionAfter } from '../../../test/database-failures.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'
import { keepUpload, withStoredUploads } from '../files/media.ts'
import { Scope } from './scope.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

describe('two deadlocked transactions', () => {
  it('both succeed, and each publishes its events once', async () => {
    const { id: companyId, admin } = await harness.createCompany()
    const scope = new Scope(harness.server.deps, { companyId })
    const ids = []
    for (const name of ['a', 'b'])
      ids.push(
        (
          await scope.db
            .insertInto('tags')
            .values({ companyId, name, color: '', userId: null })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id,
      )
    const socketClient = await admin.listen()
    const tries = [0, 0]
    const { promise: bothHold, resolve } = Promise.withResolvers<void>()
    let holding = 0
    const takes = (who: number, first: number, second: number) =>
      scope.transaction(async (tx) => {
        tries[who] = (tries[who] as number) + 1
        tx.live(helpsApi.topic, { action: 'delete', id: who })
        // Writing the same value still locks the row; another colour would also lock the company row, and no deadlock
        // would occur.
        const change = (id: number) =>
          tx.db.updateTable('tags').set({ color: '' }).where('companyId', '=', companyId).where('id', '=', id).execute()
        await change(first)
        if (++holding === 2) resolve()
        await bothHold
        await change(second)
        return who
      })
    const [a = 0, b = 0] = ids
    expect(await Promise.all([takes(0, a, b), takes(1, b, a)])).toEqual([0, 1])
    expect(tries.toSorted()).toEqual([1, 2])
    await socketClient.whenCaughtUp()
    const news = socketClient.received.filter((e) => e.name === 'company-help').map((e) => e.payload.id)
    expect(news.toSorted()).toEqual([0, 1])
  })
})

describe('an upload of a transaction that is retried', () => {
  const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' })
  const kept = async (companyId: number, fails: (tries: number) => void) => {
    const { deps } = harness.server
    const scope = new Scope(deps, { companyId })
    const upload = await deps.files.receive(Readable.from([tinyPng]), 'punto.png')
    const paths: string[] = []
    const work = withStoredUploads(scope, [upload], () =>
      scope.transaction(async (tx) => {
        paths.push((await keepUpload(tx, upload)).mediaPath)
        fails(paths.length)
      }),
    )
    const error = await work.then(
      () => null,
      (failure: Error) => failure.message,
    )
    return { error, paths, size: await deps.files.size(companyId, paths[0] as string) }
  }

  it('is available to the retry', async () => {
    const { id } = await harness.createCompany()
    const { error, paths, size } = await kept(id, (tries) => {
      if (tries === 1) throw deadlock()
    })
    expect([error, new Set(paths).size, paths.length, size]).toEqual([null, 1, 2, tinyPng.length])
  })

  it('is deleted if the transaction fails', async () => {
    const { id } = await harness.createCompany()
    const { error, size } = await kept(id, () => {
      throw new Error('never')
    })
    expect([error, size]).toEqual(['never', null])
  })
})

describe('a commit whose response was lost', () => {
  const wayOf = async (companyId: number, name: string, fails = false) => {
    const { deps } = harness.server
    const scope = new Scope(deps, { companyId })
    let mediaPath = ''
    const work = () =>
      scope.transaction(async (tx) => {
        const upload = await deps.files.receive(Readable.from([tinyPng]), 'punto.png')
        mediaPath = (await keepUpload(tx, upload)).mediaPath
        await tx.db.insertInto('tags').values({ companyId, name, color: '', userId: null }).execute()
        tx.live(helpsApi.topic, { action: 'delete', id: 1 })
        if (fails) throw new Error('it thought better of it')
      })
    return { work, isKept: async () => (await deps.files.size(companyId, mediaPath)) !== null }
  }
  const tags = (companyId: number, name: string) =>
    harness
      .wide()
      .db.selectFrom('tags')
      .select('id')
      .where('companyId', '=', companyId)
      .where('name', '=', name)
      .execute()

  it('keeps the file of the committed row, and makes affected clients reconnect and reload', async () => {
    const { id: companyId, admin } = await harness.createCompany()
    const [socketClient, stranger] = [await admin.listen(), await (await harness.createCompany()).admin.listen()]
    const left = new Promise((resolve) => socketClient.socket.once('disconnect', resolve))
    const strangers = vi.fn()
    stranger.socket.once('disconnect', strangers)
    const { work, isKept } = await wayOf(companyId, 'severed')
    const isOurs = (text: string, isMarked: boolean) => isMarked && /^commit/i.test(text)
    await expect(cutConnectionAfter('insert into "tags"', isOurs, work)).rejects.toThrow()
    expect(await tags(companyId, 'severed')).toHaveLength(1)
    expect(await isKept()).toBe(true)
    // A browser whose transport is closed reconnects by itself.
    expect(await left).toBe('transport close')
    expect(strangers).not.toHaveBeenCalled()
  })

  it('deletes the file if the transaction was rolled back, and disconnects no client', async () => {
    const { id: companyId, admin } = await harness.createCompany()
    const socketClient = await admin.listen()
    const left = vi.fn()
    socketClient.socket.once('disconnect', left)
    const { work, isKept } = await wayOf(companyId, 'undone', true)
    await expect(work()).rejects.toThrow('thought better')
    expect(await tags(companyId, 'undone')).toEqual([])
    expect(await isKept()).toBe(false)
    await socketClient.whenCaughtUp()
    expect(left).not.toHaveBeenCalled()
  })
})
