import { apiMessagesApi } from '@recado/contract/api-access/api-messages'

export const docTopics = [
  'start',
  'errors',
  'send',
  'state',
  'list',
  'check',
  'events',
  'verify',
  'typescript',
  'openapi',
] as const
export type DocTopic = (typeof docTopics)[number]
export const isDocTopic = (text: string | undefined): text is DocTopic => docTopics.includes(text as DocTopic)

export const docGroups: { key: 'messages' | 'contacts' | 'webhooks' | 'clients' | null; topics: DocTopic[] }[] = [
  { key: null, topics: ['start', 'errors'] },
  { key: 'messages', topics: ['send', 'state', 'list'] },
  { key: 'contacts', topics: ['check'] },
  { key: 'webhooks', topics: ['events', 'verify'] },
  { key: 'clients', topics: ['typescript', 'openapi'] },
]

type EndpointRef = { method: string; path: string }
const toEndpointRef = ({ method, path }: EndpointRef): EndpointRef => ({
  method,
  path: path.replace(/:(\w+)/g, '{$1}'),
})
export const endpointByTopic: Partial<Record<DocTopic, EndpointRef>> = {
  send: toEndpointRef(apiMessagesApi.send),
  state: toEndpointRef(apiMessagesApi.show),
  list: toEndpointRef(apiMessagesApi.list),
  check: toEndpointRef(apiMessagesApi.check),
}
/** Required fields of each call. */
export const requiredFieldsByTopic: Partial<Record<DocTopic, string[]>> = {
  send: ['number', 'body'],
  state: ['id'],
  check: ['numbers'],
}
