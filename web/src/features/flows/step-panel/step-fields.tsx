import type { FlowStep } from '@recado/contract/flows/flow-steps'
import { useTexts } from '../../../lib/texts.ts'
import {
  NoteFields,
  PersonTextField,
  SentenceFields,
  SetFieldFields,
  SetVariableFields,
  SnoozeNoteField,
} from './act-fields.tsx'
import { AskFields } from './ask-fields.tsx'
import { CallFields } from './call-fields.tsx'
import { BranchFields, SplitFields, SwitchFields } from './decide-fields.tsx'
import { OtherFlowFields } from './other-flow-fields.tsx'
import classes from './panel.module.css'
import type { PanelContext } from './panel-context.ts'
import { RespondFields } from './respond-fields.tsx'
import { SayFields } from './say-fields.tsx'
import { stepPanelTexts } from './texts.ts'
import { WaitFields } from './wait-fields.tsx'

type Props = { step: FlowStep; panel: PanelContext; onChange: (step: FlowStep) => void }

/** What can be changed of a step, by its kind. */
export function StepFields({ step, panel, onChange }: Props) {
  const words = useTexts(stepPanelTexts)
  const more = { panel, onChange }
  switch (step.kind) {
    case 'say':
      return <SayFields step={step} {...more} />
    case 'ask':
      return <AskFields step={step} {...more} />
    case 'branch':
      return <BranchFields step={step} {...more} />
    case 'switch':
      return <SwitchFields step={step} {...more} />
    case 'split':
      return <SplitFields step={step} {...more} />
    case 'wait':
      return <WaitFields step={step} {...more} />
    case 'call':
      return <CallFields step={step} {...more} />
    case 'respond':
      return <RespondFields step={step} {...more} />
    case 'setVariable':
      return <SetVariableFields step={step} {...more} />
    case 'setField':
      return <SetFieldFields step={step} {...more} />
    case 'note':
      return <NoteFields step={step} {...more} />
    case 'start':
    case 'stop':
      return <OtherFlowFields step={step} {...more} />
    case 'end':
      return <p className={classes.help}>{words.endHelp}</p>
    default:
      return (
        <>
          <SentenceFields step={step} {...more} />
          {step.kind === 'snooze' && <SnoozeNoteField step={step} {...more} />}
          {step.kind === 'person' && <PersonTextField step={step} {...more} />}
        </>
      )
  }
}
