import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import type { Task } from '@recado/contract/schedules/tasks'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDayTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { texts } from './texts.ts'
import classes from './todo-list.module.css'

type Props = { task: Task; onSave: (text: string) => void; onRemove: () => void }

export function TaskRow({ task, onSave, onRemove }: Props) {
  const words = useTexts(texts)
  const [editing, setEditing] = useState(false)
  if (editing) {
    return (
      <EditTaskRow
        task={task}
        onCancel={() => setEditing(false)}
        onSave={(text) => {
          onSave(text)
          setEditing(false)
        }}
      />
    )
  }
  const changed = task.updatedAt !== task.createdAt
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <div className={classes.text}>{task.text}</div>
        <div className={classes.when}>
          {changed ? words.changed(formatDayTime(task.updatedAt)) : words.created(formatDayTime(task.createdAt))}
        </div>
      </div>
      <Tooltip label={words.edit}>
        <ActionIcon aria-label={`${words.edit}: ${task.text}`} onClick={() => setEditing(true)}>
          <IconPencil size={16} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={words.remove}>
        <ActionIcon aria-label={`${words.remove}: ${task.text}`} onClick={onRemove}>
          <IconTrash size={16} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}

function EditTaskRow({ task, onSave, onCancel }: { task: Task; onSave: (text: string) => void; onCancel: () => void }) {
  const words = useTexts(texts)
  const [text, setText] = useState(task.text)
  return (
    <li className={classes.row}>
      <form
        className={classes.editing}
        onSubmit={(event) => {
          event.preventDefault()
          onSave(text)
        }}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      >
        <TextInput
          className={classes.input ?? ''}
          aria-label={words.editing}
          autoFocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button variant="default" onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button variant="light" type="submit">
          {words.save}
        </Button>
      </form>
    </li>
  )
}
