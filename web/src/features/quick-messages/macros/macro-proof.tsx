import { NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { MacroStep } from '@recado/contract/macros/macro-steps'
import type { MacroOutcome } from '@recado/contract/macros/macros'
import { prepareSteps } from '@recado/contract/macros/prepare-steps'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import {
  IconCircleDot,
  IconClockPause,
  IconFlag,
  IconHierarchy3,
  IconPaperclip,
  IconSitemap,
  IconTags,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { useRenderVariables } from '../../../parts/conversation/composer/use-render-variables.ts'
import { loadSnoozeTimes } from '../../../parts/macros/load-snooze-times.ts'
import { describeCode } from '../../../parts/macros/run-macro.ts'
import { useStepCheck } from '../../../parts/macros/use-step-check.ts'
import { priorityTexts } from '../../../parts/ticket/priority-texts.ts'
import { formatReturn } from '../../../parts/ticket/snooze/format-return.ts'
import { useStartableFlows } from '../../../parts/ticket/use-startable-flows.ts'
import classes from './macro-editor.module.css'
import { macroEditorTexts } from './texts.ts'

/** The check is made this long after the last change. */
const checkDelayMs = 300
const maxTickets = 12

type Props = { message: string; fileName: string | null; steps: MacroStep[] | null }

/** What the macro would write in a real ticket, and how the ticket would stand afterwards. Nothing is done. */
export function MacroProof({ message, fileName, steps }: Props) {
  const words = useTexts(macroEditorTexts)
  const [chosen, setChosen] = useState<number | null>(null)
  const { data } = useQuery({
    queryKey: ['macro-sample-tickets'],
    queryFn: async ({ signal }) =>
      (await callApi(ticketsApi.list, { query: { status: 'open', showAll: true } }, { signal })).tickets.slice(
        0,
        maxTickets,
      ),
    staleTime: 0,
  })
  const tickets = data ?? []
  const ticket = tickets.find(({ id }) => id === chosen) ?? tickets[0]
  return (
    <section className={classes.proof} aria-label={words.proof}>
      <div className={classes.proofHead}>
        <b>{words.proof}</b>
        {ticket && (
          <NativeSelect
            size="xs"
            aria-label={words.chooseTicket}
            value={String(ticket.id)}
            data={tickets.map(({ id, number, contact }) => ({
              value: String(id),
              label: `#${number} ${contact.name}`,
            }))}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          />
        )}
      </div>
      {ticket ? (
        <Outcome key={ticket.id} {...{ ticket, message, fileName, steps }} />
      ) : (
        <p className={classes.hint}>{data && words.noTicket}</p>
      )}
    </section>
  )
}

function Outcome({ ticket, message, fileName, steps: draft }: Props & { ticket: Ticket }) {
  const words = useTexts(macroEditorTexts)
  const me = useSession().user?.id ?? 0
  const client = useQueryClient()
  const fillVariables = useRenderVariables(ticket, true)
  const [steps] = useDebouncedValue(draft, checkDelayMs)
  const [now] = useState(() => Date.now())
  const { data: times, isSuccess } = useQuery({
    queryKey: ['macro-times', ticket.id, steps],
    queryFn: () => loadSnoozeTimes(client, ticket, steps ?? []),
  })
  const prepared = steps && isSuccess ? prepareSteps(steps, { me, now, times, fillVariables }) : null
  const { data: check, isFetching } = useStepCheck(ticket.id, prepared)
  const written = fillVariables(message)
  const refused = [...new Set((check?.errors ?? []).flatMap((error) => error ?? []))]
  return (
    <div aria-live="polite">
      {ticket.lastMessage && <p className={classes.received}>{ticket.lastMessage}</p>}
      {written && <p className={classes.bubble}>{written}</p>}
      {fileName && (
        <p className={classes.bubble}>
          <IconPaperclip size={16} stroke={1.75} aria-hidden="true" /> {fileName}
        </p>
      )}
      <div className={classes.busy} data-on={isFetching || undefined} />
      {draft === null ? (
        <p className={classes.hint}>{words.incomplete}</p>
      ) : (
        draft.length > 0 &&
        check && (
          <div className={classes.after}>
            <b>{words.after}</b>
            <AfterList after={check.after} flowIds={startedFlows(steps ?? [], check.errors)} />
          </div>
        )
      )}
      {draft !== null &&
        refused.map((code) => (
          <p key={code} className={classes.refused}>
            {describeCode(code)}
          </p>
        ))}
      <p className={classes.hint}>{words.nothingChecked}</p>
    </div>
  )
}

/** The flows that would start; those that could not have an error instead. */
const startedFlows = (steps: MacroStep[], errors: (string | null)[]): number[] =>
  steps.flatMap((step, i) => (step.kind === 'flow' && !errors[i] ? [step.flowId] : []))

function AfterList({ after, flowIds }: { after: MacroOutcome; flowIds: number[] }) {
  const words = useTexts(macroEditorTexts)
  const { data: flows = [] } = useStartableFlows(flowIds.length > 0)
  const priorities = useTexts(priorityTexts)
  const lines = [
    { icon: IconCircleDot, text: words.statuses[after.status] },
    { icon: IconHierarchy3, text: words.afterQueue(after.queue?.name ?? null, after.user?.name ?? null) },
    { icon: IconTags, text: words.afterTags(after.tags.map(({ name }) => name).join(', ')) },
    { icon: IconFlag, text: priorities.changed(priorities.names[after.priority]) },
    ...(after.snooze
      ? [
          {
            icon: IconClockPause,
            text: after.snooze.until ? words.comesBack(formatReturn(after.snooze.until)) : words.comesBackOnMessage,
          },
        ]
      : []),
    ...flows
      .filter(({ id }) => flowIds.includes(id))
      .map(({ name }) => ({ icon: IconSitemap, text: words.afterFlow(name) })),
  ]
  return (
    <ul>
      {lines.map(({ icon: Icon, text }) => (
        <li key={text}>
          <Icon size={16} stroke={1.75} aria-hidden="true" />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
