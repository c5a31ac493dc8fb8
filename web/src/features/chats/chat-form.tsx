import { MultiSelect, TextInput } from '@mantine/core'
import { type Chat, chatsApi, maxPeoplePerChat } from '@recado/contract/chats'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { putChat } from '../../parts/chats/use-chats.ts'
import { useAllUsers } from '../../parts/select-option-queries.ts'
import { SheetForm } from '../../ui/sheet.tsx'
import { texts } from './texts.ts'

/** A title and at least one person; the owner is always a member. */
export function ChatForm({ chat, onClose }: { chat?: Chat; onClose: () => void }) {
  const words = useTexts(texts)
  const me = useSession().user?.id ?? 0
  const client = useQueryClient()
  const navigate = useNavigate()
  const others = (chat?.users ?? []).filter((one) => one.userId !== me)
  const [title, setTitle] = useState(chat?.title ?? '')
  const [people, setPeople] = useState(() => others.map((one) => String(one.userId)))
  const [busy, setBusy] = useState(false)
  const everyone = useAllUsers()
  const namesById = new Map(others.map((one) => [String(one.userId), one.user.name]))
  for (const one of everyone.data ?? []) if (one.active && one.id !== me) namesById.set(String(one.id), one.name)
  const ready = title.trim() !== '' && people.length > 0
  const save = async () => {
    if (!ready) return
    setBusy(true)
    try {
      const body = { title, users: people.map((id) => ({ id: Number(id) })) }
      const saved = chat
        ? await callApi(chatsApi.update, { params: { id: chat.id }, body })
        : await callApi(chatsApi.create, { body })
      putChat(client, saved, me)
      onClose()
      await navigate({ href: `/chats/${saved.uuid}` })
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
  }
  return (
    <SheetForm
      opened
      onClose={onClose}
      size={460}
      title={chat ? words.edit : words.create}
      submitLabel={chat ? words.save : words.begin}
      isBusy={busy}
      disabled={!ready}
      onSubmit={() => void save()}
    >
      <TextInput
        label={words.title}
        placeholder={words.titleHint}
        required
        data-autofocus
        maxLength={100}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <MultiSelect
        label={words.with}
        placeholder={people.length === 0 ? words.withHint : ''}
        required
        searchable
        maxValues={maxPeoplePerChat - 1}
        nothingFoundMessage={words.nothing}
        data={[...namesById].map(([value, label]) => ({ value, label }))}
        value={people}
        onChange={setPeople}
        comboboxProps={{ zIndex: 400 }}
      />
    </SheetForm>
  )
}
