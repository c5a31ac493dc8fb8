import type { Integration, IntegrationType, IntegrationWrite } from '@recado/contract/integrations/integrations'
import { isMaskedSecret } from '@recado/contract/settings'
import type { FieldProblemDetail } from '../../records/field-problems.ts'

type OptionalNumber = number | ''
export type IntegrationFormValues = Omit<IntegrationWrite, 'typebotExpires' | 'typebotDelayMessage'> & {
  typebotExpires: OptionalNumber
  typebotDelayMessage: OptionalNumber
  /** The form's test button, which has a place in the form but is not stored. */
  test: null
  secret: null
}

export const toIntegrationFormValues = (row: Integration | null): IntegrationFormValues => ({
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

/** The request body. Only DialogFlow has a separate project name. */
export const toIntegrationBody = ({ test: _, secret: __, ...values }: IntegrationFormValues): IntegrationWrite => ({
  ...values,
  projectName: values.type === 'dialogflow' ? values.projectName : values.name,
  typebotExpires: values.typebotExpires === '' ? 1 : values.typebotExpires,
  typebotDelayMessage: values.typebotDelayMessage === '' ? 1000 : values.typebotDelayMessage,
})

export const hasUrlField = (type: IntegrationType): boolean => type !== 'dialogflow'
export const hasSigningSecret = (type: IntegrationType): boolean => type === 'n8n' || type === 'webhook'

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** Checks the requirements of each type, which the contract's common schema does not check. */
export function findIntegrationProblems({
  type,
  urlN8N,
  typebotSlug,
  projectName,
  jsonContent,
}: IntegrationFormValues): Record<string, FieldProblemDetail> {
  const problems: Record<string, FieldProblemDetail> = {}
  if (hasUrlField(type)) {
    if (urlN8N.trim() === '') problems.urlN8N = { kind: 'Required' }
    else if (!isWebAddress(urlN8N.trim())) problems.urlN8N = { kind: 'Invalid' }
    if (type === 'typebot' && typebotSlug.trim() === '') problems.typebotSlug = { kind: 'Required' }
    return problems
  }
  if (projectName.trim() === '') problems.projectName = { kind: 'Required' }
  if (jsonContent.trim() === '') problems.jsonContent = { kind: 'Required' }
  else if (!isMaskedSecret(jsonContent) && !isJson(jsonContent)) problems.jsonContent = { kind: 'Invalid' }
  return problems
}
