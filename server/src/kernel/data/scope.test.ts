import { helpsApi } from '@recado/contract/helps'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeHouses, type House, house } from '../../../test/house.ts'
import { Scope } from './scope.ts'

let h: House
beforeAll(async () => {
  h = await house()
})
afterAll(closeHouses)

describe('two who wait for each other', () => {
  it('both get through, and each says its news once', async () => {
    const { id: companyId, admin } = await h.company()
    const scope = new Scope(h.running.means, { companyId })
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
    const ear = await admin.listen()
    const tries = [0, 0]
    const { promise: bothHold, resolve } = Promise.withResolvers<void>()
    let holding = 0
    const takes = (who: number, first: number, second: number) =>
      scope.transaction(async (tx) => {
        tries[who] = (tries[who] as number) + 1
        tx.live(helpsApi.topic, { action: 'delete', id: who })
        // The row is held all the same; another colour would hold the company's too, and nobody would get so far.
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
    await ear.settled()
    const news = ear.heard.filter((e) => e.name === 'company-help').map((e) => e.payload.id)
    expect(news.toSorted()).toEqual([0, 1])
  })
})
