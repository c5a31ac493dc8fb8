import { Menu } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { maxFlowSteps } from '@recado/contract/flows/flow-document'
import type { ReactElement } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import editorClasses from '../../rules/editor/editor.module.css'
import { stepIcons } from '../../rules/editor/step-icons.ts'
import { ruleEditorTexts } from '../../rules/editor/texts.ts'
import { canAdd } from '../../rules/rule-draft.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import { type SequenceStepKind, sequenceStepKinds } from '../sequence-draft.ts'
import { sequenceTexts } from './texts.ts'

type Props = {
  document: FlowDocument
  sentences: Sentences
  /** The button that opens the list. */
  children: ReactElement
  onAdd: (kind: SequenceStepKind) => void
}

/** A split takes the place of three steps. */
const stepsPerSplit = 3

/** What can be added to the line. */
export function AddStep({ document, sentences, children, onAdd }: Props) {
  const words = useTexts(sequenceTexts)
  const { endsRule } = useTexts(ruleEditorTexts)
  const isFull = document.steps.length + stepsPerSplit > maxFlowSteps
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={editorClasses.menu ?? ''}>
        {sequenceStepKinds.map((kind) => {
          const Icon = stepIcons[kind]
          const isPossible = kind === 'split' || canAdd(document, kind)
          return (
            <Menu.Item
              key={kind}
              disabled={!isPossible || isFull}
              title={isPossible ? undefined : endsRule}
              leftSection={<Icon size={16} stroke={1.75} />}
              onClick={() => onAdd(kind)}
            >
              {kind === 'say' ? words.message : kind === 'split' ? words.addVariants : sentences.words.steps[kind].name}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
