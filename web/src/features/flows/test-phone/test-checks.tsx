import { Button, Modal, Skeleton } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowTest } from '@recado/contract/flows/flow-tests'
import type { Flow } from '@recado/contract/flows/flows'
import { isSameTrace, type Simulation, simulateFlow } from '@recado/contract/flows/simulate-flow'
import {
  IconAlertCircle,
  IconCircleCheck,
  IconDeviceMobile,
  IconFlask,
  IconRouteX,
  IconTrash,
} from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import cardClasses from '../editor/checks-panel.module.css'
import { nameOfStep } from '../editor/describe-node.ts'
import { flowEditorTexts } from '../editor/texts.ts'
import { useRuleNames } from '../rules/editor/use-rule-names.ts'
import { useSentences } from '../sentence/use-sentences.ts'
import { ConversationView } from './conversation-view.tsx'
import { describeDifference } from './describe-difference.ts'
import classes from './test-phone.module.css'
import { testPhoneTexts } from './texts.ts'
import { useFlowTests } from './use-flow-tests.ts'

type Props = { flow: Flow; document: FlowDocument }
type PlayedTest = { test: FlowTest; simulation: Simulation; isFine: boolean }

/** The recorded tests, among the checks of a draft. Every change of the draft plays them again. */
export function TestChecks({ flow, document }: Props) {
  const words = useTexts(testPhoneTexts)
  const { tests, error, retry, update, remove } = useFlowTests(flow.id)
  const [shown, setShown] = useState<number | null>(null)
  const played = useMemo(() => (tests ?? []).map((test) => playTest(document, test)), [document, tests])
  const onPhone = played.find(({ test }) => test.id === shown)
  const removeTest = async (test: FlowTest) => {
    const question = { title: words.removeTitle(test.name), consequence: words.removeLine, verb: words.remove }
    if (await openConfirm(question)) await remove(test.id).catch(toast.error)
  }
  const accept = async ({ test, simulation }: PlayedTest) => {
    const { id, ...body } = test
    try {
      await update(id, { ...body, trace: simulation.trace })
      toast.ok(words.accepted)
    } catch (problem) {
      toast.error(problem)
    }
  }
  if (error && !tests)
    return (
      <div className={`${classes.box} ${classes.line}`}>
        <IconAlertCircle size={16} stroke={1.75} data-bad aria-hidden="true" />
        <span>{words.loadFailed}</span>
        <Button size="compact-sm" variant="subtle" onClick={retry}>
          {words.retry}
        </Button>
      </div>
    )
  if (!tests) return <Skeleton height={48} radius={12} />
  const actions = { onPlay: (test: FlowTest) => setShown(test.id), onRemove: (test: FlowTest) => void removeTest(test) }
  const failing = played.filter(({ isFine }) => !isFine)
  return (
    <section className={classes.checks} aria-label={words.tests}>
      {failing.length > 0 && (
        <ul className={classes.cards}>
          {failing.map((one) => (
            <FailingTest
              key={one.test.id}
              played={one}
              flow={flow}
              document={document}
              onAccept={() => void accept(one)}
              {...actions}
            />
          ))}
        </ul>
      )}
      <TestList played={played} {...actions} />
      <Modal
        opened={onPhone !== undefined}
        onClose={() => setShown(null)}
        title={onPhone?.test.name}
        closeButtonProps={{ 'aria-label': words.close }}
        size={380}
      >
        <div className={classes.played}>
          {onPhone && <ConversationView lines={onPhone.simulation.lines} onPress={null} />}
        </div>
      </Modal>
    </section>
  )
}

function playTest(document: FlowDocument, test: FlowTest): PlayedTest {
  const simulation = simulateFlow(document, test.scene, test.entries)
  return { test, simulation, isFine: isSameTrace(simulation.trace, test.trace) }
}

type Actions = { onPlay: (test: FlowTest) => void; onRemove: (test: FlowTest) => void }

function TestList({ played, onPlay, onRemove }: Actions & { played: PlayedTest[] }) {
  const words = useTexts(testPhoneTexts)
  const [isOpen, setOpen] = useState(false)
  const bad = played.filter(({ isFine }) => !isFine).length
  if (played.length === 0)
    return (
      <p className={`${classes.box} ${classes.line}`}>
        <IconFlask size={16} stroke={1.75} data-none aria-hidden="true" />
        <span>{words.noTests}</span>
      </p>
    )
  return (
    <div className={classes.box}>
      <div className={classes.line} role="status">
        <ResultIcon isFine={bad === 0} />
        <span>{bad === 0 ? words.allFine(played.length) : words.someFail(played.length, bad)}</span>
        <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.close : words.show}
        </Button>
      </div>
      {isOpen && (
        <ul className={classes.list}>
          {played.map(({ test, isFine }) => (
            <li key={test.id} className={classes.line}>
              <ResultIcon isFine={isFine} />
              <span>{test.name}</span>
              <button
                type="button"
                className={classes.restart}
                aria-label={words.playOf(test.name)}
                onClick={() => onPlay(test)}
              >
                <IconDeviceMobile size={16} stroke={1.75} aria-hidden="true" />
              </button>
              <RemoveButton name={test.name} onClick={() => onRemove(test)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const ResultIcon = ({ isFine }: { isFine: boolean }) =>
  isFine ? (
    <IconCircleCheck size={16} stroke={1.75} aria-hidden="true" />
  ) : (
    <IconAlertCircle size={16} stroke={1.75} data-bad aria-hidden="true" />
  )

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  const words = useTexts(testPhoneTexts)
  return (
    <button type="button" className={classes.restart} aria-label={words.removeOf(name)} onClick={onClick}>
      <IconTrash size={16} stroke={1.75} aria-hidden="true" />
    </button>
  )
}

type FailingProps = Actions & Props & { played: PlayedTest; onAccept: () => void }
function FailingTest({ played: { test, simulation }, flow, document, onAccept, onPlay, onRemove }: FailingProps) {
  const words = useTexts(testPhoneTexts)
  const sentences = useSentences(useRuleNames(flow.names))
  const editorWords = useTexts(flowEditorTexts)
  const nameOf = (stepId: string) => {
    const step = document.steps.find(({ id }) => id === stepId)
    return step ? nameOfStep(step, { words: editorWords, sentences }) : null
  }
  return (
    <li className={cardClasses.card} data-level="error">
      <IconRouteX size={18} stroke={1.75} aria-hidden="true" />
      <div>
        <h3>{words.testFails(test.name)}</h3>
        <p>{describeDifference(test.trace, simulation.trace, { words, nameOf })}</p>
        <div className={cardClasses.buttons}>
          <Button size="compact-sm" variant="light" onClick={onAccept}>
            {words.accept}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => onPlay(test)}>
            {words.play}
          </Button>
          <RemoveButton name={test.name} onClick={() => onRemove(test)} />
        </div>
      </div>
    </li>
  )
}
