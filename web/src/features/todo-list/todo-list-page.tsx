import { Button, TextInput } from '@mantine/core'
import { IconListCheck, IconPlus } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { writeStoredJson } from '../../lib/storage.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageBody } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { TaskRow } from './task-row.tsx'
import {
  addTask,
  editTask,
  loadTasksOf,
  readStoredTasks,
  removeTask,
  restoreTask,
  type Task,
  tasksStorageKey,
} from './tasks.ts'
import { texts } from './texts.ts'
import classes from './todo-list.module.css'

export function TodoListPage() {
  const words = useTexts(texts)
  const { tasks, change } = useTasks()
  const drop = (index: number, task: Task) => {
    change((now) => removeTask(now, index))
    toast.ok(words.removed, undefined, {
      id: 'task',
      lasts: 6000,
      action: { label: words.undo, run: () => change((now) => restoreTask(now, index, task)) },
    })
  }
  return (
    <Page>
      <PageHeader title={words.title} count={tasks.length} line={words.line} />
      <NewTaskForm onAdd={(text) => change((now) => addTask(now, text, new Date()))} />
      <PageBody>
        {tasks.length === 0 ? (
          <EmptyState title={words.empty} line={words.emptyLine} icon={<IconListCheck size={26} stroke={1.6} />} />
        ) : (
          <ul className={classes.list}>
            {tasks.map((task, index) => (
              <TaskRow
                key={task.createdAt + String(index)}
                task={task}
                onSave={(text) => change((now) => editTask(now, index, text, new Date()))}
                onRemove={() => drop(index, task)}
              />
            ))}
          </ul>
        )}
      </PageBody>
    </Page>
  )
}

function useTasks() {
  const userId = useSession().user?.id ?? 0
  const [tasks, draw] = useState(() => loadTasksOf(userId))
  const tasksRef = useRef(tasks)
  const show = (next: Task[]) => {
    tasksRef.current = next
    draw(next)
  }
  // Another tab may write to the same list: show its changes, and do not overwrite them.
  const hear = useEffectEvent(({ key }: StorageEvent) => key === tasksStorageKey && show(readStoredTasks()))
  useEffect(() => {
    const listener = (event: StorageEvent) => void hear(event)
    addEventListener('storage', listener)
    return () => removeEventListener('storage', listener)
  }, [])
  const change = (step: (now: Task[]) => Task[]) => {
    const next = step(readStoredTasks(tasksRef.current))
    writeStoredJson(tasksStorageKey, next)
    show(next)
  }
  return { tasks, change }
}

function NewTaskForm({ onAdd }: { onAdd: (text: string) => void }) {
  const words = useTexts(texts)
  const [text, setText] = useState('')
  return (
    <form
      className={classes.tools}
      onSubmit={(event) => {
        event.preventDefault()
        onAdd(text)
        setText('')
      }}
    >
      <TextInput
        className={classes.input ?? ''}
        aria-label={words.placeholder}
        placeholder={words.placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" leftSection={<IconPlus size={17} stroke={2} />}>
        {words.add}
      </Button>
    </form>
  )
}
