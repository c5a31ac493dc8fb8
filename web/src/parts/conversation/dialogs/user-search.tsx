import { Combobox, InputBase, Loader, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type User, usersApi } from '@recado/contract/users'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import classes from './dialogs.module.css'
import { dialogTexts } from './texts.ts'

/** Spec, sections 5 and 9. */
const fromLetters = 3
const searchAfter = 500

/** Somebody of the team, found by the first letters of their name. */
export function UserSearch({ user, onChange }: { user: User | null; onChange: (user: User | null) => void }) {
  const words = useTexts(dialogTexts)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim().toLowerCase(), searchAfter)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const enabled = search.length >= fromLetters && !user
  const found = useQuery({
    queryKey: ['users', 'search', search],
    queryFn: ({ signal }) => call(usersApi.list, { query: { searchParam: search, pageNumber: 1 } }, { signal }),
    enabled,
  })
  const people = enabled ? (found.data?.users ?? []).filter((one) => one.active) : []
  const pick = (id: string) => {
    const chosen = people.find((one) => String(one.id) === id)
    if (!chosen) return
    onChange(chosen)
    setTyped(chosen.name)
    combobox.closeDropdown()
  }
  const type = (text: string) => {
    setTyped(text)
    if (user) onChange(null)
    combobox.openDropdown()
    combobox.selectFirstOption()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={pick}>
      <Combobox.Target>
        <InputBase
          label={words.user}
          description={words.userHelp}
          inputWrapperOrder={['label', 'input', 'description']}
          placeholder={words.userType}
          value={typed}
          autoComplete="off"
          data-autofocus
          rightSection={found.isFetching && <Loader size={14} />}
          onChange={(event) => type(event.currentTarget.value)}
          onFocus={() => typed.length >= fromLetters && !user && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!enabled}>
        <Combobox.Options>
          {people.map((one) => (
            <Combobox.Option key={one.id} value={String(one.id)} className={classes.person ?? ''}>
              <PersonAvatar id={one.id} name={one.name} size={24} online={one.online} />
              {one.name}
            </Combobox.Option>
          ))}
          {people.length === 0 && (
            <Combobox.Empty>{found.isFetching ? words.searching : words.userNone}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
