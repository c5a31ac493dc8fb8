import { z } from 'zod'
import { bodyBytes, crud, get, idOf, iso, listQuery, name, page, post, ref, text } from '../kit.ts'
import { CallPage, callsQuery, MachineCall } from './calls.ts'
import { UsedBy } from './prompts.ts'

export const integrationTypes = ['typebot', 'n8n', 'webhook', 'dialogflow'] as const
export type IntegrationType = (typeof integrationTypes)[number]
export const integrationLanguages = ['pt-BR', 'en', 'es'] as const

/** How it has been doing in the last 24 hours. */
export const Health = z.object({
  /** Calls by hour, the oldest first, and how many of them failed. */
  calls: z.array(z.number()),
  failed: z.array(z.number()),
  /** The usual time of an answer; 0 where there was none. */
  ms: z.number(),
  lastAt: iso.nullable(),
  /** Failures since the last answer, with the reason of the last one, as a webhook's (doors/webhooks.ts). */
  inRow: z.number(),
  reason: z.string(),
  /** Until then it is not called: too many failures in a row. */
  restsUntil: iso.nullable(),
})
export type Health = z.infer<typeof Health>

export const Integration = z.object({
  id: z.number(),
  type: z.enum(integrationTypes),
  name: z.string(),
  projectName: z.string(),
  /** A mask where there are credentials: they never leave. Sent back, it means those that are there. */
  jsonContent: z.string(),
  language: z.string(),
  urlN8N: z.string(),
  typebotSlug: z.string(),
  /** Minutes without a word after which a conversation begins anew; 0: never. */
  typebotExpires: z.number(),
  typebotDelayMessage: z.number(),
  typebotKeywordFinish: z.string(),
  typebotKeywordRestart: z.string(),
  typebotUnknownMessage: z.string(),
  typebotRestartMessage: z.string(),
  usedBy: UsedBy,
  health: Health,
  createdAt: iso,
  updatedAt: iso,
})
export type Integration = z.infer<typeof Integration>

const whole = (fallback: number, max: number) =>
  z.preprocess(
    (v) => (v === '' || v === null || v === undefined ? fallback : v),
    z.coerce.number().int().min(0).max(max),
  )
const Write = z.object({
  type: z.enum(integrationTypes),
  name: name(2, 50),
  /** Of DialogFlow; of the others it is the name. */
  projectName: text(200),
  jsonContent: text(20_000),
  language: text(20),
  /** The address of n8n, of the webhook, or of the Typebot server. */
  urlN8N: text(500),
  typebotSlug: text(200),
  typebotExpires: whole(1, 525_600),
  typebotDelayMessage: whole(1000, 60_000),
  typebotKeywordFinish: text(100),
  typebotKeywordRestart: text(100),
  typebotUnknownMessage: text(4096),
  typebotRestartMessage: text(4096),
})
export const IntegrationWrite = Write
export type IntegrationWrite = z.output<typeof Write>

/** What a try came to. */
export const TestReply = z.object({
  ok: z.boolean(),
  status: z.number(),
  ms: z.number(),
  says: z.array(z.string()),
  /** Where it did not work, why: as `Health.reason`. */
  error: z.string(),
})
export type TestReply = z.infer<typeof TestReply>

const plan = 'useIntegrations' as const
const access = 'integrations-page:edit' as const
const example = {
  type: 'webhook' as const,
  name: 'Avisos',
  projectName: '',
  jsonContent: '',
  language: '',
  urlN8N: 'https://hooks.example.test/recado',
  typebotSlug: '',
  typebotExpires: 1,
  typebotDelayMessage: 1000,
  typebotKeywordFinish: '',
  typebotKeywordRestart: '',
  typebotUnknownMessage: '',
  typebotRestartMessage: '',
}
export const integrationsApi = {
  ...crud({
    bytes: bodyBytes.longForm,
    path: '/queueIntegration',
    entity: 'integration',
    plural: 'queueIntegrations',
    row: Integration,
    search: ['name'],
    newestFirst: true,
    missing: 'ERR_NO_INTEGRATION_FOUND',
    topic: { name: (c) => `company-${c}-queueIntegration`, one: 'queueIntegration', gone: 'integrationId' },
    write: IntegrationWrite,
    example,
    read: access,
    edit: access,
    plan,
  }),
  /** Forms of queues read it whatever the plan: who may not have integrations gets none. */
  list: get('/queueIntegration', {
    about: 'A page of integrations, newest first; all of them without pageNumber. Empty for who may not keep them',
    access: 'session',
    query: listQuery.extend({ pageNumber: listQuery.shape.pageNumber.unwrap().optional() }),
    reply: page('queueIntegrations', Integration),
  }),
  calls: get('/queueIntegration/:id/calls', {
    about: 'The last calls of an integration; newest first',
    access,
    plan,
    params: idOf('integration'),
    query: callsQuery,
    reply: CallPage,
  }),
}

/** What is done with an integration besides keeping it. */
export const integrationToolsApi = {
  testSession: post('/queueIntegration/testSession', {
    about: 'Whether DialogFlow answers with these credentials; 400 with the reason in words where it does not',
    access,
    plan,
    body: z.object({
      id: ref('integration').optional(),
      projectName: text(200),
      jsonContent: text(20_000),
      language: text(20),
    }),
    example: { projectName: 'demo', jsonContent: '{}', language: 'es' },
    reply: TestReply,
  }),
  test: post('/queueIntegration/test', {
    about: 'Talk once to a draft of an integration, of whatever type: nothing is sent to anybody',
    bytes: bodyBytes.longForm,
    access,
    plan,
    body: z.object({ id: ref('integration').optional(), draft: Write, text: z.string().max(4096).default('hola') }),
    example: { draft: example },
    reply: TestReply,
  }),
  secret: post('/queueIntegration/:id/secret', {
    about: 'A new secret for the signatures of n8n and webhook: shown this once, and the old one ends',
    access,
    plan,
    params: idOf('integration'),
    reply: z.object({ secret: z.string() }),
  }),
  again: post('/queueIntegration/:id/calls/:callId/again', {
    about: 'Send what was asked once more and show what comes back: the ticket does not change by it',
    access,
    plan,
    params: z.object({ id: ref('integration'), callId: ref('machineCall') }),
    reply: MachineCall,
  }),
}
