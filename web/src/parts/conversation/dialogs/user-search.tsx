import { Combobox, InputBase, Loader, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { fold } from '@recado/contract/text/fold'
import { type User, usersApi } from '@recado/contract/users'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import classes from './dialogs.module.css'
import { ticketDialogTexts } from './texts.ts'

/** Searching starts at three letters when there are more users than fit on one page (spec, sections 5 and 9). */
const minSearchLength = 3
const searchDebounceMs = 500

const userSearchQuery = (searchParam: string) => ({
  queryKey: ['users', 'search', searchParam],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    callApi(usersApi.list, { query: { searchParam, pageNumber: 1 } }, { signal }),
})

/** A user of the team: selected from a short list, or searched by the first letters of their name. */
export function UserSearch({ user, onChange }: { user: User | null; onChange: (user: User | null) => void }) {
  const words = useTexts(ticketDialogTexts)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim().toLowerCase(), searchDebounceMs)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const first = useQuery(userSearchQuery(''))
  const hasOnePage = first.data?.hasMore === false
  const enabled = !user && (hasOnePage || search.length >= minSearchLength)
  const searchQuery = useQuery({ ...userSearchQuery(search), enabled: enabled && !hasOnePage })
  const isMeant = ({ active, name }: User) => active && (!hasOnePage || fold(name).includes(fold(typed.trim())))
  const found = enabled ? ((hasOnePage ? first : searchQuery).data?.users ?? []).filter(isMeant) : []
  // Invited users cannot answer yet: they come last and say so.
  const people = found.toSorted((a, b) => Number(a.invited) - Number(b.invited))
  const pick = (id: string) => {
    const chosen = people.find((one) => String(one.id) === id)
    if (!chosen) return
    onChange(chosen)
    setTyped(chosen.name)
    combobox.closeDropdown()
  }
  /**
   * A typed full name selects its user. A partial name selects nobody and is cleared, because it must not look
   * selected.
   */
  const selectTypedName = () => {
    if (user || typed.trim() === '') return
    const meant = people.filter(({ name }) => fold(name) === fold(typed.trim()))
    const [only] = meant
    if (only && meant.length === 1) pick(String(only.id))
    else setTyped('')
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
          placeholder={hasOnePage ? words.userPick : words.userType}
          value={typed}
          autoComplete="off"
          data-autofocus
          rightSection={searchQuery.isFetching && <Loader size={14} />}
          onChange={(event) => type(event.currentTarget.value)}
          onFocus={() => enabled && typed !== '' && combobox.openDropdown()}
          onClick={() => enabled && combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown()
            selectTypedName()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!enabled}>
        <Combobox.Options>
          {people.map((one) => (
            <Combobox.Option key={one.id} value={String(one.id)} className={classes.person ?? ''}>
              <PersonAvatar id={one.id} name={one.name} size={24} online={one.online} />
              {one.name}
              {one.invited && <span className={classes.invited}>{words.userInvited}</span>}
            </Combobox.Option>
          ))}
          {people.length === 0 && (
            <Combobox.Empty>{searchQuery.isFetching ? words.searching : words.userNone}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
