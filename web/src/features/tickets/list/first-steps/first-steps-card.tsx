import { Button } from '@mantine/core'
import { lineTraits } from '@recado/contract/line-traits'
import type { FirstStepsState } from '@recado/contract/settings'
import { IconCheck, IconDeviceMobileMessage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import { toast } from '../../../../lib/toast.ts'
import { usePrepareTestLine } from '../../../../parts/line/test-line.ts'
import { useLines } from '../../../../parts/line/use-lines.ts'
import { useQueues } from '../../../../parts/use-queues.ts'
import { useIsPhone } from '../../../../ui/use-is-phone.ts'
import classes from './first-steps.module.css'
import { texts } from './texts.ts'

type Props = { steps: FirstStepsState; onCollapse: () => void; onHide: () => void }

export function FirstStepsCard({ steps, onCollapse, onHide }: Props) {
  const words = useTexts(texts)
  return (
    <section className={classes.card} aria-label={words.title}>
      <h2 className={classes.title}>{words.title}</h2>
      <p className={classes.line}>{words.line}</p>
      <StepList steps={steps} />
      <div className={classes.ways}>
        <Button variant="subtle" color="gray" size="xs" onClick={onCollapse}>
          {words.hide}
        </Button>
        <Button variant="subtle" color="gray" size="xs" onClick={onHide}>
          {words.hideForGood}
        </Button>
      </div>
    </section>
  )
}

export function StepList({ steps }: { steps: FirstStepsState }) {
  const words = useTexts(texts)
  const phone = useIsPhone()
  const lines = useLines().data ?? []
  const firstQueue = useQueues().data?.[0]
  const tested = lines.some((line) => lineTraits[line.provider].test)
  return (
    <ol className={classes.steps}>
      <Step
        position={1}
        isDone={steps.line}
        title={words.lineTitle}
        text={steps.line ? (phone ? words.lineDonePhone : words.lineDone) : words.lineText}
      >
        {!steps.line && <TestLineButton lines={lines} />}
        {!steps.line && <StepLink path="/connections" label={words.realLine} />}
        {steps.line && tested && <StepLink path="/phone" label={words.asCustomer} search={{ fresh: true }} />}
      </Step>
      <Step
        position={2}
        isDone={steps.queue}
        title={words.queueTitle}
        text={!steps.queue && firstQueue ? words.queueWithoutLine : words.queueText}
      >
        {!steps.queue && (
          <StepLink
            path="/queues"
            label={firstQueue ? words.fixQueue : words.makeQueue}
            search={firstQueue ? { edit: firstQueue.id } : { new: true }}
          />
        )}
      </Step>
      <Step position={3} isDone={steps.people} title={words.peopleTitle} text={words.peopleText}>
        {!steps.people && <StepLink path="/users" label={words.invite} search={{ new: 'invite' }} />}
      </Step>
    </ol>
  )
}

type StepProps = { position: number; isDone: boolean; title: string; text: string; children: ReactNode }
export function Step({ position, isDone, title, text, children }: StepProps) {
  const words = useTexts(texts)
  return (
    <li className={classes.step} data-done={isDone || undefined}>
      <span className={classes.mark}>
        {isDone ? <IconCheck size={16} stroke={2.5} role="img" aria-label={words.done} /> : position}
      </span>
      <div className={classes.words}>
        <h3 className={classes.name}>{title}</h3>
        <p className={classes.text}>{text}</p>
        <div className={classes.ways}>{children}</div>
      </div>
    </li>
  )
}

type StepLinkProps = { path: string; label: string; search?: Record<string, unknown> }
export const StepLink = ({ path, label, search = {} }: StepLinkProps) => (
  <Button variant="default" size="sm" component={Link} {...({ to: path, search } as object)}>
    {label}
  </Button>
)

/** A button that creates a linked test line with customers who have written. */
function TestLineButton({ lines }: { lines: Parameters<ReturnType<typeof usePrepareTestLine>>[0] }) {
  const words = useTexts(texts)
  const make = usePrepareTestLine()
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await make(lines).catch(toast.error)
    setBusy(false)
  }
  return (
    <Button
      size="sm"
      loading={busy}
      leftSection={<IconDeviceMobileMessage size={17} stroke={1.75} />}
      onClick={() => void press()}
    >
      {words.tryPhone}
    </Button>
  )
}
