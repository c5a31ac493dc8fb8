import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import type { Flow } from '@recado/contract/flows/flows'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { durationOf, type Sentences } from '../sentence/sentences.ts'
import { ConversationView } from './conversation-view.tsx'
import { CustomerInput, writtenMessage } from './customer-input.tsx'
import { InsideList } from './inside-list.tsx'
import { RecordTest } from './record-test.tsx'
import { SceneMenu } from './scene-menu.tsx'
import classes from './test-phone.module.css'
import { type TestPhoneWords, testPhoneTexts } from './texts.ts'
import { useFlowTests } from './use-flow-tests.ts'
import { useTestConversation } from './use-test-conversation.ts'

type Props = {
  flow: Flow
  document: FlowDocument
  sentences: Sentences
  /** The step that spoke last; null: none. */
  onReach: (stepId: string | null) => void
}

/** The customer's phone with the draft. Nothing is sent; a conversation can be recorded as a test. */
export function TestPhone({ flow, document, sentences, onReach }: Props) {
  const words = useTexts(testPhoneTexts)
  const { scene, setScene, simulation, played, isFull, add, restart } = useTestConversation(document, words.names)
  const { create } = useFlowTests(flow.id)
  const { lines, waitsFor, trace, position } = simulation
  const waiting = waitsFor ? document.steps.find(({ id }) => id === position.stepId) : undefined
  const canWrite = waitsFor?.message === true && !isFull
  useReportedStep(simulation.lines.findLast((line) => line.kind === 'said')?.stepId ?? null, onReach)
  const save = (name: string) => create({ name, scene, entries: played, trace })
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        {words.writeAs}
        <span className={classes.headRight}>
          <SceneMenu scene={scene} document={document} sentences={sentences} onChange={setScene} />
          <button
            type="button"
            className={classes.restart}
            aria-label={words.restart}
            title={words.restart}
            onClick={restart}
          >
            <IconRefresh size={16} stroke={1.75} aria-hidden="true" />
          </button>
        </span>
      </div>
      <div className={classes.phone}>
        <ConversationView
          lines={lines}
          onPress={canWrite ? ({ id, title }) => add(writtenMessage(title, { optionId: id })) : null}
          footer={<CustomerInput disabled={!canWrite} onSend={add} />}
        >
          {waitsFor && !waitsFor.message && <p className={classes.pill}>{words.onlyTime}</p>}
          {waitsFor?.time && waiting && !isFull && (
            <button type="button" className={classes.time} onClick={() => add({ kind: 'time' })}>
              {describePause(waiting, sentences, words)}
            </button>
          )}
          {isFull && <p className={classes.pill}>{words.full}</p>}
        </ConversationView>
      </div>
      <InsideList lines={lines} document={document} sentences={sentences}>
        <RecordTest disabled={trace.length === 0} onSave={save} />
      </InsideList>
    </div>
  )
}

/** Reports the step as long as the phone is shown. */
function useReportedStep(stepId: string | null, onReach: (stepId: string | null) => void): void {
  useEffect(() => {
    onReach(stepId)
    return () => onReach(null)
  }, [stepId, onReach])
}

function describePause(step: FlowStep, sentences: Sentences, words: TestPhoneWords): string {
  if (step.kind !== 'wait')
    return 'silence' in step && step.silence ? words.passSilence(durationOf(step.silence.minutes, sentences)) : ''
  if (step.until.kind === 'opening') return words.passOpening
  const time = durationOf(step.until.minutes, sentences)
  return step.until.kind === 'answer' ? words.passSilence(time) : words.passTime(time)
}
