import type { proto, WAMessageKey } from 'baileys'
import { parseForeignJson } from '../../../kernel/json/foreign.ts'
import type { Content } from '../../line.ts'
import { fileOf } from './files.ts'

type Menu = { lines: (string | null | undefined)[]; choices: (string | null | undefined)[]; header?: proto.IMessage }

/** Messages with buttons and lists, as companies send them: their words, and each choice on a line of its own. */
export function structured(said: proto.IMessage, key: WAMessageKey): Content | null {
  const menu = menuOf(said)
  if (!menu) return null
  const choices = menu.choices.filter(Boolean).map((choice) => `• ${choice}`)
  const body = [...menu.lines.filter(Boolean), ...choices].join('\n')
  const header = menu.header && fileOf(menu.header, key)
  if (header) return { ...header, body }
  return body ? { kind: 'text', body } : null
}

function menuOf(said: proto.IMessage): Menu | null {
  const { buttonsMessage, listMessage, templateMessage, interactiveMessage, highlyStructuredMessage } = said
  if (buttonsMessage) return buttons(buttonsMessage)
  if (listMessage) return list(listMessage)
  if (templateMessage) return template(templateMessage)
  if (interactiveMessage) return interactive(interactiveMessage)
  if (!highlyStructuredMessage) return null
  const { hydratedHsm, elementName, params } = highlyStructuredMessage
  return hydratedHsm ? template(hydratedHsm) : { lines: [elementName, ...(params ?? [])], choices: [] }
}

const buttons = ({ text, contentText, footerText, buttons: all, ...header }: proto.Message.IButtonsMessage): Menu => ({
  lines: [text, contentText, footerText],
  choices: (all ?? []).map(({ buttonText }) => buttonText?.displayText),
  header,
})

const list = ({ title, description, footerText, sections }: proto.Message.IListMessage): Menu => ({
  lines: [title, description, footerText],
  choices: (sections ?? []).flatMap(({ rows }) => (rows ?? []).map((row) => row.title)),
})

function template(given: proto.Message.ITemplateMessage): Menu {
  const { hydratedTemplate, hydratedFourRowTemplate, interactiveMessageTemplate } = given
  const four = hydratedTemplate ?? hydratedFourRowTemplate
  if (!four) return interactiveMessageTemplate ? interactive(interactiveMessageTemplate) : { lines: [], choices: [] }
  const { hydratedTitleText, hydratedContentText, hydratedFooterText, hydratedButtons, ...header } = four
  return {
    lines: [hydratedTitleText, hydratedContentText, hydratedFooterText],
    choices: (hydratedButtons ?? []).map(
      ({ quickReplyButton, urlButton, callButton }) =>
        quickReplyButton?.displayText ?? urlButton?.displayText ?? callButton?.displayText,
    ),
    header,
  }
}

const interactive = ({ header, body, footer, nativeFlowMessage }: proto.Message.IInteractiveMessage): Menu => ({
  lines: [header?.title, header?.subtitle, body?.text, footer?.text],
  choices: (nativeFlowMessage?.buttons ?? []).map(({ buttonParamsJson }) => titleIn(buttonParamsJson)),
  ...(header && { header }),
})

/** The vendor packs a button's words into JSON of its own. */
function titleIn(json: string | null | undefined): string | undefined {
  try {
    const { display_text: title } = parseForeignJson(json ?? '{}', { bytes: 64 * 1024, values: 500 }) as {
      display_text?: unknown
    }
    return typeof title === 'string' ? title : undefined
  } catch {
    return undefined
  }
}
