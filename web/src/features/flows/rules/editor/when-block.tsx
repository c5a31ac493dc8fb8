import { Button, Menu } from '@mantine/core'
import { maxFlowTriggers } from '@recado/contract/flows/flow-document'
import type { FlowTrigger, FlowTriggerKind } from '@recado/contract/flows/flow-triggers'
import type { Flow } from '@recado/contract/flows/flows'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import { describeTrigger } from '../../sentence/describe-trigger.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import { emptyTrigger, isTriggerComplete, ruleTriggerKinds } from '../rule-draft.ts'
import classes from './editor.module.css'
import { HookDetails } from './hook-details.tsx'
import { Problem } from './problem.tsx'
import { ruleEditorTexts } from './texts.ts'
import { TriggerLine } from './trigger-line.tsx'

type Props = {
  flow: Pick<Flow, 'id' | 'hasHook'>
  triggers: FlowTrigger[]
  sentences: Sentences
  /** What can be chosen. */
  kinds?: readonly FlowTriggerKind[]
  /** What else can be changed of a trigger, below its sentence. */
  renderMore?: (trigger: FlowTrigger, onChange: (trigger: FlowTrigger) => void) => ReactNode
  onChange: (triggers: FlowTrigger[]) => void
}

/** What starts the rule: any of these lines. */
export function WhenBlock({ flow, triggers, sentences, kinds = ruleTriggerKinds, renderMore, onChange }: Props) {
  const words = useTexts(ruleEditorTexts)
  // A flow has one address.
  const isAddable = (kind: FlowTrigger['kind']) => kind !== 'hook' || triggers.every((one) => one.kind !== 'hook')
  return (
    <section className={classes.block} aria-labelledby="rule-when">
      <h2 id="rule-when">{words.blocks.triggers}</h2>
      <div>
        {triggers.map((trigger, i) => {
          const text = describeTrigger(trigger, sentences)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: triggers have no id and are not reordered.
            // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex container everywhere
            <div key={i} className={classes.line} role="group" aria-label={text}>
              <span className={classes.grow}>
                <TriggerLine
                  trigger={trigger}
                  sentences={sentences}
                  kinds={kinds}
                  onChange={(next) => onChange(triggers.with(i, next))}
                />
                {renderMore?.(trigger, (next) => onChange(triggers.with(i, next)))}
                {trigger.kind === 'hook' && (
                  <HookDetails flow={flow} trigger={trigger} onChange={(next) => onChange(triggers.with(i, next))} />
                )}
                {!isTriggerComplete(trigger) && <Problem level="error" text={words.findings.incomplete} />}
              </span>
              <button
                type="button"
                className={classes.icon}
                aria-label={words.removeTrigger(text)}
                onClick={() => onChange(triggers.toSpliced(i, 1))}
              >
                <IconX size={16} stroke={1.75} aria-hidden="true" />
              </button>
            </div>
          )
        })}
        {triggers.length === 0 && <Problem level="error" text={words.noTrigger} />}
        <Menu position="bottom-start" shadow="md">
          <Menu.Target>
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={triggers.length >= maxFlowTriggers}
              leftSection={<IconPlus size={14} stroke={2} />}
            >
              {triggers.length === 0 ? words.firstTrigger : words.orWhen}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu ?? ''}>
            {kinds.filter(isAddable).map((kind) => (
              <Menu.Item key={kind} onClick={() => onChange([...triggers, emptyTrigger(kind)])}>
                {sentences.words.triggers[kind].name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
    </section>
  )
}
