import { codeMost, type Template, templatesApi } from '@recado/contract/cloud'
import type { FieldProblem } from '@recado/contract/errors'
import type { Message } from '@recado/contract/messages'
import { traits } from '@recado/contract/traits'
import { findLine } from '../../directory/connections/connections.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { keepUpload } from '../../kernel/files/media.ts'
import { route } from '../../kernel/http/http.ts'
import { kindFor } from '../../lines/cloud/files.ts'
import { renderTemplate, templateParts } from '../../lines/cloud/template-text.ts'
import type { AskTemplates } from '../../lines/cloud/templates.ts'
import { holdTicket, ticketById } from '../tickets/view.ts'
import { alreadySent } from './compose.ts'
import { mayWrite, mustBeOpen } from './speaking.ts'
import { type Outgoing, storeOutgoing } from './store.ts'

type Write = { name: string; language: string; variables: Record<string, string>; clientId?: string | undefined }

/** Every gap has its words: Meta would refuse the whole otherwise, and later. */
function mustBeFilled({ variables }: Template, given: Write['variables']): void {
  const empty = variables.filter(({ key }) => !given[key])
  const fields = Object.fromEntries(empty.map(({ key }) => [`variables.${key}`, 'Required' as FieldProblem]))
  if (empty.length) throw new AppError('ERR_VALIDATION', fields)
  if ((given.code ?? '').length > codeMost) throw new AppError('ERR_VALIDATION', { 'variables.code': 'Too Long!' })
}

const kinds = { image: 'image', video: 'video', document: 'application' } as const

/** The file that a template wants on top, and no other: Meta would refuse the whole, and later. */
function mustFit({ media }: Template, uploads: Upload[]): void {
  const [upload] = uploads
  if (!media) {
    if (upload) throw new AppError('ERR_VALIDATION', { media: 'Invalid' })
    return
  }
  if (!upload) throw new AppError('ERR_VALIDATION', { media: 'Required' })
  if (uploads.length > 1) throw new AppError('ERR_VALIDATION', { media: 'Too Long!' })
  const as = { type: kinds[media], mime: upload.type }
  if (kindFor(as, 0, false) !== media) throw new AppError('ERR_FILE_TYPE')
  if (kindFor(as, upload.size, false) !== media) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
}

const endings: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'video/mp4': '.mp4',
  'video/3gpp': '.3gp',
}

async function fileOf(scope: Scope, { media }: Template, [upload]: Upload[]): Promise<Outgoing['file']> {
  if (!media || !upload) return undefined
  const { name, type, size, pages } = upload
  // The line goes by the ending: it must be that of what the file really is.
  const isNamed = scope.means.files.typeOf(name.toLowerCase()) === type
  const named = { ...upload, name: isNamed ? name : `${name}${endings[type] ?? ''}` }
  return { ...(await keepUpload(scope, named)), kind: kinds[media], size, pages }
}

export async function chosen(
  scope: Scope,
  ask: AskTemplates,
  whatsappId: number | null,
  write: Write,
  uploads: Upload[],
): Promise<Template> {
  if (whatsappId === null) throw new AppError('ERR_NO_WAPP_FOUND')
  const { templates } = await ask(scope, whatsappId, false)
  const template = templates.find((t) => t.name === write.name && t.language === write.language)
  if (!template) throw new AppError('ERR_NO_TEMPLATE_FOUND')
  if (template.unsendable) throw new AppError('ERR_TEMPLATE_UNSENDABLE')
  mustBeFilled(template, write.variables)
  mustFit(template, uploads)
  return template
}

/** A template that these words fill, for who sends it later and to many. */
export const chosenTemplate = (scope: Scope, ask: AskTemplates, whatsappId: number, write: Write): Promise<Template> =>
  chosen(scope, ask, whatsappId, write, [])

/** What a template says with these words in it, for who sends it later. Only those without a file can wait. */
export async function templateContent(scope: Scope, ask: AskTemplates, whatsappId: number, write: Write) {
  const template = await chosen(scope, ask, whatsappId, write, [])
  return contentOf(template, write)
}

/** The whole message, with the file that it wants on top. */
export async function composeTemplate(
  scope: Scope,
  template: Template,
  write: Write,
  uploads: Upload[],
): Promise<Outgoing> {
  return { ...contentOf(template, write), file: await fileOf(scope, template, uploads) }
}

function contentOf(template: Template, { variables }: Write) {
  const { name, language } = template
  const components = templateParts(template, variables)
  return { body: renderTemplate(template, variables), sendAs: { template: { name, language, components } } }
}

async function send(
  scope: Scope,
  ticketId: number,
  template: Template,
  write: Write,
  uploads: Upload[],
): Promise<Message> {
  await holdTicket(scope, ticketId)
  const ticket = await ticketById(scope, ticketId)
  const [sent] = await alreadySent(scope, ticket, write.clientId, 0)
  if (sent) return sent
  mustBeOpen(ticket)
  mayWrite(scope, ticket)
  const content = await composeTemplate(scope, template, write, uploads)
  const [message] = await storeOutgoing(scope, ticket, [{ ...content, clientId: write.clientId ?? null }])
  return message as Message
}

export const templateRoutes = (ask: AskTemplates) => [
  route(templatesApi.list, async (scope, { query }) => {
    const line = await findLine(scope, query.whatsappId)
    if (!traits[line.provider].window) return { templates: [], fetchedAt: null, problem: '' }
    return ask(scope, line.id, query.refresh)
  }),
  route(
    templatesApi.send,
    async (scope, { params, body }, { uploads }) => {
      const { whatsappId } = await ticketById(scope, params.ticketId)
      // Meta may have to be asked: nobody's ticket is held meanwhile.
      const template = await chosen(scope, ask, whatsappId, body, uploads)
      return scope.transaction((tx) => send(tx, params.ticketId, template, body, uploads))
    },
    { transaction: false },
  ),
]
