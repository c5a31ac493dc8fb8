import { Button, Select, Tooltip } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconDeviceMobileMessage, IconRefresh } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../../../lib/texts.ts'
import type { Values } from '../queue-values.ts'
import { phoneLineOf } from '../try-menu.ts'
import { KeepTest } from './keep-test.tsx'
import classes from './preview.module.css'
import { PreviewPhone } from './preview-phone.tsx'
import { previewTexts } from './preview-texts.ts'
import { rehearse } from './rehearsal.ts'
import type { Stage } from './use-stage.ts'

type Props = { id: number; form: UseFormReturnType<Values>; stage: Stage }

/** The customer's phone beside the form: it plays the menu as it stands there, and what is said on it can be kept. */
export function PreviewPane({ id, form, stage }: Props) {
  const words = useTexts(previewTexts)
  const { values } = form
  const menu = stage.menuFor(values, stage.line?.id ?? null)
  const lines = stage.talkOn(values, menu)
  const talk = rehearse(menu, stage.words, lines, stage.line?.maxUseBotQueues)
  return (
    <aside className={classes.pane} aria-label={words.title}>
      <div className={classes.head}>
        <span className={classes.title}>{words.title}</span>
        <button type="button" className={classes.restart} onClick={() => stage.setTalk([words.hello])}>
          <IconRefresh size={14} stroke={1.75} aria-hidden="true" />
          {words.restart}
        </button>
      </div>
      {stage.lines.length > 0 && (
        <Select
          className={classes.line ?? ''}
          size="xs"
          aria-label={words.line}
          allowDeselect={false}
          comboboxProps={{ shadow: 'lg' }}
          data={[
            ...stage.lines.map((line) => ({ value: String(line.id), label: words.through(line.name) })),
            { value: '', label: words.alone },
          ]}
          value={String(stage.line?.id ?? '')}
          onChange={(value) => stage.setLine(value ? Number(value) : null)}
        />
      )}
      <PreviewPhone
        talk={talk}
        ringed={stage.follows && stage.selected !== null}
        queueName={(queueId) => menu.queues.find((queue) => queue.id === queueId)?.name ?? ''}
        onSay={(text) => stage.setTalk([...lines, text])}
      />
      <div className={classes.deeds}>
        <KeepTest
          disabled={!talk.some((one) => one.say.length > 0)}
          onKeep={(name) =>
            form.setFieldValue('tests', [
              ...values.tests,
              {
                key: `new-${Date.now()}`,
                name,
                whatsappId: stage.line?.id ?? null,
                steps: talk.map(({ customer, say }) => ({ customer, bot: say })),
              },
            ])
          }
        />
        <TryMenu id={id} dirty={form.isDirty()} stage={stage} />
      </div>
    </aside>
  )
}

/** The phone plays what is saved: until then it says what is missing. */
function TryMenu({ id, dirty, stage }: { id: number; dirty: boolean; stage: Stage }) {
  const words = useTexts(previewTexts)
  const navigate = useNavigate()
  const line = phoneLineOf(stage.all, id)
  const why = id === 0 ? words.tryNew : dirty ? words.tryDirty : line ? null : words.tryNoLine
  return (
    <Tooltip label={why ?? words.tryHelp} multiline maw={260} events={{ hover: true, focus: true, touch: true }}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDeviceMobileMessage size={15} stroke={1.75} />}
        aria-disabled={why !== null || undefined}
        aria-description={why ?? undefined}
        data-disabled={why !== null || undefined}
        onClick={(event) => {
          event.preventDefault()
          if (why === null) void navigate({ to: '/phone', search: { line: line?.id, queue: id, fresh: true } as never })
        }}
      >
        {words.tryMenu}
      </Button>
    </Tooltip>
  )
}
