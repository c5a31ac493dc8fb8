import { connectionsApi } from '@recado/contract/connections'
import { ticketPriorities, ticketStatuses } from '@recado/contract/ticket-statuses'
import type { TicketCondition } from '@recado/contract/views/ticket-conditions'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { refetchOnOpen, useAds, useAllUsers, useTags } from '../select-option-queries.ts'
import { useClosingForms } from '../ticket/closing/closing-forms.ts'
import { priorityTexts } from '../ticket/priority-texts.ts'
import type { Choice } from '../token/choice-list.tsx'
import { Token, TokenInput } from '../token/token.tsx'
import { useQueues } from '../use-queues.ts'
import { conditionFields, emptyCondition } from './condition-draft.ts'
import { describeMinutes } from './describe-minutes.ts'
import { type ConditionField, conditionTexts } from './texts.ts'

type LineProps = { condition: TicketCondition; onChange: (condition: TicketCondition) => void }

/** One condition as a sentence of tokens. */
export function ConditionLine({ condition, onChange }: LineProps) {
  const words = useTexts(conditionTexts)
  return (
    <>
      <Token
        label={words.field}
        choices={conditionFields.map((field) => ({ value: field, name: words.fields[field] }))}
        selected={[condition.field]}
        onChange={([field]) => onChange(emptyCondition(field as ConditionField))}
      />
      <OperatorToken condition={condition} onChange={onChange} />
      <ConditionValue condition={condition} onChange={onChange} />
    </>
  )
}

/** Whether the condition is met or not met. */
export function OperatorToken({ condition, onChange }: LineProps) {
  const words = useTexts(conditionTexts)
  const [plain, negated] = {
    unread: [words.yes, words.no],
    snoozed: [words.yes, words.no],
    waiting: [words.longer, words.shorter],
    goal: [words.due, words.notDue],
    contact: [words.contains, words.containsNot],
  }[condition.field as string] ?? [words.is, words.isNot]
  return (
    <Token
      label={words.operator}
      choices={[
        { value: 'is', name: plain ?? '' },
        { value: 'not', name: negated ?? '' },
      ]}
      selected={[condition.not ? 'not' : 'is']}
      onChange={([chosen]) => onChange({ ...condition, not: chosen === 'not' })}
    />
  )
}

const minutesToChoose = {
  waiting: [5, 15, 30, 60, 120, 240, 480, 1440, 2880, 4320, 10_080],
  goal: [0, 15, 30, 60, 120, 240, 480, 1440],
}

export function ConditionValue({ condition, onChange }: LineProps) {
  const words = useTexts(conditionTexts)
  switch (condition.field) {
    case 'unread':
    case 'snoozed':
      return null
    case 'waiting':
    case 'goal': {
      const offered = minutesToChoose[condition.field]
      const all = offered.includes(condition.minutes) ? offered : [...offered, condition.minutes]
      return (
        <Token
          isValue
          label={words.value}
          choices={all.map((one) => ({ value: String(one), name: describeMinutes(one, words) }))}
          selected={[String(condition.minutes)]}
          onChange={([chosen]) => onChange({ ...condition, minutes: Number(chosen) })}
        />
      )
    }
    case 'contact':
      return (
        <>
          <Token
            isValue
            label={words.field}
            choices={(['name', 'number', 'email', 'custom'] as const).map((key) => ({
              value: key,
              name: words.contactKeys[key] ?? key,
            }))}
            selected={[condition.key]}
            onChange={([key]) => onChange({ ...condition, key: key as typeof condition.key })}
          />
          {condition.key === 'custom' && (
            <TokenInput
              label={words.customName}
              maxLength={100}
              value={condition.custom}
              onChange={(custom) => onChange({ ...condition, custom })}
            />
          )}
          <TokenInput
            label={words.text}
            maxLength={100}
            value={condition.contains}
            onChange={(contains) => onChange({ ...condition, contains })}
          />
        </>
      )
    default:
      return <ChosenValues condition={condition} onChange={onChange} />
  }
}

type ListCondition = Extract<TicketCondition, { in: unknown[] }>
const none = 'none'

function ChosenValues({ condition, onChange }: { condition: ListCondition; onChange: LineProps['onChange'] }) {
  const words = useTexts(conditionTexts)
  const choices = useChoices(condition.field)
  return (
    <Token
      isValue
      isMultiple
      label={words.value}
      choices={choices}
      selected={condition.in.map((value) => (value === null ? none : String(value)))}
      onChange={(selected) => onChange({ ...condition, in: selected.map(toValue) } as TicketCondition)}
    />
  )
}
const toValue = (value: string) => (value === none ? null : /^\d+$/.test(value) ? Number(value) : value)

/** The values of a field that the user can choose from. */
function useChoices(field: ListCondition['field']): Choice[] {
  const words = useTexts(conditionTexts)
  const priorities = useTexts(priorityTexts).names
  const { user } = useSession()
  const { data: allQueues } = useQueues(field === 'queue' && user !== null && canSeeAllTickets(user))
  const queues = allQueues ?? user?.queues ?? []
  const { data: users = [] } = useAllUsers(field === 'user' || field === 'owner')
  const { data: tags = [] } = useTags()
  const { data: ads = [] } = useAds()
  const closingForms = useClosingForms()
  const { data: lines = [] } = useQuery({
    queryKey: ['lines', 'names'],
    queryFn: ({ signal }) => callApi(connectionsApi.list, {}, { signal }),
    enabled: field === 'connection',
    ...refetchOnOpen,
  })
  const toChoice = ({ id, name, color }: { id: number; name: string; color?: string | null }): Choice => ({
    value: String(id),
    name,
    color,
  })
  /** Queues may have reasons of the same name. */
  const nameWithQueue = (name: string, queueId: number | false) => {
    const queue = queues.find(({ id }) => id === queueId)
    return queue ? `${name} · ${queue.name}` : name
  }
  switch (field) {
    case 'status':
      return ticketStatuses.map((status) => ({ value: status, name: words.statuses[status] ?? status }))
    case 'priority':
      return ticketPriorities.map((priority) => ({ value: priority, name: priorities[priority] }))
    case 'queue':
      return [{ value: none, name: words.noQueue }, ...queues.map(toChoice)]
    case 'user':
      return [
        { value: 'me', name: words.me },
        { value: none, name: words.nobody },
        ...users.map(({ id, name }) => toChoice({ id, name })),
      ]
    case 'tag':
      return tags.map(toChoice)
    case 'connection':
      return [{ value: none, name: words.noLine }, ...lines.map(({ id, name }) => toChoice({ id, name }))]
    case 'owner':
      return [{ value: none, name: words.nobody }, ...users.map(({ id, name }) => toChoice({ id, name }))]
    case 'closingReason':
      return [
        { value: none, name: words.noReason },
        ...closingForms.flatMap(({ queueId, reasons }) =>
          reasons.map(({ id, name }) =>
            toChoice({ id, name: nameWithQueue(name, closingForms.length > 1 && queueId) }),
          ),
        ),
      ]
    case 'ad':
      return [{ value: none, name: words.noAd }, ...ads.map(toChoice)]
  }
}
