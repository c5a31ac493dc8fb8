import type { AskStep, SayStep } from '@recado/contract/flows/flow-steps'
import type { MenuChoices } from '@recado/contract/menu/menu'
import type { TicketDetail } from '@recado/contract/tickets'
import { canReceiveBotMessages, textFingerprint } from '../../../desk/bot-message.ts'
import { buildBotTexts } from '../../../desk/bot-texts.ts'
import { hasOptedOut } from '../../../desk/campaigns/opt-outs.ts'
import { loadCompanyContext } from '../../../desk/company-context.ts'
import { messageKindOf } from '../../../desk/messages/kinds.ts'
import { type OutgoingContent, storeOutgoing } from '../../../desk/messages/store.ts'
import { composeTextTemplate } from '../../../desk/messages/template.ts'
import { isReplyWindowOpen } from '../../../desk/reply-window.ts'
import { truncateChars } from '../../../directory/integrations/external-call.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { AppError } from '../../../kernel/errors.ts'
import { copyFile } from '../../../kernel/files/media.ts'
import { loadStoredTemplates } from '../../../lines/cloud/templates.ts'
import { type FlowAct, fillText } from './flow-act.ts'

/** Meta's limit. A longer text follows the file as a message of its own. */
const maxCaptionCharacters = 1024

/** Meta's limit. What is longer because of its values is cut. */
const maxTextCharacters = 4096

/** Why the customer gets no automatic message now. After the 24-hour window they may still get a template. */
type SilenceReason = 'is-group' | 'no-line' | 'no-bots' | 'opted-out' | 'window-closed'

/** Null: the flow may write to the customer. */
export async function findSilenceReason(
  scope: Scope,
  ticket: TicketDetail,
  { isReply }: Pick<FlowAct, 'isReply'>,
): Promise<SilenceReason | null> {
  if (ticket.isGroup) return 'is-group'
  if (ticket.whatsappId === null) return 'no-line'
  if (!(await canReceiveBotMessages(scope, ticket))) return 'no-bots'
  if (!isReply && (await hasOptedOut(scope, ticket.contactId))) return 'opted-out'
  return isReplyWindowOpen(scope, ticket) ? null : 'window-closed'
}

/** The messages of a step. Where only a template is allowed, its template takes their place. */
export async function composeSay(
  scope: Scope,
  ticket: TicketDetail,
  act: FlowAct<SayStep>,
  isWindowClosed: boolean,
): Promise<OutgoingContent[]> {
  const { text, fileId, template } = act.step
  const hasOwnContent = text !== '' || fileId !== null
  if (isWindowClosed && !template) throw new AppError('ERR_WINDOW_CLOSED')
  if (template && (isWindowClosed || !hasOwnContent)) return [await composeTemplate(scope, ticket, act, template)]
  const body = fillMessage(act, text)
  const choices = await choicesOf(scope, act.step, body)
  const [written] = withChoices(body, choices)
  if (fileId === null) return written ? [written] : []
  const file = await copyListFile(scope, fileId)
  // Lines show no caption below a sound, and no buttons below a file.
  const isCaption = !choices && file.kind !== 'audio' && [...body].length <= maxCaptionCharacters
  return isCaption || !written ? [{ body, file }] : [{ body: '', file }, written]
}

export async function composeQuestion(scope: Scope, act: FlowAct<AskStep>): Promise<OutgoingContent[]> {
  const { answer } = act.step
  const body = fillMessage(act, act.text ?? act.step.text)
  const options = answer.kind === 'choice' ? answer.options.map(({ id, title }) => ({ key: id, title })) : []
  const contents = withChoices(body, await makeChoices(scope, body, options))
  if (!contents.length) throw new AppError('ERR_FLOW_INVALID')
  return contents
}

/** A text for the customer. */
export const fillMessage = (act: Pick<FlowAct, 'variables' | 'texts'>, text: string): string =>
  truncateChars(fillText(act, text), maxTextCharacters)

export async function sendContents(
  scope: Scope,
  ticket: TicketDetail,
  contents: OutgoingContent[],
  { isReply }: Pick<FlowAct, 'isReply'>,
): Promise<void> {
  if (!contents.length) return
  const marked = contents.map((content) => ({
    ...{ ...content, bot: 'flow', unprompted: !isReply, mark: textFingerprint(content.body) },
  }))
  await storeOutgoing(scope, ticket, marked)
}

async function composeTemplate(
  scope: Scope,
  { whatsappId, windowEndsAt }: TicketDetail,
  act: FlowAct<SayStep>,
  { name, language, variables }: NonNullable<SayStep['template']>,
): Promise<OutgoingContent> {
  // Only official lines have templates, and only they have a window.
  if (whatsappId === null || windowEndsAt === null) throw new AppError('ERR_NO_TEMPLATE_FOUND')
  const filled = Object.entries(variables).map(([key, text]) => [key, toTemplateValue(fillText(act, text))])
  const write = { name, language, variables: Object.fromEntries(filled) }
  return composeTextTemplate(scope, loadStoredTemplates, whatsappId, write)
}

/** Meta refuses values with line breaks, tabs or many spaces in a row. */
const toTemplateValue = (text: string): string => text.replace(/\s+/g, ' ')

async function choicesOf(scope: Scope, { buttons, list }: SayStep, body: string): Promise<MenuChoices | null> {
  if (!list)
    return makeChoices(
      scope,
      body,
      buttons.map(({ id, title }) => ({ key: id, title })),
    )
  const options = list.rows.map(({ id, title, description }) => ({ key: id, title, description }))
  return makeChoices(scope, body, options, list.button)
}

async function makeChoices(
  scope: Scope,
  body: string,
  options: MenuChoices['options'],
  label?: string,
): Promise<MenuChoices | null> {
  if (!options.length) return null
  const { setting, language } = await loadCompanyContext(scope)
  const { choose } = buildBotTexts(setting, language).menu
  return { text: body || choose, button: label ?? choose, options }
}

/** The choices as text, for lines without buttons: the customer answers with the number or the title. */
function withChoices(body: string, choices: MenuChoices | null): OutgoingContent[] {
  if (!choices) return body ? [{ body }] : []
  const rows = choices.options.map(({ title, description }, n) =>
    [`*${n + 1}* ${title}`, description].filter(Boolean).join('\n'),
  )
  return [{ body: [choices.text, rows.join('\n')].join('\n\n'), sendAs: { choices } }]
}

/** A copy of the file: the list may be changed before the message is sent. */
async function copyListFile(scope: Scope, id: number): Promise<NonNullable<OutgoingContent['file']>> {
  const row = await scope.db
    .selectFrom('fileOptions')
    .select(['mediaPath', 'mediaName', 'mediaType'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row?.mediaPath) throw new AppError('ERR_NO_FILE_FOUND')
  const mediaName = row.mediaName ?? ''
  const mediaType = row.mediaType ?? ''
  const kind = messageKindOf({ name: mediaName, type: mediaType })
  return { mediaPath: await copyFile(scope, row.mediaPath), mediaName, mediaType, kind, size: null, pages: null }
}
