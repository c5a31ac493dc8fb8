import { Button, Select, Tooltip } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconDeviceMobileMessage, IconRefresh } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../../../lib/texts.ts'
import { findTestLineForQueue } from '../find-test-line.ts'
import type { QueueFormValues } from '../queue-form-values.ts'
import { MenuPreviewPhone } from './menu-preview-phone.tsx'
import { menuPreviewTexts } from './menu-preview-texts.ts'
import classes from './preview.module.css'
import { SaveMenuTest } from './save-menu-test.tsx'
import { simulateMenu } from './simulate-menu.ts'
import type { MenuPreview } from './use-menu-preview.ts'

type Props = { id: number; form: UseFormReturnType<QueueFormValues>; preview: MenuPreview }

/** The customer's phone beside the form: it plays the unsaved menu, and its conversation can be saved as a test. */
export function MenuPreviewPane({ id, form, preview: stage }: Props) {
  const words = useTexts(menuPreviewTexts)
  const { values } = form
  const menu = stage.menuFor(values, stage.line?.id ?? null)
  const lines = stage.customerLines(values, menu)
  const talk = simulateMenu(menu, stage.words, lines, stage.line?.maxUseBotQueues)
  return (
    <aside className={classes.pane} aria-label={words.title}>
      <div className={classes.head}>
        <span className={classes.title}>{words.title}</span>
        <button type="button" className={classes.restart} onClick={() => stage.setCustomerLines([words.hello])}>
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
      <MenuPreviewPhone
        exchanges={talk}
        isLastHighlighted={stage.followsSelection && stage.selected !== null}
        queueName={(queueId) => menu.queues.find((queue) => queue.id === queueId)?.name ?? ''}
        onSend={(text) => stage.setCustomerLines([...lines, text])}
      />
      <div className={classes.deeds}>
        <SaveMenuTest
          disabled={!talk.some((one) => one.say.length > 0)}
          onSave={(name) =>
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
        <TryMenuButton id={id} isDirty={form.isDirty()} preview={stage} />
      </div>
    </aside>
  )
}

/** The test phone uses the saved menu: until then it says what is missing. */
function TryMenuButton({ id, isDirty: dirty, preview: stage }: { id: number; isDirty: boolean; preview: MenuPreview }) {
  const words = useTexts(menuPreviewTexts)
  const navigate = useNavigate()
  const line = findTestLineForQueue(stage.all, id)
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
