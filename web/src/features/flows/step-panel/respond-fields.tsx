import { SegmentedControl } from '@mantine/core'
import { unchosenId } from '@recado/contract/flows/flow-steps'
import { useTexts } from '../../../lib/texts.ts'
import {
  type AiOrIntegration,
  AiOrIntegrationPicker,
  useAiAndIntegrationsInPlan,
} from '../../../parts/integrations/ai-or-integration-picker.tsx'
import { Problem } from '../rules/editor/problem.tsx'
import { SilenceField } from './ask-fields.tsx'
import type { FieldsProps, StepOf } from './panel-context.ts'
import { stepPanelTexts } from './texts.ts'
import { WholeNumberInput } from './value-fields.tsx'

type By = StepOf<'respond'>['by']
const kinds: AiOrIntegration[] = ['prompt', 'integration']
const byOf = (kind: AiOrIntegration, id: number | null): By =>
  kind === 'prompt' ? { kind, promptId: id ?? unchosenId } : { kind, integrationId: id ?? unchosenId }

export function RespondFields({ step, onChange }: FieldsProps<'respond'>) {
  const words = useTexts(stepPanelTexts)
  const isInPlan = useAiAndIntegrationsInPlan()
  const { by, turns, silence } = step
  const id = by.kind === 'prompt' ? by.promptId : by.integrationId
  return (
    <>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={words.responder}
        data={kinds.map((value) => ({ value, label: words.responders[value] }))}
        value={by.kind}
        onChange={(value) => onChange({ ...step, by: byOf(value as AiOrIntegration, null) })}
      />
      <div>
        <AiOrIntegrationPicker
          kind={by.kind}
          help={words.responderHelp}
          value={id === unchosenId ? null : id}
          onChange={(chosen) => onChange({ ...step, by: byOf(by.kind, chosen) })}
        />
        {!isInPlan[by.kind] && <Problem level="warning" text={words.notInPlan} />}
      </div>
      <WholeNumberInput
        label={words.turns}
        help={words.turnsHelp}
        min={1}
        max={50}
        value={turns}
        // A bot that answers once does not wait for the customer.
        onChange={(next) => onChange({ ...step, turns: next, silence: next > 1 ? silence : null })}
      />
      {turns > 1 && <SilenceField silence={silence} onChange={(next) => onChange({ ...step, silence: next })} />}
    </>
  )
}
