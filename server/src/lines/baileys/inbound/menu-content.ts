import type { proto, WAMessageKey } from 'baileys'
import { parseForeignJson } from '../../../kernel/json/foreign-json.ts'
import type { MessageContent } from '../../line.ts'
import { readMediaContent } from './media-content.ts'

type MenuParts = {
  lines: (string | null | undefined)[]
  choices: (string | null | undefined)[]
  header?: proto.IMessage
}

/** Messages with buttons and lists, as companies send them: the text, and below it one row per option. */
export function readMenuContent(message: proto.IMessage, key: WAMessageKey): MessageContent | null {
  const menu = readMenu(message)
  if (!menu) return null
  const choices = menu.choices.filter(Boolean).map((choice) => `• ${choice}`)
  const body = [...menu.lines.filter(Boolean), ...choices].join('\n')
  const header = menu.header && readMediaContent(menu.header, key)
  if (header) return { ...header, body }
  return body ? { kind: 'text', body } : null
}

function readMenu(message: proto.IMessage): MenuParts | null {
  const { buttonsMessage, listMessage, templateMessage, interactiveMessage, highlyStructuredMessage } = message
  if (buttonsMessage) return readButtons(buttonsMessage)
  if (listMessage) return readList(listMessage)
  if (templateMessage) return readTemplate(templateMessage)
  if (interactiveMessage) return readInteractive(interactiveMessage)
  if (!highlyStructuredMessage) return null
  const { hydratedHsm, elementName, params } = highlyStructuredMessage
  return hydratedHsm ? readTemplate(hydratedHsm) : { lines: [elementName, ...(params ?? [])], choices: [] }
}

const readButtons = ({
  text,
  contentText,
  footerText,
  buttons: all,
  ...header
}: proto.Message.IButtonsMessage): MenuParts => ({
  lines: [text, contentText, footerText],
  choices: (all ?? []).map(({ buttonText }) => buttonText?.displayText),
  header,
})

const readList = ({ title, description, footerText, sections }: proto.Message.IListMessage): MenuParts => ({
  lines: [title, description, footerText],
  choices: (sections ?? []).flatMap(({ rows }) => (rows ?? []).map((row) => row.title)),
})

function readTemplate(given: proto.Message.ITemplateMessage): MenuParts {
  const { hydratedTemplate, hydratedFourRowTemplate, interactiveMessageTemplate } = given
  const template = hydratedTemplate ?? hydratedFourRowTemplate
  if (!template)
    return interactiveMessageTemplate ? readInteractive(interactiveMessageTemplate) : { lines: [], choices: [] }
  const { hydratedTitleText, hydratedContentText, hydratedFooterText, hydratedButtons, ...header } = template
  return {
    lines: [hydratedTitleText, hydratedContentText, hydratedFooterText],
    choices: (hydratedButtons ?? []).map(
      ({ quickReplyButton, urlButton, callButton }) =>
        quickReplyButton?.displayText ?? urlButton?.displayText ?? callButton?.displayText,
    ),
    header,
  }
}

const readInteractive = ({
  header,
  body,
  footer,
  nativeFlowMessage,
}: proto.Message.IInteractiveMessage): MenuParts => ({
  lines: [header?.title, header?.subtitle, body?.text, footer?.text],
  choices: (nativeFlowMessage?.buttons ?? []).map(({ buttonParamsJson }) => readButtonTitle(buttonParamsJson)),
  ...(header && { header }),
})

/** The vendor wraps a button's text in JSON. */
function readButtonTitle(json: string | null | undefined): string | undefined {
  try {
    const { display_text: title } = parseForeignJson(json ?? '{}', { bytes: 64 * 1024, values: 500 }) as {
      display_text?: unknown
    }
    return typeof title === 'string' ? title : undefined
  } catch {
    return undefined
  }
}
