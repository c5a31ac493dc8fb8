import { Button } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowRun } from '@recado/contract/flows/flows'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FailureCode } from '../../../lib/api.ts'
import { ApiError } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import type { Sentences } from '../sentence/sentences.ts'
import { describeRunStep, describeRunTime } from './describe-run.ts'
import classes from './runs.module.css'
import { runsTexts } from './texts.ts'
import type { useRunActions } from './use-runs.ts'

type Props = {
  run: FlowRun
  /** The version that the run follows; undefined: not loaded, or too old to be stored. */
  document: FlowDocument | undefined
  sentences: Sentences
  actions: ReturnType<typeof useRunActions>
}

/** A conversation inside a flow: who, where it stands, and what can be done about it. */
export function RunRow({ run, document, sentences, actions }: Props) {
  const words = useTexts(runsTexts)
  const errorText = useErrorText()
  const { contact, ticket, state, error } = run
  const takeOut = async () => {
    const isSure = await openConfirm({
      title: words.takeOutAsk(contact.name),
      consequence: words.takeOutLine,
      verb: words.takeOut,
    })
    if (isSure) await actions.end(run, words.takenOut)
  }
  const isBusy = actions.busyId === run.id
  const step = describeRunStep(run, document, sentences, words)
  return (
    <li className={classes.row} data-run={run.id}>
      <PersonAvatar id={contact.id} name={contact.name} size={32} />
      <span className={classes.what}>
        <span className={classes.who}>
          <b>{contact.name}</b>
          <Link className={classes.ticket ?? ''} to="/tickets/{-$ticketId}" params={{ ticketId: ticket.uuid }}>
            {words.ticket(ticket.number)}
          </Link>
        </span>
        {step && <span className={classes.step}>{step}</span>}
        {error && (
          <span className={classes.error}>
            <IconAlertCircle size={15} stroke={1.75} aria-hidden="true" />
            {errorText(new ApiError(error as FailureCode, 409))}
          </span>
        )}
        <small>{describeRunTime(run, words)}</small>
        {state !== 'ended' && (
          <span className={classes.buttons}>
            {state === 'failed' && (
              <Button
                size="compact-sm"
                aria-label={words.retryOf(contact.name)}
                disabled={isBusy}
                onClick={() => void actions.retry(run, words.retried)}
              >
                {words.retry}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="default"
              aria-label={words.takeOutOf(contact.name)}
              disabled={isBusy}
              onClick={() => void takeOut()}
            >
              {words.takeOut}
            </Button>
          </span>
        )}
      </span>
    </li>
  )
}
