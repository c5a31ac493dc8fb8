import { Checkbox, MultiSelect } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { maxTicketsTakenAlong } from '@recado/contract/queues'
import type { User } from '@recado/contract/users'
import { useTexts } from '../../lib/texts.ts'
import { MessageField } from '../../parts/message-field.tsx'
import type { FieldSlot, FormField } from '../../records/fields/field.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import type { MenuPreview } from './preview/use-menu-preview.ts'
import { maxQueueMessageLength, type QueueFormValues } from './queue-form-values.ts'
import { queueMemberTexts } from './queue-member-texts.ts'
import {
  countWaitingOnLines,
  listLinesWithoutGreeting,
  listQueueCandidates,
  type WaitingWithoutQueue,
} from './queue-members.ts'

type Members = {
  id: number
  lines: Connection[]
  users: User[]
  waiting: WaitingWithoutQueue
  preview: MenuPreview
}

/** Which lines lead to the queue, who works in it, and who will see its tickets. */
export function useQueueMemberFields({ id, lines, users, waiting, preview }: Members): FormField<QueueFormValues>[] {
  const words = useTexts(queueMemberTexts)
  const candidates = listQueueCandidates(users)
  const needGreeting = ({ lineIds }: QueueFormValues) => listLinesWithoutGreeting(lines, lineIds, id)
  return [
    {
      kind: 'custom',
      name: 'lineIds',
      label: words.lines,
      tab: 'data',
      when: () => lines.length > 0,
      render: (slot) => <QueueLinesField slot={slot} lines={lines} preview={preview} />,
    },
    {
      kind: 'custom',
      name: 'lineGreeting',
      label: words.lineGreeting,
      tab: 'data',
      when: (values) => needGreeting(values).length > 0,
      render: ({ form, error }) => (
        <MessageField
          label={words.lineGreeting}
          help={words.lineGreetingHelp(needGreeting(form.values).map((line) => line.name))}
          error={error}
          limit={maxQueueMessageLength}
          rows={2}
          value={form.values.lineGreeting}
          onChange={(text) => form.setFieldValue('lineGreeting', text)}
        />
      ),
    },
    {
      kind: 'custom',
      name: 'takesWaiting',
      label: words.takesWaiting(0),
      tab: 'data',
      when: ({ lineIds }) => countWaitingOnLines(waiting, lineIds) > 0,
      render: ({ form }) => (
        <Checkbox
          label={takesWaitingLabel(countWaitingOnLines(waiting, form.values.lineIds), words)}
          description={words.takesWaitingHelp}
          checked={form.values.takesWaiting}
          onChange={(event) => form.setFieldValue('takesWaiting', event.currentTarget.checked)}
        />
      ),
    },
    {
      kind: 'multi-select',
      name: 'userIds',
      label: words.people,
      help: words.peopleHelp,
      tab: 'data',
      options: candidates.map((user) => ({ value: String(user.id), label: user.name })),
      when: () => candidates.length > 0,
    },
    {
      kind: 'custom',
      name: 'seenBy',
      label: words.seenBy,
      tab: 'data',
      render: ({ form }) => <SeenBy users={candidates} userIds={form.values.userIds} />,
    },
  ]
}

const takesWaitingLabel = (count: number, words: (typeof queueMemberTexts)['es']) =>
  count > maxTicketsTakenAlong ? words.takesFirst(maxTicketsTakenAlong) : words.takesWaiting(count)

type LinesProps = { slot: FieldSlot<QueueFormValues>; lines: Connection[]; preview: MenuPreview }
function QueueLinesField({ slot: { form, error }, lines, preview }: LinesProps) {
  const words = useTexts(queueMemberTexts)
  const { lineIds } = form.values
  return (
    <MultiSelect
      label={words.lines}
      description={lineIds.length > 0 ? words.linesHelp : words.noLines}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={error}
      data={lines.map((line) => ({ value: String(line.id), label: line.name }))}
      comboboxProps={{ shadow: 'lg' }}
      value={lineIds}
      onChange={(next) => {
        form.setFieldValue('lineIds', next)
        preview.setLineIds(next)
      }}
    />
  )
}

/** Further names than this many are only counted. */
const maxShownNames = 6

function SeenBy({ users, userIds }: { users: User[]; userIds: string[] }) {
  const words = useTexts(queueMemberTexts)
  const names = users.filter((user) => userIds.includes(String(user.id))).map((user) => user.name)
  const rest = names.length - maxShownNames
  const shown = rest > 0 ? [...names.slice(0, maxShownNames), words.more(rest)] : names
  return (
    <InlineNotice kind={names.length > 0 ? 'info' : 'warn'}>
      {names.length > 0 ? words.seenByAll(shown) : users.length > 0 ? words.noneChosen : words.onlyAdmins}
    </InlineNotice>
  )
}
