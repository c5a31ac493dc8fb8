import type { FlowCondition } from './flow-conditions.ts'
import { type CallStep, type FlowStep, isReplyPath } from './flow-steps.ts'
import { type BlockPlace, blockAt, type OpenTypebot, type TypebotBlock } from './typebot-file.ts'
import { typebotText } from './typebot-text.ts'

/** What the steps of a block are linked with. */
type Links = {
  /** The id of the block's first step. */
  id: string
  /** The id of the step at a place. */
  idOf: (place: BlockPlace | null) => string
  person: string
}

const maxText = 4096
const mediaTypes = ['image', 'video', 'audio', 'embed']
const questionTypes = [
  ...['text input', 'number input', 'email input', 'url input', 'date input', 'time input', 'phone number input'],
  ...['choice input', 'picture choice input', 'rating input', 'file input'],
]
const stepTypes = [
  ...['text', ...mediaTypes, ...questionTypes],
  ...['Set variable', 'Condition', 'Redirect', 'Wait', 'AB test', 'Webhook'],
]
/** A customer does not notice these waits. */
const shortestWaitSeconds = 30

/** Whether the flow goes on without a step for the block. What is lost by that is noted. */
export function isPassed(file: OpenTypebot, place: BlockPlace): boolean {
  const block = blockAt(place)
  if (!block) return false
  switch (block.type) {
    case 'Jump':
    case 'start':
      return true
    case 'Wait':
      return secondsOf(block) < shortestWaitSeconds
    case 'text':
      return typebotText(block.content) === ''
    case 'image':
    case 'video':
    case 'audio':
    case 'embed':
    case 'Redirect':
      return linkOf(block) === ''
    case 'Set variable':
      return !isPlainValue(file, place)
    case 'Webhook':
      return !hasCallableAddress(file, place)
    default:
      if (stepTypes.includes(block.type)) return false
      file.lose('no-such-step', place)
      return true
  }
}

/** The steps of a block that is not passed, the first one with the given id. */
export function convertBlock(file: OpenTypebot, place: BlockPlace, links: Links): FlowStep[] {
  const block = blockAt(place) as TypebotBlock
  const next = () => links.idOf(file.after(place))
  const base = { id: links.id, title: place.group.title.trim().slice(0, 60) }
  switch (block.type) {
    case 'Set variable': {
      const value = file.text(String(block.options?.expressionToEvaluate ?? '')).slice(0, 2000)
      return [{ ...base, kind: 'setVariable', variable: file.variable(block.options?.variableId), value, next: next() }]
    }
    case 'Wait': {
      const minutes = Math.min(525_600, Math.max(1, Math.round(secondsOf(block) / 60)))
      return [
        { ...base, kind: 'wait', until: { kind: 'time', minutes, inOpenHours: false }, next: next(), otherwise: null },
      ]
    }
    case 'AB test':
      return [splitStep(file, block, base, links)]
    case 'Condition':
      return branchSteps(file, place, base, links)
    case 'Webhook':
      return [callStep(file, block, base, next())]
    default:
      return questionTypes.includes(block.type)
        ? [askStep(file, place, '', base, links)]
        : speakSteps(file, place, base, links)
  }
}

type Base = Pick<FlowStep, 'id' | 'title'>

/** The texts of one group that follow each other are one message; before a question they are its text. */
function speakSteps(file: OpenTypebot, from: BlockPlace, base: Base, links: Links): FlowStep[] {
  const texts: string[] = []
  let place: BlockPlace | null = from
  for (let said = spokenText(file, from); place && said !== null; said = place && spokenText(file, place)) {
    texts.push(said)
    if (blockAt(place)?.outgoingEdgeId) return [sayStep(file, from, texts, base, links.idOf(file.after(place)))]
    place = file.after(place)
  }
  const question = place && blockAt(place)
  return place && question && questionTypes.includes(question.type)
    ? [askStep(file, place, messageOf(file, from, texts), base, links)]
    : [sayStep(file, from, texts, base, links.idOf(place))]
}

function sayStep(file: OpenTypebot, place: BlockPlace, texts: string[], base: Base, next: string): FlowStep {
  const text = messageOf(file, place, texts)
  return { ...base, kind: 'say', text, fileId: null, buttons: [], list: null, template: null, next }
}

function messageOf(file: OpenTypebot, place: BlockPlace, texts: string[]): string {
  const text = file.text(texts.filter(Boolean).join('\n\n')).trim()
  if (text.length > maxText) file.lose('cut', place)
  return text.slice(0, maxText)
}

/** What a block says; null: it says nothing. */
function spokenText(file: OpenTypebot, place: BlockPlace): string | null {
  const block = blockAt(place)
  if (block?.type === 'text') return typebotText(block.content)
  if (!block || !(mediaTypes.includes(block.type) || block.type === 'Redirect')) return null
  if (block.type !== 'Redirect') file.lose('sent-as-link', place)
  return linkOf(block)
}

const linkOf = ({ content, options }: TypebotBlock): string => {
  const url = content?.url ?? options?.url
  return typeof url === 'string' && /^https?:\/\//i.test(url) ? url.slice(0, 2000) : ''
}

const secondsOf = ({ options }: TypebotBlock): number => {
  const seconds = Number(options?.secondsToWaitFor)
  return Number.isFinite(seconds) ? seconds : 0
}

// ---- Questions

function askStep(file: OpenTypebot, place: BlockPlace, text: string, base: Base, { idOf, person }: Links): FlowStep {
  const block = blockAt(place) as TypebotBlock
  return {
    ...base,
    kind: 'ask',
    text: text || placeholderOf(block),
    answer: answerOf(file, place, idOf),
    variable: file.variable(block.options?.variableId),
    retries: 2,
    retryText: file.text(stringOf(block.options?.retryMessageContent)).slice(0, 1024),
    silence: null,
    next: idOf(file.after(place)),
    otherwise: person,
  }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number | null => {
  const number = value === '' || value === null || value === undefined ? Number.NaN : Number(value)
  return Number.isFinite(number) && Math.abs(number) <= 1e12 ? number : null
}
const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value ? (value as Record<string, unknown>) : {}

const placeholderOf = ({ options }: TypebotBlock): string =>
  stringOf(recordOf(options?.labels).placeholder).slice(0, maxText)

type Answer = Extract<FlowStep, { kind: 'ask' }>['answer']
function answerOf(file: OpenTypebot, place: BlockPlace, idOf: Links['idOf']): Answer {
  const { type, options } = blockAt(place) as TypebotBlock
  switch (type) {
    case 'number input':
      return { kind: 'number', min: numberOf(options?.min), max: numberOf(options?.max), decimals: true }
    case 'rating input':
      return {
        kind: 'number',
        min: numberOf(options?.startsAt) ?? 1,
        max: numberOf(options?.length) ?? 10,
        decimals: false,
      }
    case 'email input':
      return { kind: 'email' }
    case 'date input':
      return { kind: 'date', when: 'any' }
    case 'file input':
      return { kind: 'file', of: [] }
    case 'choice input':
    case 'picture choice input':
      return choiceOf(file, place, idOf)
    default:
      if (type !== 'text input') file.lose('not-checked', place)
      return { kind: 'text' }
  }
}

function choiceOf(file: OpenTypebot, place: BlockPlace, idOf: Links['idOf']): Answer {
  const { items = [], options } = blockAt(place) as TypebotBlock
  const titled = items.flatMap((item) => {
    const title = file
      .text(stringOf(item.content) || stringOf(item.title))
      .trim()
      .slice(0, 72)
    return title ? [{ title, next: item.outgoingEdgeId ? idOf(file.follow(item.outgoingEdgeId)) : null }] : []
  })
  if (titled.length > 10 || options?.isMultipleChoice === true) file.lose('fewer-choices', place)
  if (!titled.length) {
    file.lose('not-checked', place)
    return { kind: 'text' }
  }
  return { kind: 'choice', options: titled.slice(0, 10).map((one, i) => ({ id: `option-${i + 1}`, ...one })) }
}

// ---- Decisions

function splitStep(file: OpenTypebot, { items = [], options }: TypebotBlock, base: Base, { idOf }: Links): FlowStep {
  const [a, b] = ['a', 'b'].map((path) => items.find((item) => item.path === path))
  const percent = numberOf(options?.aPercent) ?? numberOf(a?.percent) ?? 50
  const share = Math.min(99, Math.max(1, Math.round(percent)))
  return {
    ...base,
    kind: 'split',
    shares: [
      { share, next: idOf(file.follow(a?.outgoingEdgeId)) },
      { share: 100 - share, next: idOf(file.follow(b?.outgoingEdgeId)) },
    ],
  }
}

const maxBranches = 20

/** Each item is a question of its own; the next one is asked if it is not met. */
function branchSteps(file: OpenTypebot, place: BlockPlace, base: Base, { idOf }: Links): FlowStep[] {
  const block = blockAt(place) as TypebotBlock
  const otherwise = idOf(file.after(place))
  const items = (block.items ?? []).slice(0, maxBranches)
  const idAt = (i: number) => (i === 0 ? base.id : `${base.id}-${i + 1}`)
  const steps = items.map(
    (item, i): FlowStep => ({
      ...base,
      id: idAt(i),
      kind: 'branch',
      conditions: conditionsOf(file, place, recordOf(item.content)),
      next: item.outgoingEdgeId ? idOf(file.follow(item.outgoingEdgeId)) : otherwise,
      otherwise: i + 1 < items.length ? idAt(i + 1) : otherwise,
    }),
  )
  if (steps.length) return steps
  return [{ ...base, kind: 'branch', conditions: { match: 'all', of: [] }, next: otherwise, otherwise }]
}

type Comparison = Pick<Extract<FlowCondition, { field: 'variable' }>, 'is' | 'not'>
const comparisons: Record<string, Comparison> = {
  'Equal to': { is: 'equals', not: false },
  'Not equal': { is: 'equals', not: true },
  Contains: { is: 'contains', not: false },
  'Does not contain': { is: 'contains', not: true },
  'Greater than': { is: 'greater', not: false },
  'Less or equal to': { is: 'greater', not: true },
  'Less than': { is: 'less', not: false },
  'Greater or equal to': { is: 'less', not: true },
  'Is set': { is: 'set', not: false },
  'Is empty': { is: 'set', not: true },
}

function conditionsOf(
  file: OpenTypebot,
  place: BlockPlace,
  { logicalOperator, comparisons: given }: Record<string, unknown>,
): Extract<FlowStep, { kind: 'branch' }>['conditions'] {
  const of = (Array.isArray(given) ? given : []).slice(0, 20).flatMap((one): FlowCondition[] => {
    const { variableId, comparisonOperator, value } = recordOf(one)
    const name = file.variable(variableId)
    const comparison = Object.hasOwn(comparisons, stringOf(comparisonOperator))
      ? comparisons[stringOf(comparisonOperator)]
      : undefined
    // The value of another variable cannot be compared with.
    const isPlain = !stringOf(value).includes('{{')
    if (name && comparison && isPlain)
      return [
        {
          field: 'variable',
          name,
          ...comparison,
          value: String(value ?? '')
            .trim()
            .slice(0, 200),
        },
      ]
    file.lose('comparison', place)
    return []
  })
  return { match: logicalOperator === 'OR' ? 'any' : 'all', of }
}

// ---- Values and calls

/** Whether the value is text, perhaps with variables: what a program calculates cannot be taken over. */
function isPlainValue(file: OpenTypebot, place: BlockPlace): boolean {
  const { options } = blockAt(place) as TypebotBlock
  const value = options?.expressionToEvaluate
  const type = options?.type
  const isText =
    (type === undefined || type === 'Custom') &&
    options?.isCode !== true &&
    (typeof value === 'string' || typeof value === 'number') &&
    /^(?:[\p{L}\p{N}\s.,:;!?@'’%#_-]|\{\{[^{}]*\}\})*$/u.test(String(value).slice(0, 2000))
  if (isText && file.variable(options?.variableId) !== null) return true
  file.lose('calculated', place)
  return false
}

const addressPattern = /^https?:\/\/[^\s/?#{}\\@]{1,253}([/?#]|$)/i
const addressOf = ({ options }: TypebotBlock): string => stringOf(recordOf(options?.webhook).url).trim()

function hasCallableAddress(file: OpenTypebot, place: BlockPlace): boolean {
  const address = addressOf(blockAt(place) as TypebotBlock)
  if (addressPattern.test(address)) return true
  file.lose(address.includes('{{') ? 'variable-address' : 'no-such-step', place)
  return false
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function callStep(file: OpenTypebot, block: TypebotBlock, base: Base, next: string): FlowStep {
  const { method, headers, queryParams, body } = recordOf(block.options?.webhook)
  const query = pairsOf(queryParams).map(({ key, value }) => `${encodeURIComponent(key)}=${file.text(value)}`)
  const address = file.text(addressOf(block))
  return {
    ...base,
    kind: 'call',
    method: methods.find((one) => one === method) ?? 'POST',
    url: (query.length ? `${address}${address.includes('?') ? '&' : '?'}${query.join('&')}` : address).slice(0, 2000),
    headers: pairsOf(headers).flatMap(({ key, value }) =>
      /^[a-z0-9-]{1,60}$/i.test(key) ? [{ name: key, value: file.text(value).slice(0, 1000) }] : [],
    ),
    body: file.text(stringOf(body)).slice(0, 10_000),
    keep: keptParts(file, block),
    next,
    otherwise: next,
  }
}

const pairsOf = (given: unknown): { key: string; value: string }[] =>
  (Array.isArray(given) ? given : []).slice(0, 20).flatMap((one) => {
    const { key, value } = recordOf(one)
    return stringOf(key) ? [{ key: stringOf(key), value: stringOf(value) }] : []
  })

/** Typebot writes `data.items[0].name`, where `data` is the reply itself. */
function keptParts(file: OpenTypebot, { options }: TypebotBlock): CallStep['keep'] {
  const mapping = options?.responseVariableMapping
  return (Array.isArray(mapping) ? mapping : []).slice(0, 20).flatMap((one) => {
    const { variableId, bodyPath } = recordOf(one)
    const variable = file.variable(variableId)
    const path = stringOf(bodyPath)
      .replace(/^data\./, '')
      .replace(/\[['"]?([\w-]+)['"]?\]/g, '.$1')
    return variable && isReplyPath(path) ? [{ path, variable }] : []
  })
}
