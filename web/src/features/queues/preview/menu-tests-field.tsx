import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconCheck, IconPlayerPlay, IconRefresh, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { RichText } from '../../../parts/message/body/rich-text-view.tsx'
import { openConfirm } from '../../../ui/confirm.tsx'
import { StatusChip } from '../../../ui/status-chip.tsx'
import type { QueueFormValues } from '../queue-form-values.ts'
import { findFirstDifference } from './find-first-difference.ts'
import { menuPreviewTexts } from './menu-preview-texts.ts'
import classes from './preview.module.css'
import type { MenuPreview } from './use-menu-preview.ts'
import type { MenuTestResult, MenuTests } from './use-menu-tests.ts'

type Props = { form: UseFormReturnType<QueueFormValues>; tests: MenuTests; preview: MenuPreview; isSaved: boolean }

/** Saved test conversations, each with its current result. */
export function MenuTestsField({ form, tests, preview, isSaved }: Props) {
  const words = useTexts(menuPreviewTexts)
  const results = tests.listResults(form.values)
  const drop = async (test: MenuTestResult) => {
    if (test.id === null) {
      form.setFieldValue(
        'tests',
        form.values.tests.filter(({ key }) => key !== test.key),
      )
      return
    }
    const question = { title: words.dropAsk(test.name), consequence: words.dropLine, verb: words.dropVerb }
    if (!(await openConfirm(question))) return
    await tests.removeTest(test.id).then(() => toast.ok(words.dropped, test.name), toast.error)
  }
  const play = (test: MenuTestResult) => {
    preview.setLine(test.whatsappId)
    preview.setCustomerLines(test.steps.map((step) => step.customer))
  }
  return (
    <div className={classes.tests}>
      <div className={classes.testsHead}>
        <p className={classes.lead}>{words.testsLine}</p>
        {isSaved && results.length > 0 && <RunTestsButton tests={tests} />}
      </div>
      {results.length === 0 && <p className={classes.none}>{words.noTests}</p>}
      {results.length > 0 && (
        <ul className={classes.list} aria-label={words.tests}>
          {results.map((test) => (
            <MenuTestRow key={test.key} test={test} onPlay={() => play(test)} onRemove={() => void drop(test)} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** The form runs the tests in the browser; this button runs them on the server, which is authoritative. */
function RunTestsButton({ tests }: { tests: MenuTests }) {
  const words = useTexts(menuPreviewTexts)
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await tests.runOnServer().then(({ failed, count }) => toast.ok(words.ran(failed, count)), toast.error)
    setBusy(false)
  }
  return (
    <Button
      size="xs"
      variant="default"
      loading={busy}
      leftSection={<IconRefresh size={15} stroke={1.75} />}
      onClick={() => void run()}
    >
      {words.again}
    </Button>
  )
}

type OneProps = { test: MenuTestResult; onPlay: () => void; onRemove: () => void }
function MenuTestRow({ test, onPlay, onRemove }: OneProps) {
  const words = useTexts(menuPreviewTexts)
  const { name, steps } = test
  const action = (label: string, run: () => void, icon: React.ReactNode) => (
    <Tooltip label={label}>
      <ActionIcon size={28} aria-label={label} onClick={run}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
  return (
    <li className={classes.test}>
      <div className={classes.testRow}>
        <StatusChip
          kind={test.passes ? 'ok' : 'danger'}
          icon={
            test.passes ? (
              <IconCheck size={14} stroke={2} aria-hidden="true" />
            ) : (
              <IconX size={14} stroke={2} aria-hidden="true" />
            )
          }
        >
          {test.passes ? words.pass : words.fail}
        </StatusChip>
        <span className={classes.testName}>
          <b>{name}</b>
          <small>{test.id === null ? words.unsaved : words.turns(steps.length)}</small>
        </span>
        {action(words.play(name), onPlay, <IconPlayerPlay size={16} stroke={1.75} />)}
        {action(words.drop(name), onRemove, <IconTrash size={16} stroke={1.75} />)}
      </div>
      {!test.passes && <TestDifference test={test} />}
    </li>
  )
}

function TestDifference({ test }: { test: MenuTestResult }) {
  const words = useTexts(menuPreviewTexts)
  const difference = findFirstDifference(test.steps, test.currentReplies)
  if (!difference) return null
  return (
    <div className={classes.differs}>
      <p>{words.differs(difference.customer)}</p>
      <dl>
        <dt>{words.before}</dt>
        <dd>
          <RichText text={difference.expected || words.silence} />
        </dd>
        <dt>{words.now}</dt>
        <dd>
          <RichText text={difference.actual || words.silence} />
        </dd>
      </dl>
    </div>
  )
}
