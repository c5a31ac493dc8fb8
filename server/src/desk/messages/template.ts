import { maxOneTimeCodeLength, type Template, templatesApi } from '@recado/contract/cloud'
import type { FieldProblem } from '@recado/contract/errors'
import { lineTraits } from '@recado/contract/line-traits'
import type { Message } from '@recado/contract/messages'
import { findLine } from '../../directory/connections/find-line.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { keepUpload } from '../../kernel/files/media.ts'
import { route } from '../../kernel/http/routes.ts'
import { chooseMetaMediaKind } from '../../lines/cloud/files.ts'
import { buildTemplateParameters, renderTemplate } from '../../lines/cloud/template-text.ts'
import type { LoadTemplates } from '../../lines/cloud/templates.ts'
import { findVisibleTicket, lockTicket } from '../tickets/base/ticket-view.ts'
import { findAlreadySent } from './compose.ts'
import { type OutgoingContent, storeOutgoing } from './store.ts'
import { assertCanWrite, assertTicketOpen } from './write-permissions.ts'

type TemplateWrite = {
  name: string
  language: string
  variables: Record<string, string>
  clientId?: string | undefined
}

/** Every variable must be filled: otherwise Meta refuses the whole message, after it was sent. */
function assertVariablesFilled({ variables }: Template, given: TemplateWrite['variables']): void {
  const empty = variables.filter(({ key }) => !given[key])
  const fields = Object.fromEntries(empty.map(({ key }) => [`variables.${key}`, 'Required' as FieldProblem]))
  if (empty.length) throw new AppError('ERR_VALIDATION', fields)
  if ((given.code ?? '').length > maxOneTimeCodeLength)
    throw new AppError('ERR_VALIDATION', { 'variables.code': 'Too Long!' })
}

const kindByHeader = { image: 'image', video: 'video', document: 'application' } as const

/** The file must be exactly what the template's header requires: otherwise Meta refuses the whole message later. */
function assertFileFits({ media }: Template, uploads: Upload[]): void {
  const [upload] = uploads
  if (!media) {
    if (upload) throw new AppError('ERR_VALIDATION', { media: 'Invalid' })
    return
  }
  if (!upload) throw new AppError('ERR_VALIDATION', { media: 'Required' })
  if (uploads.length > 1) throw new AppError('ERR_VALIDATION', { media: 'Too Long!' })
  const as = { type: kindByHeader[media], mime: upload.type }
  if (chooseMetaMediaKind(as, 0, false) !== media) throw new AppError('ERR_FILE_TYPE')
  if (chooseMetaMediaKind(as, upload.size, false) !== media) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
}

const extensionByType: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'video/mp4': '.mp4',
  'video/3gpp': '.3gp',
}

async function storeTemplateFile(
  scope: Scope,
  { media }: Template,
  [upload]: Upload[],
): Promise<OutgoingContent['file']> {
  if (!media || !upload) return undefined
  const { name, type, size, pages } = upload
  // The line uses the file extension, so it must match the real type.
  const isNamed = scope.deps.files.typeOf(name.toLowerCase()) === type
  const named = { ...upload, name: isNamed ? name : `${name}${extensionByType[type] ?? ''}` }
  return { ...(await keepUpload(scope, named)), kind: kindByHeader[media], size, pages }
}

export async function findValidTemplate(
  scope: Scope,
  loadTemplates: LoadTemplates,
  whatsappId: number | null,
  write: TemplateWrite,
  uploads: Upload[],
): Promise<Template> {
  if (whatsappId === null) throw new AppError('ERR_NO_WAPP_FOUND')
  const { templates, fetchedAt, problem } = await loadTemplates(scope, whatsappId, false)
  const template = templates.find((t) => t.name === write.name && t.language === write.language)
  // Without an answer by Meta, nobody knows whether there is such a template. A line without an account has none.
  const isUnreachable = !fetchedAt && problem !== 'cloud-incomplete'
  if (!template) throw new AppError(isUnreachable ? 'ERR_TEMPLATES_UNREACHABLE' : 'ERR_NO_TEMPLATE_FOUND')
  if (template.unsendable) throw new AppError('ERR_TEMPLATE_UNSENDABLE')
  assertVariablesFilled(template, write.variables)
  assertFileFits(template, uploads)
  return template
}

/** A template with these values, to be sent to many people later. */
export const findValidTextTemplate = (
  scope: Scope,
  loadTemplates: LoadTemplates,
  whatsappId: number,
  write: TemplateWrite,
): Promise<Template> => findValidTemplate(scope, loadTemplates, whatsappId, write, [])

/** The content of a template with these values, to be sent later. Only templates without a file can be sent later. */
export async function composeTextTemplate(
  scope: Scope,
  loadTemplates: LoadTemplates,
  whatsappId: number,
  write: TemplateWrite,
) {
  const template = await findValidTemplate(scope, loadTemplates, whatsappId, write, [])
  return renderContent(template, write)
}

/** Composes the whole template message, with its header file. */
export async function composeTemplate(
  scope: Scope,
  template: Template,
  write: TemplateWrite,
  uploads: Upload[],
): Promise<OutgoingContent> {
  return { ...renderContent(template, write), file: await storeTemplateFile(scope, template, uploads) }
}

function renderContent(template: Template, { variables }: TemplateWrite) {
  const { name, language } = template
  const components = buildTemplateParameters(template, variables)
  return { body: renderTemplate(template, variables), sendAs: { template: { name, language, components } } }
}

async function sendTemplate(
  scope: Scope,
  ticketId: number,
  template: Template,
  write: TemplateWrite,
  uploads: Upload[],
): Promise<Message> {
  await lockTicket(scope, ticketId)
  const ticket = await findVisibleTicket(scope, ticketId)
  const [sent] = await findAlreadySent(scope, ticket, write.clientId, 0)
  if (sent) return sent
  assertTicketOpen(ticket)
  assertCanWrite(scope, ticket)
  const content = await composeTemplate(scope, template, write, uploads)
  const [message] = await storeOutgoing(scope, ticket, [{ ...content, clientId: write.clientId ?? null }])
  return message as Message
}

export const templateRoutes = (loadTemplates: LoadTemplates) => [
  route(templatesApi.list, async (scope, { query }) => {
    const line = await findLine(scope, query.whatsappId)
    if (!lineTraits[line.provider].window) return { templates: [], fetchedAt: null, problem: '' }
    return loadTemplates(scope, line.id, query.refresh)
  }),
  route(
    templatesApi.send,
    async (scope, { params, body }, { uploads }) => {
      const { whatsappId } = await findVisibleTicket(scope, params.ticketId)
      // Meta may have to be called, so the ticket is not locked yet.
      const template = await findValidTemplate(scope, loadTemplates, whatsappId, body, uploads)
      return scope.transaction((tx) => sendTemplate(tx, params.ticketId, template, body, uploads))
    },
    { transaction: false },
  ),
]
