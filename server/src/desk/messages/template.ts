import { type Template, templatesApi } from '@recado/contract/cloud'
import type { FieldProblem } from '@recado/contract/errors'
import type { Message } from '@recado/contract/messages'
import { findLine } from '../../directory/connections.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http.ts'
import type { Scope } from '../../kernel/scope.ts'
import { renderTemplate, templateParts } from '../../lines/cloud/template-text.ts'
import type { AskTemplates } from '../../lines/cloud/templates.ts'
import { holdTicket, ticketById } from '../tickets/view.ts'
import { alreadySent } from './compose.ts'
import { mayWrite, mustBeOpen } from './routes.ts'
import { storeOutgoing } from './store.ts'

type Write = { name: string; language: string; variables: Record<string, string>; clientId?: string | undefined }

/** Every gap has its words: Meta would refuse the whole otherwise, and later. */
function mustBeFilled({ variables }: Template, given: Write['variables']): void {
  const empty = variables.filter(({ key }) => !given[key])
  const fields = Object.fromEntries(empty.map(({ key }) => [`variables.${key}`, 'Required' as FieldProblem]))
  if (empty.length) throw new AppError('ERR_VALIDATION', fields)
}

async function chosen(scope: Scope, ask: AskTemplates, whatsappId: number | null, write: Write): Promise<Template> {
  if (whatsappId === null) throw new AppError('ERR_NO_WAPP_FOUND')
  const { templates } = await ask(scope, whatsappId, false)
  const template = templates.find((t) => t.name === write.name && t.language === write.language)
  if (!template) throw new AppError('ERR_NO_TEMPLATE_FOUND')
  if (template.unsendable) throw new AppError('ERR_TEMPLATE_UNSENDABLE')
  mustBeFilled(template, write.variables)
  return template
}

async function send(scope: Scope, ticketId: number, template: Template, write: Write): Promise<Message> {
  await holdTicket(scope, ticketId)
  const ticket = await ticketById(scope, ticketId)
  const [sent] = await alreadySent(scope, ticket, write.clientId, 0)
  if (sent) return sent
  mustBeOpen(ticket)
  mayWrite(scope, ticket)
  const { name, language } = template
  const components = templateParts(template, write.variables)
  const body = renderTemplate(template, write.variables)
  const sendAs = { template: { name, language, components } }
  const [message] = await storeOutgoing(scope, ticket, [{ body, clientId: write.clientId ?? null, sendAs }])
  return message as Message
}

export const templateRoutes = (ask: AskTemplates) => [
  route(templatesApi.list, async (scope, { query }) => {
    const line = await findLine(scope, query.whatsappId)
    if (line.provider !== 'cloud') return { templates: [], fetchedAt: null, problem: '' }
    return ask(scope, line.id, query.refresh)
  }),
  route(
    templatesApi.send,
    async (scope, { params, body }) => {
      const { whatsappId } = await ticketById(scope, params.ticketId)
      // Meta may have to be asked: nobody's ticket is held meanwhile.
      const template = await chosen(scope, ask, whatsappId, body)
      return scope.transaction((tx) => send(tx, params.ticketId, template, body))
    },
    { transaction: false },
  ),
]
