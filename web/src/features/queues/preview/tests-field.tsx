import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconCheck, IconPlayerPlay, IconRefresh, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { RichWords } from '../../../parts/message/body/rich-words.tsx'
import { openConfirm } from '../../../ui/confirm.tsx'
import { StatusChip } from '../../../ui/status-chip.tsx'
import type { Values } from '../queue-values.ts'
import { firstDifference } from './first-difference.ts'
import classes from './preview.module.css'
import { previewTexts } from './preview-texts.ts'
import type { MenuTests, ShownTest } from './use-menu-tests.ts'
import type { Stage } from './use-stage.ts'

type Props = { form: UseFormReturnType<Values>; tests: MenuTests; stage: Stage; saved: boolean }

/** Conversations that must go on as they are: each with how it goes now. */
export function TestsField({ form, tests, stage, saved }: Props) {
  const words = useTexts(previewTexts)
  const shown = tests.all(form.values)
  const drop = async (test: ShownTest) => {
    if (test.id === null) {
      form.setFieldValue(
        'tests',
        form.values.tests.filter(({ key }) => key !== test.key),
      )
      return
    }
    const question = { title: words.dropAsk(test.name), consequence: words.dropLine, verb: words.dropVerb }
    if (!(await openConfirm(question))) return
    await tests.drop(test.id).then(() => toast.ok(words.dropped, test.name), toast.error)
  }
  const play = (test: ShownTest) => {
    stage.setLine(test.whatsappId)
    stage.setTalk(test.steps.map((step) => step.customer))
  }
  return (
    <div className={classes.tests}>
      <div className={classes.testsHead}>
        <p className={classes.lead}>{words.testsLine}</p>
        {saved && shown.length > 0 && <Again tests={tests} />}
      </div>
      {shown.length === 0 && <p className={classes.none}>{words.noTests}</p>}
      {shown.length > 0 && (
        <ul className={classes.list} aria-label={words.tests}>
          {shown.map((test) => (
            <OneTest key={test.key} test={test} onPlay={() => play(test)} onDrop={() => void drop(test)} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** Here they run by themselves; this asks the server, whose word counts. */
function Again({ tests }: { tests: MenuTests }) {
  const words = useTexts(previewTexts)
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await tests.again().then(({ failed, count }) => toast.ok(words.ran(failed, count)), toast.error)
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

type OneProps = { test: ShownTest; onPlay: () => void; onDrop: () => void }
function OneTest({ test, onPlay, onDrop }: OneProps) {
  const words = useTexts(previewTexts)
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
        {action(words.drop(name), onDrop, <IconTrash size={16} stroke={1.75} />)}
      </div>
      {!test.passes && <Differs test={test} />}
    </li>
  )
}

function Differs({ test }: { test: ShownTest }) {
  const words = useTexts(previewTexts)
  const found = firstDifference(test.steps, test.now)
  if (!found) return null
  return (
    <div className={classes.differs}>
      <p>{words.differs(found.customer)}</p>
      <dl>
        <dt>{words.before}</dt>
        <dd>
          <RichWords text={found.before || words.silence} />
        </dd>
        <dt>{words.now}</dt>
        <dd>
          <RichWords text={found.now || words.silence} />
        </dd>
      </dl>
    </div>
  )
}
