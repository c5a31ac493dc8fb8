import { promptsApi } from '@recado/contract/ai/prompts'
import { webhooksApi, webhookToolsApi } from '@recado/contract/api-access/webhooks'
import { integrationsApi } from '@recado/contract/integrations/integrations'
import { pushApi } from '@recado/contract/push'
import { queuesApi } from '@recado/contract/queues'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'

let open: TestServer
let closed: TestServer
const admins = new Map<TestServer, TestUser>()
beforeAll(async () => {
  open = await testServer({ privateTargets: true })
  closed = await testServer()
  for (const h of [open, closed]) {
    await h
      .wide()
      .db.updateTable('plans')
      .set({ useExternalApi: true, useIntegrations: true, useOpenAi: true })
      .execute()
    admins.set(h, (await h.createCompany()).admin)
  }
})
afterAll(closeTestServers)

let sequence = 0
const color = () => `#${String(100_000 + sequence)}`

/** Every form with a URL that we call. */
const urlForms: Record<string, { field: string; write: (by: TestUser, url: string) => Promise<unknown> }> = {
  webhook: {
    field: 'url',
    write: (by, url) => by.call(webhooksApi.create, { body: { name: '', url, events: ['line.state'], active: true } }),
  },
  ...Object.fromEntries(
    (['n8n', 'webhook', 'typebot'] as const).map((type) => [
      `integration ${type}`,
      {
        field: 'urlN8N',
        write: (by: TestUser, urlN8N: string) =>
          by.call(integrationsApi.create, {
            body: { ...integrationsApi.create.example, type, name: type, urlN8N, typebotSlug: 'flow' } as never,
          }),
      },
    ]),
  ),
  prompt: {
    field: 'baseUrl',
    write: async (by, baseUrl) => {
      const { id: queueId } = await by.call(queuesApi.create, {
        body: { name: `Q ${++sequence}`, color: color() } as never,
      })
      return by.call(promptsApi.create, { body: { ...promptsApi.create.example, queueId, baseUrl } as never })
    },
  },
  push: {
    field: 'endpoint',
    write: (by, endpoint) =>
      by.call(pushApi.subscribe, {
        body: { endpoint, keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } } as never,
      }),
  },
}
const expectRefusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (e: { body: unknown }) => e.body,
  )

describe.each(Object.entries(urlForms))('the URL of a %s', (_, { field, write }) => {
  it('must be https unless the operator allows calls to private networks', async () => {
    const admin = (h: TestServer) => admins.get(h) as TestUser
    const plain = 'http://hooks.example.com/here'
    expect(await expectRefusal(write(admin(closed), plain))).toMatchObject({
      error: 'ERR_VALIDATION',
      fields: { [field]: 'Not https' },
    })
    expect(await expectRefusal(write(admin(closed), 'HTTP://hooks.example.com/here'))).toMatchObject({
      fields: { [field]: 'Not https' },
    })
    expect(await expectRefusal(write(admin(closed), plain.replace('http:', 'https:')))).toBeNull()
    expect(await expectRefusal(write(admin(open), plain))).toBeNull()
  })
})

it('reports why an older http URL is not called', async () => {
  const admin = admins.get(closed) as TestUser
  const body = { name: '', url: 'https://hooks.example.com/here', events: ['line.state' as const], active: true }
  const { id } = await admin.call(webhooksApi.create, { body })
  await closed.wide().db.updateTable('webhooks').set({ url: 'http://hooks.example.com/here' }).execute()
  const { state, tries } = await admin.call(webhookToolsApi.test, { params: { id } })
  expect({ state, tries }).toMatchObject({ state: 'given-up', tries: [{ error: 'insecure' }] })
})
