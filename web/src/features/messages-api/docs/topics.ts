import { sendingApi } from '@recado/contract/doors/sending'

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
export const isTopic = (text: string | undefined): text is DocTopic => docTopics.includes(text as DocTopic)

export const docGroups: { key: 'messages' | 'contacts' | 'webhooks' | 'clients' | null; topics: DocTopic[] }[] = [
  { key: null, topics: ['start', 'errors'] },
  { key: 'messages', topics: ['send', 'state', 'list'] },
  { key: 'contacts', topics: ['check'] },
  { key: 'webhooks', topics: ['events', 'verify'] },
  { key: 'clients', topics: ['typescript', 'openapi'] },
]

type Call = { method: string; path: string }
const called = ({ method, path }: Call): Call => ({ method, path: path.replace(/:(\w+)/g, '{$1}') })
export const calls: Partial<Record<DocTopic, Call>> = {
  send: called(sendingApi.send),
  state: called(sendingApi.show),
  list: called(sendingApi.list),
  check: called(sendingApi.check),
}
/** What a call cannot do without. */
export const needed: Partial<Record<DocTopic, string[]>> = {
  send: ['number', 'body'],
  state: ['id'],
  check: ['numbers'],
}
