import { Button, TextInput } from '@mantine/core'
import { topics } from '@recado/contract/live'
import { maxTaskLength, type Task, tasksApi } from '@recado/contract/schedules/tasks'
import { IconListCheck, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useResync } from '../../lib/live.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page, PageBody } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { TaskRow } from './task-row.tsx'
import { findUnsyncedTasks, mirrorTasks } from './tasks.ts'
import { texts } from './texts.ts'
import classes from './todo-list.module.css'

export function TodoListPage() {
  const words = useTexts(texts)
  const { query, tasks, run } = useTasks()
  const drop = (task: Task) => {
    run(() => callApi(tasksApi.remove, { params: { id: task.id } }))
    toast.ok(words.removed, undefined, {
      id: 'task',
      lasts: 6000,
      action: { label: words.undo, run: () => run(() => callApi(tasksApi.create, { body: task })) },
    })
  }
  const edit = (task: Task, text: string) => {
    if (text.trim() !== '') run(() => callApi(tasksApi.update, { params: { id: task.id }, body: { text } }))
  }
  return (
    <Page>
      <PageHeader title={words.title} count={tasks.length} line={words.line} />
      <NewTaskForm onAdd={(text) => text.trim() !== '' && run(() => callApi(tasksApi.create, { body: { text } }))} />
      <PageBody>
        {query.isError ? (
          <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
        ) : query.isPending ? null : tasks.length === 0 ? (
          <EmptyState title={words.empty} line={words.emptyLine} icon={<IconListCheck size={26} stroke={1.6} />} />
        ) : (
          <ul className={classes.list}>
            {tasks.map((task) => (
              <TaskRow key={task.id} task={task} onSave={(text) => edit(task, text)} onRemove={() => drop(task)} />
            ))}
          </ul>
        )}
      </PageBody>
    </Page>
  )
}

/**
 * The tasks of this user, on all of their devices. Tasks that an older client stored in this browser are moved to the
 * server.
 */
function useTasks() {
  const userId = useSession().user?.id ?? 0
  const client = useQueryClient()
  const queryKey = ['tasks', userId]
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      for (const { text, createdAt } of findUnsyncedTasks(userId)) {
        const isDated = !Number.isNaN(Date.parse(createdAt))
        const body = {
          text: text.slice(0, maxTaskLength),
          ...(isDated && { createdAt: new Date(createdAt).toISOString() }),
        }
        await callApi(tasksApi.create, { body })
      }
      const tasks = await callApi(tasksApi.list)
      mirrorTasks(userId, tasks)
      return tasks
    },
    staleTime: 0,
  })
  const refetch = () => void client.invalidateQueries({ queryKey })
  useLiveTopic(topics.tasks, refetch)
  useResync(refetch)
  const run = (change: () => Promise<unknown>) => void change().then(refetch, toast.error)
  return { query, tasks: query.data ?? [], run }
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
