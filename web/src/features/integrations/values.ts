import type { Integration, IntegrationType, IntegrationWrite } from '@recado/contract/machines/integrations'
import { isMasked } from '@recado/contract/settings'
import type { Problem } from '../../records/problems.ts'

type Whole = number | ''
export type Values = Omit<IntegrationWrite, 'typebotExpires' | 'typebotDelayMessage'> & {
  typebotExpires: Whole
  typebotDelayMessage: Whole
  /** What stands in the form but is no part of the record. */
  test: null
  secret: null
}

export const valuesOf = (row: Integration | null): Values => ({
  type: row?.type ?? 'typebot',
  name: row?.name ?? '',
  projectName: row?.projectName ?? '',
  jsonContent: row?.jsonContent ?? '',
  language: row?.language || 'pt-BR',
  urlN8N: row?.urlN8N ?? '',
  typebotSlug: row?.typebotSlug ?? '',
  typebotExpires: row?.typebotExpires ?? 1,
  typebotDelayMessage: row?.typebotDelayMessage ?? 1000,
  typebotKeywordFinish: row?.typebotKeywordFinish ?? '',
  typebotKeywordRestart: row?.typebotKeywordRestart ?? '',
  typebotUnknownMessage: row?.typebotUnknownMessage ?? '',
  typebotRestartMessage: row?.typebotRestartMessage ?? '',
  test: null,
  secret: null,
})

/** As the server takes it. Only DialogFlow has a project with a name of its own. */
export const bodyOf = ({ test: _, secret: __, ...values }: Values): IntegrationWrite => ({
  ...values,
  projectName: values.type === 'dialogflow' ? values.projectName : values.name,
  typebotExpires: values.typebotExpires === '' ? 1 : values.typebotExpires,
  typebotDelayMessage: values.typebotDelayMessage === '' ? 1000 : values.typebotDelayMessage,
})

export const hasUrl = (type: IntegrationType): boolean => type !== 'dialogflow'
export const isSigned = (type: IntegrationType): boolean => type === 'n8n' || type === 'webhook'

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** What each type needs, which the contract's shape of all of them does not know. */
export function problemsIn({ type, urlN8N, typebotSlug, projectName, jsonContent }: Values): Record<string, Problem> {
  const found: Record<string, Problem> = {}
  if (hasUrl(type)) {
    if (urlN8N.trim() === '') found.urlN8N = { kind: 'Required' }
    else if (!isWebAddress(urlN8N.trim())) found.urlN8N = { kind: 'Invalid' }
    if (type === 'typebot' && typebotSlug.trim() === '') found.typebotSlug = { kind: 'Required' }
    return found
  }
  if (projectName.trim() === '') found.projectName = { kind: 'Required' }
  if (jsonContent.trim() === '') found.jsonContent = { kind: 'Required' }
  else if (!isMasked(jsonContent) && !isJson(jsonContent)) found.jsonContent = { kind: 'Invalid' }
  return found
}
