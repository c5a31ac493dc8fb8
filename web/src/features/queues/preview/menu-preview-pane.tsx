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
import { fillVariables, simulateMenu } from './simulate-menu.ts'
import type { MenuPreview } from './use-menu-preview.ts'

type Props = { id: number; form: UseFormReturnType<QueueFormValues>; preview: MenuPreview }

/** The customer's phone beside the form: it plays the unsaved menu, and its conversation can be saved as a test. */
export function MenuPreviewPane({ id, form, preview }: Props) {
  const words = useTexts(menuPreviewTexts)
  const { values } = form
  const menu = preview.menuFor(values, preview.line?.id ?? null)
  const lines = preview.customerLines(values, menu)
  const exchanges = simulateMenu(menu, preview.words, lines, {
    repeats: preview.line?.maxUseBotQueues,
    greetsOnlyQueue: preview.greetsOnlyQueue,
  })
  const closedText = preview.closedTextOf(values)
  return (
    <aside className={classes.pane} aria-label={words.title}>
      <div className={classes.head}>
        <span className={classes.title}>{words.title}</span>
        <button type="button" className={classes.restart} onClick={() => preview.setCustomerLines([words.hello])}>
          <IconRefresh size={14} stroke={1.75} aria-hidden="true" />
          {words.restart}
        </button>
      </div>
      {preview.lines.length > 0 && (
        <Select
          className={classes.line ?? ''}
          size="xs"
          aria-label={words.line}
          allowDeselect={false}
          comboboxProps={{ shadow: 'lg' }}
          data={[
            ...preview.lines.map((line) => ({ value: String(line.id), label: words.through(line.name) })),
            { value: '', label: words.alone },
          ]}
          value={String(preview.line?.id ?? '')}
          onChange={(value) => preview.setLine(value ? Number(value) : null)}
        />
      )}
      <MenuPreviewPhone
        exchanges={exchanges}
        isGreetingUnused={values.greetingMessage !== '' && preview.greetingUseOf(values) === 'never'}
        isLastHighlighted={preview.followsSelection && preview.selected !== null}
        queueName={(queueId) => menu.queues.find((queue) => queue.id === queueId)?.name ?? ''}
        onSend={(text) => preview.setCustomerLines([...lines, text])}
      />
      <p className={classes.hours}>
        {closedText === null ? words.noHours : words.closed(fillVariables(closedText, words.sample))}
      </p>
      <div className={classes.deeds}>
        <SaveMenuTest
          disabled={!exchanges.some((one) => one.say.length > 0)}
          onSave={(name) =>
            form.setFieldValue('tests', [
              ...values.tests,
              {
                key: `new-${Date.now()}`,
                name,
                whatsappId: preview.line?.id ?? null,
                steps: exchanges.map(({ customer, say }) => ({ customer, bot: say })),
              },
            ])
          }
        />
        <TryMenuButton id={id} isDirty={form.isDirty()} preview={preview} />
      </div>
    </aside>
  )
}

/** Opens the test phone, which uses the saved menu; for an unsaved menu it shows what is missing. */
function TryMenuButton({ id, isDirty, preview }: { id: number; isDirty: boolean; preview: MenuPreview }) {
  const words = useTexts(menuPreviewTexts)
  const navigate = useNavigate()
  const line = findTestLineForQueue(preview.all, id)
  const disabledReason = id === 0 ? words.tryNew : isDirty ? words.tryDirty : line ? null : words.tryNoLine
  return (
    <Tooltip
      label={disabledReason ?? words.tryHelp}
      multiline
      maw={260}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDeviceMobileMessage size={15} stroke={1.75} />}
        aria-disabled={disabledReason !== null || undefined}
        aria-description={disabledReason ?? undefined}
        data-disabled={disabledReason !== null || undefined}
        onClick={(event) => {
          event.preventDefault()
          if (disabledReason === null)
            void navigate({ to: '/phone', search: { line: line?.id, queue: id, fresh: true } as never })
        }}
      >
        {words.tryMenu}
      </Button>
    </Tooltip>
  )
}
