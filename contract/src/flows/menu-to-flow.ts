import { type MenuOption, type MenuQueue, type MenuWords, maxWrongAnswers, menuOptionsAt } from '../menu/menu.ts'
import { type FlowDocument, maxFlowSteps, noLimits } from './flow-document.ts'
import type { AskStep, FlowStep } from './flow-steps.ts'

/** A question has ten choices; with more, the last one leads to the next ten. */
const choicesPerQuestion = 10

export type CopiedMenu = {
  document: FlowDocument
  /** The titles of options for which the flow had no room. */
  left: string[]
}

/** Texts that the menu says by itself, and that a flow needs as steps. */
type Words = Pick<MenuWords, 'choose' | 'back' | 'wrong' | 'toPerson'> & { more: string }

/**
 * The menu of a queue as a flow that starts when a ticket comes to the queue. Options without sub-options hand over to a
 * person, or end the conversation, as they do in the menu.
 */
export function menuToFlow(queue: MenuQueue, words: Words): CopiedMenu {
  const copy: Copy = { queue, words, steps: [], left: [], copied: new Set() }
  const first = copyLevel(copy, null, null)
  return {
    left: copy.left,
    document: {
      kind: 'flow',
      triggers: [{ kind: 'ticketMoved', queueIds: [queue.id] }],
      conditions: { match: 'all', of: [] },
      first,
      steps: copy.steps,
      limits: noLimits,
    },
  }
}

type Copy = {
  queue: MenuQueue
  words: Words
  steps: FlowStep[]
  left: string[]
  /** Options that lead to each other in a circle are copied once. */
  copied: Set<MenuOption>
}
type Choice = { title: string; next: string | null }

/** The id of the question of one level; null: it has no options. `above`: the question to which "back" leads. */
function copyLevel(copy: Copy, option: MenuOption | null, above: string | null): string | null {
  const { queue, words } = copy
  const options = choosableOptions(copy, option)
  if (!options.length) return null
  const question = addQuestion(copy, option?.title ?? queue.name)
  const choices: Choice[] = options.map((one) => ({ title: one.title, next: copyTarget(copy, one, question.id) }))
  if (option) choices.push({ title: words.back, next: above })
  fillQuestion(copy, question, (option?.message ?? queue.greetingMessage).trim() || words.choose || queue.name, choices)
  return question.id
}

/** Of options with the same number only the first can be chosen. */
function choosableOptions({ queue, copied }: Copy, parent: MenuOption | null): MenuOption[] {
  const numbers = new Set<number>()
  return menuOptionsAt(queue, parent?.id ?? null).filter((one) => {
    if (one.option === 0 || numbers.has(one.option) || copied.has(one)) return false
    numbers.add(one.option)
    copied.add(one)
    return true
  })
}

function addQuestion(copy: Copy, title: string): AskStep {
  const question: AskStep = {
    ...{ kind: 'ask', id: freeId(copy, 'menu'), title: title.trim().slice(0, 60), text: '', answer: { kind: 'text' } },
    ...{ variable: null, retries: maxWrongAnswers, retryText: '', silence: null, next: null, otherwise: null },
  }
  copy.steps.push(question)
  return question
}

function fillQuestion(copy: Copy, question: AskStep, text: string, choices: Choice[]): void {
  const { words, queue } = copy
  const fits = choices.length <= choicesPerQuestion
  const shown = fits ? [...choices] : choices.slice(0, choicesPerQuestion - 1)
  if (!fits) {
    const more = addQuestion(copy, question.title)
    fillQuestion(copy, more, words.more, choices.slice(choicesPerQuestion - 1))
    shown.push({ title: words.more, next: more.id })
  }
  question.text = text
  question.retryText = words.wrong
  question.answer = {
    kind: 'choice',
    options: shown.map(({ title, next }, i) => ({ id: `option-${i + 1}`, title: title.trim().slice(0, 72), next })),
  }
  question.otherwise = personStep(copy, queue.id, words.toPerson)
}

/** How many steps one more level may add before its own options are looked at. */
const roomForLevel = 8

function copyTarget(copy: Copy, option: MenuOption, from: string): string {
  const { steps, queue, words } = copy
  if (steps.length > maxFlowSteps - roomForLevel) {
    copy.left.push(option.title)
    return personStep(copy, queue.id, words.toPerson)
  }
  const below = copyLevel(copy, option, from)
  if (below !== null) return below
  const message = option.message.trim()
  if (option.leads === 'end') return farewellStep(copy, message, option.title)
  const queueId = option.leads === 'queue' && option.forwardQueueId !== null ? option.forwardQueueId : queue.id
  return personStep(copy, queueId, message || words.toPerson)
}

function farewellStep(copy: Copy, text: string, title: string): string {
  const known = copy.steps.find(({ kind }) => kind === 'resolve')?.id
  const resolve =
    known ?? addStep(copy, { kind: 'resolve', id: freeId(copy, 'resolve'), title: '', closingReasonId: null })
  if (!text) return resolve
  return addStep(copy, {
    ...{ kind: 'say', id: freeId(copy, 'say'), title: title.trim().slice(0, 60), text, fileId: null },
    ...{ buttons: [], list: null, template: null, next: resolve },
  })
}

function personStep(copy: Copy, queueId: number, text: string): string {
  const known = copy.steps.find((step) => step.kind === 'person' && step.queueId === queueId && step.text === text)
  return known?.id ?? addStep(copy, { kind: 'person', id: freeId(copy, 'person'), title: '', queueId, text })
}

function addStep({ steps }: Copy, step: FlowStep): string {
  steps.push(step)
  return step.id
}

/** Steps are only added, so their number makes the id new. */
const freeId = ({ steps }: Copy, word: string): string => `${word}-${steps.length + 1}`
