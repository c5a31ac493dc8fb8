import { Anchor } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { type Queue, queuePalette } from '@recado/contract/queues'
import type { User } from '@recado/contract/users'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../lib/texts.ts'
import { HoursField } from '../../parts/hours/hours-field.tsx'
import {
  type AiOrIntegration,
  AiOrIntegrationPicker,
  useAiAndIntegrationsInPlan,
} from '../../parts/integrations/ai-or-integration-picker.tsx'
import { MessageField } from '../../parts/message-field.tsx'
import { ColorField } from '../../records/fields/color-field.tsx'
import type { FieldSlot, FormField } from '../../records/fields/field.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { FieldError } from '../../ui/text-field.tsx'
import { ClosingFormField } from './closing/closing-field.tsx'
import { PriorityGoalsField } from './goals/priority-goals-field.tsx'
import { MenuField } from './menu/menu-field.tsx'
import { MenuTestsField } from './preview/menu-tests-field.tsx'
import type { MenuPreview } from './preview/use-menu-preview.ts'
import type { MenuTests } from './preview/use-menu-tests.ts'
import { queueFormTexts } from './queue-form-texts.ts'
import { findQueueWithColor, maxQueueMessageLength, type QueueFormValues } from './queue-form-values.ts'
import { useQueueMemberFields } from './queue-member-fields.tsx'
import { listQueueCandidates, type WaitingWithoutQueue } from './queue-members.ts'
import { RoutingField } from './routing/routing-field.tsx'

type QueueFieldsOptions = {
  id: number
  queues: Queue[]
  preview: MenuPreview
  tests: MenuTests
  lines: Connection[]
  users: User[]
  waiting: WaitingWithoutQueue
}

/** The key of the tab about routing, which has its own pane beside it. */
export const routingTab = 'routing'

export function useQueueFields(options: QueueFieldsOptions): FormField<QueueFormValues>[] {
  const { id, queues, preview, tests, users } = options
  const members = useQueueMemberFields(options)
  const words = useTexts(queueFormTexts)
  const has = useAiAndIntegrationsInPlan()
  return [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50, span: 'two-thirds', tab: 'data' },
    { kind: 'number', name: 'orderQueue', label: words.order, help: words.orderHelp, span: 'third', tab: 'data' },
    {
      kind: 'custom',
      name: 'color',
      label: words.color,
      tab: 'data',
      render: (slot) => <QueueColorField slot={slot} queues={queues} id={id} />,
    },
    ...members,
    messageField(
      'greetingMessage',
      words.greeting,
      (values) => words.greetingHelp[preview.greetingUseOf(values)],
      'data',
    ),
    aiOrIntegrationField('integration', words, has),
    aiOrIntegrationField('prompt', words, has),
    {
      kind: 'custom',
      name: 'options',
      label: words.tabs.menu,
      tab: 'menu',
      render: (slot) => <MenuField {...{ slot, queues, id, preview: preview }} />,
    },
    {
      kind: 'custom',
      name: 'schedules',
      label: words.tabs.hours,
      tab: 'hours',
      render: ({ form }) => (
        <>
          <UnusedHoursNotice type={preview.getSetting('scheduleType')} />
          <HoursField
            value={form.values.schedules}
            onChange={(schedules) => {
              form.clearFieldError('schedules')
              form.setFieldValue('schedules', schedules)
            }}
          />
        </>
      ),
    },
    {
      kind: 'number',
      name: 'answerGoal',
      label: words.answerGoal,
      help: words.answerGoalHelp,
      span: 'half',
      tab: 'hours',
    },
    {
      kind: 'number',
      name: 'resolveGoal',
      label: words.resolveGoal,
      help: words.resolveGoalHelp,
      span: 'half',
      tab: 'hours',
    },
    {
      kind: 'custom',
      name: 'answerGoalUrgent',
      label: words.tabs.hours,
      tab: 'hours',
      render: (slot) => <PriorityGoalsField {...slot} />,
    },
    {
      kind: 'custom',
      name: 'routing',
      label: words.tabs.routing,
      tab: routingTab,
      render: (slot) => <RoutingField {...slot} users={listQueueCandidates(users)} />,
    },
    {
      kind: 'custom',
      name: 'closing',
      label: words.tabs.closing,
      tab: 'closing',
      render: (slot) => <ClosingFormField {...slot} />,
    },
    messageField('complationMessage', words.complation, words.complationHelp, 'messages'),
    messageField('outOfHoursMessage', words.outOfHours, words.outOfHoursHelp, 'messages'),
    messageField('ratingMessage', words.rating, words.ratingHelp, 'messages'),
    {
      kind: 'custom',
      name: 'tests',
      label: words.tabs.tests,
      tab: 'tests',
      render: ({ form }) => <MenuTestsField {...{ form, tests, preview: preview }} isSaved={id > 0} />,
    },
  ]
}

type MessageName = 'greetingMessage' | 'complationMessage' | 'outOfHoursMessage' | 'ratingMessage'
const messageField = (
  name: MessageName,
  label: string,
  help: string | ((values: QueueFormValues) => string),
  tab: string,
): FormField<QueueFormValues> => ({
  kind: 'custom',
  name,
  label,
  tab,
  render: ({ form, error }) => (
    <MessageField
      {...{ label, error }}
      help={typeof help === 'string' ? help : help(form.values)}
      limit={maxQueueMessageLength}
      rows={3}
      value={form.values[name]}
      onChange={(text) => form.setFieldValue(name, text)}
    />
  ),
})

/** At most one bot (AI or integration) answers in a queue: choosing one clears the other. */
const aiOrIntegrationField = (
  kind: AiOrIntegration,
  words: QueueFormTexts,
  has: Record<AiOrIntegration, boolean>,
): FormField<QueueFormValues> => ({
  kind: 'custom',
  name: `${kind}Id`,
  label: words[kind],
  tab: 'data',
  ...(has.prompt && has.integration && { span: 'half' as const }),
  when: () => has[kind],
  render: ({ form }) => (
    <AiOrIntegrationPicker
      kind={kind}
      value={form.values[`${kind}Id`]}
      help={words.machineHelp}
      onChange={(id) => {
        form.setFieldValue(`${kind}Id`, id)
        if (id !== null) form.setFieldValue(kind === 'prompt' ? 'integrationId' : 'promptId', null)
      }}
    />
  ),
})
type QueueFormTexts = (typeof queueFormTexts)['es']

type ColorProps = { slot: FieldSlot<QueueFormValues>; queues: Queue[]; id: number }
/** Each colour can be used once: colours of other queues are marked with the queue's name. */
function QueueColorField({ slot: { form, error }, queues, id }: ColorProps) {
  const words = useTexts(queueFormTexts)
  const { color } = form.values
  const holder = findQueueWithColor(color, queues, id)
  return (
    <ColorField
      label={words.color}
      withAsterisk
      value={color}
      colors={queuePalette}
      usedBy={(one) => {
        const other = findQueueWithColor(one, queues, id)
        return other && words.takenBy(other.name)
      }}
      error={holder ? <FieldError>{words.colorTaken(holder.name)}</FieldError> : error}
      onChange={(next) => {
        form.clearFieldError('color')
        form.setFieldValue('color', next)
      }}
    />
  )
}

/** Tells the user when the hours of the queue are not in use. */
function UnusedHoursNotice({ type }: { type: string }) {
  const words = useTexts(queueFormTexts)
  if (type === 'queue') return null
  return (
    <div style={{ marginBottom: 12 }}>
      <InlineNotice kind="info">
        {type === 'company' ? words.hoursCompany : words.hoursOff}{' '}
        <Anchor component={Link} inherit {...({ to: '/settings' } as object)}>
          {words.hoursWay}
        </Anchor>
      </InlineNotice>
    </div>
  )
}
