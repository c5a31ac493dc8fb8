import { promptsApi } from '@recado/contract/ai/prompts'
import { queuesApi } from '@recado/contract/queues'
import { afterAll, describe, expect, it } from 'vitest'
import { closeTestServers, testServer } from '../../../test/test-server.ts'

afterAll(closeTestServers)

describe('the model of a prompt', () => {
  it.each([
    ['house-model', 'house-model'],
    [undefined, 'gpt-3.5-turbo-1106'],
  ])('that names none, with AI_MODEL %s, is %s; an update without it changes nothing', async (aiModel, expected) => {
    const h = await testServer({ aiModel })
    const { admin } = await h.createCompany()
    const { id: queueId } = await admin.call(queuesApi.create, { body: { name: 'Ventas', color: '#123456' } as never })
    expect(await admin.call(promptsApi.defaults)).toEqual({
      ...{ model: expected, maxTokens: 600, temperature: 0.3, maxMessages: 10 },
    })
    const prompt = 'Eres la recepción de una tienda. Contesta con calma y en el idioma del cliente.'
    const rest = { prompt, maxTokens: 600, temperature: 0.3, apiKey: 'sk-test', queueId, maxMessages: 10 }
    const create = (over: object) => admin.call(promptsApi.create, { body: { name: 'Recepción', ...rest, ...over } })
    expect(await create({})).toMatchObject({ model: expected })
    expect(await create({ model: '' })).toMatchObject({ model: expected })
    const own = await create({ model: 'my-model' })
    expect(own).toMatchObject({ model: 'my-model' })
    const body = { name: 'Recepción 2', ...rest }
    expect(await admin.call(promptsApi.update, { params: { id: own.id }, body })).toMatchObject({ model: 'my-model' })
  })
})
