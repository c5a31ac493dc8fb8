import { Button } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { ImportedTypebot } from '@recado/contract/flows/typebot-import'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import classes from './new-flow.module.css'
import { newFlowTexts } from './texts.ts'

type Props = {
  imported: ImportedTypebot
  onCreate: (name: string, document: FlowDocument) => Promise<void>
  isBusy: boolean
}

/** More would not be read. */
const maxShownLosses = 20

/** What came of a file of Typebot, and what did not. */
export function TypebotResult({ imported: { name, document, losses }, onCreate, isBusy }: Props) {
  const words = useTexts(newFlowTexts)
  return (
    <div className={classes.body}>
      <p className={classes.came}>
        <IconCircleCheck size={17} stroke={1.75} aria-hidden="true" />
        <b>{words.steps(document.steps.length)}</b>
        {losses.length === 0 && <span>{words.all}</span>}
      </p>
      {losses.length > 0 && (
        <>
          <p>{words.someLost}</p>
          <ul className={classes.losses} aria-label={words.someLost}>
            {losses.slice(0, maxShownLosses).map(({ reason, group, block }) => (
              <li key={`${reason} ${group} ${block}`}>
                <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
                <span>
                  <b>{block}</b> {group && <small>{words.group(group)}</small>}
                  <span>{words.losses[reason]}</span>
                </span>
              </li>
            ))}
          </ul>
          {losses.length > maxShownLosses && <p>{words.more20(losses.length - maxShownLosses)}</p>}
        </>
      )}
      <Button loading={isBusy} onClick={() => void onCreate(name || words.newName, document)}>
        {words.open}
      </Button>
    </div>
  )
}
