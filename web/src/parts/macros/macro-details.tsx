import type { Macro } from '@recado/contract/macros/macros'
import type { Ticket } from '@recado/contract/tickets'
import { IconPaperclip } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import classes from './macros.module.css'
import { loadSnoozeTimes, prepareSteps } from './prepare-steps.ts'
import { StepList, useStepSentences } from './step-list.tsx'
import { macroTexts } from './texts.ts'
import { useStepCheck } from './use-step-check.ts'

type Props = { macro: Macro; ticket: Ticket; fillVariables: (text: string) => string }

/** What the highlighted macro would write and do, with real values. */
export default function MacroDetails({ macro, ticket, fillVariables }: Props) {
  const words = useTexts(macroTexts)
  const me = useSession().user?.id ?? 0
  const client = useQueryClient()
  const { data: times, isSuccess } = useQuery({
    queryKey: ['macro-times', ticket.id, macro.id, macro.updatedAt],
    queryFn: () => loadSnoozeTimes(client, ticket, macro.steps),
  })
  const steps = isSuccess
    ? prepareSteps(macro.steps, { me, now: Math.floor(Date.now() / 60_000) * 60_000, times, fillVariables })
    : []
  const { data: check } = useStepCheck(ticket.id, steps)
  const sentences = useStepSentences(steps)
  const message = fillVariables(macro.message)
  return (
    <div className={classes.details}>
      <div className={classes.head}>
        <b>{macro.name}</b>
        <span>
          {words.from[macro.audience]} · {words.uses(macro.uses)}
        </span>
      </div>
      {/* Screen readers hear the steps with the option; the rest is for wide screens. */}
      <span className="rc-sr" role="status">
        {sentences.map(({ text }) => text).join('. ')}
      </span>
      <div aria-hidden="true">
        {message && <p className={classes.bubble}>{message}</p>}
        <div className={classes.scroll}>
          {macro.mediaName && (
            <div className={classes.step}>
              <span className={classes.tile} data-speaks>
                <IconPaperclip size={16} stroke={1.75} />
              </span>
              <span className={classes.sentence}>{words.attach(macro.mediaName)}</span>
            </div>
          )}
          <StepList steps={steps} errors={check?.errors ?? []} />
        </div>
        <div className={classes.foot}>
          <span>{words.prepared}</span>
          <kbd>↵</kbd> {words.prepare}
        </div>
      </div>
    </div>
  )
}
