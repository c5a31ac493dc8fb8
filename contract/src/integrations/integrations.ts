import { z } from 'zod'
import { UsageReferences } from '../ai/prompts.ts'
import {
  bodyLimitBytes,
  crud,
  get,
  idParams,
  isoDateTime,
  listQuery,
  optionalText,
  pageReply,
  post,
  ref,
  requiredName,
} from '../endpoint.ts'
import { ExternalCall, ExternalCallPage, externalCallsQuery } from './external-calls.ts'

export const integrationTypes = ['typebot', 'n8n', 'webhook', 'dialogflow'] as const
export type IntegrationType = (typeof integrationTypes)[number]
export const integrationLanguages = ['pt-BR', 'en', 'es'] as const

/** State of the integration over the last 24 hours. */
export const IntegrationHealth = z.object({
  /** Calls per hour, oldest first, and how many of them failed. */
  calls: z.array(z.number()),
  failed: z.array(z.number()),
  /** Typical response time; 0 when there was no response. */
  ms: z.number(),
  lastAt: isoDateTime.nullable(),
  /**
   * Failures since the last success, and the reason of the latest, in the codes of a webhook (api-access/webhooks.ts).
   */
  inRow: z.number(),
  reason: z.string(),
  /** The integration is not called until then, because of too many failures in a row. */
  restsUntil: isoDateTime.nullable(),
})
export type IntegrationHealth = z.infer<typeof IntegrationHealth>

export const Integration = z.object({
  id: z.number(),
  type: z.enum(integrationTypes),
  name: z.string(),
  projectName: z.string(),
  /** A mask when credentials are stored: they never leave the server. Sending the mask back keeps the stored credentials. */
  jsonContent: z.string(),
  language: z.string(),
  urlN8N: z.string(),
  typebotSlug: z.string(),
  /** Minutes of inactivity after which a conversation starts over; 0: never. */
  typebotExpires: z.number(),
  typebotDelayMessage: z.number(),
  typebotKeywordFinish: z.string(),
  typebotKeywordRestart: z.string(),
  typebotUnknownMessage: z.string(),
  typebotRestartMessage: z.string(),
  usedBy: UsageReferences,
  health: IntegrationHealth,
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type Integration = z.infer<typeof Integration>

const wholeNumber = (fallback: number, max: number) =>
  z.preprocess(
    (v) => (v === '' || v === null || v === undefined ? fallback : v),
    z.coerce.number().int().min(0).max(max),
  )
const Write = z.object({
  type: z.enum(integrationTypes),
  name: requiredName(2, 50),
  /** The DialogFlow project; for the other types, the integration's name. */
  projectName: optionalText(200),
  jsonContent: optionalText(20_000),
  language: optionalText(20),
  /** The URL of n8n, of the webhook, or of the Typebot server. */
  urlN8N: optionalText(500),
  typebotSlug: optionalText(200),
  typebotExpires: wholeNumber(1, 525_600),
  typebotDelayMessage: wholeNumber(1000, 60_000),
  typebotKeywordFinish: optionalText(100),
  typebotKeywordRestart: optionalText(100),
  typebotUnknownMessage: optionalText(4096),
  typebotRestartMessage: optionalText(4096),
})
export const IntegrationWrite = Write
export type IntegrationWrite = z.output<typeof Write>

/** Result of a test call. */
export const IntegrationTestReply = z.object({
  ok: z.boolean(),
  status: z.number(),
  ms: z.number(),
  says: z.array(z.string()),
  /** Reason of a failure, in the codes of `IntegrationHealth.reason`. */
  error: z.string(),
})
export type IntegrationTestReply = z.infer<typeof IntegrationTestReply>

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
    bytes: bodyLimitBytes.longForm,
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
  /** Queue forms read this list on every plan; without access to integrations it is empty. */
  list: get('/queueIntegration', {
    about:
      'A page of integrations, newest first; all of them without pageNumber. Empty if the caller may not manage them',
    access: 'session',
    query: listQuery.extend({ pageNumber: listQuery.shape.pageNumber.unwrap().optional() }),
    reply: pageReply('queueIntegrations', Integration),
  }),
  calls: get('/queueIntegration/:id/calls', {
    about: 'The last calls of an integration; newest first',
    access,
    plan,
    params: idParams('integration'),
    query: externalCallsQuery,
    reply: ExternalCallPage,
  }),
}

/** Operations on an integration other than create, read, update and delete. */
export const integrationToolsApi = {
  testSession: post('/queueIntegration/testSession', {
    about: 'Check whether DialogFlow accepts these credentials; 400 with the reason as text if it does not',
    access,
    plan,
    body: z.object({
      id: ref('integration').optional(),
      projectName: optionalText(200),
      jsonContent: optionalText(20_000),
      language: optionalText(20),
    }),
    example: { projectName: 'demo', jsonContent: '{}', language: 'es' },
    reply: IntegrationTestReply,
  }),
  test: post('/queueIntegration/test', {
    about: 'Send one message to a draft of an integration of any type: nothing is sent to anybody',
    bytes: bodyLimitBytes.longForm,
    access,
    plan,
    body: z.object({ id: ref('integration').optional(), draft: Write, text: z.string().max(4096).default('hola') }),
    example: { draft: example },
    reply: IntegrationTestReply,
  }),
  secret: post('/queueIntegration/:id/secret', {
    about: 'Create a new signing secret for n8n and webhook, shown only once; the old one becomes invalid',
    access,
    plan,
    params: idParams('integration'),
    reply: z.object({ secret: z.string() }),
  }),
  again: post('/queueIntegration/:id/calls/:callId/again', {
    about: 'Send a request again and show the answer: the ticket is not changed',
    access,
    plan,
    params: z.object({ id: ref('integration'), callId: ref('machineCall') }),
    reply: ExternalCall,
  }),
}
